"""Watching the tray: every throw once, and never one that was none (issue 3; CONTRACT section 4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from terminal.frame import Frame
from terminal.vision.reading import Die, Reading
from terminal.vision.watch import TrayEvent, WatchParams, consensus, same_dice, watch_source
from tests.vision.stage import FPS, PX, SIDE, Play, Scene, Stage

THREE = ((3, -60.0, 20.0, 10.0), (5, 10.0, -70.0, 40.0), (6, 40.0, 60.0, 75.0))
OTHER = ((1, -90.0, -40.0, 20.0), (2, -20.0, 80.0, 60.0), (6, 60.0, -20.0, 5.0))

on_both = pytest.mark.parametrize("calibrated", [True, False], ids=["calibrated", "anywhere"])


def names(events: list[TrayEvent]) -> list[str]:
    """Their names; hands come and go in all of these."""
    return [event.event for event in events if event.event != "hand"]


def lying(dice=THREE, calibrated: bool = True) -> tuple[Stage, Play]:
    """A tray in which these dice already lie."""
    stage, play = Stage(calibrated), Play(Scene(dice))
    assert stage.show(*play.hold(20)) == []
    return stage, play


# Throws


@on_both
def test_a_throw_is_seen_once_with_what_it_shows(calibrated):
    stage, play = Stage(calibrated), Play()
    events = stage.show(*play.hold(10), *play.throw(THREE), *play.hold(60))
    assert names(events) == ["rolling", "throw"]
    throw = events[-1]
    assert throw.values == (3, 5, 6)
    assert sorted(die.value for die in throw.dice) == [3, 5, 6]
    assert throw.image is not None and throw.image.shape == (288, 384, 3)
    assert throw.reason is None


@on_both
def test_a_throw_is_told_within_200_ms_of_rest(calibrated):
    stage, play = Stage(calibrated), Play()
    stage.show(*play.hold(10), *play.throw(THREE))
    rest = (stage.seq - 1) / FPS
    throw = stage.show(*play.hold(30))[-1]
    assert throw.event == "throw"
    assert throw.t - rest <= 0.2


@on_both
def test_an_evening_of_throws_and_pick_ups(calibrated):
    stage, play = Stage(calibrated), Play()
    stage.show(*play.hold(10))
    random = np.random.default_rng(3)
    for number in range(4):
        dice = tuple(
            (int(random.integers(1, 7)), 70 * np.cos(angle), 70 * np.sin(angle), float(random.uniform(0, 90)))
            for angle in random.uniform(0, 2) + np.array([0.0, 2.1, 4.2])
        )
        events = stage.show(*play.throw(dice), *play.hold(20))
        assert names(events) == ["rolling", "throw"], number
        assert events[-1].values == tuple(sorted(die[0] for die in dice))
        events = stage.show(*pick_up(play), *play.hold(10))
        assert names(events) == ["emptied"], number


def pick_up(play: Play) -> Iterator[Scene]:
    """A hand takes the dice one by one and leaves."""
    for value, x, y, turned in play.now.dice:
        yield from play.arm_to(x, y)
        play.now = replace(play.now, dice=tuple(die for die in play.now.dice if die != (value, x, y, turned)))
        yield from play.hold(2)
    yield from play.arm_away()


@on_both
def test_dice_thrown_again_without_the_hand_leaving_are_a_throw(calibrated):
    stage, play = lying(calibrated=calibrated)
    take_all = [*pick_up(play)][:-7]  # but the arm stays
    play.now = take_all[-1]
    events = stage.show(*take_all, *play.throw(OTHER), *play.hold(20))
    assert names(events) == ["rolling", "throw"]
    assert events[-1].values == (1, 2, 6)


def test_the_one_die_of_the_start_roll_counts():
    stage, play = Stage(), Play()
    stage.watcher.expect = 1
    events = stage.show(*play.hold(10), *play.throw(((4, 20.0, -30.0, 33.0),)), *play.hold(20))
    assert names(events) == ["rolling", "throw"]
    assert events[-1].values == (4,)


def test_another_number_of_dice_is_asked_about():
    stage, play = Stage(), Play()
    events = stage.show(*play.hold(10), *play.throw(THREE[:2]), *play.hold(20))
    assert names(events) == ["rolling", "unsure"]
    assert events[-1].reason == "count" and events[-1].values == (3, 5)


def test_dark_dice_are_watched_as_well_as_white_ones():
    stage, play = Stage(), Play(Scene(white=15))
    events = stage.show(*play.hold(10), *play.throw(THREE), *play.hold(20))
    assert names(events) == ["rolling", "throw"]


@pytest.mark.parametrize(
    "room",
    [Scene(white=88), Scene(lamp=0.3), Scene(lamp=0.3, white=100), Scene(lamp=1.3)],
    ids=["dice like the felt", "dim", "dim, dice like the felt", "bright"],
)
def test_bad_light_and_faint_dice_are_watched_as_well(room):
    stage, play = Stage(), Play(room)
    assert names(stage.show(*play.hold(10), *play.throw(THREE), *play.hold(20))) == ["rolling", "throw"]
    assert names(stage.show(*play.arm_to(62, 55), *play.hold(3), *play.arm_away(), *play.hold(10))) == []
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]


def test_a_dark_die_on_a_bright_line_of_the_felt_is_seen_to_go():
    # The line's own contrast is so strong that its place hardly looked different without the die: no `emptied`, and the
    # next throw was taken for dice shifted by a hand.
    stage = Stage()
    places = ((1, 0.4), (4, 2.0), (6, 4.4))
    on_the_ring = tuple((value, 122 * np.cos(at), 122 * np.sin(at), 20.0) for value, at in places)
    stage.show(Scene(), times=6)
    assert names(stage.show(Scene(on_the_ring, white=90), times=10)) == ["rolling", "throw"]
    assert names(stage.show(Scene(), times=6)) == ["emptied"]
    assert names(stage.show(Scene(OTHER), times=10)) == ["rolling", "throw"]


def test_nothing_is_read_while_the_throwing_hand_stays_over_the_tray():
    stage, play = Stage(), Play()
    stage.show(*play.hold(10), *play.throw(THREE, leave=False))
    before = stage.reads
    assert names(stage.show(*play.hold(30))) == []
    assert stage.reads == before
    assert names(stage.show(*play.arm_away(), *play.hold(10))) == ["throw"]


def test_dice_taken_before_they_were_read_are_asked_about():
    stage, play = Stage(), Play()
    events = stage.show(*play.hold(10), *play.throw(THREE, leave=False), *pick_up(play), *play.hold(10))
    assert names(events) == ["rolling", "unsure", "emptied"]
    assert [event.reason for event in events if event.event == "unsure"] == ["hand"]


def test_dice_that_all_left_the_tray_are_asked_about():
    stage, play = Stage(), Play()
    gone = tuple((value, -195.0 - value * 30, y, turned) for value, _, y, turned in THREE)
    events = stage.show(*play.hold(10), *play.throw(gone), *play.hold(20))
    assert names(events) == ["rolling", "unsure", "emptied"]


@on_both
def test_a_tray_that_a_reader_calls_empty_while_dice_rolled_in_is_asked_about(calibrated):
    stage, play = Stage(calibrated), Play()
    stage.show(*play.hold(10))
    stage.blind = True
    assert names(stage.show(*play.throw(THREE), *play.hold(20))) == ["rolling", "unsure"]
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]


def test_a_reader_in_doubt_makes_one_unsure_with_its_reason():
    stage, play = Stage(), Play()
    stage.doubt = "cocked"
    stage.show(*play.hold(10), *play.throw(THREE))
    events = stage.show(*play.hold(60))
    assert names(events) == ["unsure"]
    assert events[0].reason == "cocked" and events[0].values == (3, 5, 6)


def test_after_an_unsure_roll_the_emptied_tray_is_told():
    stage, play = Stage(), Play()
    stage.doubt = "touching"
    stage.show(*play.hold(10), *play.throw(THREE), *play.hold(20))
    stage.doubt = None
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]


def test_a_die_that_falls_over_before_it_was_told_counts_as_it_lies_in_the_end():
    stage, play = Stage(), Play()
    stage.show(*play.hold(10), *play.throw(THREE))
    stage.show(*play.hold(2))
    play.now = replace(play.now, dice=(*THREE[:2], (4, 58.0, 60.0, 75.0)))
    events = stage.show(*play.hold(20))
    assert names(events) == ["throw"]
    assert events[0].values == (3, 4, 5)


def test_a_pattern_taken_for_a_die_in_doubt_hides_no_later_throw():
    # A reader in doubt took a suit of the felt for a die. It was never gone, and every throw after it was `moved`.
    stage, play = Stage(), Play()
    stage.doubt = "disagree"
    stage.ghosts = ((2, -60.0, 60.0, 0.0),)
    assert names(stage.show(*play.hold(10), *play.throw(THREE), *play.hold(20))) == ["rolling", "unsure"]
    stage.show(*pick_up(play), *play.hold(10))
    stage.doubt = None
    assert names(stage.show(*play.throw(OTHER), *play.hold(20)))[:1] == ["rolling"]


# What lies there already, and hands


def test_what_lies_there_when_watching_begins_can_be_asked():
    stage, _ = lying()
    assert stage.watcher.lying is not None
    assert stage.watcher.lying.values == (3, 5, 6)


@on_both
def test_dice_that_lie_there_when_watching_begins_give_no_event(calibrated):
    stage, play = lying(calibrated=calibrated)
    assert stage.show(*play.hold(60)) == []


@on_both
def test_a_pointing_finger_is_no_throw(calibrated):
    stage, play = lying(calibrated=calibrated)
    events = stage.show(*play.arm_to(62, 55), *play.hold(5), *play.arm_to(70, 60, 3), *play.arm_away(), *play.hold(20))
    assert [event.event for event in events] == ["hand"]


def test_each_visit_of_a_hand_is_told_once():
    stage, play = lying()
    for _ in range(2):
        events = stage.show(*play.arm_to(120, 0), *play.hold(30), *play.arm_away(), *play.hold(20))
        assert [event.event for event in events] == ["hand"]


@on_both
def test_one_die_turned_after_the_throw_is_moved(calibrated):
    stage, play = lying(calibrated=calibrated)
    _, _, (value, x, y, turned) = THREE
    stage_events = stage.show(*play.arm_to(x, y))
    play.now = replace(play.now, dice=(*THREE[:2], (2, x + 1, y - 1, turned + 5)))
    stage_events += stage.show(*play.hold(4), *play.arm_away(), *play.hold(20))
    assert names(stage_events) == ["moved"]
    assert stage_events[-1].values == (2, 3, 5) and value == 6


def test_a_die_shifted_by_a_hand_is_moved():
    stage, play = lying()
    events = stage.show(*play.arm_to(40, 60))
    for step in range(8):
        play.now = replace(play.now, dice=(*THREE[:2], (6, 40.0 - 5 * step, 60.0, 75.0)), arm=(40.0 - 5 * step, 60.0))
        events += stage.show(play.now)
    events += stage.show(*play.arm_away(), *play.hold(20))
    assert names(events) == ["moved"]
    assert events[-1].values == (3, 5, 6)


def test_dice_picked_up_and_put_back_are_no_throw():
    stage, play = lying()
    for number, (value, x, y, turned) in enumerate(THREE):
        up = [*play.arm_to(x, y)]
        without = tuple(die for die in play.now.dice if die[0] != value)
        play.now = replace(play.now, dice=without)
        up += [*play.arm_to(x + 50, y), *play.hold(3), *play.arm_to(x, y)]
        play.now = replace(play.now, dice=(*without, (value, x + 4 * number, y, turned)))
        events = stage.show(*up, *play.hold(2), *play.arm_away(), *play.hold(20))
        assert "throw" not in names(events) and "unsure" not in names(events) and "rolling" not in names(events)


def test_dice_laid_into_an_empty_tray_are_no_throw():
    stage, play = lying()
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]
    events = []
    for number, (_, x, y, _) in enumerate(OTHER):
        events += stage.show(*play.arm_to(x, y))
        play.now = replace(play.now, dice=OTHER[: number + 1])
        events += stage.show(*play.hold(3))
    events += stage.show(*play.arm_away(), *play.hold(20))
    assert names(events) == ["moved"]
    assert events[-1].values == (1, 2, 6)


def test_a_die_that_is_poked_and_rolls_while_others_lie_is_no_throw():
    stage, play = lying()
    events = stage.show(*play.arm_to(60, 60))
    for step in range(1, 15):
        x = 40 - 120 * (1 - (1 - step / 14) ** 2)
        play.now = replace(play.now, dice=(*THREE[:2], (step % 6 + 1, x, 60.0, 75.0 + 9 * step)), blur=step < 14)
        events += stage.show(play.now)
    events += stage.show(*play.arm_away(), *play.hold(20))
    assert names(events) == ["moved"]
    assert events[-1].values == (3, 3, 5)


def test_a_die_taken_away_is_moved_and_the_last_one_empties_the_tray():
    stage, play = lying(THREE[:2])
    events = stage.show(*play.arm_to(*THREE[0][1:3]))
    play.now = replace(play.now, dice=THREE[1:2])
    events += stage.show(*play.arm_away(), *play.hold(10))
    assert names(events) == ["moved"] and events[-1].values == (5,)
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]


def test_a_thing_left_in_the_tray_is_read_beside_in_the_end():
    stage, play = lying()
    events = stage.show(*play.arm_to(120, 0), *play.hold(int(3.5 * FPS)))
    assert names(events) == []
    assert stage.reads > 1


def test_dice_on_the_rim_never_count():
    # At the start roll the others lay their dice on the rim, and take them from there.
    stage, play = lying(())
    for dice in (((4, 197.0, 0.0, 0.0),), ((4, 197.0, 0.0, 0.0), (2, 0.0, 199.0, 0.0)), ((2, 0.0, 199.0, 0.0),), ()):
        events = stage.show(*play.arm_to(200, 0))
        play.now = replace(play.now, dice=dice)
        assert names(events + stage.show(*play.arm_away(), *play.hold(15))) == []


# The room: light, table, camera


@on_both
def test_a_switched_lamp_is_no_throw(calibrated):
    stage, play = lying(calibrated=calibrated)
    for lamp, slope in ((0.6, 0.25), (1.1, -0.2), (1.0, 0.0)):
        play.now = replace(play.now, lamp=lamp, slope=slope)
        assert stage.show(*play.hold(int(4 * FPS))) == [], lamp


@pytest.mark.parametrize("lamp", [0.02, 0.12, 0.3])
def test_darkness_and_light_again_are_no_throw_and_empty_nothing(lamp):
    stage, play = lying()
    play.now = replace(play.now, lamp=lamp)
    events = stage.show(*play.hold(60))
    play.now = replace(play.now, lamp=1.0)
    assert names(events + stage.show(*play.hold(60))) == []
    assert names(stage.show(*pick_up(play), *play.hold(10))) == ["emptied"]


@on_both
def test_a_flash_is_no_throw(calibrated):
    stage, play = lying(calibrated=calibrated)
    play.now = replace(play.now, lamp=9.0)
    events = stage.show(*play.hold(1))
    play.now = replace(play.now, lamp=1.0)
    assert names(events + stage.show(*play.hold(30))) == []


def test_slow_dusk_costs_no_reading_and_the_next_throw_is_seen():
    stage, play = Stage(), Play()
    stage.show(*play.hold(10))
    before = stage.reads
    for step in range(300):
        play.now = replace(play.now, lamp=1 - 0.6 * step / 300, slope=0.2 * step / 300)
        assert stage.show(play.now) == []
    assert stage.reads == before
    assert names(stage.show(*play.throw(THREE), *play.hold(20))) == ["rolling", "throw"]


@on_both
def test_somebody_leaning_on_the_table_is_no_throw(calibrated):
    stage, play = lying(calibrated=calibrated)
    shakes = [(1.5, 0.5), (-2.0, 1.0), (2.5, -1.5), (-1.0, -2.0), (3.0, 1.0), (-3.0, 0.0), (0.8, 0.4), (0.0, 0.0)]
    events = stage.show(*(replace(play.now, shake=shake) for shake in shakes * 3), *play.hold(30))
    assert names(events) == []


def test_shaking_an_empty_tray_is_no_throw():
    stage, play = lying(())
    random = np.random.default_rng(5)
    shaken = [replace(play.now, shake=(float(x), float(y))) for x, y in random.normal(0, 2.0, (40, 2))]
    assert names(stage.show(*shaken, *play.hold(30))) == []


def test_a_glass_put_down_is_no_throw():
    stage, play = lying()
    events = stage.show(*play.arm_to(250, -160, start=(330.0, -100.0)))
    play.now = replace(play.now, glass=True)
    shaken = [replace(play.now, shake=shake) for shake in ((0.0, 1.5), (0.0, -1.0), (0.0, 0.5))]
    events += stage.show(*shaken, *play.arm_away(), *play.hold(20))
    assert names(events) == []


@on_both
def test_a_camera_that_looks_elsewhere_is_told_once_and_throws_nothing(calibrated):
    stage, play = lying(calibrated=calibrated)
    play.now = replace(play.now, shake=(7.0, 4.0))
    events = stage.show(*play.hold(90))
    assert [event.event for event in events] == ["camera_moved"]


def test_a_camera_that_sinks_too_slowly_for_motion_is_told():
    stage, play = Stage(params=WatchParams(aim_every_s=1.0)), Play(Scene(THREE))
    stage.show(*play.hold(10))
    sinking = [replace(play.now, shake=(0.0, 4.0 * step / 600)) for step in range(600)]
    events = stage.show(*sinking)
    assert set(names(events)) == {"camera_moved"}


def test_after_a_long_gap_watching_begins_anew():
    stage, play = lying()
    stage.seq += 10 * FPS
    play.now = Scene(OTHER)
    assert stage.show(*play.hold(20)) == []


def test_an_idle_tray_costs_no_reading():
    stage, play = lying()
    before = stage.reads
    stage.show(*play.hold(200))
    assert stage.reads == before


# Anything after anything


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whatever_happens_in_between_every_roll_is_answered_once(seed):
    random = np.random.default_rng(seed)
    stage, play = Stage(), Play()
    stage.show(*play.hold(8))

    def some_dice() -> tuple[tuple[int, float, float, float], ...]:
        angles = random.uniform(0, 2) + np.array([0.0, 2.1, 4.2])
        far = random.uniform(40, 140, 3)
        faces = random.integers(1, 7, 3)
        return tuple(
            (int(value), float(r * np.cos(at)), float(r * np.sin(at)), float(random.uniform(0, 90)))
            for value, r, at in zip(faces, far, angles, strict=True)
        )

    for _ in range(14):
        there = play.now.dice
        happens = str(random.choice(["throw", "point", "lamp", "flash", "shake", "pick up"]))
        if happens == "throw":
            events = names(stage.show(*pick_up(play), *play.hold(6))) if there else []
            assert events == (["emptied"] if there else [])
            dice = some_dice()
            told = stage.show(*play.throw(dice, frames=int(random.integers(9, 22))), *play.hold(12))
            assert names(told) == ["rolling", "throw"]
            assert told[-1].values == tuple(sorted(die[0] for die in dice))
        elif happens == "pick up":
            assert names(stage.show(*pick_up(play), *play.hold(8))) == (["emptied"] if there else [])
        else:
            if happens == "point":
                at = there[0][1:3] if there else (20.0, 30.0)
                scenes = [*play.arm_to(at[0] + 14, at[1]), *play.hold(4), *play.arm_away()]
            elif happens == "lamp":
                lamp = float(random.uniform(0.5, 1.2))
                play.now = replace(play.now, lamp=lamp, slope=float(random.uniform(-0.2, 0.2)))
                scenes = []
            elif happens == "flash":
                scenes = [replace(play.now, lamp=8.0)]
            else:
                pushes = np.clip(random.normal(0, 1.2, (8, 2)), -3, 3)
                scenes = [replace(play.now, shake=(float(x), float(y))) for x, y in pushes]
            assert names(stage.show(*scenes, *play.hold(12))) == [], happens


# Pictures in a folder, as the demo shows them


@pytest.mark.parametrize("empty_for", [1, 2, 6])
def test_a_still_picture_between_empty_trays_is_a_throw(empty_for):
    stage = Stage()
    stage.show(Scene(), times=empty_for)
    assert names(stage.show(Scene(THREE), times=10)) == ["rolling", "throw"]
    assert names(stage.show(Scene(), times=6)) == ["emptied"]


def test_pictures_that_follow_each_other_are_throws():
    stage = Stage()
    stage.show(Scene(), times=6)
    assert names(stage.show(Scene(THREE), times=10)) == ["rolling", "throw"]
    events = stage.show(Scene(OTHER), times=10)
    assert names(events) == ["rolling", "throw"] and events[-1].values == (1, 2, 6)


def test_a_picture_too_dark_to_know_what_lay_there_hides_no_later_throw():
    # After it nothing was ever told again: not that the tray was empty, nor the next throws.
    stage = Stage()
    stage.show(Scene(), times=6)
    stage.doubt = "dark"
    beside_the_light = ((3, 120.0, 20.0, 10.0), (5, 140.0, -50.0, 40.0), (6, 150.0, 60.0, 75.0))
    told = stage.show(Scene(beside_the_light, lamp=0.16, slope=0.9), times=10)
    assert names(told) == ["rolling", "unsure"]
    stage.doubt = None
    assert names(stage.show(Scene(), times=6)) == ["emptied"]
    assert names(stage.show(Scene(OTHER), times=10)) == ["rolling", "throw"]


def test_pictures_in_other_light_are_throws_too():
    stage = Stage()
    stage.show(Scene(), times=6)
    assert names(stage.show(Scene(THREE, lamp=0.8, slope=0.1), times=10)) == ["rolling", "throw"]
    assert names(stage.show(Scene(), times=6)) == ["emptied"]


# Several readings together


def reading(*values: int, status: str = "read", reason: str | None = None, shift: float = 0.0) -> Reading:
    dice = tuple(Die(value, 20.0 * number + shift, 50.0, SIDE, 0.9) for number, value in enumerate(values))
    return Reading(status, tuple(sorted(values)), dice, reason, 1.0)


COCKED = reading(1, 2, 3, status="unsure", reason="cocked")


@pytest.mark.parametrize(
    ("readings", "status", "reason"),
    [
        ([reading(1, 2, 3)] * 3, "read", None),
        ([reading(1, 2, 3)] * 2, None, None),
        ([reading(1, 2, 3), reading(1, 2, 3), reading(1, 2, 4)], "unsure", "disagree"),
        ([reading(1, 2, 3), reading(1, 2, 3), reading(1, 2, 3, shift=9.0)], "unsure", "disagree"),
        ([reading(1, 2, 3), reading(1, 3, 2), reading(1, 2, 3)], "unsure", "disagree"),
        ([reading(1, 2, 3, status="unsure", reason="blur"), *[reading(1, 2, 3)] * 3], "read", None),
        ([reading(1, 2, 3), COCKED, *[reading(1, 2, 3)] * 2], "unsure", "cocked"),
        ([COCKED] * 3, None, None),
        ([COCKED] * 4, "unsure", "cocked"),
        ([Reading("empty", (), (), None, 1.0)] * 2, "empty", None),
        ([Reading("error", (), (), "no picture", 1.0)] * 4, "unsure", "disagree"),
    ],
)  # fmt: skip
def test_several_readings_must_agree(readings, status, reason):
    agreed = consensus(readings, WatchParams(), SIDE)
    if status is None:
        assert agreed is None
    else:
        assert agreed is not None
        assert (agreed.status, agreed.reason) == (status, reason)


def test_the_guess_of_an_unsure_is_what_most_readings_saw():
    agreed = consensus([reading(1, 2, 3), reading(1, 2, 4), reading(1, 2, 3)], WatchParams(), SIDE)
    assert agreed is not None and agreed.values == (1, 2, 3)


def test_the_same_dice_are_the_same_in_any_order():
    dice = reading(1, 2, 3).dice
    assert same_dice(dice, dice[::-1], 1.0)
    assert not same_dice(dice, dice[:2], 1.0)
    assert not same_dice(dice[:2], dice, 1.0)
    assert not same_dice(dice, reading(1, 2, 3, shift=2.0).dice, 1.0)


# Lines for `pitjesbak watch`


def test_a_source_gives_lines_and_a_lost_camera_is_the_last():
    stage, play = Stage(), Play()

    def frames() -> Iterator[Frame]:
        for scene in (*play.hold(10), *play.throw(THREE), *play.hold(10)):
            stage._scene = scene
            grey = stage.draw(scene)
            yield Frame(stage.seq, stage.seq / FPS, grey, np.dstack([grey] * 3))
            stage.seq += 1
        raise OSError("the cable came out")

    lines = [json.loads(json.dumps(line)) for line in watch_source(frames(), stage, 3)]
    assert [line["event"] for line in lines] == ["hand", "rolling", "throw", "camera_lost"]
    assert lines[2]["values"] == [3, 5, 6]
    assert {"t", "frame", "event", "values", "dice"} <= lines[0].keys()
    assert lines[2]["dice"][0].keys() == {"value", "x", "y", "size", "confidence"}
    assert lines[3]["reason"] == "the cable came out"


def test_places_are_those_of_the_picture_that_was_read():
    # A watcher works on the small stream; what it tells is in pixels of the full picture.
    stage, play = Stage(), Play()
    throw = stage.show(*play.hold(10), *play.throw(THREE), *play.hold(20))[-1]
    places = sorted((die.value, round(die.x), round(die.y)) for die in throw.dice)
    assert places == sorted((value, round(191.5 + x * PX), round(143.5 - y * PX)) for value, x, y, _ in THREE)
