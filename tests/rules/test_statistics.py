"""Statistics over games: what each player threw, stoef, luck, and whether the dice look fair."""

from itertools import product
from math import isclose
from random import Random

import pytest

from terminal.rules import fold as folds
from terminal.rules.statistics import LUCK, Player, faces_of, fairness, of_evening, of_game, together
from terminal.rules.throws import SORTED
from tests.rules.play import Play, random_game, started


def test_a_players_throws_are_counted_by_kind():
    game = Play("An Bo").throw("An", "223", "456", "555").throw("Bo", "124", "116", "232")
    statistics = of_game(game.fold)
    an, bo = statistics["An"], statistics["Bo"]
    assert (an.throws, an.best, an.zands, an.sois, an.azen, an.fietskes) == (3, (4, 5, 6), 1, 1, 0, 1)
    assert (bo.throws, bo.best, bo.fietskes, bo.rounds_won) == (3, (1, 1, 6), 1, 0)
    assert (an.rounds_won, an.wiped) == (1, 3)


def test_azen_is_the_best_throw():
    assert of_game(Play().throw("An", "111").fold)["An"][:5] == (1, (1, 1, 1), 0, 0, 1)


def test_stoefs_are_won_and_lost_when_the_round_is_finished():
    game = Play().turn("An", "333").stoef("An").throw("Bo", "456").stoef("Bo")
    assert of_game(game.fold)["Bo"].stoefs_won == 0
    game.throw("Cé", "124")
    statistics = of_game(game.fold)
    assert (statistics["An"].stoefs_won, statistics["An"].stoefs_lost, statistics["An"].added_by_stoef) == (0, 1, 2)
    assert (statistics["Bo"].stoefs_won, statistics["Bo"].stoefs_lost, statistics["Bo"].wiped) == (1, 0, 6)


def test_a_stoef_of_a_void_round_is_neither_won_nor_lost():
    statistics = of_game(Play().turn("An", "333").stoef("An").leave("Cé").fold)["An"]
    assert (statistics.stoefs_won, statistics.stoefs_lost, statistics.throws) == (0, 0, 1)


def test_stoef_that_lapses_on_a_sweep_is_lost_but_costs_nothing():
    game = Play(reglement={"stoef_on_sweep": "lapses"}).turn("An", "456").stoef("An").throw("Bo", "111")
    assert (of_game(game.fold)["An"].stoefs_lost, of_game(game.fold)["An"].added_by_stoef) == (1, 0)


def test_barrage_throws_count_for_the_dice_only():
    game = Play("An Bo").round(An="116", Bo="116").choose("Bo", "ogen").throw("Bo", "111")
    assert of_game(game.fold)["Bo"].azen == 0
    assert faces_of([game.fold]) == (7, 0, 0, 0, 0, 2)


def test_start_dice_and_single_dice_count_for_the_dice():
    game = Play("An Bo", "negen", starter=None).start("An", 6).start("Bo", 2).round(An="116", Bo="116").throw("An", "3")
    assert faces_of([game.fold]) == (4, 1, 1, 0, 0, 3)


def test_undone_throws_are_not_in_it_and_corrected_ones_as_corrected():
    game = Play().throw("An", "111").undo().throw("An", "124").correct(3, "456")
    assert of_game(game.fold)["An"][:4] == (1, (4, 5, 6), 0, 1)
    assert faces_of([game.fold]) == (0, 0, 0, 1, 1, 1)


def test_luck_of_all_216_throws_is_nothing():
    throws = [SORTED[dice] for dice in product(range(1, 7), repeat=3)]
    assert isclose(sum(LUCK[throw] for throw in throws), 0, abs_tol=1e-9)
    assert max(LUCK, key=LUCK.get) == (1, 1, 1)
    assert min(LUCK, key=LUCK.get) == (2, 2, 3)


def test_luck_is_told_a_throw_and_in_deviations():
    lucky = of_game(Play().throw("An", "456", "666", "456").fold)["An"]
    assert 0.9 < lucky.mean_luck < 1
    assert 2.5 < lucky.deviations_of_luck < 3.1
    assert (Player().mean_luck, Player().deviations_of_luck) == (0, 0)


def test_luck_of_many_random_throws_is_within_three_deviations():
    random = Random(5)
    record = Player()
    for _ in range(2000):
        dice = tuple(sorted(random.randint(1, 6) for _ in range(3)))
        record = together(record, Player(throws=1, luck=LUCK[dice]))
    assert abs(record.deviations_of_luck) < 3
    assert abs(record.mean_luck) < 0.05


def test_an_evening_adds_its_games_up():
    random = Random(3)
    games = []
    for _ in range(3):
        lines = random_game(random, started("An Bo Cé", stripes=3))
        fold = folds.begin(lines[0])
        for line in lines[1:]:
            fold = folds.apply(fold, line)
        games.append(fold)
    evening = of_evening(games)
    for player in ("An", "Bo", "Cé"):
        assert evening[player].throws == sum(of_game(game)[player].throws for game in games)
        assert evening[player].best in {of_game(game)[player].best for game in games}
        assert evening[player].throws >= evening[player].zands + evening[player].sois + evening[player].azen


@pytest.mark.parametrize(
    ("chi_square", "p"), [(0, 1.0), (4.351, 0.5), (9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)]
)
def test_p_agrees_with_the_printed_tables_for_five_degrees_of_freedom(chi_square, p):
    # 600 dice of which one face is d over and another d under: chi-square is 2 d² / 100
    d = (chi_square * 50) ** 0.5
    assert fairness((100 + d, 100 - d, 100, 100, 100, 100)).p == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((0, 0, 0, 0, 0, 0), "too_few"),
        ((100, 0, 0, 0, 0, 0), "too_few"),
        ((100, 103, 98, 97, 101, 101), "as_expected"),
        ((125, 75, 100, 100, 100, 100), "unusual"),
        ((180, 84, 84, 84, 84, 84), "very_unusual"),
    ],
)
def test_verdict_on_the_dice(counts, verdict):
    assert fairness(counts).verdict == verdict


def test_one_evening_in_twenty_of_fair_dice_looks_unusual():
    random = Random(11)
    unusual = 0
    for _ in range(400):
        faces = random.choices(range(6), k=600)
        unusual += fairness(tuple(faces.count(face) for face in range(6))).p < 0.05
    assert 8 <= unusual <= 34
