"""Pictures of the tray that the organiser may want to see: asked for by name, kept until the evening is over."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from central.schema import picture
from central.store import touch

LARGEST = 500_000  # bytes
JPEG = b"\xff\xd8\xff"
KEPT_S = 36 * 3600.0
MOST_OF_A_GAME = 30
MOST_KEPT = 1_000  # then the oldest go: 150 MB
MOST_AT_ONCE = 4  # in one heartbeat's answer
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")


class State(NamedTuple):
    """How far a picture that was asked for is. answered: the table has said; here: and had it."""

    answered: bool
    here: bool


def name_in(line: Mapping[str, object]) -> str | None:
    """The name of a line's picture; None: none, or no name that could be one of ours."""
    name = line.get("image")
    return name if isinstance(name, str) and _NAME.fullmatch(name) else None


def want_doubtful(
    connection: sa.Connection, table: str, game: str, lines: Mapping[int, Mapping[str, object]], in_s: float = 0.0
) -> None:
    """Ask for what was corrected or entered by hand among these lines (seq -> line)."""
    names = []
    for line in lines.values():
        of = line.get("of")
        if line.get("type") == "correction" and isinstance(of, int) and of in lines:
            names.append(name_in(lines[of]))
        elif line.get("source") == "touch" and line.get("type") in ("throw", "start_die"):
            names.append(name_in(line))
    if any(names):
        held = connection.scalar(sa.select(sa.func.count()).where(picture.c.game == game)) or 0
        want(connection, table, game, [name for name in names if name][: max(0, MOST_OF_A_GAME - held)], in_s)


def want(connection: sa.Connection, table: str, game: str, names: Iterable[str], in_s: float = 0.0) -> None:
    """Ask the table for these, some seconds from now, unless that was done already."""
    known = set(connection.scalars(sa.select(picture.c.name)))
    for name in dict.fromkeys(names):
        if name not in known:
            connection.execute(
                picture.insert().values(
                    name=name, table_name=table, game=game, asked=time.time() + in_s, answered=False, jpeg=None
                )
            )


def drop_old(connection: sa.Connection) -> None:
    """They go with the evening, also when no other evening follows it."""
    connection.execute(picture.delete().where(picture.c.asked < time.time() - KEPT_S))


def wanted(connection: sa.Connection, table: str) -> list[str]:
    """Those that this table has not answered, the oldest first. To be asked for in a transaction that writes."""
    drop_old(connection)
    open_ = sa.select(picture.c.name).where(
        picture.c.table_name == table, ~picture.c.answered, picture.c.asked <= time.time()
    )
    return list(connection.scalars(open_.order_by(picture.c.asked, picture.c.name).limit(MOST_AT_ONCE)))


def keep(connection: sa.Connection, table: str, name: str, jpeg: bytes) -> bool:
    """Keep what the table sent, empty when it does not have it; False for one that nobody asked this table for."""
    done = connection.execute(
        picture.update()
        .where(picture.c.name == name, picture.c.table_name == table)
        .values(answered=True, jpeg=jpeg or None)
    )
    beyond = (
        sa.select(picture.c.name)
        .where(picture.c.jpeg.is_not(None))
        .order_by(picture.c.asked.desc(), picture.c.name)
        .offset(MOST_KEPT)
    )
    connection.execute(picture.update().where(picture.c.name.in_(beyond)).values(jpeg=None))
    touch(connection, "tables")
    return done.rowcount == 1


def of_games(connection: sa.Connection, games: Iterable[str]) -> dict[str, State]:
    """The pictures that were asked for of these games, by name."""
    rows = connection.execute(
        sa.select(picture.c.name, picture.c.answered, picture.c.jpeg.is_not(None)).where(picture.c.game.in_(games))
    )
    return {row[0]: State(row[1], row[2]) for row in rows}


def jpeg(connection: sa.Connection, name: str) -> bytes | None:
    """A picture that is here."""
    return connection.scalar(sa.select(picture.c.jpeg).where(picture.c.name == name))
