"""One request over HTTP, by the standard library: httpx took 10 MB of a table's memory and a fifth of its start."""

from __future__ import annotations

import contextlib
import http.client
import ssl
import urllib.parse
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

TIMEOUT_S = 8.0  # a café's uplink is slow, not dead
LARGEST_ANSWER = 2_000_000  # bytes; central's longest list is far below


class NoAnswer(OSError):  # named for what happened
    """Nothing came that is an answer: no network, no such address, not HTTP, too late, or without an end."""


class Request(NamedTuple):
    """What is asked. body: bytes to send along, or None."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    body: bytes | None = None


def ask(request: Request, timeout_s: float = TIMEOUT_S) -> tuple[int, bytes]:
    """Status and body of the answer, over a connection of its own. timeout_s: to connect, and for each read.

    No proxy, no redirection followed, nothing unpacked. Raises NoAnswer.
    """
    try:
        parts = urllib.parse.urlsplit(request.url)
        host = parts.hostname or ""
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(host, parts.port, timeout=timeout_s, context=_authorities())
        else:
            connection = http.client.HTTPConnection(host, parts.port, timeout=timeout_s)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        with contextlib.closing(connection):
            connection.connect()
            # Who answers before he has heard all, refuses; he may hang up too, and what he said is still to be read.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request(request.method, path, request.body, request.headers)
            response = connection.getresponse()
            received = response.read(LARGEST_ANSWER + 1)
    except (OSError, http.client.HTTPException, ValueError) as error:  # ValueError: an address that is none
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    if len(received) > LARGEST_ANSWER:
        raise NoAnswer("the answer does not end")
    return response.status, received


@cache
def _authorities() -> ssl.SSLContext:
    """Whose word is taken for who a server is; reading them takes longer than asking."""
    return ssl.create_default_context()
