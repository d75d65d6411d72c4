"""What a table asks and tells: where it sits, what central holds of it, heartbeat, live lines (docs/interface.md)."""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from central import evenings, pictures
from central.evenings import Entrant, Evening, Sitting
from central.schema import game, heartbeat, live_line, refused, seat
from central.store import touch
from terminal.rules.standings import GameResult

MOST_TABLES = 200  # with a heartbeat; a café has twenty
PICTURE_AFTER_S = 3.0  # a table shows and sends a line first, and writes the picture then
QUIET_S = 10.0  # after a silence of that long a heartbeat is news


class Played(NamedTuple):
    """A stored result, as much as seatings and standings need."""

    id: str
    kind: str
    seating: int
    table: str
    number: int
    numbers: tuple[int, ...]
    lines: int
    places: Sequence[Mapping[str, Any]]  # {"number", "points", "place" or None}, in order of ranking
    losers: Mapping[str, object]
    leavers: Sequence[int]
    flags: Sequence[str]
    typed: bool  # by the organiser, without a journal
    received: str
    changed: str
    result: GameResult  # as the rules take it


def played(connection: sa.Connection, evening_id: int, *where: sa.ColumnElement[bool]) -> list[Played]:
    """The results of an evening (those that fit `where`), in order of seating, table and number."""
    rows = connection.execute(
        sa.select(
            *(game.c.id, game.c.kind, game.c.seating, game.c.table_name, game.c.number),
            *(sa.cast(game.c.numbers, sa.Text), game.c.lines, sa.cast(game.c.places, sa.Text)),
            *(sa.cast(column, sa.Text) for column in (game.c.losers, game.c.leavers, game.c.flags)),
            *(game.c.journal.is_(None), game.c.received, game.c.changed),
        ).where(game.c.evening_id == evening_id, *where)
    )
    games = [
        Played._make(
            (*row[:5], tuple(_decoded(row[5])), row[6], *map(_decoded, row[7:11]), *row[11:], _result(row[1], row[7]))
        )
        for row in rows
    ]
    return sorted(games, key=lambda one: (one.seating, evenings.table_order(one.table), one.number))


@functools.lru_cache(maxsize=20_000)
def _decoded(text: str) -> Any:  # noqa: ANN401  # what JSON gives
    """A column of a result, never to be changed by whoever gets it: many pages ask for the same ones."""
    return json.loads(text)


@functools.lru_cache(maxsize=20_000)
def _result(kind: str, places: str) -> GameResult:
    lines = json.loads(places)
    return GameResult(
        kind, {line["number"]: line["place"] for line in lines}, {line["number"]: line["points"] for line in lines}
    )


def games_in(night: Evening, kind: str) -> int:
    """How many games are played in a sitting."""
    return night.games if kind == "seating" else 1


class Progress(NamedTuple):
    """How far a sitting is."""

    sitting: Sitting
    numbers: tuple[int, ...]  # who still plays in it, clockwise
    next_game: int  # the first that has no result
    games: int
    done: bool
    previous: Played | None  # the game before next_game


def progress(
    night: Evening, sittings: Iterable[Sitting], games: Iterable[Played], known: Mapping[int, Entrant]
) -> list[Progress]:
    """How far each sitting is, from the results that are in."""
    at_place: dict[tuple[str, int, str], dict[int, Played]] = {}
    for one in games:
        at_place.setdefault((one.kind, one.seating, one.table), {})[one.number] = one
    return [_progress(night, one, at_place.get((one.kind, one.seating, one.table), {}), known) for one in sittings]


def _progress(night: Evening, one: Sitting, of_this: Mapping[int, Played], known: Mapping[int, Entrant]) -> Progress:
    """One sitting with its results by number (K54: leavers play no later game, a table of one plays no more)."""
    left = {number for game in of_this.values() for number in game.leavers}
    still = tuple(number for number in one.numbers if number not in left and known[number].present)
    wanted = games_in(night, one.kind)
    following = next((number for number in range(1, wanted + 1) if number not in of_this), wanted + 1)
    done = following > wanted or len(still) < 2
    return Progress(one, still, following, wanted, done, of_this.get(following - 1))


def left_neighbour(loser: int, seats: Sequence[int], still: Sequence[int]) -> int | None:
    """The loser, or if he plays no more the next player clockwise of him who does (K3); None: nobody does."""
    start = seats.index(loser)
    return next((number for number in (*seats[start:], *seats[:start]) if number in still), None)


def of_table(connection: sa.Connection, table: str) -> tuple[Evening, Progress] | None:
    """Where a table of the current evening sits: the first published sitting that is not done, else its last."""
    night = evenings.current(connection)
    if night is None:
        return None
    mine = evenings.sittings(connection, night.id, seat.c.table_name == table, seat.c.published)
    games, known = played(connection, night.id, game.c.table_name == table), evenings.entrants(connection, night.id)
    stages = progress(night, mine, games, known)
    if not stages:
        return None
    return night, next((stage for stage in stages if not stage.done), stages[-1])


def seating_message(connection: sa.Connection, table: str) -> dict[str, object]:
    """The answer to `GET /api/seating`."""
    found = of_table(connection, table)
    seating, following = None, []
    if found is not None:
        night, stage = found
        names = stage.sitting.names(evenings.entrants(connection, night.id))
        seating = _seating(night, stage, names)
        following = _next_places(connection, night, stage.sitting, names)
    return {"mark": _mark(seating, following), "seating": seating, "next": following}


def _seating(night: Evening, stage: Progress, names: Mapping[int, str]) -> dict[str, object]:
    one = stage.sitting
    starter = None
    if stage.previous is not None and isinstance(loser := stage.previous.losers["now"], int) and not stage.done:
        begins = left_neighbour(loser, stage.previous.numbers, stage.numbers)
        starter = None if begins is None else names[begins]
    return {
        "evening": night.key,
        "cafe": night.cafe,
        "kind": one.kind,
        "table": one.table,
        "seating": one.seating,
        "number": stage.next_game,
        "games": stage.games,
        "done": stage.done,
        "players": [
            {"number": number, "name": names[number], "seat": one.numbers.index(number)} for number in stage.numbers
        ],
        "reglement": evenings.reglement_of(night, one.kind),
        "starter": starter,
    }


def _next_places(
    connection: sa.Connection, night: Evening, here: Sitting, names: Mapping[int, str]
) -> list[dict[str, object]]:
    """Where the players of this sitting go after it: the next published seating, or the game that follows it."""
    order = evenings.KIND_ORDER
    later = [
        one
        for one in evenings.sittings(connection, night.id)
        if one.published and (order[one.kind], one.seating) > (order[here.kind], here.seating)
    ]
    following = []
    for number in here.numbers:
        place = next((one for one in later if number in one.numbers), None)
        if place is not None:
            at = place.numbers.index(number)
            following.append({"number": number, "name": names[number], "table": place.table, "seat": at})
    return following


def games_message(connection: sa.Connection, table: str, also: Sequence[str] = ()) -> dict[str, object]:
    """The answer to `GET /api/games`: what central holds and refused of this table, and of the games in `also`."""
    of_table = game.c.table_name == table
    rows = connection.execute(sa.select(game.c.id, game.c.lines).where(of_table | game.c.id.in_(also)))
    held = {row.id: row.lines for row in rows}
    rows = connection.execute(
        sa.select(refused.c.game, refused.c.lines)
        .where((refused.c.table_name == table) | refused.c.game.in_(also), refused.c.game.is_not(None))
        .order_by(refused.c.lines)
    )
    turned_down = {row.game: row.lines for row in rows if row.lines > held.get(row.game, 0)}
    return {"mark": _mark(held, turned_down), "games": held, "refused": turned_down}


def _mark(*content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def beat(connection: sa.Connection, table: str, body: Mapping[str, object]) -> None:
    """Keep the heartbeat in place of the one before; the pages hear of it when it says something else."""
    before = connection.execute(sa.select(heartbeat).where(heartbeat.c.table_name == table)).one_or_none()
    connection.execute(heartbeat.delete().where(heartbeat.c.table_name == table))
    if before is None and (connection.scalar(sa.select(sa.func.count()).select_from(heartbeat)) or 0) >= MOST_TABLES:
        oldest = connection.scalar(sa.select(heartbeat.c.table_name).order_by(heartbeat.c.at).limit(1))
        connection.execute(heartbeat.delete().where(heartbeat.c.table_name == oldest))
    connection.execute(heartbeat.insert().values(table_name=table, at=time.time(), body=dict(body)))
    if before is None or before.body != dict(body) or before.at < time.time() - QUIET_S:
        touch(connection, "tables")


def add_live(
    connection: sa.Connection, table: str, game_id: str, lines: Sequence[tuple[int, Mapping[str, object]]]
) -> int:
    """Keep live lines of the table's game, dropping those of another game; gives the first seq that is missing.

    Of a table that has no seat on this evening nothing is kept: nobody would see it.
    """
    if of_table(connection, table) is None:
        return max(seq + 1 for seq, _ in lines)
    counted = connection.scalar(sa.select(game.c.lines).where(game.c.id == game_id))
    if counted is not None:  # the result is here already
        return max(int(counted), *(seq + 1 for seq, _ in lines))
    connection.execute(live_line.delete().where(live_line.c.table_name == table, live_line.c.game != game_id))
    held = set(connection.scalars(sa.select(live_line.c.seq).where(live_line.c.table_name == table)))
    fresh = {seq: line for seq, line in lines if seq not in held}
    if fresh:
        at = time.time()
        connection.execute(
            live_line.insert(),
            [{"table_name": table, "seq": seq, "game": game_id, "line": line, "at": at} for seq, line in fresh.items()],
        )
        _want_pictures(connection, table, game_id, fresh)
        touch(connection, "tables")
    held |= fresh.keys()
    return next(seq for seq in range(len(held) + 1) if seq not in held)


def _want_pictures(
    connection: sa.Connection, table: str, game_id: str, fresh: Mapping[int, Mapping[str, object]]
) -> None:
    """The pictures of live lines that are doubtful; what a correction is of may have come earlier."""
    of = {line.get("of") for line in fresh.values() if line.get("type") == "correction"}
    earlier = [seq for seq in of if isinstance(seq, int) and seq not in fresh]
    here = (live_line.c.table_name == table) & live_line.c.seq.in_(earlier)
    known = {row.seq: row.line for row in connection.execute(sa.select(live_line.c.seq, live_line.c.line).where(here))}
    pictures.want_doubtful(connection, table, game_id, known | dict(fresh), PICTURE_AFTER_S)
