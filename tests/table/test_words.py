"""Whatever the rules can say has its words on the screen."""

from __future__ import annotations

import pytest

from terminal.display.texts import LANGUAGES, TEXTS
from terminal.overlays import Surroundings
from terminal.present import present
from terminal.rules.contract import CODES
from terminal.rules.explain import KINDS
from terminal.rules.reglement import FIELDS, load, to_mapping
from terminal.vision.reading import REASONS
from tests.table.play import Play

AT_THE_START = {"not_json", "no_game", "unknown_type", "bad_field", "bad_players", "bad_reglement"}  # never by a finger


@pytest.mark.parametrize("kind", KINDS)
def test_everything_that_happens_has_its_sentence(kind: str) -> None:
    assert f"because_{kind}" in TEXTS


@pytest.mark.parametrize("code", sorted(CODES.keys() - AT_THE_START))
def test_every_refusal_has_its_sentence(code: str) -> None:
    assert f"refused_{code}" in TEXTS


@pytest.mark.parametrize("field", [name for name in FIELDS if name not in ("name", "labels")])
def test_every_switch_of_a_reglement_has_its_sentence(field: str) -> None:
    allowed = FIELDS[field].allowed
    if allowed.startswith("one of "):
        for value in allowed.removeprefix("one of ").split(", "):
            assert f"rule_{field}_{value}" in TEXTS
    else:
        assert f"rule_{field}" in TEXTS


@pytest.mark.parametrize("reason", REASONS)
def test_every_doubt_of_the_eye_has_its_sentence(reason: str) -> None:
    assert f"reason_{reason}" in TEXTS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reglement", ["kazerne", "negen"])
def test_the_rules_page_speaks_every_language(language: str, reglement: str) -> None:
    play = Play("An", "Bo", starter="An", reglement=reglement)
    play.press("language", language)
    play.press("open", ("rules",))
    page = present(play.table, Surroundings()).page
    assert page is not None
    assert len(page.lines) >= 9
    assert not any(line.startswith("rule_") or "…" in line for line in page.lines)


def test_a_refusal_is_told_in_the_language_of_the_table() -> None:
    play = Play("An", "Bo", starter="An")
    play.throw(6, 6, 1)
    play.press("correct", (*play.table.shown.booked, (7, 7, 7)))
    assert play.table.note is not None and play.table.note.key == "refused"
    dutch = present(play.table, Surroundings()).notice
    play.press("language", "fr")
    assert dutch
    assert present(play.table, Surroundings()).notice != dutch


def why_page(language: str, reglement: str = "kazerne") -> tuple[str, ...]:
    """What "waarom?" says after An won a round with a sois and stoef."""
    play = Play("An", "Bo", starter="An", reglement=reglement)
    play.press("language", language)
    play.throw(4, 5, 6)
    if reglement == "kazerne":
        play.press("stoef")
    play.press("klaar")
    play.throw(2, 3, 4)
    play.press("open", ("why",))
    page = present(play.table, Surroundings()).page
    assert page is not None
    return page.lines


def test_why_gives_the_rule_in_the_language_of_the_table_and_quotes_the_paper_only_in_its_own() -> None:
    dutch, french, english = (why_page(language) for language in LANGUAGES)
    assert "An wint de ronde met 4-5-6 en veegt 6" in dutch
    assert any(line.startswith("\tK22 · Stoef: “Indien iemand STOEF inroept") for line in dutch)
    assert any(line.startswith("\tK12 · Wie de ronde wint") for line in dutch)  # the paper is silent
    assert "\tK22 · Qui dit stoef et gagne efface le double." in french
    assert "\tK22 · Who calls stoef and wins wipes double." in english
    for lines in (french, english):
        assert not any("“" in line for line in lines)


def test_why_quotes_the_paper_of_the_reglement_in_force() -> None:
    assert any("streepje wegvegen" in line for line in why_page("nl", "negen"))
    house = {**to_mapping(load("negen")), "name": "bij ons"}
    assert any(line.startswith("\tK6 · De hoogste worp wint") for line in why_page("nl", house))  # type: ignore[arg-type]


def test_a_die_outside_that_costs_nothing_says_nothing_of_stripes() -> None:
    for reglement, said in (("kazerne", "gooit opnieuw"), ("negen", "1 erbij")):
        play = Play("An", "Bo", starter="An", reglement=reglement)
        play.press("outside")
        play.press("open", ("why",))
        page = present(play.table, Surroundings()).page
        assert page is not None and page.lines[0].endswith(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_correction_that_later_throws_contradict_says_which_in_the_language_of_the_table(language: str) -> None:
    play = Play("An", "Bo", "Cé", starter="An")
    play.press("language", language)
    play.throw(1, 1, 1)
    play.throw(2, 3, 4)  # Bo begins, for An is out
    play.press("correct", (play.table.game.game_id, 1, (1, 1, 2)))
    question = present(play.table, Surroundings()).question
    assert question is not None
    assert "2-3-4" in question.detail and "Bo" in question.detail
    assert question.detail.endswith(TEXTS["refused_not_your_turn"][LANGUAGES.index(language)] + ".")


def test_the_best_throw_of_the_round_stands_on_top_until_the_round_is_over() -> None:
    play = Play("An", "Bo", "Cé", starter="An")

    def facts() -> tuple[str, ...]:
        return present(play.table, Surroundings()).facts

    assert facts() == ()
    play.throw(1, 4, 6)
    assert facts() == ("beste: An 1-4-6",)
    play.press("klaar")
    play.throw(1, 4, 6)
    assert facts() == ("An begon: 1×", "beste: An en Bo 1-4-6")  # on the way to a barrage
    play.throw(4, 5, 6)
    assert facts() == ("Cé veegde 3",)
    play.throw(2, 3, 4)
    assert facts() == ("beste: Cé 2-3-4",)
