"""Which terminals may send: paired by a code on their screen, each with a token of its own that can be taken back.

Only hashes of tokens are kept; a copy of the database lets nobody in.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from central import evenings
from central.schema import now, pairing, terminal
from central.store import touch

CODE_HOLDS_S = 600.0
MOST_OPEN_CODES = 50


class NotPaired(PermissionError):  # named for what happened
    """The request carries no token that holds (for this table)."""


class Asked(NamedTuple):
    """A table that wants in: the code for its screen, the secret to ask the token with."""

    code: str
    secret: str


class Pending(NamedTuple):
    """A code that waits for the organiser."""

    code: str
    table: str
    asked: float


class Paired(NamedTuple):
    """A terminal that has, or had, a token."""

    id: int
    table: str
    paired: str
    revoked: str | None


def check(connection: sa.Connection, authorization: str | None, table: str | None) -> None:
    """Raise NotPaired unless the token holds, for this table when one is named; an evening may do without tokens."""
    night = evenings.current(connection)
    if night is not None and not night.pairing:
        return
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() == "bearer" and token:
        row = connection.execute(
            sa.select(terminal.c.table_name).where(
                terminal.c.token_hash == _hash(token.strip()), terminal.c.revoked.is_(None)
            )
        ).one_or_none()
        if row is not None and table in (None, row.table_name):
            return
    raise NotPaired("Deze tafel is niet gekoppeld, of niet als deze tafel.")


def ask(connection: sa.Connection, table: str) -> Asked:
    """Note that a table wants in."""
    _drop_old(connection)
    waiting = connection.scalars(sa.select(pairing.c.code)).all()
    if len(waiting) >= MOST_OPEN_CODES:
        oldest = connection.scalar(sa.select(pairing.c.secret_hash).order_by(pairing.c.asked).limit(1))
        connection.execute(pairing.delete().where(pairing.c.secret_hash == oldest))
    code = next(code for code in iter(_new_code, "") if code not in waiting)
    secret = secrets.token_urlsafe(24)
    connection.execute(
        pairing.insert().values(
            secret_hash=_hash(secret), table_name=table, code=code, asked=time.time(), confirmed=False
        )
    )
    touch(connection, "tables")
    return Asked(f"{code[:3]} {code[3:]}", secret)


def confirm(connection: sa.Connection, code: str) -> str | None:
    """The organiser typed a code: let that table in; gives its name, None for a code that does not wait."""
    _drop_old(connection)
    digits = "".join(filter(str.isdigit, code))
    row = connection.execute(
        sa.select(pairing).where(pairing.c.code == digits, pairing.c.confirmed.is_(False))
    ).one_or_none()
    if row is None:
        return None
    connection.execute(pairing.update().where(pairing.c.secret_hash == row.secret_hash).values(confirmed=True))
    touch(connection, "tables")
    return str(row.table_name)


def collect(connection: sa.Connection, secret: str) -> Mapping[str, str] | None:
    """The token, once, when confirmed; {} while waiting; None for a secret that does not wait (any more)."""
    _drop_old(connection)
    row = connection.execute(sa.select(pairing).where(pairing.c.secret_hash == _hash(secret))).one_or_none()
    if row is None:
        return None
    if not row.confirmed:
        return {}
    token = secrets.token_urlsafe(32)
    connection.execute(pairing.delete().where(pairing.c.secret_hash == row.secret_hash))
    connection.execute(
        terminal.insert().values(table_name=row.table_name, token_hash=_hash(token), paired=now(), revoked=None)
    )
    touch(connection, "tables")
    return {"table": row.table_name, "token": token}


def pending(connection: sa.Connection) -> list[Pending]:
    """The codes that wait, newest first."""
    rows = connection.execute(
        sa.select(pairing.c.code, pairing.c.table_name, pairing.c.asked)
        .where(pairing.c.confirmed.is_(False), pairing.c.asked > time.time() - CODE_HOLDS_S)
        .order_by(pairing.c.asked.desc())
    )
    return [Pending(*row) for row in rows]


def paired(connection: sa.Connection) -> list[Paired]:
    """Every terminal that was ever let in, the newest first."""
    columns = (terminal.c.id, terminal.c.table_name, terminal.c.paired, terminal.c.revoked)
    return [Paired(*row) for row in connection.execute(sa.select(*columns).order_by(terminal.c.id.desc()))]


def revoke(connection: sa.Connection, terminal_id: int) -> str | None:
    """Take a token back; gives the table's name."""
    row = connection.execute(
        sa.select(terminal.c.table_name).where(terminal.c.id == terminal_id, terminal.c.revoked.is_(None))
    ).one_or_none()
    if row is None:
        return None
    connection.execute(terminal.update().where(terminal.c.id == terminal_id).values(revoked=now()))
    touch(connection, "tables")
    return str(row.table_name)


def _new_code() -> str:
    return f"{secrets.randbelow(1_000_000):06d}"


def _drop_old(connection: sa.Connection) -> None:
    connection.execute(pairing.delete().where(pairing.c.asked < time.time() - CODE_HOLDS_S))


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
