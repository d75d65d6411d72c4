"""Central over HTTP: the public pages and their stream, and around them what api and organise bring."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple, TypeVar

import sqlalchemy as sa
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from central import (
    evenings,
    live,
    organise_evening,
    organise_final,
    organise_out,
    organise_results,
    organise_season,
    organise_seating,
    organise_tables,
    pages,
    player_view,
    qr,
    standings_view,
)
from central.access import Failure, Guard, Limit, Limiter, address_of
from central.api import Api
from central.changes import TOPICS
from central.organise import Organiser
from central.store import Store

T = TypeVar("T")


class Limits(NamedTuple):
    """What one address may ask; a café's guests come one phone an address."""

    requests: Limit = Limit(burst=300, per_s=60)
    pairings: Limit = Limit(burst=12, per_s=0.2)
    attempts: Limit = Limit(burst=6, per_s=0.1)  # at the organiser's password
    streams: int = 200  # open at the same time from one address
    all_streams: int = 2_000


CAFE = Limits()
PART_HOLDS_S = 5.0  # times on the page ("12 min") go on without a change
STREAM_PAUSE_S = 0.5
MOST_MADE = 500  # pages and parts kept, of some 20 KB
TABLES, STANDINGS = ("tables", "evening"), ("standings", "evening")
ALL = ("tables", "standings", "evening")


def app(store: Store, limits: Limits = CAFE) -> Starlette:
    """The whole of central as one ASGI application over a store; the caller closes the store."""
    games = live.LiveGames()
    sections = (
        *organise_tables.sections(games),
        *organise_evening.SECTIONS,
        *organise_seating.SECTIONS,
        *organise_results.SECTIONS,
        *organise_final.SECTIONS,
        *organise_season.SECTIONS,
        *organise_out.SECTIONS,
    )
    return Starlette(
        routes=[
            *Api(store, Limiter(limits.pairings)).routes(),
            *Organiser(store, sections, limits.attempts, address_for_phones).routes(),
            *Public(store, games, limits).routes(),
            Mount("/static", StaticFiles(directory=pages.STATIC), name="static"),
        ],
        middleware=[Middleware(Guard, limiter=Limiter(limits.requests))],
        exception_handlers={HTTPException: _no_page},
    )


def address_for_phones(request: Request) -> str:
    """The address of central for a phone in the café: as the organiser typed it, unless that is this machine."""
    host, port = request.url.hostname or "localhost", request.url.port
    if host in ("localhost", "127.0.0.1", "::1"):
        host = own_address() or host
    return f"http://{host}" + ("" if port in (None, 80) else f":{port}")


def own_address() -> str | None:
    """This machine's address in the café's network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


async def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = error.headers if isinstance(error, HTTPException) else None
    words = {404: "Deze bladzijde is er niet.", 405: "Dat kan hier niet."}
    if request.url.path.startswith("/api/"):
        response = Failure(
            status, {404: "path", 405: "method"}.get(status, "http"), words.get(status, "Dat ging niet.")
        ).response()
        response.headers.update(headers or {})
        return response
    return PlainTextResponse(words.get(status, "Dat ging niet."), status, headers)


class Made(NamedTuple):
    """A part of a page that was made for everybody. serial: of its topics; began_s: monotonic."""

    serial: int
    began_s: float
    body: bytes


class Public:
    """What everybody may look at. Nothing here writes."""

    def __init__(self, store: Store, games: live.LiveGames, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._games = games
        self._streams: dict[str, int] = {}
        self._making = [asyncio.Lock() for _ in range(64)]  # one of them for each key: two keys may share one
        self._made: OrderedDict[str, Made] = OrderedDict()  # by path; the one that was asked for last is last

    def routes(self) -> list[Route]:
        """The public pages, their parts and their stream."""
        return [
            Route("/", self.live),
            Route("/stand", self.standings),
            Route("/part/tables", self.tables_part),
            Route("/part/standings", self.standings_part),
            Route("/beamer", self.beamer),
            Route("/speler/{number:int}", self.player),
            Route("/part/speler/{number:int}", self.player_part),
            Route("/seizoen", self.season),
            Route("/events", self.events),
        ]

    async def _read(self, question: Callable[[sa.Connection], T]) -> T:
        return await run_in_threadpool(self._store.reading, question)

    async def live(self, request: Request) -> Response:
        """Tables and standings of the current evening."""

        def make(connection: sa.Connection) -> Response:
            return pages.page("live.html", here="live", **self._tables(connection), **_standings(connection))

        return await self._shared("/", ALL, make)

    async def standings(self, request: Request) -> Response:
        """The standings alone."""
        return await self._shared(
            "/stand", STANDINGS, lambda c: pages.page("standings.html", here="standings", **_standings(c))
        )

    async def beamer(self, request: Request) -> Response:
        """Tables and standings, large and dark, with the address as a QR code."""
        address = address_for_phones(request)

        def make(connection: sa.Connection) -> Response:
            facts = {"address": address, "qr": qr.svg(address), **self._tables(connection), **_standings(connection)}
            return pages.page("beamer.html", here="", **facts)

        return await self._shared(f"/beamer {address}", ALL, make)

    async def player(self, request: Request) -> Response:
        """One player: next table, games, dice."""
        return await self._player(request, "player.html")

    async def player_part(self, request: Request) -> Response:
        """The same, as it is inside the page."""
        return await self._player(request, "_player.html")

    async def _player(self, request: Request, template: str) -> Response:
        number = request.path_params["number"]
        return await self._shared(f"{template} {number}", STANDINGS, lambda c: _player(c, number, template))

    async def season(self, request: Request) -> Response:
        """The standing of the current season."""

        def make(connection: sa.Connection) -> Response:
            night = evenings.current(connection)
            rows: list[standings_view.SeasonRow] = []
            if night is not None and night.season_id is not None:
                rows = standings_view.season_rows(connection, night.season_id)
            return pages.page("season_public.html", here="season", night=night, rows=rows)

        return await self._shared("/seizoen", STANDINGS, make)

    async def tables_part(self, request: Request) -> Response:
        """The tables, as they are inside the page."""
        return await self._shared("/part/tables", TABLES, lambda c: pages.page("_tables.html", **self._tables(c)))

    async def standings_part(self, request: Request) -> Response:
        """The standings, as they are inside the page."""
        return await self._shared(
            "/part/standings", STANDINGS, lambda c: pages.page("_standings.html", **_standings(c))
        )

    async def _shared(self, key: str, topics: tuple[str, ...], make: Callable[[sa.Connection], Response]) -> Response:
        """Made once for everybody after a change of its topics: a hundred phones ask for it in the same second.

        Who had to wait while it was made for another takes what was begun after he asked. Only what is there is kept.
        """
        asked_s = time.monotonic()
        async with self._making[hash(key) % len(self._making)]:
            made = self._made.get(key)
            serial = self._store.changes.serial(topics)
            fresh = made is not None and (
                made.began_s >= asked_s or (made.serial == serial and asked_s - made.began_s <= PART_HOLDS_S)
            )
            if made is None or not fresh:
                began_s = time.monotonic()
                made = Made(serial, began_s, bytes((await self._read(make)).body))
                self._made[key] = made
            self._made.move_to_end(key)
            while len(self._made) > MOST_MADE:
                self._made.popitem(last=False)
        return HTMLResponse(made.body)

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
                # What changes meanwhile is one change. All pages wake at the same beat, so that what they then ask for
                # is made once for all of them.
                await asyncio.sleep(STREAM_PAUSE_S - time.monotonic() % STREAM_PAUSE_S)
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]


def _topics(told: frozenset[str]) -> str:
    return json.dumps({topic: topic in told for topic in TOPICS})


def _standings(connection: sa.Connection) -> dict[str, object]:
    night = evenings.current(connection)
    return {"night": night, "standings": [] if night is None else standings_view.totals(connection, night).rows}


def _player(connection: sa.Connection, number: int, template: str) -> Response:
    night = evenings.current(connection)
    if night is None or number not in evenings.entrants(connection, night.id):
        raise HTTPException(404)
    row = next(one for one in standings_view.totals(connection, night).rows if one.number == number)
    seats = player_view.seats(connection, night, number)
    return pages.page(
        template,
        here="",
        night=night,
        number=number,
        name=row.shown,
        row=row,
        following=next((seat for seat in seats if not seat.done), None),
        games=player_view.games(connection, night, number),
        dice=player_view.dice(connection, night, number),
    )
