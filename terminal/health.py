"""How the machine itself is doing: heat, voltage, room on the card, clock. Reads what the kernel shows.

What a machine does not show is left out, so a laptop and a Pi give what they have.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

SYSTEM = Path("/sys")
THROTTLED = "devices/platform/soc/soc:firmware/get_throttled"  # Raspberry Pi: bits as `vcgencmd get_throttled`
UNDERVOLTAGE_NOW, UNDERVOLTAGE_SINCE_START = 0x1, 0x10000
HOT_C = 80.0  # a Pi slows down from here
LITTLE_MB = 200  # an evening of pictures and journals
OLDEST_TRUE_YEAR = 2026  # a clock without battery starts long before this program was written


def temperature_c(system: Path = SYSTEM) -> float | None:
    """Degrees of the hottest thermal zone."""
    found = []
    for zone in system.glob("class/thermal/thermal_zone*/temp"):
        try:
            found.append(int(zone.read_text()) / 1000)
        except (OSError, ValueError):
            continue
    return max(found, default=None)


def undervoltage(system: Path = SYSTEM) -> bool | None:
    """Whether the supply was too weak at any time since the start; None where the machine does not say."""
    try:
        bits = int((system / THROTTLED).read_text(), 16)
    except (OSError, ValueError):
        return None
    return bool(bits & (UNDERVOLTAGE_NOW | UNDERVOLTAGE_SINCE_START))


def free_mb(folder: Path) -> int:
    """Room left where the games are kept, for an account without privileges."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize // 1_000_000


def clock_is_set(now: datetime) -> bool:
    """Whether the clock can be true; times only stand in the journal for people, nothing hangs on them."""
    return now.year >= OLDEST_TRUE_YEAR


def of_machine(folder: Path, now: datetime, system: Path = SYSTEM) -> dict[str, object]:
    """All of it, as the organiser sees it: numbers, and `false` for what is in trouble."""
    told: dict[str, object] = {"free_mb": free_mb(folder), "disk": free_mb(folder) >= LITTLE_MB}
    heat = temperature_c(system)
    if heat is not None:
        told |= {"temperature_c": round(heat), "cool": heat < HOT_C}
    weak = undervoltage(system)
    if weak is not None:
        told["voltage"] = not weak
    told["clock"] = clock_is_set(now)
    return told
