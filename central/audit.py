"""The log of everything the organiser decided. The database itself refuses to change or delete a line of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from central.schema import audit, now


class Entry(NamedTuple):
    """One line. what: a short Dutch sentence part; detail: the facts; reason: in the organiser's own words."""

    id: int
    at: str
    evening_id: int | None
    who: str
    what: str
    detail: Mapping[str, object]
    reason: str


def note(
    connection: sa.Connection,
    evening_id: int | None,
    what: str,
    reason: str = "",
    who: str = "organisator",
    **detail: object,
) -> None:
    """Add a line, in the same transaction as what it tells of."""
    connection.execute(
        audit.insert().values(at=now(), evening_id=evening_id, who=who, what=what, detail=detail, reason=reason)
    )


def entries(connection: sa.Connection, most: int = 500) -> list[Entry]:
    """The newest first."""
    return [Entry(*row) for row in connection.execute(sa.select(audit).order_by(audit.c.id.desc()).limit(most))]
