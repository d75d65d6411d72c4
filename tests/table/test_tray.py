"""From the tray to the journal: CONTRACT section 6, sentence by sentence."""

from __future__ import annotations

import pytest

from terminal.table import Camera, Emptied, Lying, Moved, Rolling, stoefer, undoable, was_of
from tests.table.play import Play


def test_a_sure_reading_is_booked_at_once_for_whose_turn_it_is() -> None:  # 6.3
    play = Play("An", "Bo", starter="An")
    play.throw(6, 4, 5)
    assert play.lines[-1] == {
        "type": "throw",
        "player": "An",
        "dice": [4, 5, 6],
        "source": "camera",
        "confidence": 0.99,
        "at": "2026-11-29T20:00:00",
        "image": "g2-1.jpg",
    }
    shown = play.table.shown
    assert shown is not None and (shown.values, shown.who, shown.sure) == ((4, 5, 6), "An", True)


def test_the_dice_stay_on_the_screen_until_the_next_roll() -> None:  # 6.3
    play = Play("An", "Bo", starter="An")
    play.throw(6, 4, 5)
    assert play.table.shown is not None
    play.roll()
    assert play.table.shown is None


def test_nothing_counts_while_no_dice_are_asked_for() -> None:  # 6.1
    play = Play("An", "Bo", starter="An")
    play.throw(1, 2, 4)
    play.press("klaar")
    play.throw(1, 2, 4)
    assert play.state["phase"] == "barrage_choice"
    before = play.lines
    play.throw(6, 6, 1)
    assert play.lines == before
    assert play.table.shown is not None and play.table.shown.why_not == "no_dice_wanted"


def test_nothing_counts_in_a_break_and_play_goes_on_after_it() -> None:  # 6.1
    play = Play("An", "Bo", starter="An")
    play.press("pause")
    play.throw(6, 6, 1)
    assert "throw" not in play.types
    play.press("pause")
    play.throw(6, 6, 1)
    assert play.types.count("throw") == 1


def test_another_number_of_dice_is_asked_about() -> None:  # 6.1, CONTRACT 3
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6)
    assert play.table.question is not None and play.table.question.reason == "count"
    assert play.types == ["game_started"]


def test_in_the_start_roll_one_die_counts() -> None:  # 6.11
    play = Play("An", "Bo")
    assert play.table.dice_wanted == 1
    play.throw(6)
    play.throw(2)
    assert [line["type"] for line in play.lines[1:]] == ["start_die", "start_die"]
    assert play.state["turn"] == "An"


def test_what_lies_there_never_counts_twice() -> None:  # 6.2
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.lie(6, 6, 1)
    play.lie(6, 6, 1)
    assert play.types.count("throw") == 1
    play.say(Emptied())
    play.throw(6, 6, 1)
    assert play.types.count("throw") == 2


def test_dice_entered_by_touch_use_up_the_roll_that_still_moves() -> None:  # 6.2
    play = Play("An", "Bo", starter="An")
    play.roll()
    enter(play, 6, 6, 1)
    play.lie(6, 6, 1)
    play.say(Emptied())
    assert play.types.count("throw") == 1
    assert play.lines[-1]["source"] == "touch"


def test_dice_entered_by_touch_use_up_what_lies_there_unread() -> None:  # 6.2
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.lie(6, 6, reason="touching")
    answer(play, 6, 6, 1)
    play.lie(6, 6, 1)
    assert play.types.count("throw") == 1


def test_a_die_outside_uses_up_the_roll() -> None:  # 6.2, K13
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.press("outside")
    play.lie(6, 6)
    play.say(Emptied())
    assert play.types == ["game_started", "die_outside"]
    assert play.table.question is None


def enter(play: Play, *dice: int) -> None:
    play.press("enter_dice")
    for die, face in enumerate(dice):
        play.press("enter_pick", (len(dice), die, face))
    play.wish("entered")


def answer(play: Play, *dice: int) -> None:
    roll = play.table.question
    assert roll is not None
    for die, face in enumerate(dice):
        play.press("pick", (roll.serial, die, face))
    play.wish("answer")


def test_after_the_starters_throw_klaar_ends_his_turn() -> None:  # 6.4
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    assert play.state["turn"] == "Bo"
    assert play.state["round"]["throws_allowed"] == 1


def test_was_of_the_next_gives_him_the_same_dice() -> None:  # 6.4
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    assert was_of(play.table) is None  # nobody threw before it
    play.throw(3, 3, 4)
    assert was_of(play.table) == "Bo"
    play.wish("was_of")
    assert [line["type"] for line in play.lines[-3:]] == ["undo", "stand", "throw"]
    assert play.state["round"]["throws"] == {"An": [[1, 6, 6]], "Bo": [[3, 3, 4]]}
    assert play.state["turn"] == "Cé"
    assert play.lines[-1]["source"] == "camera"


def test_was_of_works_after_the_starters_third_throw() -> None:  # 6.4
    play = Play("An", "Bo", "Cé", starter="An")
    for dice in ((6, 6, 1), (3, 3, 4), (2, 4, 4)):
        play.throw(*dice)
    assert was_of(play.table) == "Bo"
    play.wish("was_of")
    assert play.state["round"]["throws"] == {"An": [[1, 6, 6], [3, 3, 4]], "Bo": [[2, 4, 4]]}
    assert play.state["round"]["throws_allowed"] == 2


def test_a_double_tap_on_was_of_gives_the_dice_once() -> None:
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.throw(3, 3, 4)
    value = (play.table.shown.booked[1], "Bo")
    play.press("was_of", value)
    lines = play.lines
    play.press("was_of", value)
    assert play.lines == lines


def test_not_of_an_is_an_undo_and_the_dice_count_for_nobody() -> None:  # 6.4
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.lie(6, 6, 1)
    play.undo()
    play.lie(6, 6, 1)
    assert play.types == ["game_started", "throw", "undo"]
    assert play.state["round"]["throws"] == {}


def test_a_doubt_is_answered_by_one_tap_when_the_guess_is_right() -> None:
    play = Play("An", "Bo", starter="An")
    play.throw(4, 4, 1, reason="disagree")
    assert play.types == ["game_started"]
    play.wish("answer")
    assert play.lines[-1]["dice"] == [1, 4, 4]
    assert play.lines[-1]["source"] == "touch"
    assert play.lines[-1]["image"] == "g2-1.jpg"


def test_while_a_question_is_open_nothing_else_is_booked() -> None:  # 6.5
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.throw(4, 4, 1, reason="touching")
    lines = play.lines
    for name in ("klaar", "stoef", "ogen", "punten", "undo", "enter_dice", "entered"):
        play.press(name, undoable(play.table)[:2] if name == "undo" else None)
        assert play.lines == lines, name
    assert play.table.question is not None


def test_later_rolls_wait_behind_the_question_in_order() -> None:  # 6.5
    play = Play("An", "Bo", starter="An")
    play.throw(4, 4, 1, reason="touching")
    play.throw(2, 2, 4)
    play.throw(5, 5, 6, reason="blur")
    assert play.types == ["game_started"]
    play.wish("answer")
    assert [line.get("dice") for line in play.lines[1:]] == [[1, 4, 4], [2, 2, 4]]
    assert play.table.question is not None and play.table.question.reason == "blur"
    assert play.table.question.picture == "frame-3"
    play.wish("answer")
    assert play.lines[-1]["dice"] == [5, 5, 6]
    assert not play.table.rolls


def test_a_waiting_roll_that_is_still_moving_is_booked_when_it_lies() -> None:  # 6.5
    play = Play("An", "Bo", starter="An")
    play.throw(4, 4, 1, reason="touching")
    play.roll()
    play.wish("answer")
    assert play.types == ["game_started", "throw"]
    play.lie(2, 2, 4)
    assert play.types == ["game_started", "throw", "throw"]


def test_an_answer_given_on_an_older_question_changes_nothing() -> None:
    play = Play("An", "Bo", starter="An")
    play.throw(4, 4, 1, reason="touching")
    serial = play.table.question.serial
    play.throw(5, 5, 6, reason="blur")
    play.press("answer", serial)
    play.press("answer", serial)
    assert play.types == ["game_started", "throw"]


def test_dice_picked_up_before_they_were_read_are_asked_about() -> None:  # 6.6
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.say(Emptied())
    assert play.table.question is not None and play.table.question.reason == "gone"
    answer(play, 6, 6, 1)
    assert play.lines[-1]["dice"] == [1, 6, 6]


def test_opnieuw_writes_nothing_and_the_next_roll_counts() -> None:  # 6.2, 6.6
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.say(Emptied())
    play.wish("again")
    assert play.types == ["game_started"]
    play.throw(6, 6, 1)
    assert play.types == ["game_started", "throw"]


def test_cocked_is_thrown_again_without_an_event() -> None:  # 6.7, K13
    play = Play("An", "Bo", starter="An", reglement="negen")
    play.throw(2, 2, 3, reason="cocked")
    play.wish("again")
    assert play.note == "cocked_again"
    assert play.types == ["game_started"]


def test_stoef_is_for_whoever_threw_last() -> None:  # 6.8
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    play.throw(4, 4, 1)
    play.press("stoef")
    assert play.state["round"]["stoef"] == ["Bo"]


def test_stoef_closes_when_the_next_players_dice_roll() -> None:  # 6.8
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    assert stoefer(play.table) == "An"
    play.roll()
    assert stoefer(play.table) is None
    play.press("stoef")
    assert play.note == "stoef_not_now"
    assert "stoef" not in play.types


def test_stoef_stays_open_while_the_same_player_rolls_again() -> None:  # 6.8
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6, 1)
    play.roll()
    assert stoefer(play.table) == "An"


def test_a_void_roll_of_the_next_player_leaves_stoef_open() -> None:  # K13
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    play.throw(4, 4, 1, reason="cocked")
    play.wish("again")
    assert stoefer(play.table) == "An"


def test_dice_that_lie_there_when_watching_begins_are_asked_about() -> None:  # 6.9
    play = Play("An", "Bo", starter="An")
    play.say(Lying((6, 6, 1), "frame-0"))
    assert play.types == ["game_started"]
    assert play.table.question is not None and play.table.question.reason == "lying"


def test_dice_that_lie_there_before_a_game_are_nobodys() -> None:  # 6.9, 6.1
    play = Play()
    play.say(Lying((6, 6, 1), "frame-0"))
    assert play.table.question is None


@pytest.mark.parametrize(("what", "player"), [("leave", "Bo"), ("abandon", "")])
def test_a_player_who_stops_and_a_game_that_stops_take_two_steps(what: str, player: str) -> None:  # 6.10
    play = Play("An", "Bo", "Cé", starter="An")
    play.throw(6, 6, 1)
    play.press("sure", (what, player))
    assert what not in play.types
    play.press("open", ("sure", what, player))
    assert what not in play.types
    play.wish("sure")
    assert play.types[-1] == what


def test_a_lost_camera_asks_for_the_dice_that_rolled() -> None:
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.say(Camera("lost"))
    assert play.table.question is not None and play.table.question.reason == "gone"
    answer(play, 6, 6, 1)
    enter(play, 2, 2, 4)
    assert [line["dice"] for line in play.lines[1:]] == [[1, 6, 6], [2, 2, 4]]


def test_dice_that_a_hand_turned_are_no_throw_and_the_booked_ones_stand() -> None:
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.lie(6, 6, 1)
    play.say(Moved((6, 6, 2)))
    assert play.types == ["game_started", "throw"]
    assert play.note == "moved"


def test_motion_twice_is_one_roll() -> None:
    play = Play("An", "Bo", starter="An")
    play.roll()
    play.say(Rolling())
    play.lie(6, 6, 1)
    assert len(play.table.rolls) == 0
    assert play.types == ["game_started", "throw"]
