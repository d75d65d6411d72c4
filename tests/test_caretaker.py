"""The caretaker of the calibration: what is mended, what is said, and what is never done on one look or in silence."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.check import Check
from terminal import caretaker
from terminal.caretaker import AGAIN_S, EVERY_S, HIDDEN_MOST, SAMPLES, Caretaker, Sample
from terminal.evidence import jpeg_of
from terminal.frame import Image
from terminal.table import Camera, Message, Tended
from terminal.vision.params import Calibration
from tests.calibration.test_check import calibrated, moved
from tests.calibration.test_fit import TABLES, picture, truth

TABLE = TABLES[0]


def looks(care: Caretaker, image: Image, times: int = 2, at_s: float = 0.0) -> list[Message]:
    """What is told when the same picture is looked at so often."""
    return [message for turn in range(times) for message in care.look(image, at_s + turn * AGAIN_S)]


def darker(image: Image, factor: float) -> Image:
    return np.clip(image.astype(float) * factor, 0, 255).astype(np.uint8)


def test_a_tray_as_it_was_calibrated_says_nothing_and_is_looked_at_once_a_minute() -> None:
    care = Caretaker(calibrated(TABLE))
    assert care.due(0.0)
    assert looks(care, picture(TABLE)) == []
    assert not care.due(AGAIN_S + EVERY_S - 1)
    assert care.due(AGAIN_S + EVERY_S)


def test_a_small_shift_is_mended_at_the_second_look_and_said() -> None:
    care = Caretaker(calibrated(TABLE))
    shifted = moved(picture(TABLE), 4.0, -2.0)
    assert care.look(shifted, 0.0) == ()
    assert care.calibration is calibrated(TABLE)
    assert care.due(AGAIN_S)
    (told,) = care.look(shifted, AGAIN_S)
    assert isinstance(told, Tended) and told.what == "shifted"
    assert told.amount == pytest.approx(np.hypot(4, 2), abs=1.0)
    assert care.calibration is not calibrated(TABLE)
    assert looks(care, shifted) == []  # it holds again


def test_a_shift_seen_only_once_changes_nothing() -> None:
    care = Caretaker(calibrated(TABLE))
    care.look(moved(picture(TABLE), 4.0, -2.0), 0.0)
    care.look(picture(TABLE), AGAIN_S)
    care.look(moved(picture(TABLE), 4.0, -2.0), EVERY_S)
    assert care.calibration is calibrated(TABLE)


def test_shifts_that_add_up_are_mended_only_so_far() -> None:
    """Somebody leans on the arm of the camera all evening: each time it gives way a little."""
    care = Caretaker(calibrated(TABLE))
    told = [message for step in range(1, 8) for message in looks(care, moved(picture(TABLE), 4.0 * step, 0.0))]
    assert [one.what for one in told if isinstance(one, Tended)] == ["shifted"] * 5
    assert told[-1] == Camera("moved")
    assert not care.trusted


def test_a_moved_camera_is_said_once_and_nothing_counts_unasked_until_it_hangs_right_again() -> None:
    care = Caretaker(calibrated(TABLE))
    away = moved(picture(TABLE), 18.0, 0.0)
    assert looks(care, away, times=4) == [Camera("moved")]
    assert not care.trusted
    assert looks(care, picture(TABLE), times=1) == [Camera("ok")]
    assert care.trusted


def test_a_knock_is_believed_at_once_and_then_looked_at() -> None:
    care = Caretaker(calibrated(TABLE))
    looks(care, picture(TABLE))
    care.alarm()
    assert not care.trusted
    assert care.due(0.0)
    assert looks(care, picture(TABLE), times=1) == [Camera("ok")]
    assert care.trusted


def test_a_knock_while_a_picture_is_looked_at_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    care = Caretaker(calibrated(TABLE))
    real = caretaker.check

    def knocked(calibration: Calibration, image: Image) -> Check:
        care.alarm()  # from the eye's thread
        return real(calibration, image)

    monkeypatch.setattr(caretaker, "check", knocked)
    assert care.look(picture(TABLE), 0.0) == ()
    assert not care.trusted
    assert care.due(0.0)


def test_a_knock_that_left_a_small_shift_is_mended() -> None:
    care = Caretaker(calibrated(TABLE))
    care.alarm()
    assert [type(one) for one in looks(care, moved(picture(TABLE), 3.0, 2.0))] == [Camera, Tended]
    assert care.trusted


def test_in_another_light_the_camera_measures_once_and_then_it_is_said() -> None:
    care = Caretaker(calibrated(TABLE), measures=True)
    dusk = darker(picture(TABLE), 0.4)
    assert looks(care, dusk) == [Tended("light")]
    assert care.wants_light
    care.wants_light = False
    assert looks(care, dusk, times=4) == [Camera("light")]
    assert not care.wants_light
    assert looks(care, picture(TABLE), times=1) == [Camera("ok")]


def test_a_lamp_that_was_off_when_the_table_came_up_and_is_lit_later_is_measured_again() -> None:
    """In the dark the camera opens wide, and everything is white when the lamp is lit."""
    care = Caretaker(calibrated(TABLE), measures=True)
    night = darker(picture(TABLE), 0.3)
    assert looks(care, night, times=4) == [Tended("light"), Camera("light")]
    care.wants_light = False
    assert looks(care, darker(picture(TABLE), 2.5)) == [Tended("light")]
    assert care.wants_light


def test_a_camera_that_cannot_measure_is_not_asked_to() -> None:
    care = Caretaker(calibrated(TABLE))
    assert looks(care, darker(picture(TABLE), 0.4)) == [Camera("light")]
    assert not care.wants_light
    assert care.trusted  # the reader knows a light that it cannot read in


def test_a_tray_that_is_not_seen_for_long_is_said() -> None:
    care = Caretaker(calibrated(TABLE))
    flat = np.full_like(picture(TABLE), int(picture(TABLE).mean()))
    told = looks(care, flat, times=HIDDEN_MOST - 1)
    assert told == []
    assert looks(care, flat, times=1) == [Camera("hidden")]


def test_a_picture_of_another_size_is_looked_at_as_well() -> None:
    import cv2

    half = cv2.resize(picture(TABLE), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert looks(Caretaker(calibrated(TABLE)), np.asarray(half, np.uint8), times=HIDDEN_MOST + 1) == []


# -- the dice


@cache
def throws(table: str) -> tuple[Sample, ...]:
    """The first easy throws of a table, as the players know them."""
    easy = [one for one in truth(table)["pictures"] if one["kind"] == "easy" and len(one["values"]) == 3]
    return tuple(
        Sample(jpeg_of(picture(table, one["file"])), tuple(sorted(one["values"])), True) for one in easy[:SAMPLES]
    )


def learnt(care: Caretaker, samples: tuple[Sample, ...]) -> list[Message]:
    """What is told when these throws count and all there is to learn is learnt."""
    for number, sample in enumerate(samples):
        care.counted(f"g-{number}.jpg", sample)
    told: list[Message] = []
    while care.busy:
        told += care.learn()
    return told


@pytest.mark.parametrize("table", TABLES)
def test_the_cafes_dice_are_learnt_from_the_first_throws_and_said(table: str) -> None:
    care = Caretaker(replace(calibrated(table), die_mm=None))
    (told,) = learnt(care, throws(table))
    assert told == Tended("dice", care.calibration.die_mm or 0.0)
    assert care.calibration.die_mm == pytest.approx(truth(table)["die_mm"], rel=0.1)


@pytest.mark.parametrize(
    ("measured", "learns"), [((16, 16, 16.2, 15.9, 18.7, 16), True), ((13, 16, 19, 14, 17, 11), False)]
)
def test_a_throw_measured_wrongly_does_not_count_and_six_that_differ_teach_nothing(
    measured: tuple[float, ...], learns: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = iter(measured)
    monkeypatch.setattr(caretaker, "learn_dice", lambda known, images: replace(known, die_mm=next(sides)))
    care = Caretaker(replace(calibrated(TABLE), die_mm=None))
    assert bool(learnt(care, throws(TABLE))) == learns
    if learns:
        assert care.calibration.die_mm == pytest.approx(16, rel=0.05)


def test_fewer_throws_teach_nothing() -> None:
    care = Caretaker(replace(calibrated(TABLE), die_mm=None))
    assert learnt(care, throws(TABLE)[:-1]) == []
    assert care.calibration.die_mm is None


def test_dice_that_are_known_and_read_are_left_alone() -> None:
    care = Caretaker(calibrated(TABLE))
    assert learnt(care, throws(TABLE)) == []
    assert care.calibration is calibrated(TABLE)


def test_other_dice_than_before_are_learnt_when_the_eye_had_to_ask_about_most_throws() -> None:
    care = Caretaker(replace(calibrated(TABLE), die_mm=11.0))
    (told,) = learnt(care, tuple(sample._replace(sure=False) for sample in throws(TABLE)))
    assert isinstance(told, Tended)
    assert care.calibration.die_mm == pytest.approx(truth(TABLE)["die_mm"], rel=0.1)


def test_a_size_at_which_a_throw_would_be_read_otherwise_than_the_players_know_it_is_not_taken() -> None:
    care = Caretaker(replace(calibrated(TABLE), die_mm=None))
    first, *others = throws(TABLE)
    wrong = first._replace(values=tuple(sorted(7 - value for value in first.values)))
    assert wrong.values != first.values
    assert learnt(care, (wrong, *others)) == []
    assert care.calibration.die_mm is None


def test_a_correction_and_an_undo_reach_what_is_learnt_from() -> None:
    care = Caretaker(replace(calibrated(TABLE), die_mm=None))
    first, *others = throws(TABLE)
    for number, sample in enumerate((first._replace(values=(1, 1, 1)), *others[:-1])):
        care.counted(f"g-{number}.jpg", sample)
    care.corrected("g-0.jpg", first.values)
    care.undone("g-1.jpg")
    care.undone("g-77.jpg")
    care.counted("g-5.jpg", others[-1])
    assert not care.busy  # one was taken back
    care.counted("g-1.jpg", others[0])
    told: list[Message] = []
    while care.busy:
        told += care.learn()
    assert [type(one) for one in told] == [Tended]


def test_pictures_without_dice_teach_nothing() -> None:
    care = Caretaker(replace(calibrated(TABLE), die_mm=None))
    empty = Sample(jpeg_of(picture(TABLE)), (1, 2, 3), False)
    assert learnt(care, (empty,) * SAMPLES) == []
    assert care.calibration.die_mm is None
