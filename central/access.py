"""Who may do what: security headers, limits on what one address may ask, bodies that are not too large.

Written for a café's Wi-Fi, where anybody can send anything.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

LARGEST_RESULT = 4_000_000  # bytes
LARGEST_MESSAGE = 200_000
LOOPBACK = ("127.0.0.1", "::1")
SLOWEST_BODY_S = 20.0  # so that nobody keeps connections open by sending a byte now and then


class Failure(Exception):  # an answer, not an error of ours
    """An answer to the API that is not 200: status, code and sentence."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def response(self) -> JSONResponse:
        """The JSON of docs/interface.md."""
        headers = {"Retry-After": "10"} if self.status in (429, 503) else None
        return JSONResponse({"error": {"code": self.code, "message": self.message}}, self.status, headers)


async def body_of(request: Request, largest: int) -> bytes:
    """The whole body; raises Failure when it is larger, having read no more than that, or comes in drops."""
    content = bytearray()
    try:
        async with asyncio.timeout(SLOWEST_BODY_S):
            async for piece in request.stream():
                content += piece
                if len(content) > largest:
                    raise Failure(413, "too_large", f"Een bericht heeft hier ten hoogste {largest} bytes.")
    except TimeoutError as error:
        raise Failure(408, "too_slow", "Het bericht kwam niet op tijd aan.") from error
    return bytes(content)


def parse_json(content: bytes) -> object:
    """JSON as the contract has it: UTF-8, no NaN, no Infinity; raises Failure."""
    try:
        return json.loads(content.decode("utf-8"), parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise Failure(400, "not_json", "Dat is geen JSON.") from error


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits:.20} is too large")
    return value


class Limit(NamedTuple):
    """So many requests at once from one address, and so many a second in the long run."""

    burst: float
    per_s: float


class Limiter:
    """Counts what each address did lately (a leaking bucket each), for a bounded number of addresses."""

    MOST = 10_000

    def __init__(self, limit: Limit, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count one more, unless that is too many."""
        at = self._clock()
        level, before = self._buckets.pop(address, (0.0, at))
        level = max(0.0, level - (at - before) * self._limit.per_s)
        fits = level + 1 <= self._limit.burst
        self._buckets[address] = (level + 1 if fits else level, at)
        if len(self._buckets) > self.MOST:
            self._buckets.popitem(last=False)
        return fits


def address_of(scope: Scope) -> str:
    """Where a request comes from; never from a header, which anybody can write.

    In IPv6 one machine has as many addresses as it likes, in one network of 64 bits: that counts as one.
    """
    client = scope.get("client")
    if not client:
        return "?"
    try:
        address = ipaddress.ip_address(str(client[0]).partition("%")[0])
    except ValueError:
        return str(client[0])
    if address.version == 4 or address.is_loopback:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


class Guard:
    """The outermost layer: limits requests per address and puts the security headers on every answer.

    This machine itself is not limited: the demo's tables send as fast as they play. (Behind a proxy everybody seems to
    be this machine; the proxy must limit then.)
    """

    def __init__(self, app: ASGIApp, limiter: Limiter) -> None:
        self._app = app
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                # style and script are asked for each time and answered with "unchanged": an update is seen at once
                static = scope["path"].startswith("/static/")
                headers.setdefault("Cache-Control", "no-cache" if static else "no-store")
            await send(message)

        address = address_of(scope)
        if address in LOOPBACK or self._limiter.allows(address):
            await self._app(scope, receive, send_with_headers)
        elif scope["path"].startswith("/api/"):
            failure = Failure(429, "too_many", "Te veel vragen ineens; probeer het zo dadelijk opnieuw.")
            await failure.response()(scope, receive, send_with_headers)
        else:
            response = PlainTextResponse("Te veel vragen ineens.", 429, {"Retry-After": "5"})
            await response(scope, receive, send_with_headers)
