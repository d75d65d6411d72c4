"""How long an evening will take, from the games played so far; before there are any, from counted ones.

The longest table makes the seating: everybody waits for it before the break.
"""

from __future__ import annotations

import datetime
import itertools
import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from central.schema import game
from terminal.rules import seating

# 280 throws in a game of five with twelve stripes, played by chance through the fold; grows as players times stripes.
THROWS_PER_STRIPE = 280 / (5 * 12)
SECONDS_PER_THROW = 7.0  # until tables have told; a guess of people throwing in turn, talking
BREAK_MIN = 10.0
ENOUGH_GAMES = 5
LONGEST_PAUSE_S = 120.0  # between two lines; longer is a pause, not play


class Pace(NamedTuple):
    """What a game takes. games: how many played ones it was learnt from; 0: the values above."""

    throws_per_stripe: float
    seconds_per_throw: float
    games: int

    def minutes(self, players: int, stripes: int) -> float:
        """One game at a table of so many."""
        return players * stripes * self.throws_per_stripe * self.seconds_per_throw / 60


class Forecast(NamedTuple):
    """For one evening. per_game: of the largest table."""

    players: int
    tables: int
    largest: int
    per_game_min: float
    per_seating_min: float
    total_min: float


def pace(connection: sa.Connection, most: int = 200) -> Pace:
    """Learnt from the latest games of all evenings."""
    journals = connection.scalars(
        sa.select(game.c.journal).where(game.c.journal.is_not(None)).order_by(game.c.received.desc()).limit(most)
    )
    throws = stripes = timed = 0
    seconds = 0.0
    games = 0
    for journal in journals:
        lines = [json.loads(line) for line in journal.splitlines()]
        begin = lines[0]
        began_with = begin.get("stripes") or _stripes(begin["reglement"])
        if began_with is None:
            continue
        games += 1
        stripes += len(begin["players"]) * began_with
        throws += sum(line["type"] == "throw" for line in lines)
        gaps = _gaps(lines)
        seconds += sum(gaps)
        timed += sum(line["type"] == "throw" for line in lines) if gaps else 0
    if games < ENOUGH_GAMES:
        return Pace(THROWS_PER_STRIPE, SECONDS_PER_THROW, 0)
    true = timed and seconds >= timed  # nobody throws faster than once a second: that is a clock which stands still
    return Pace(throws / stripes, seconds / timed if true else SECONDS_PER_THROW, games)


def _stripes(reglement: object) -> int | None:
    value = reglement.get("stripes") if isinstance(reglement, dict) else None
    return value if isinstance(value, int) else None


def _gaps(lines: Iterable[Mapping[str, object]]) -> list[float]:
    """Seconds between the lines that say when they were; clocks that jump are left out."""
    times = []
    for line in lines:
        try:
            times.append(datetime.datetime.fromisoformat(str(line.get("at"))).timestamp())
        except (ValueError, OverflowError):
            continue
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    return [gap for gap in gaps if 0 <= gap <= LONGEST_PAUSE_S]


def forecast(pace: Pace, players: int, stripes: int, seatings: int, games: int, has_final: bool) -> Forecast | None:
    """The whole evening; None while nobody can play."""
    if players < 2:
        return None
    tables = seating.sizes(players)
    per_game = pace.minutes(max(tables), stripes)
    per_seating = per_game * games
    total = seatings * per_seating + (seatings - 1) * BREAK_MIN
    if has_final:
        total += BREAK_MIN + pace.minutes(min(5, players), stripes)
    return Forecast(players, len(tables), max(tables), per_game, per_seating, total)


def stripes_that_fit(
    pace: Pace, players: int, seatings: int, games: int, has_final: bool, minutes: float
) -> int | None:
    """The most stripes with which the evening ends in time; None when not even one does."""
    for stripes in range(99, 0, -1):
        made = forecast(pace, players, stripes, seatings, games, has_final)
        if made is not None and made.total_min <= minutes:
            return stripes
    return None
