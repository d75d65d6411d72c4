"""The tables' side of central: routes under /api/, exactly as docs/interface.md has them."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping

import sqlalchemy as sa
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from central import ingest, pictures, tables, terminals
from central.access import LARGEST_MESSAGE, LARGEST_RESULT, Failure, Limiter, address_of, body_of, parse_json
from central.schema import now
from central.store import Store
from terminal.rules.reglement import is_text

log = logging.getLogger(__name__)

Handler = Callable[[Request], Awaitable[Response]]

MOST_LIVE_LINES = 500
LARGEST_LINE = 20_000  # characters; the longest is the first, with a whole reglement
CONFLICTS = frozenset({"fork", "number_taken"})


class Api:
    """The handlers, over one store."""

    def __init__(self, store: Store, pairing: Limiter) -> None:
        self._store = store
        self._pairing = pairing

    def routes(self) -> list[Route]:
        """Everything under /api/."""
        return [
            Route("/api/heartbeat", answered(self.heartbeat), methods=["POST"]),
            Route("/api/seating", answered(self.seating), methods=["GET"]),
            Route("/api/games", answered(self.games), methods=["GET"]),
            Route("/api/results", answered(self.results), methods=["POST"]),
            Route("/api/live", answered(self.live), methods=["POST"]),
            Route("/api/pictures/{name}", answered(self.picture), methods=["PUT"]),
            Route("/api/pair", answered(self.pair), methods=["POST"]),
            Route("/api/pair/token", answered(self.pair_token), methods=["POST"]),
        ]

    async def heartbeat(self, request: Request) -> Response:
        """Keep the table's health, tell what changed for it."""
        body = await self._message(request)
        table = _text(body, "table")
        game, seq, queue, health = body.get("game"), body.get("seq"), body.get("queue"), body.get("health")
        fits = (game is None or _is_short_text(game)) and (seq is None or type(seq) is int)
        if not fits or type(queue) is not int or not isinstance(health, dict) or not _is_health(health):
            raise Failure(422, "shape", "Dat is geen hartslag.")
        kept = {"game": game, "seq": seq, "queue": queue, "health": health}

        def change(connection: sa.Connection) -> dict[str, object]:
            terminals.check(connection, request.headers.get("authorization"), table)
            tables.beat(connection, table, kept)
            return {
                "at": now(),
                "seating": tables.seating_message(connection, table)["mark"],
                "games": tables.games_message(connection, table)["mark"],
                "pictures": pictures.wanted(connection, table),
            }

        return JSONResponse(await run_in_threadpool(self._store.writing, change))

    async def seating(self, request: Request) -> Response:
        """Where the table sits."""
        table = _asked_table(request)

        def question(connection: sa.Connection) -> dict[str, object]:
            terminals.check(connection, request.headers.get("authorization"), table)
            return tables.seating_message(connection, table)

        return JSONResponse(await run_in_threadpool(self._store.reading, question))

    async def games(self, request: Request) -> Response:
        """What central holds of the table."""
        table, also = _asked_table(request), request.query_params.getlist("game")[:500]

        def question(connection: sa.Connection) -> dict[str, object]:
            terminals.check(connection, request.headers.get("authorization"), None)
            return tables.games_message(connection, table, also)

        return JSONResponse(await run_in_threadpool(self._store.reading, question))

    async def results(self, request: Request) -> Response:
        """Take one result, durably, or refuse it and keep it for the organiser."""
        authorization = request.headers.get("authorization")
        await run_in_threadpool(self._store.reading, lambda c: terminals.check(c, authorization, None))
        content = await body_of(request, LARGEST_RESULT)
        raw = content.decode("utf-8", "replace")
        body: object = None

        def take(connection: sa.Connection) -> ingest.Receipt:
            return ingest.take(connection, ingest.understand(body))

        try:
            body = parse_json(content)
            receipt = await run_in_threadpool(self._store.writing, take)
        except Failure as failure:
            await self._keep(raw, None, ingest.Refusal(failure.code, failure.message))
            raise
        except ingest.Refusal as refusal:
            await self._keep(raw, body, refusal)
            raise Failure(409 if refusal.code in CONFLICTS else 422, refusal.code, refusal.message) from refusal
        return JSONResponse(receipt._asdict())

    async def _keep(self, raw: str, body: object, refusal: ingest.Refusal) -> None:
        log.warning("Refused a result (%s): %s", refusal.code, refusal.message)
        try:
            await run_in_threadpool(
                self._store.writing, lambda connection: ingest.keep_refused(connection, raw, body, refusal)
            )
        except ingest.Refusal as full:
            raise Failure(429, "too_many", full.message) from full

    async def live(self, request: Request) -> Response:
        """Lines of the game that is going on: shown, never counted."""
        body = await self._message(request)
        table, game, lines = _text(body, "table"), _text(body, "game"), body.get("lines")
        if not isinstance(lines, list) or not 0 < len(lines) <= MOST_LIVE_LINES:
            raise Failure(422, "shape", f"lines: een lijst van 1 tot {MOST_LIVE_LINES} regels.")
        given: list[tuple[int, Mapping[str, object]]] = []
        for line in lines:
            if not isinstance(line, dict) or type(line.get("seq")) is not int or not isinstance(line.get("line"), dict):
                raise Failure(422, "shape", 'lines: elk {"seq": 0, "line": {…}}.')
            if len(json.dumps(line["line"])) > LARGEST_LINE:
                raise Failure(422, "shape", f"line: ten hoogste {LARGEST_LINE} tekens.")
            if not 0 <= line["seq"] < ingest.MOST_LINES:
                raise Failure(422, "shape", f"seq: 0 tot {ingest.MOST_LINES - 1}.")
            given.append((line["seq"], line["line"]))

        def change(connection: sa.Connection) -> int:
            terminals.check(connection, request.headers.get("authorization"), table)
            return tables.add_live(connection, table, game, given)

        return JSONResponse({"next": await run_in_threadpool(self._store.writing, change)})

    async def picture(self, request: Request) -> Response:
        """A picture that central asked for."""
        table, authorization = _asked_table(request), request.headers.get("authorization")
        await run_in_threadpool(self._store.reading, lambda c: terminals.check(c, authorization, table))
        content = await body_of(request, pictures.LARGEST)
        if content and not content.startswith(pictures.JPEG):
            raise Failure(422, "shape", "Dat is geen JPEG.")
        name = request.path_params["name"]
        if not await run_in_threadpool(self._store.writing, lambda c: pictures.keep(c, table, name, content)):
            raise Failure(404, "picture", "Die foto werd niet gevraagd.")
        return JSONResponse({"kept": bool(content)})

    async def pair(self, request: Request) -> Response:
        """A table asks to be let in."""
        if not self._pairing.allows(address_of(request.scope)):
            raise Failure(429, "too_many", "Te veel koppelingen gevraagd; probeer het over een minuut opnieuw.")
        table = _text(await self._message(request), "table")
        asked = await run_in_threadpool(self._store.writing, lambda connection: terminals.ask(connection, table))
        return JSONResponse({"code": asked.code, "secret": asked.secret}, 201)

    async def pair_token(self, request: Request) -> Response:
        """Whether the organiser has let it in."""
        secret = _text(await self._message(request), "secret")
        answer = await run_in_threadpool(self._store.writing, lambda connection: terminals.collect(connection, secret))
        if answer is None:
            raise Failure(404, "pairing", "Deze koppelcode is verlopen.")
        return JSONResponse(answer, 200 if answer else 202)

    async def _message(self, request: Request) -> Mapping[str, object]:
        body = parse_json(await body_of(request, LARGEST_MESSAGE))
        if not isinstance(body, dict):
            raise Failure(422, "shape", "Het bericht is geen JSON-object.")
        return body


def answered(handler: Handler) -> Handler:
    """The handler, with a Failure turned into its answer."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Failure as failure:
            return failure.response()
        except terminals.NotPaired as error:
            return Failure(401, "token", str(error)).response()

    return answer


def _text(body: Mapping[str, object], key: str) -> str:
    value = body.get(key)
    if not _is_short_text(value):
        raise Failure(422, "shape", f"{key} ontbreekt, of is geen tekst.")
    return str(value)


def _is_short_text(value: object) -> bool:
    return is_text(value) and _short(value)


def _asked_table(request: Request) -> str:
    return _text(request.query_params, "table")


def _is_health(health: Mapping[object, object]) -> bool:
    """Short keys, short plain values, not too many."""
    return len(health) <= 40 and all(
        is_text(key) and len(str(key)) <= 40 and (value is None or type(value) in (bool, int, float) or _short(value))
        for key, value in health.items()
    )


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 200 and (not value or is_text(value)) and "\0" not in value
