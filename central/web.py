"""Central over HTTP: the public pages and their stream, and around them what api and organise bring."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from central import evenings, live, pages, standings_view, tables
from central.access import Guard, Limit, Limiter, address_of
from central.api import Api
from central.changes import TOPICS
from central.store import Store

T = TypeVar("T")


class Limits(NamedTuple):
    """What one address may ask; a café's guests come one phone an address."""

    requests: Limit = Limit(burst=300, per_s=60)
    pairings: Limit = Limit(burst=12, per_s=0.2)
    streams: int = 200  # open at the same time from one address
    all_streams: int = 2_000


CAFE = Limits()


def app(store: Store, limits: Limits = CAFE) -> Starlette:
    """The whole of central as one ASGI application over a store; the caller closes the store."""
    public = Public(store, limits)
    return Starlette(
        routes=[
            *Api(store, Limiter(limits.pairings)).routes(),
            *public.routes(),
            Mount("/static", StaticFiles(directory=pages.STATIC), name="static"),
        ],
        middleware=[Middleware(Guard, limiter=Limiter(limits.requests))],
        exception_handlers={HTTPException: _no_page},
    )


async def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    words = {404: "Deze bladzijde is er niet.", 405: "Dat kan hier niet."}
    return PlainTextResponse(words.get(status, "Dat ging niet."), status, headers)


class Public:
    """What everybody may look at. Nothing here writes."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._games = live.LiveGames()
        self._streams: dict[str, int] = {}

    def routes(self) -> list[Route]:
        """The public pages, their parts and their stream."""
        return [
            Route("/", self.live),
            Route("/stand", self.standings),
            Route("/part/tables", self.tables_part),
            Route("/part/standings", self.standings_part),
            Route("/events", self.events),
        ]

    async def _read(self, question: Callable[[sa.Connection], T]) -> T:
        return await run_in_threadpool(self._store.reading, question)

    async def live(self, request: Request) -> Response:
        """Tables and standings of the current evening."""
        return await self._read(lambda c: pages.page("live.html", here="live", **self._tables(c), **_standings(c)))

    async def standings(self, request: Request) -> Response:
        """The standings alone."""
        return await self._read(lambda c: pages.page("standings.html", here="standings", **_standings(c)))

    async def tables_part(self, request: Request) -> Response:
        """The tables, as they are inside the page."""
        return await self._read(lambda c: pages.page("_tables.html", **self._tables(c)))

    async def standings_part(self, request: Request) -> Response:
        """The standings, as they are inside the page."""
        return await self._read(lambda c: pages.page("_standings.html", **_standings(c)))

    def _tables(self, connection: sa.Connection) -> dict[str, object]:
        return {"tables": live.overview(connection, self._games)}

    async def events(self, request: Request) -> Response:
        """The stream of changes; a page that comes back after a break is told to look at everything."""
        address = address_of(request.scope)
        mine = self._streams.get(address, 0)
        if mine >= self._limits.streams or self._store.changes.listeners >= self._limits.all_streams:
            return PlainTextResponse("Te veel open pagina's.", 503, {"Retry-After": "10"})
        return EventSourceResponse(
            self._stream(address), ping=15, send_timeout=20, headers={"Cache-Control": "no-store"}
        )

    async def _stream(self, address: str) -> AsyncIterator[dict[str, object]]:
        self._streams[address] = self._streams.get(address, 0) + 1
        try:
            changes = self._store.changes.listen()
            yield {"event": "change", "id": "0", "retry": 2000, "data": _topics(frozenset(TOPICS))}
            async for serial, topics in changes:
                yield {"event": "change", "id": str(serial), "data": _topics(topics)}
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]


def _topics(told: frozenset[str]) -> str:
    return json.dumps({topic: topic in told for topic in TOPICS})


def _standings(connection: sa.Connection) -> dict[str, object]:
    night = evenings.current(connection)
    if night is None:
        return {"night": None, "standings": []}
    known = evenings.entrants(connection, night.id)
    return {"night": night, "standings": standings_view.rows(known, tables.played(connection, night.id))}
