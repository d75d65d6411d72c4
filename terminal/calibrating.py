"""Calibrating on the table's own screen, step by step: what is asked of people, what of the eye, and what it answers.

The overlay "calibrate" is about its step, the serial number of this calibration, the picture that is shown and why it
failed. The steps: "empty" and "card" (people make the tray ready), "shoot_empty", "shoot_card" and "shoot_none" (the
eye takes pictures and works it out, with the card or with none), "passed" (people look whether it fits) and "failed".
"""

from __future__ import annotations

from terminal.booking import Booking
from terminal.table import Fitted, Overlay, Table

_NEXT = {("empty", "shoot"): "shoot_empty", ("card", "shoot"): "shoot_card", ("card", "without"): "shoot_none"}


def may_calibrate(table: Table) -> bool:
    """Whether the tray can be looked at now: there is a camera, and nobody plays."""
    return table.camera not in ("none", "lost") and not table.playing


def asked(table: Table) -> tuple[str, int]:
    """The step that the screen is at and which calibration it is; ("", 0) for none."""
    if table.overlay is None or table.overlay.kind != "calibrate":
        return "", 0
    step, serial = table.overlay.about[:2]
    assert isinstance(step, str) and isinstance(serial, int)
    return step, serial


def calibrate(booking: Booking, value: object) -> None:
    """What was tapped, and on which calibration: ("begin", any), ("shoot", 3), ("without", 3)."""
    assert isinstance(value, tuple)
    what, serial = value
    step, current = asked(booking.table)
    if what == "begin":
        if may_calibrate(booking.table):
            current = booking.table.calibrated + 1
            booking.set(calibrated=current, overlay=Overlay("calibrate", ("empty", current, None, "")))
    elif serial == current and (step, what) in _NEXT:
        _go(booking, _NEXT[step, what])


def fitted(booking: Booking, message: Fitted) -> None:
    """What the eye has done; of a calibration that is over it means nothing any more."""
    serial, what, picture = message
    step, current = asked(booking.table)
    if not step or serial != current:
        return
    if what == "seen":
        if step in ("empty", "card"):
            _go(booking, step, picture)
    elif what in ("kept", "unkept"):
        if step == "passed":
            booking.set(overlay=None)
            booking.say(f"calibration_{what}")
    elif step == "shoot_empty" and what == "empty":
        _go(booking, "card")
    elif step in ("shoot_card", "shoot_none") and what == "passed":
        _go(booking, "passed", picture)
    elif what not in ("empty", "passed") and step != "passed":  # what was made stays made when the camera goes
        _go(booking, "failed", why=what)


def _go(booking: Booking, step: str, picture: str | None = None, why: str = "") -> None:
    """To another step of the same calibration; the picture stays until there is a new one, so that nothing jumps."""
    overlay = booking.table.overlay
    assert overlay is not None
    _, serial, before, _ = overlay.about
    booking.set(overlay=Overlay("calibrate", (step, serial, picture or before, why)))
