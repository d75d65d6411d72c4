"""A table finds central by mDNS, in a network of its own where multicast works (needs root for `unshare -n`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from terminal import sync

PROGRAM = """
from central.announce import Announcement
from terminal.sync import find_central
announcement = Announcement(8123, "127.0.0.1")
print(find_central(20.0))
announcement.close()
announcement.close()
"""
NETWORK = "ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "


@pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("unshare") is None or shutil.which("ip") is None,
    reason="needs root, unshare and ip for a network of its own; proves that the announcement is really heard",
)
def test_a_table_finds_central_by_itself():
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", NETWORK + f'{sys.executable} -W error -c "$0"', PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == "http://127.0.0.1:8123", done.stderr


def test_where_nobody_answers_nothing_is_found():
    assert sync.find_central(0.2) is None
