"""One player's own page: where he sits next, how he did, and his dice of the evening."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from central import evenings, standings_view, tables
from central.evenings import Evening
from central.schema import game, seat
from terminal.rules import fold as folding
from terminal.rules.throws import FIETSKE, kind_of

CHANCE = {"azen": 1 / 216, "sois": 6 / 216, "zand": 5 / 216, "fietske": 3 / 216}
"""How often each comes by itself, counted over the 216 throws; azen is no zand, fietske is 2-2-3."""


class Game(NamedTuple):
    """One of his games."""

    where: tables.Played
    place: int | None
    points: int
    others: list[str]


class Dice(NamedTuple):
    """His throws of the evening. rows: kind, how often, how often by chance."""

    throws: int
    rows: list[tuple[str, int, float]]


class Seat(NamedTuple):
    """Where he sits, or will."""

    sitting: evenings.Sitting
    place: int  # seat counted from 1
    done: bool


def seats(connection: sa.Connection, night: Evening, number: int) -> list[Seat]:
    """All his published seats, in order."""
    known = evenings.entrants(connection, night.id)
    games = tables.played(connection, night.id)
    mine = [one for one in evenings.sittings(connection, night.id, seat.c.published) if number in one.numbers]
    return [
        Seat(stage.sitting, stage.sitting.numbers.index(number) + 1, stage.done)
        for stage in tables.progress(night, mine, games, known)
    ]


def games(connection: sa.Connection, night: Evening, number: int) -> list[Game]:
    """All his games that are in."""
    known = evenings.entrants(connection, night.id)
    found = []
    for one in tables.played(connection, night.id):
        for line in one.places:
            if line["number"] == number:
                others = [known[other].shown or str(other) for other in one.numbers if other != number]
                found.append(Game(one, line["place"], standings_view.brings(one)[number], others))
    return found


def dice(connection: sa.Connection, night: Evening, number: int) -> Dice:
    """What he threw in rounds, corrections applied, undone throws not counted."""
    mine = {one.id: one for one in tables.played(connection, night.id) if number in one.numbers and not one.typed}
    counted: Counter[str] = Counter()
    for game_id, journal in connection.execute(sa.select(game.c.id, game.c.journal).where(game.c.id.in_(mine))):
        counted.update(_thrown(journal)[mine[game_id].numbers.index(number)])
    throws = counted.total()
    return Dice(throws, [(kind, counted[kind], throws * chance) for kind, chance in CHANCE.items()])


@functools.lru_cache(maxsize=500)
def _thrown(journal: str) -> tuple[Mapping[str, int], ...]:
    """How often each player of a game, by seat, threw what. Folding is dear, and every phone asks for its player."""
    lines = [json.loads(line) for line in journal.splitlines()]
    fold = folding.begin(lines[0])
    for line in lines[1:]:
        fold = folding.apply(fold, line)
    counted: dict[str, Counter[str]] = {name: Counter() for name in fold.players}
    for _, line in folding.in_force(fold):
        if line["type"] == "throw" and len(line["dice"]) == 3:
            thrown = tuple(sorted(line["dice"]))
            counted[line["player"]]["fietske" if thrown == FIETSKE else kind_of(thrown)] += 1
    return tuple(counted.values())
