"""The four buttons beside the tray and the lamps in them, by gpiozero.

What a finger does is told from what a contact does: a contact bounces, picks up the fridge next door, or gets stuck
under a beer mat. A press counts once, when the contact has been down for a moment; holding it does nothing more, and
until it has been up for a moment it cannot count again. gpiozero's own threads only note the edges; nothing runs
while no button moves.
"""

from __future__ import annotations

import enum
import logging
import queue
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from terminal.hw.ports import Button, ButtonsMissing, nobody

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wiring:
    """Which GPIO (BCM number) each button and lamp is on. Buttons close to ground, lamps light when the pin is high.

    settle_s: how long a contact must stay as it is to count; longer than it bounces, shorter than a finger.
    stuck_after_s: longer than anybody holds a button.
    """

    buttons: Mapping[Button, int]
    lamps: Mapping[Button, int] = field(default_factory=dict)
    settle_s: float = 0.02
    stuck_after_s: float = 10.0

    @classmethod
    def named(
        cls, buttons: Mapping[str, int], lamps: Mapping[str, int], settle_s: float, stuck_after_s: float
    ) -> Wiring:
        """The same from names as in the configuration (`stoef`, `ogen`, `punten`, `klaar`)."""
        return cls(
            {Button(name): pin for name, pin in buttons.items()},
            {Button(name): pin for name, pin in lamps.items()},
            settle_s,
            stuck_after_s,
        )


class Change(enum.Enum):
    """What a contact turned out to do."""

    PRESSED = "pressed"
    STUCK = "stuck"
    FREE = "free"  # after it was stuck


class Contact:
    """One contact, debounced by its state: fed with what it is and when, it says what that means. Times in seconds."""

    def __init__(self, wiring: Wiring, down: bool, t_s: float) -> None:
        self._wiring = wiring
        self._raw = self._settled = down  # a button that is down when the table starts was not pressed
        self._since_s = t_s  # of `_raw`
        self._stuck = False

    def seen(self, down: bool, t_s: float) -> Iterator[Change]:
        """The contact is `down` from now on; gives what the time until now has settled.

        So a tap counts by its own length, however late it is looked at.
        """
        yield from self.at(t_s)
        if down != self._raw:
            self._raw, self._since_s = down, t_s

    def at(self, t_s: float) -> Iterator[Change]:
        """Nothing changed until now; gives what that settles."""
        if self._raw != self._settled and t_s >= self._since_s + self._wiring.settle_s:
            self._settled = self._raw
            if self._settled:
                yield Change.PRESSED
            elif self._stuck:
                self._stuck = False
                yield Change.FREE
        if self._raw and self._settled and not self._stuck and t_s >= self._since_s + self._wiring.stuck_after_s:
            self._stuck = True
            yield Change.STUCK

    @property
    def due_s(self) -> float | None:
        """When to look again if nothing changes; None: never."""
        if self._raw != self._settled:
            return self._since_s + self._wiring.settle_s
        if self._settled and not self._stuck:
            return self._since_s + self._wiring.stuck_after_s
        return None


class GpioButtons:
    """The buttons on the pins of a Pi. See `Buttons`.

    pin_factory: gpiozero's; None lets gpiozero choose. `ButtonsMissing` when this machine has no pins, or not these.
    """

    def __init__(
        self, wiring: Wiring, pin_factory: object | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._devices: dict[Button, Any] = {}  # gpiozero brings no types
        self._lamps: dict[Button, Any] = {}
        self._edges: queue.SimpleQueue[tuple[Button, bool, float] | None] = queue.SimpleQueue()  # None: closed
        self._thread: threading.Thread | None = None
        try:
            self._open(wiring, pin_factory)
        except _foreign() as error:
            self.close()
            raise ButtonsMissing(f"the GPIO pins cannot be used: {error}") from error
        now_s = clock()
        self._contacts = {
            button: Contact(wiring, bool(device.is_pressed), now_s) for button, device in self._devices.items()
        }

    def _open(self, wiring: Wiring, pin_factory: object | None) -> None:
        import gpiozero

        with warnings.catch_warnings(record=True) as fallbacks:
            warnings.simplefilter("always", gpiozero.exc.PinFactoryFallback)
            try:
                for button, pin in wiring.buttons.items():
                    self._devices[button] = gpiozero.Button(pin, pin_factory=pin_factory)
                for button, pin in wiring.lamps.items():
                    self._lamps[button] = gpiozero.LED(pin, pin_factory=pin_factory)
            finally:
                for fallback in fallbacks:
                    log.warning("%s", fallback.message)

    def start(self, on_press: Callable[[Button], None], on_stuck: Callable[[Button, bool], None] = nobody) -> None:
        """See `Buttons.start`; once."""
        for button, device in self._devices.items():
            device.when_pressed = self._noting(button, True)
            device.when_released = self._noting(button, False)
        self._thread = threading.Thread(target=self._run, args=(on_press, on_stuck), name="buttons", daemon=True)
        self._thread.start()

    def _noting(self, button: Button, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._edges.put((button, down, self._clock()))

        return note

    def _run(self, on_press: Callable[[Button], None], on_stuck: Callable[[Button, bool], None]) -> None:
        def tell(button: Button, changes: Iterator[Change]) -> None:
            for change in changes:
                if change is Change.PRESSED:
                    on_press(button)
                else:
                    on_stuck(button, change is Change.STUCK)

        while True:
            dues_s = [contact.due_s for contact in self._contacts.values() if contact.due_s is not None]
            wait_s = max(0.0, min(dues_s) - self._clock()) if dues_s else None
            try:
                edge = self._edges.get(timeout=wait_s)
            except queue.Empty:
                for button, contact in self._contacts.items():
                    tell(button, contact.at(self._clock()))
                continue
            if edge is None:
                return
            button, down, t_s = edge
            tell(button, self._contacts[button].seen(down, t_s))

    def light(self, button: Button, on: bool) -> None:
        """See `Buttons.light`; a button without a lamp stays dark."""
        lamp = self._lamps.get(button)
        if lamp is not None:
            lamp.value = on

    def close(self) -> None:
        """See `Buttons.close`."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._edges.put(None)
            thread.join()
        for device in (*self._lamps.values(), *self._devices.values()):
            device.close()
        self._lamps.clear()


def _foreign() -> tuple[type[Exception], ...]:
    """What gpiozero and the pin library under it raise where there are no pins."""
    import gpiozero

    lgpio = sys.modules.get("lgpio")
    own = (lgpio.error,) if lgpio is not None and hasattr(lgpio, "error") else ()  # derives from Exception alone
    return (gpiozero.GPIOZeroError, ImportError, OSError, *own)
