"""The door: how many connections one address may hold open, and how long it may take to say what it wants.

uvicorn waits for the head of a request for as long as the connection stands: a thousand phones of one guest that say
nothing would keep everybody else out.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from central.access import LOOPBACK, address_of

MOST_OF_ONE = 250  # connections from one address; a browser holds six and a stream
SLOWEST_HEAD_S = 20.0


class Door(H11Protocol):
    """One connection, closed when it is one too many or does not come to the point."""

    _address = ""
    _impatience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Let it in, unless its address holds too many already."""
        super().connection_made(transport)
        self._address = address_of({"client": self.client})
        held = sum(getattr(one, "_address", "") == self._address for one in self.connections)
        if self._address not in LOOPBACK and held > MOST_OF_ONE:
            transport.abort()
            return
        self._impatience = self.loop.call_later(SLOWEST_HEAD_S, transport.close)

    def data_received(self, data: bytes) -> None:
        """A piece of a request; the clock runs from the connection, or from the first piece of a later request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._patience()
        elif self._impatience is None:
            self._impatience = self.loop.call_later(SLOWEST_HEAD_S, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """It went away."""
        self._patience()
        super().connection_lost(exc)

    def _patience(self) -> None:
        if self._impatience is not None:
            self._impatience.cancel()
            self._impatience = None
