"""`pitjesbak doctor`: is this table fit for the evening? One line a part, in words a café owner can act on."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from calibration import model
from terminal import health, web
from terminal.card import Card, GameDamaged, fold_of
from terminal.config import Config
from terminal.display.sound import SPOKEN
from terminal.frame import Frame
from terminal.hw.gpio_buttons import GpioButtons, Wiring
from terminal.hw.ports import BadHardware, Camera
from terminal.hw.sources import Wanted, camera_of
from terminal.journal import JournalError
from terminal.vision.reader import Reader

CAMERA_S = 10.0  # a camera that gives no picture for so long gives none
CENTRAL_S = 5.0


class Finding(NamedTuple):
    """One part that was looked at. well: None where there is nothing to look at."""

    part: str
    well: bool | None
    told: str


def examine(config: Config, now: datetime) -> Iterator[Finding]:
    """Look at every part of a table; a part in trouble never keeps the others from being looked at."""
    data = config.table.data
    yield _card(data)
    yield from _machine(data, now)
    yield from _eye(config)
    yield _buttons(config)
    yield _sounds(config)
    yield _central(config)


def _card(data: Path) -> Finding:
    """Write and force to the card what is not needed, and fold every game that is there."""
    try:
        games = Card(data).paths()
        probe = data / "doctor.tmp"
        with probe.open("wb") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()
        for path in games:
            fold_of(path)
    except (OSError, JournalError, GameDamaged) as error:
        return Finding("card", False, str(error))
    return Finding("card", True, f"{len(games)} games in {data}, all of them whole")


def _machine(data: Path, now: datetime) -> Iterator[Finding]:
    room = health.free_mb(data)
    yield Finding("room", room >= health.LITTLE_MB, f"{room} MB free, {health.LITTLE_MB} are needed")
    heat = health.temperature_c()
    if heat is not None:
        yield Finding("heat", heat < health.HOT_C, f"{heat:.0f} °C, slow from {health.HOT_C:.0f} °C")
    weak = health.undervoltage()
    if weak is not None:
        yield Finding("voltage", not weak, "too low since the start: another supply or cable" if weak else "steady")
    yield Finding("clock", health.clock_is_set(now), f"{now:%Y-%m-%d %H:%M}; only for people to read")


def _eye(config: Config) -> Iterator[Finding]:
    calibration = None
    if not config.calibration.exists():
        yield Finding("calibration", None, f"none in {config.calibration}: every throw is asked about")
    else:
        try:
            calibration = model.load(config.calibration)
            yield Finding("calibration", True, str(config.calibration))
        except model.BadCalibration as error:
            yield Finding("calibration", False, str(error))
    if config.camera.source == "none":
        yield Finding("camera", None, "none: dice are entered by touch")
        return
    try:
        camera = camera_of(
            config.camera.source, Wanted(config.camera.size, config.camera.fps, config.camera.distance_m)
        )
        frame = _first(camera)
    except BadHardware as error:
        yield Finding("camera", False, str(error))
        return
    if frame is None:
        yield Finding("camera", False, f"no picture within {CAMERA_S:.0f} s")
        return
    image = frame.image()
    reading = Reader(calibration).read(image, 0)
    size = f"{image.shape[1]}x{image.shape[0]}"
    yield Finding("camera", reading.status != "error", f"{size}, in the tray: {reading.reason or reading.status}")


def _first(camera: Camera) -> Frame | None:
    """The first frame, or None after CAMERA_S; raises BadHardware."""
    found: list[Frame] = []
    failed: list[BadHardware] = []

    def look() -> None:
        try:
            for frame in camera.frames():
                frame.image()  # while the camera still has it
                found.append(frame)
                return
        except BadHardware as error:
            failed.append(error)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(CAMERA_S)
    camera.close()
    if failed:
        raise failed[0]
    return found[0] if found else None


def _buttons(config: Config) -> Finding:
    wired = config.buttons
    if not wired.enabled:
        return Finding("buttons", None, "none: everything works by touch")
    wiring = Wiring.named(wired.button_pins, wired.lamp_pins, wired.settle_ms / 1000, wired.stuck_after_s)
    try:
        GpioButtons(wiring).close()
    except BadHardware as error:
        return Finding("buttons", False, str(error))
    return Finding("buttons", True, ", ".join(f"{name} on {pin}" for name, pin in wired.button_pins.items()))


def _sounds(config: Config) -> Finding:
    folder = config.sound_folder
    there = [name for name in SPOKEN if any((folder / f"{name}{end}").is_file() for end in (".wav", ".ogg"))]
    if not there:
        return Finding("sounds", None, f"none in {folder}; `pitjesbak sounds` makes them")
    missing = ", ".join(name for name in SPOKEN if name not in there)
    return Finding("sounds", not missing, f"{len(there)} in {folder}" + (f", missing: {missing}" if missing else ""))


def _central(config: Config) -> Finding:
    url = config.central.url
    if not url:
        return Finding("central", None, "none: names are typed in, nothing is sent")
    if url == "auto":
        return Finding("central", None, "is looked for when the table runs")
    try:
        status, _ = web.ask(web.Request("GET", url.rstrip("/") + "/"), CENTRAL_S)
    except web.NoAnswer as error:
        return Finding("central", False, f"{url}: {error}")
    return Finding("central", status < 400, f"{url} answers {status}")
