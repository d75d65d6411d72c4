"""The database of central: its tables, how it is opened, and the migrations that bring an old one up to date.

SQLite for one café, PostgreSQL by its URL for several. What follows from journals (stripes, winners, points) is stored
only as what the fold gave, so that a page need not fold again; the journal itself is always there.
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import alembic.command
import sqlalchemy as sa
from alembic.config import Config
from sqlalchemy import event

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=NAMES)

KINDS = ("seating", "final", "playoff", "deciding")


def now() -> str:
    """This moment, UTC, to the second, as text that sorts: 2026-11-29T21:04:05Z."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


season = sa.Table(
    "season",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
)

evening = sa.Table(
    "evening",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),  # in every message; never changes
    sa.Column("date", sa.Text, nullable=False),
    sa.Column("cafe", sa.Text, nullable=False),
    sa.Column("reglement", sa.JSON, nullable=False),  # whole object; its `stripes` are K1's
    sa.Column("entry_cents", sa.Integer, nullable=False),
    sa.Column("seatings", sa.Integer, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),  # in each seating
    sa.Column("system", sa.Text, nullable=False),  # primes, spread, or given (a file's own tables)
    sa.Column("has_final", sa.Boolean, nullable=False),  # K42
    sa.Column("pot", sa.Boolean, nullable=False),
    sa.Column("pairing", sa.Boolean, nullable=False),  # tables need a token
    sa.Column("closed", sa.Boolean, nullable=False),
    sa.Column("season_id", sa.ForeignKey("season.id"), nullable=True),
    sa.Column("season_place", sa.Integer, nullable=True),  # order in the organiser's list (K48)
    sa.Column("season_final", sa.Boolean, nullable=False),
)

person = sa.Table(
    "person",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=True),  # None: removed on request
    sa.Column("nickname", sa.Text, nullable=True),  # what public pages show instead
    sa.Column("only_number", sa.Boolean, nullable=False),  # public pages show just the number
)

entrant = sa.Table(
    "entrant",
    metadata,
    sa.Column("evening_id", sa.ForeignKey("evening.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # K50
    sa.Column("person_id", sa.ForeignKey("person.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # as the tables know it, unique in the evening: "Jan (12)"
    sa.Column("paid", sa.Boolean, nullable=False),
    sa.Column("present", sa.Boolean, nullable=False),  # False: absent or left (K52)
    sa.UniqueConstraint("evening_id", "name"),
    sa.UniqueConstraint("evening_id", "person_id", name="uq_entrant_person"),
)

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("evening_id", sa.ForeignKey("evening.id"), primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("seating", sa.Integer, primary_key=True),  # other kinds: a running number
    sa.Column("table_name", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),  # clockwise from 0
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("published", sa.Boolean, nullable=False),
    sa.Column("called", sa.Text, nullable=True),  # what the table was told; None: what he is called now
    sa.ForeignKeyConstraint(["evening_id", "number"], ["entrant.evening_id", "entrant.number"], name="fk_seat_entrant"),
    sa.UniqueConstraint("evening_id", "kind", "seating", "number"),
)

game = sa.Table(
    "game",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),  # random, made at the table
    sa.Column("evening_id", sa.ForeignKey("evening.id"), nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("seating", sa.Integer, nullable=False),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("numbers", sa.JSON, nullable=False),  # of the players, seat order
    sa.Column("lines", sa.Integer, nullable=False),
    sa.Column("journal", sa.Text, nullable=True),  # JSONL as received; None: typed in by the organiser
    sa.Column("state", sa.JSON, nullable=False),  # the last state of the fold (contract, section 2)
    sa.Column("places", sa.JSON, nullable=False),  # what counts: [{"number", "points", "place"}] in order of ranking
    sa.Column("losers", sa.JSON, nullable=False),  # K3: {"now": number or None, "before": those before a correction}
    sa.Column("leavers", sa.JSON, nullable=False),  # K54: numbers that play no later game of the seating
    sa.Column("flags", sa.JSON, nullable=False),  # what the organiser should look at: [code, …]
    sa.Column("received", sa.Text, nullable=False),
    sa.Column("changed", sa.Text, nullable=False),
    sa.UniqueConstraint("evening_id", "kind", "seating", "table_name", "number"),
)

refused = sa.Table(
    "refused",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),  # the same message again is the same row
    sa.Column("received", sa.Text, nullable=False),
    sa.Column("table_name", sa.Text, nullable=True),
    sa.Column("game", sa.Text, nullable=True),
    sa.Column("lines", sa.Integer, nullable=False),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("handled", sa.Text, nullable=True),  # None, accepted, dismissed
    sa.Index("ix_refused_table_name", "table_name"),
)

terminal = sa.Table(
    "terminal",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("token_hash", sa.Text, nullable=False, unique=True),
    sa.Column("paired", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text, nullable=True),
)

pairing = sa.Table(
    "pairing",
    metadata,
    sa.Column("secret_hash", sa.Text, primary_key=True),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("code", sa.Text, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("confirmed", sa.Boolean, nullable=False),
)

heartbeat = sa.Table(
    "heartbeat",
    metadata,
    sa.Column("table_name", sa.Text, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("body", sa.JSON, nullable=False),
)

live_line = sa.Table(
    "live_line",
    metadata,
    sa.Column("table_name", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("line", sa.JSON, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

session = sa.Table(
    "session",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("seen", sa.Float, nullable=False),  # seconds since 1970
)

picture = sa.Table(
    "picture",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("table_name", sa.Text, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("asked", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("answered", sa.Boolean, nullable=False),
    sa.Column("jpeg", sa.LargeBinary, nullable=True),  # None: not here (yet)
)

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("evening_id", sa.Integer, nullable=True),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("detail", sa.JSON, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)


def connect(url: str) -> sa.Engine:
    """An engine for the database, which is made or brought up to date first.

    SQLite runs in WAL mode with synchronous=FULL: NORMAL may lose, in a power cut, what was already answered.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        engine = sa.create_engine(parsed, connect_args={"timeout": 10})
        event.listen(engine, "connect", _sqlite_pragmas)
        event.listen(engine, "begin", _sqlite_begin)
    else:
        engine = sa.create_engine(parsed, pool_pre_ping=True)
    upgrade(engine)
    return engine


def upgrade(engine: sa.Engine, revision: str = "head") -> None:
    """Run the migrations that this database has not had yet, up to a revision, in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # several workers may start at once
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(71034)"))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, revision)


def _sqlite_pragmas(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # BEGIN is ours, see below: the driver's own comes too late for DDL and reads
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _sqlite_begin(connection: sa.Connection) -> None:
    # IMMEDIATE: a transaction that reads and then writes never finds that somebody else wrote in between
    read_only = connection.get_execution_options().get("reads", False)
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")
