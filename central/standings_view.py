"""Standings of an evening, ready for a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from central.evenings import Entrant
from central.tables import Played


class Row(NamedTuple):
    """One player's line. place: shared by equals (K41)."""

    place: int
    number: int
    shown: str  # public name
    points: int
    firsts: int
    seconds: int
    thirds: int
    games: int
    present: bool


BRINGS = {5: 1, 3: 2, 1: 3}  # K40: points -> the place that brought them


def rows(known: Mapping[int, Entrant], games: Sequence[Played]) -> list[Row]:
    """The evening's standing by K40 and K41: points, then games won, second and third places, then shared."""
    points: Counter[int] = Counter()
    played: Counter[int] = Counter()
    places: dict[int, Counter[int]] = {1: Counter(), 2: Counter(), 3: Counter()}
    for game in games:
        if game.kind != "seating":
            continue
        for line in game.places:
            number, earned = int(line["number"] or 0), int(line["points"] or 0)
            points[number] += earned
            played[number] += 1
            if earned in BRINGS:
                places[BRINGS[earned]][number] += 1
    keys = {number: (points[number], places[1][number], places[2][number], places[3][number]) for number in known}
    ordered = sorted(known, key=lambda number: ([-part for part in keys[number]], number))
    table: list[Row] = []
    for index, number in enumerate(ordered):
        shared = index > 0 and keys[ordered[index - 1]] == keys[number]
        place = table[-1].place if shared else index + 1
        one = known[number]
        earned, firsts, seconds, thirds = keys[number]
        table.append(Row(place, number, one.shown, earned, firsts, seconds, thirds, played[number], one.present))
    return table
