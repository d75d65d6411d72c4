"""Explaining: what the last line did, with the rule, for every event and every reglement."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminal.rules import fold as folds
from terminal.rules.explain import KINDS
from terminal.rules.game import Refused
from tests.rules.play import Play
from tests.rules.test_sequences import a_start, wild_line


def last(game, step):
    """The happenings of a step as short texts: kind, rule, player, amount."""
    before = game.fold
    step(game)
    return [
        " ".join(str(part) for part in (one.kind, one.rule, one.player, one.amount) if part)
        for one in folds.explain(before, game.fold)
    ]


KAZERNE = [
    (
        "start roll",
        Play("An Bo", starter=None).start("An", 2),
        lambda g: g.start("Bo", 4),
        ["rolled K2 Bo 4", "begins K2 Bo"],
    ),
    (
        "start roll tied",
        Play("An Bo", starter=None).start("An", 4),
        lambda g: g.start("Bo", 4),
        ["rolled K2 Bo 4", "rolls_again K2 An"],
    ),
    ("throw", Play(), lambda g: g.throw("An", "124"), ["punten K6 An"]),
    ("fietske", Play(), lambda g: g.throw("An", "223"), ["fietske K10 An 1"]),
    ("stand", Play().throw("An", "124"), lambda g: g.stand("An"), ["stood K5 An 1"]),
    ("stoef", Play().throw("An", "124"), lambda g: g.stoef("An"), ["stoef K20 An"]),
    ("outside", Play(reglement={"outside_adds": 2}), lambda g: g.outside("An"), ["again K13 An 2"]),
    (
        "win",
        Play().turn("An", "124").throw("Bo", "333"),
        lambda g: g.throw("Cé", "124"),
        ["punten K6 Cé", "won K6 Bo 2", "begins K12 Bo"],
    ),
    (
        "win with stoef, loser with stoef",
        Play().turn("An", "124").stoef("An").throw("Bo", "333").stoef("Bo"),
        lambda g: g.throw("Cé", "124"),
        ["punten K6 Cé", "won K22 Bo 4", "added K23 An 1", "begins K12 Bo"],
    ),
    (
        "azen",
        Play().turn("An", "456").stoef("An"),
        lambda g: g.throw("Bo", "111"),
        ["azen K8 Bo", "swept K8 Bo 12", "added K25 An 3", "out K11 Bo 1", "begins K8 Cé"],
    ),
    (
        "three same on the last throw of the round",
        Play("An Bo Cé").throw("An", "124", "124", "125").throw("Bo", "124", "124", "125").throw("Cé", "116", "116"),
        lambda g: g.throw("Cé", "116"),
        ["punten K6 Cé", "same K9 Cé", "swept K9 Cé 12", "out K11 Cé 1", "begins K8 An"],
    ),
    ("tie", Play("An Bo").turn("An", "116"), lambda g: g.throw("Bo", "116"), ["punten K6 Bo", "barrage K7 Bo"]),
    ("choice", Play("An Bo").round(An="116", Bo="116"), lambda g: g.choose("Bo", "punten"), ["punten_chosen K30 Bo"]),
    (
        "barrage tied again",
        Play("An Bo").round(An="116", Bo="116").choose("Bo", "ogen").throw("Bo", "124"),
        lambda g: g.throw("An", "124"),
        ["barrage_throw K31 An", "barrage_again K32 An"],
    ),
    (
        "barrage won",
        Play("An Bo").turn("An", "333").stoef("An").throw("Bo", "333").choose("Bo", "ogen").throw("Bo", "666"),
        lambda g: g.throw("An", "124"),
        ["barrage_throw K31 An", "won K33 Bo 2", "added K24 An 2", "begins K12 Bo"],
    ),
    (
        "end",
        Play("An Bo", stripes=1).turn("An", "124"),
        lambda g: g.throw("Bo", "125"),
        ["punten K6 Bo", "won K6 Bo 1", "out K11 Bo 1", "game_over K11 An"],
    ),
    ("leave", Play(), lambda g: g.leave("An"), ["left K54 An", "void K54", "begins K54 Bo"]),
    ("leave, last alone", Play("An Bo"), lambda g: g.leave("An"), ["left K54 An", "game_over K54 An"]),
    ("abandon", Play("An Bo"), lambda g: g.abandon(), ["abandoned K55"]),
    ("undo", Play().throw("An", "124"), lambda g: g.undo(), ["undone An"]),
    ("correction", Play().throw("An", "124"), lambda g: g.correct(1, "456"), ["corrected An"]),
    (
        "correction of a start die",
        Play(starter=None).start("An", 3),
        lambda g: g.correct(1, value=6),
        ["corrected An 6"],
    ),
]
NEGEN = [
    ("lost", Play("An Bo", "negen"), lambda g: g.throw("An", "111"), ["azen N3 An", "lost N3 An", "game_over N3 An"]),
    (
        "azen as the highest",
        Play("An Bo", {"azen": "best"}).turn("An", "111"),
        lambda g: g.throw("Bo", "124"),
        ["punten K6 Bo", "won N4 An 12", "out K11 An 1", "game_over K11 Bo"],
    ),
    (
        "tie",
        Play("An Bo", "negen").turn("An", "116"),
        lambda g: g.throw("Bo", "116"),
        ["punten K6 Bo", "barrage N5 An"],
    ),
    (
        "tied again by the same two",
        Play("An Bo", "negen").round(An="116", Bo="116").throw("An", "3"),
        lambda g: g.throw("Bo", "3"),
        ["barrage_throw N5 Bo", "barrage_again N5 An"],
    ),
    (
        "barrage won",
        Play("An Bo", "negen").round(An="333", Bo="333").throw("An", "3"),
        lambda g: g.throw("Bo", "4"),
        ["barrage_throw N5 Bo", "won N5 Bo 1", "begins K12 Bo"],
    ),
    (
        "standing is stoef",
        Play("An Bo", {"stoef": "first_throw"}).throw("An", "124"),
        lambda g: g.stand("An"),
        ["stood K5 An 1", "stoef K20 An"],
    ),
]


@pytest.mark.parametrize(("game", "step", "said"), [pytest.param(*row, id=name) for name, *row in KAZERNE + NEGEN])
def test_what_a_line_did(game, step, said):
    assert last(game, step) == said


def test_facts_hold_the_dice_and_the_others():
    game = Play("An Bo Cé", {"fietske_adds": "everybody"})
    before = game.fold
    game.throw("An", "322")
    (one,) = folds.explain(before, game.fold)
    assert (one.dice, one.others) == ((2, 2, 3), ("An", "Bo", "Cé"))
    before = game.fold
    game.undo()
    assert folds.explain(before, game.fold)[0].dice == (2, 2, 3)


@given(st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_stripes_that_change_are_all_explained(random: Random):
    """The sum of what the happenings say is what the stripes show, in every game and reglement."""
    fold = folds.begin(a_start(random))
    for _ in range(80):
        line = wild_line(fold, random)
        try:
            after = folds.apply(fold, line)
        except Refused:
            continue
        happenings = folds.explain(fold, after)
        assert happenings
        assert {one.kind for one in happenings} <= set(KINDS)
        if line["type"] not in ("undo", "correction"):
            expected = dict(folds.summary(fold)["stripes"])
            for one in happenings:
                if one.kind in ("won", "swept"):
                    expected[one.player] -= one.amount
                elif one.kind in ("added", "again"):
                    expected[one.player] += one.amount
                elif one.kind == "fietske":
                    for player in one.others:
                        expected[player] += one.amount
            assert folds.summary(after)["stripes"] == expected
        fold = after
