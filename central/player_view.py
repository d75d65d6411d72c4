"""One player's own page: where he sits next, how he did, and his dice of the evening."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from central import evenings, tables
from central.evenings import Evening
from central.schema import game
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
    return [
        Seat(one, one.numbers.index(number) + 1, tables.progress(night, one, games, known).done)
        for one in evenings.sittings(connection, night.id)
        if one.published and number in one.numbers
    ]


def games(connection: sa.Connection, night: Evening, number: int) -> list[Game]:
    """All his games that are in."""
    known = evenings.entrants(connection, night.id)
    found = []
    for one in tables.played(connection, night.id):
        for line in one.places:
            if line["number"] == number:
                others = [known[other].shown or str(other) for other in one.numbers if other != number]
                found.append(Game(one, line["place"], int(line["points"] or 0), others))
    return found


def dice(connection: sa.Connection, night: Evening, number: int) -> Dice:
    """What he threw in rounds, corrections applied, undone throws not counted."""
    rows = connection.execute(
        sa.select(game.c.journal, game.c.numbers).where(game.c.evening_id == night.id, game.c.journal.is_not(None))
    )
    counted: Counter[str] = Counter()
    throws = 0
    for journal, numbers in rows:
        if number not in numbers:
            continue
        lines = [json.loads(line) for line in journal.splitlines()]
        name = lines[0]["players"][numbers.index(number)]
        for thrown in thrown_by(lines, name):
            throws += 1
            counted["fietske" if thrown == FIETSKE else kind_of(thrown)] += 1
    return Dice(throws, [(kind, counted[kind], throws * chance) for kind, chance in CHANCE.items()])


def thrown_by(lines: list[Mapping[str, Any]], name: str) -> Iterable[tuple[int, ...]]:
    """The three dice of each of a player's throws in rounds that are still in force."""
    fold = folding.begin(lines[0])
    for line in lines[1:]:
        fold = folding.apply(fold, line)
    for _, line in folding.in_force(fold):
        if line["type"] == "throw" and line["player"] == name and len(line["dice"]) == 3:
            yield tuple(sorted(line["dice"]))
