"""A browser without a network: asks central's application directly, keeps cookies, waits for each answer."""

from __future__ import annotations

import asyncio

import httpx


class Browser:
    """Synchronous requests to an ASGI application, as from one address."""

    def __init__(self, app, address="192.0.2.7"):
        self._runner = asyncio.Runner()
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=(address, 1)),
            base_url="http://central.test",
        )

    def request(self, method, path, **options):
        return self._runner.run(self.client.request(method, path, **options))

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def close(self):
        self._runner.run(self.client.aclose())
        self._runner.close()
