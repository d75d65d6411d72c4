"""Games of a seating, undo and correction across them, and names typed in."""

from __future__ import annotations

import pytest

from terminal.overlays import Surroundings
from terminal.present import present
from terminal.rules import fold as rules
from terminal.step import unwritten
from terminal.table import Read, Seated, Seating, loser, next_starter, seating_over
from tests.table.play import Play


def play_game(play: Play, winner: str) -> None:
    """One round games: with one stripe each, the winner of the round is out; two players."""
    while play.state["phase"] != "finished":
        if play.state["phase"] == "start_roll":
            play.throw(6 if play.state["turn"] == winner else 1)
            continue
        turn = play.state["turn"]
        play.throw(*((6, 6, 1) if turn == winner else (2, 3, 3)))
        if "stand" in play.state["legal"]:
            play.press("klaar")


def test_the_loser_begins_the_next_game() -> None:  # K3
    play = Play("An", "Bo", stripes=1)
    play_game(play, "An")
    assert loser(play.table.game) == "Bo"
    play.press("klaar")
    assert play.lines[-1]["starter"] == "Bo"
    assert play.lines[-1]["number"] == 2


def test_three_games_make_a_seating() -> None:  # K50
    play = Play("An", "Bo", stripes=1)
    for winner in ("An", "Bo", "An"):
        play_game(play, winner)
        play.press("klaar")
    assert [line["number"] for line in play.lines if line["type"] == "game_started"] == [1, 2, 3]
    assert seating_over(play.table)


def test_if_the_loser_has_left_his_left_neighbour_begins() -> None:  # K3, K54
    play = Play("An", "Bo", "Cé", stripes=1, starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    play.throw(2, 3, 3)
    play.throw(2, 2, 4)
    assert play.state["out"] == ["An"]
    play.press("open", ("sure", "leave", "Bo"))
    play.wish("sure")
    assert loser(play.table.game) == "Bo"
    play.press("klaar")
    assert play.lines[-1]["players"] == ["An", "Cé"]
    assert play.lines[-1]["numbers"] == [1, 3]
    assert play.lines[-1]["starter"] == "Cé"


def test_after_an_abandoned_game_there_is_a_start_roll() -> None:  # K3, K55
    play = Play("An", "Bo", stripes=1, starter="An")
    play.throw(6, 6, 1)
    play.press("open", ("sure", "abandon", ""))
    play.wish("sure")
    play.press("klaar")
    assert play.lines[-1]["starter"] is None
    assert play.lines[-1]["number"] == 2


def test_a_false_start_is_played_again_with_its_number_and_starter() -> None:  # K55a
    play = Play("An", "Bo", stripes=1, starter="An")
    play_game(play, "An")
    play.press("klaar")
    play.press("open", ("sure", "abandon", ""))
    play.wish("sure")
    play.press("klaar")
    begun = [line for line in play.lines if line["type"] == "game_started"]
    assert [line["number"] for line in begun] == [1, 2, 2]
    assert begun[1]["starter"] == begun[2]["starter"] == "Bo"
    assert begun[1]["game"] != begun[2]["game"]


def test_a_table_of_one_plays_no_more() -> None:  # K54
    play = Play("An", "Bo", stripes=2, starter="An")
    play.throw(6, 6, 1)
    play.press("open", ("sure", "leave", "Bo"))
    play.wish("sure")
    assert seating_over(play.table)
    lines = play.lines
    play.press("klaar")
    assert play.lines == lines


def test_undo_goes_back_over_rounds() -> None:
    play = Play("An", "Bo", stripes=5, starter="An")
    states = []
    for dice in ((6, 6, 1), (2, 3, 3)):
        states.append(play.state)
        play.throw(*dice)
        if "stand" in play.state["legal"]:
            states.append(play.state)
            play.press("klaar")
    assert play.state["last_round"] is not None
    for before in reversed(states):
        play.undo()
        assert {**play.state, "seq": 0} == {**before, "seq": 0}


def test_undo_reopens_a_finished_game() -> None:
    play = Play("An", "Bo", stripes=1, starter="An")
    play_game(play, "An")
    play.undo()
    assert play.state["phase"] == "throwing"
    assert play.state["turn"] == "Bo"


def test_undo_of_a_fresh_game_goes_back_into_the_one_before() -> None:  # K55a
    play = Play("An", "Bo", stripes=1, starter="An")
    play_game(play, "An")
    play.press("klaar")
    assert play.state["turn"] == "Bo"
    play.undo()
    assert [line["type"] for line in play.lines[-2:]] == ["abandon", "undo"]
    assert play.state["phase"] == "throwing"
    play.throw(6, 6, 2)
    play.press("klaar")
    assert play.lines[-1]["number"] == 2


def test_a_double_press_of_undo_takes_back_one_thing() -> None:
    play = Play("An", "Bo", stripes=5, starter="An")
    play.throw(6, 6, 1)
    play.press("klaar")
    value = (play.table.game.game_id, 2)
    play.press("undo", value)
    play.press("undo", value)
    assert play.types[-2:] == ["stand", "undo"]


def test_a_correction_takes_two_taps() -> None:
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6, 1)
    play.press("edit", play.table.shown.booked)
    play.press("correct", (*play.table.shown.booked, (6, 6, 2)))
    assert play.lines[-1]["type"] == "correction"
    assert play.lines[-1]["source"] == "touch"
    assert play.state["round"]["throws"]["An"] == [[2, 6, 6]]
    assert play.note == "corrected"
    assert play.table.shown.values == (2, 6, 6)


def test_a_correction_stays_on_the_screen_until_the_next_roll() -> None:
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6, 1)
    play.press("correct", (*play.table.shown.booked, (6, 6, 2)))
    assert play.note == "corrected"
    play.roll()
    assert play.note == ""


def test_a_correction_that_later_throws_contradict_offers_to_go_back() -> None:
    play = Play("An", "Bo", "Cé", stripes=5, starter="An")
    play.throw(6, 6, 1)
    first = play.table.shown.booked
    play.press("klaar")
    play.throw(2, 3, 3)
    play.press("correct", (*first, (1, 1, 1)))  # An would have been out before Bo threw
    assert play.table.overlay is not None and play.table.overlay.kind == "back_to"
    play.wish("back_to")
    assert play.types[-3:] == ["undo", "undo", "correction"]
    assert play.state["out"] == ["An"]


def test_a_throw_of_the_game_before_can_be_corrected() -> None:
    play = Play("An", "Bo", "Cé", stripes=1, starter="An")
    first = None
    for dice in ((6, 6, 1), (2, 3, 3), (2, 3, 4)):
        play.throw(*dice)
        first = first or play.table.shown.booked
        if "stand" in play.state["legal"]:
            play.press("klaar")
    play.throw(6, 6, 1)
    play.press("klaar")
    play.throw(2, 3, 3)
    assert play.state["phase"] == "finished"
    play.press("klaar")
    play.throw(2, 4, 4)
    play.press("correct", (*first, (6, 6, 2)))
    assert play.effects[-1].game == first[0]
    assert rules.summary(play.table.games[0])["phase"] == "finished"
    assert play.state["phase"] == "throwing"


def test_a_correction_that_would_reopen_the_game_before_is_refused() -> None:
    play = Play("An", "Bo", stripes=1, starter="An")
    play.throw(6, 6, 1)
    first = play.table.shown.booked
    play.press("klaar")
    play.throw(2, 3, 3)
    play.press("klaar")
    play.throw(2, 4, 4)
    lines = play.lines
    play.press("correct", (*first, (2, 3, 3)))
    assert play.lines == lines
    assert play.note == "correction_reopens"


def test_a_seating_that_arrives_during_a_game_waits_for_its_end() -> None:
    play = Play("An", "Bo", stripes=1, games=1, starter="An")
    following = Seating("2026-11-29", 2, "seating", "1", "kazerne", 1, ("Cé", "Dré"), (3, 4))
    play.say(Seated(following))
    assert play.table.waiting == following
    play_game(play, "An")
    play.press("klaar")
    assert play.lines[-1]["players"] == ["Cé", "Dré"]
    assert play.table.seating == following


def test_without_central_names_are_typed_in_and_remembered() -> None:
    play = Play()
    play.wish("open")
    for name in ("An", "Bo"):
        for letter in name:
            play.press("type", letter)
        play.press("enter")
    play.press("seat")
    assert play.lines[-1]["players"] == ["An", "Bo"]
    assert play.lines[-1]["evening"] == ""
    assert play.table.remembered == ("An", "Bo")


def test_two_players_of_one_name_are_refused_in_words() -> None:
    play = Play()
    play.wish("open")
    for letter in ("A", "A"):
        play.press("type", letter)
        play.press("enter")
    assert play.table.overlay.about == (("A",), "A", "name_taken")


def test_a_throw_that_the_card_does_not_take_is_asked_about_again() -> None:
    play = Play("An", "Bo", starter="An")
    play.roll()
    before = play.table
    table = unwritten(before, Read((1, 6, 6), None, "frame-1"))
    assert table.games == before.games
    assert table.question is not None and table.question.picked == (1, 6, 6)
    play.table = table
    play.wish("answer")
    assert play.lines[-1]["dice"] == [1, 6, 6]


def test_the_reglement_says_nothing_of_who_starts_before_the_first_game() -> None:
    assert next_starter(Seating("e", 1, "seating", "1", "kazerne", None, ("An", "Bo"), (1, 2)), ()) is None


def test_where_everybody_sits_next_shows_as_soon_as_central_knows() -> None:
    play = Play("An", "Bo", stripes=1, games=1, starter="An")
    play_game(play, "An")
    play.say(Seated(play.table.seating._replace(next_tables=(("An", "3"), ("Bo", "1")))))
    assert play.table.overlay is not None and play.table.overlay.kind == "next"
    play.wish("close")
    assert play.table.overlay is None
    play.say(Seated(play.table.seating))  # told again: no news
    assert play.table.overlay is None


def test_a_false_start_gives_way_to_the_seating_that_central_sends() -> None:
    """The names were typed because central was late; nothing was thrown yet when its seating came."""
    play = Play("An", "Bo", starter="An")
    central = play.table.seating._replace(evening="2026-12-06", players=("Cé", "Dré"), starter=None)
    play.press("open", ("sure", "abandon", ""))
    play.press("sure", ("abandon", ""))
    play.say(Seated(central))
    assert play.table.seating == central
    play.press("klaar")
    assert play.table.game.players == ("Cé", "Dré")


def notes(play: Play) -> dict[str, str]:
    return {seat.name: seat.note for seat in present(play.table, Surroundings()).seats}


@pytest.mark.parametrize(
    ("kind", "said", "prompt"),
    [
        ("seating", {"An": "1e · 5 punten", "Bo": "2e · 3 punten", "Cé": "betaalt!"}, "Gedaan! Nog een keer?"),
        ("final", {"An": "1e · 10 punten", "Bo": "2e · 6 punten", "Cé": "3e · 4 punten"}, "An wint de finale!"),
        ("playoff", {"An": "1e", "Bo": "2e", "Cé": "betaalt!"}, "Gedaan! An was eerst uit."),
        ("deciding", {"An": "1e", "Bo": "2e", "Cé": "betaalt!"}, "Gedaan! An was eerst uit."),
    ],
)
def test_the_end_of_a_game_says_what_its_places_bring(kind: str, said: dict[str, str], prompt: str) -> None:  # K40, K44
    play = Play()
    players = ("An", "Bo", "Cé")
    play.say(Seated(Seating("", 1, kind, "1", "kazerne", 1, players, (1, 2, 3), games=1, starter="An")))
    play.press("klaar")
    for winner in ("An", "Bo"):
        while winner not in play.state["out"]:
            turn = play.state["turn"]
            play.throw(*((4, 5, 6) if turn == winner else (2, 3, 4)))
            if play.table.playing and "stand" in play.state["legal"]:
                play.press("klaar")
    assert notes(play) == said
    assert present(play.table, Surroundings()).prompt.startswith(prompt)


def test_before_the_first_game_the_stripes_of_the_reglement_stand_there() -> None:
    """Central sends the reglement and no number of its own: the screen showed 0 until KLAAR was pressed."""
    for reglement, stripes, shown in (("kazerne", None, 12), ("negen", None, 9), ("kazerne", 6, 6)):
        play = Play()
        play.say(Seated(Seating("e", 1, "seating", "1", reglement, stripes, ("An", "Bo"), (1, 2))))
        assert [seat.marks for seat in present(play.table, Surroundings()).seats] == [shown, shown]
