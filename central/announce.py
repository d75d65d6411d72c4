"""Telling the café's network where central is, by mDNS; many networks block that, so an address can always be typed."""

from __future__ import annotations

import logging
import socket
import threading

import zeroconf

log = logging.getLogger(__name__)

SERVICE = "_pitjesbak._tcp.local."  # terminal.sync looks for the same


class Announcement:
    """The announcement of one port of this machine; made and taken back in the background, so that nothing waits."""

    def __init__(self, port: int, address: str) -> None:
        host = socket.gethostname().partition(".")[0] or "centraal"
        self._info = zeroconf.ServiceInfo(
            SERVICE,
            f"Pitjesbak {host} {port}.{SERVICE}",
            addresses=[socket.inet_aton(address)],
            port=port,
            server=f"{host}-pitjesbak.local.",
        )
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announce", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.V4Only) as network:
                network.register_service(self._info)
                self._stopping.wait()
                network.unregister_service(self._info)
        except (OSError, zeroconf.Error) as error:
            log.warning("Central cannot announce itself (%s); type its address at the tables.", error)

    def close(self) -> None:
        """Take it back; may be called twice."""
        self._stopping.set()
        self._thread.join(1.5)
