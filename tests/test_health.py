"""What a machine says of itself, on a made-up /sys."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from terminal import health

NOW = datetime(2026, 11, 29, 20)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_hottest_zone_counts(tmp_path: Path) -> None:
    write(tmp_path / "class/thermal/thermal_zone0/temp", "51500\n")
    write(tmp_path / "class/thermal/thermal_zone1/temp", "83200\n")
    assert health.temperature_c(tmp_path) == 83.2
    assert health.of_machine(tmp_path, NOW, tmp_path)["cool"] is False


def test_a_zone_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "class/thermal/thermal_zone0/temp", "\n")
    assert health.temperature_c(tmp_path) is None


@pytest.mark.parametrize(("bits", "weak"), [("0", False), ("50005", True), ("10000", True), ("80000", False)])
def test_a_weak_supply_is_told_even_when_it_is_over(tmp_path: Path, bits: str, weak: bool) -> None:
    write(tmp_path / health.THROTTLED, bits + "\n")
    assert health.undervoltage(tmp_path) is weak
    assert health.of_machine(tmp_path, NOW, tmp_path)["voltage"] is not weak


def test_a_machine_that_shows_nothing_tells_only_what_every_machine_has(tmp_path: Path) -> None:
    assert set(health.of_machine(tmp_path, NOW, tmp_path)) == {"free_mb", "disk", "clock"}


def test_a_clock_without_battery_is_told(tmp_path: Path) -> None:
    assert health.of_machine(tmp_path, datetime(1970, 1, 1), tmp_path)["clock"] is False
