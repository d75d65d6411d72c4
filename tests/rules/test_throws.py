"""Every throw of three dice, counted: kinds, strengths, stripes."""

from collections import Counter, defaultdict
from itertools import product

import pytest

from terminal.rules.throws import THROWS, kind_of, punten_of, strength, worth

ALL_216 = list(product(range(1, 7), repeat=3))

# The twelve sums that several combinations share: they tie although the dice differ.
SHARED_SUMS = {
    8: ["224", "233"],
    9: ["225", "234"],
    10: ["235", "244", "334"],
    11: ["245", "335", "344"],
    12: ["255", "345"],
    13: ["355", "445"],
    66: ["246", "336"],
    67: ["256", "346"],
    68: ["356", "446"],
    106: ["124", "133"],
    107: ["125", "134"],
    108: ["135", "144"],
}


def dice(text):
    return tuple(int(die) for die in text)


def test_the_216_throws_are_204_punten_5_zand_6_sois_1_azen():
    assert Counter(kind_of(throw) for throw in ALL_216) == {"punten": 204, "zand": 5, "sois": 6, "azen": 1}


@pytest.mark.parametrize(("zand", "number"), [("equal", 38), ("by_face", 42)], ids=["kazerne 38", "negen 42 (N2)"])
def test_number_of_different_strengths(zand, number):
    assert len({strength(throw, zand) for throw in ALL_216}) == number


@pytest.mark.parametrize("zand", ["equal", "by_face"])
def test_order_of_the_dice_never_matters(zand):
    for throw in ALL_216:
        assert strength(throw, zand) == strength(tuple(sorted(throw)), zand)


def test_lowest_is_fietske_with_7_and_highest_punten_is_260():
    punten = [throw for throw in THROWS if kind_of(throw) == "punten"]
    assert min(punten, key=punten_of) == (2, 2, 3)
    assert max(punten, key=punten_of) == (1, 1, 6)
    assert (punten_of((2, 2, 3)), punten_of((1, 1, 6))) == (7, 260)
    assert min(ALL_216, key=lambda throw: strength(throw, "equal")) in {(2, 2, 3), (2, 3, 2), (3, 2, 2)}


@pytest.mark.parametrize(
    ("throw", "sum_"), [("123", 105), ("115", 205), ("651", 165), ("116", 260), ("223", 7), ("345", 12), ("632", 65)]
)
def test_examples_of_the_papers(throw, sum_):
    assert punten_of(dice(throw)) == sum_


def test_kinds_stand_above_each_other():
    for zand in ("equal", "by_face"):
        order = ["223", "116", "222", "456", "111"]
        strengths = [strength(dice(throw), zand) for throw in order]
        assert strengths == sorted(set(strengths))


def test_zands_are_equal_in_kazerne_and_ranked_in_negen_n2():
    zands = [(face,) * 3 for face in range(2, 7)]
    assert len({strength(zand, "equal") for zand in zands}) == 1
    ranked = [strength(zand, "by_face") for zand in zands]
    assert ranked == sorted(set(ranked))


def test_worth_of_each_kind_k6():
    assert {kind_of(throw): worth(throw) for throw in ALL_216} == {"punten": 1, "zand": 2, "sois": 3, "azen": 3}


def test_sums_shared_by_several_combinations():
    by_sum = defaultdict(list)
    for throw in THROWS:
        if kind_of(throw) == "punten":
            by_sum[punten_of(throw)].append("".join(map(str, throw)))
    shared = {total: throws for total, throws in by_sum.items() if len(throws) > 1}
    assert shared == SHARED_SUMS
    for throws in shared.values():
        for zand in ("equal", "by_face"):
            assert len({strength(dice(throw), zand) for throw in throws}) == 1
