"""A real central in a process of its own on a free port, for what needs one: signals, streams, a browser."""

from __future__ import annotations

import contextlib
import subprocess
import sys

PROGRAM = """
import logging, sys
from pathlib import Path
from central.commands import serve
logging.basicConfig()
url, evening, port = sys.argv[1:]
serve(url, Path(evening) if evening else None, port=int(port), ready=lambda port: print(port, flush=True))
"""


class Process:
    """Central as systemd would start it."""

    def __init__(self, url, evening="", port=0):
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", PROGRAM, url, str(evening), str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        self.port = int(line)
        self.url = f"http://127.0.0.1:{self.port}"

    def end(self, signal):
        """Send the signal, wait at most ten seconds; gives the exit status and what it said on stderr."""
        self.process.send_signal(signal)
        said = self.process.communicate(timeout=10)[1]
        return self.process.returncode, said

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@contextlib.contextmanager
def central(url, evening="", port=0):
    """A Process that is surely gone afterwards."""
    process = Process(url, evening, port)
    try:
        yield process
    finally:
        process.close()
