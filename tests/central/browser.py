"""A browser without a network: asks central's application directly, keeps cookies, waits for each answer."""

from __future__ import annotations

import contextlib
import functools

import httpx
from anyio.from_thread import start_blocking_portal


class Browser:
    """Synchronous requests to an ASGI application, as from one address. Its event loop has a thread of its own."""

    def __init__(self, app, address="192.0.2.7"):
        self._open = contextlib.ExitStack()
        self._portal = self._open.enter_context(start_blocking_portal())
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://central.test"
        )

    def request(self, method, path, **options):
        return self._portal.call(functools.partial(self.client.request, method, path, **options))

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def close(self):
        self._portal.call(self.client.aclose)
        self._open.close()
