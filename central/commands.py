"""Running central: open the database, read the evening's file if there is one, serve until told to stop."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

from central import access, door, evening_file, evenings, login, pictures, web
from central.announce import Announcement
from central.store import Store

log = logging.getLogger(__name__)

GRACE_S = 2  # open streams are cut after this


class _Server(uvicorn.Server):
    """Uvicorn that says when it listens, and on which port."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # passed on as it is
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self._ready(int(self.servers[0].sockets[0].getsockname()[1]))


def serve(
    database_url: str,
    evening_toml: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    ready: Callable[[int], None] = lambda port: None,
) -> None:
    """Serve central until SIGTERM or SIGINT; both end it cleanly within three seconds, open streams and all.

    database_url: as SQLAlchemy has it, `sqlite:////var/lib/pitjesbak/central.db` for instance; made when missing.
    evening_toml: becomes the current evening; raises evening_file.BadEvening.
    port: 0 takes a free one. ready is called with the port once it listens.
    """
    plan = None if evening_toml is None else evening_file.load(evening_toml)
    store = Store(database_url)
    try:
        if plan is not None:
            store.writing(lambda connection: evenings.from_plan(connection, plan))
        store.writing(pictures.drop_old)
        code = store.writing(login.setup_code)
        if code is not None:
            log.warning("No organiser's password yet: set it on /organisator/begin with the code %s", code)
        config = uvicorn.Config(
            web.app(store),
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_S,
            timeout_keep_alive=20,
            limit_concurrency=3_000,
            http=door.Door,
            ws="none",
        )
        if threading.current_thread() is threading.main_thread():
            # uvicorn raises the signal again when it is done; ending cleanly is the answer to it
            signal.signal(signal.SIGTERM, _ended)
            signal.signal(signal.SIGINT, _ended)
        announcement: Announcement | None = None

        def listening(taken: int) -> None:
            nonlocal announcement
            address = web.own_address()
            if host not in (*access.LOOPBACK, "localhost") and address is not None:
                announcement = Announcement(taken, address)
            ready(taken)

        _Server(config, listening).run()
        if announcement is not None:
            announcement.close()
    finally:
        store.close()


def forget_password(database_url: str) -> str:
    """The way back in for who has the machine: the password is gone; gives the code to set a new one with."""
    store = Store(database_url)
    try:
        return store.writing(login.forget_password)
    finally:
        store.close()


def _ended(number: int, frame: FrameType | None) -> None:
    log.info("Central ends.")
