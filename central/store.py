"""The store: transactions on central's database, and word of what they changed.

Everything that reads or writes is a function of a connection, in the module that owns its meaning (evenings, tables,
ingest, …); the store only opens, commits and announces. A write is on the disk when `writing` returns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa

from central import schema
from central.changes import CHANNEL, Changes, PostgresEar

T = TypeVar("T")

_TOPICS = "pitjesbak.topics"


def touch(connection: sa.Connection, *topics: str) -> None:
    """Remember, inside a `writing`, what the pages must be told after the commit."""
    connection.info.setdefault(_TOPICS, set()).update(topics)


class Store:
    """A database that is up to date, and the pages that wait for its changes."""

    def __init__(self, url: str) -> None:
        self.engine = schema.connect(url)
        self.changes = Changes()
        self._reader = self.engine.execution_options(reads=True)
        self._ear: PostgresEar | None = None
        self._one_writer = threading.Lock()  # in this process: SQLite would otherwise poll for its turn
        if self.engine.dialect.name == "postgresql":
            self._ear = PostgresEar(self.engine.url, self.changes)
            self._ear.start()

    def reading(self, question: Callable[[sa.Connection], T]) -> T:
        """What the question gives on one consistent picture of the database."""
        with self._reader.connect() as connection:
            if self.engine.dialect.name == "postgresql":
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                return question(connection)

    def writing(self, change: Callable[[sa.Connection], T]) -> T:
        """Do the change in one transaction, on the disk when this returns; an exception leaves all as it was."""
        with self._one_writer, self.engine.connect() as connection:
            connection.info[_TOPICS] = set()
            with connection.begin():
                if self._ear is not None:  # one writer at a time, as in SQLite: `change` may look first and then write
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(71035)"))
                result = change(connection)
                topics: set[str] = connection.info.pop(_TOPICS)
                if topics and self._ear is not None:
                    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, ",".join(sorted(topics)))))
        if self._ear is None:
            self.changes.announce(topics)
        return result

    def close(self) -> None:
        """Close every connection; may be called twice."""
        if self._ear is not None:
            self._ear.stop()
            self._ear = None
        self.engine.dispose()
