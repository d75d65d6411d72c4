"""Who is looking hears that something changed: from the store to every open page.

In one process this is a set of waiting pages; with PostgreSQL every worker hears every other one by LISTEN/NOTIFY.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Iterable

import psycopg
import sqlalchemy as sa

log = logging.getLogger(__name__)

TOPICS = ("tables", "standings", "evening", "refused")
CHANNEL = "pitjesbak"


class Changes:
    """Spreads topics to the pages of this process; `announce` may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[_Listener, asyncio.AbstractEventLoop] = {}
        self._serial = 0
        self._latest: dict[str, int] = {}  # topic -> serial of its latest change

    def announce(self, topics: Iterable[str]) -> None:
        """Tell every page that is open in this process."""
        told = frozenset(topics)
        if not told:
            return
        with self._lock:
            self._serial += 1
            self._latest.update(dict.fromkeys(told, self._serial))
            for listener, loop in self._waiting.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(listener.hear, self._serial, told)

    async def listen(self) -> AsyncIterator[tuple[int, frozenset[str]]]:
        """Serial number and topics of each change from now on; a slow reader gets several changes as one."""
        listener = _Listener()
        with self._lock:
            self._waiting[listener] = asyncio.get_running_loop()
        try:
            while True:
                yield await listener.next()
        finally:
            with self._lock:
                del self._waiting[listener]

    def serial(self, topics: Iterable[str]) -> int:
        """Grows with every change to one of these topics that was announced here."""
        with self._lock:
            return max((self._latest.get(topic, 0) for topic in topics), default=0)

    @property
    def listeners(self) -> int:
        """How many pages are open here."""
        return len(self._waiting)


class _Listener:
    """What one page has not been told yet. Only its own event loop touches it."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._topics: frozenset[str] = frozenset()
        self._serial = 0

    def hear(self, serial: int, topics: frozenset[str]) -> None:
        self._topics |= topics
        self._serial = serial
        self._event.set()

    async def next(self) -> tuple[int, frozenset[str]]:
        await self._event.wait()
        self._event.clear()
        topics, self._topics = self._topics, frozenset()
        return self._serial, topics


class PostgresEar:
    """A thread that hears NOTIFY from all workers and announces it here; it survives a lost connection."""

    def __init__(self, url: sa.URL, changes: Changes) -> None:
        self._conninfo = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._changes = changes
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="postgres-ear", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End within a second."""
        self._stopping.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._hear()
            except psycopg.OperationalError as error:
                log.warning("The database does not answer (%s); pages are live again when it does.", error)
                self._stopping.wait(1)

    def _hear(self) -> None:
        with psycopg.connect(self._conninfo, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._changes.announce(TOPICS)  # whatever was missed
            while not self._stopping.is_set():
                for notification in connection.notifies(timeout=0.5):
                    self._changes.announce(notification.payload.split(","))
