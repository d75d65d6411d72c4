"""What three dice are worth: kinds, strengths, stripes (the page "Value of a throw").

A throw is a tuple of its dice, sorted ascending; order never matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product

Dice = tuple[int, ...]

FACES = range(1, 7)
POINTS_OF_FACE: Mapping[int, int] = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}

AZEN: Dice = (1, 1, 1)
SOIS: Dice = (4, 5, 6)
FIETSKE: Dice = (2, 2, 3)

THROWS: tuple[Dice, ...] = tuple(combinations_with_replacement(FACES, 3))
"""The 56 different throws of three dice."""

SORTED: Mapping[Dice, Dice] = {dice: tuple(sorted(dice)) for n in (1, 3) for dice in product(FACES, repeat=n)}
"""Every order in which one or three dice can lie -> the throw it is."""


def punten_of(dice: Dice) -> int:
    """The sum with 1 as 100 and 6 as 60: 7 (2-2-3) to 260 (1-1-6) for a plain throw."""
    return sum(POINTS_OF_FACE[die] for die in dice)


def _kind_of(dice: Dice) -> str:
    if dice == AZEN:
        return "azen"
    if dice == SOIS:
        return "sois"
    if dice[0] == dice[2]:
        return "zand"
    return "punten"


KIND: Mapping[Dice, str] = {dice: _kind_of(dice) for dice in THROWS}

_WORTH_OF_KIND = {"punten": 1, "zand": 2, "sois": 3, "azen": 3}
WORTH: Mapping[Dice, int] = {dice: _WORTH_OF_KIND[KIND[dice]] for dice in THROWS}

# Above the highest punten (260), with room for a zand's face between the kinds.
_FLOOR_OF_KIND = {"punten": 0, "zand": 300, "sois": 400, "azen": 500}


def _strengths(zand_face_counts: bool) -> Mapping[Dice, int]:
    def strength(dice: Dice) -> int:
        within = {"punten": punten_of(dice), "zand": dice[0] if zand_face_counts else 0}
        return _FLOOR_OF_KIND[KIND[dice]] + within.get(KIND[dice], 0)

    return {dice: strength(dice) for dice in THROWS}


STRENGTHS: Mapping[str, Mapping[Dice, int]] = {"equal": _strengths(False), "by_face": _strengths(True)}
"""Field `zand` -> throw -> a number that compares as the throws do (N2)."""


def kind_of(dice: Dice) -> str:
    """`punten`, `zand`, `sois` or `azen`, of three dice in any order."""
    return KIND[SORTED[dice]]


def strength(dice: Dice, zand: str) -> int:
    """How a throw compares with others under the reglement's field `zand`; equal numbers tie."""
    return STRENGTHS[zand][SORTED[dice]]


def worth(dice: Dice) -> int:
    """Stripes of a throw: punten 1, zand 2, sois 3 (K6), and azen 3 where it must be added.

    Azen that wins wipes everything; that, and the doubling by stoef (K22), are settled elsewhere.
    """
    return WORTH[SORTED[dice]]
