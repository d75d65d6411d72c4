"""What the house expects of a camera and of the buttons, and how they fail.

BadHardware         a device that should be there is not; the table goes on without it
├── CameraLost      no (more) frames: the players enter their dice by touch
└── ButtonsMissing  no buttons or lamps: touch and keyboard do the same
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from terminal.frame import Frame


class BadHardware(OSError):
    """A device does not work; the message says which one and what to look at."""


class CameraLost(BadHardware):
    """The camera gives no frames, or none any more."""


class ButtonsMissing(BadHardware):
    """The buttons cannot be used on this machine."""


class Button(enum.Enum):
    """A button beside the tray. OGEN and PUNTEN are the pair that chooses the barrage."""

    STOEF = "stoef"
    OGEN = "ogen"
    PUNTEN = "punten"
    KLAAR = "klaar"


@runtime_checkable
class MeasuresLight(Protocol):
    """What a camera has that locks its exposure and colour itself."""

    def measure_light(self) -> None:
        """Measures and locks them again, because the lamp was changed; from any thread. No frames for a second."""


class Camera(Protocol):
    """A source of frames, read by one thread."""

    def frames(self) -> Iterator[Frame]:
        """The frames from now on, `seq` and `t_s` always rising.

        Opens the device if it is not open. A file ends; a device that stops raises `CameraLost`, and calling `frames`
        again tries it anew. Ends soon after `close`.
        """

    def close(self) -> None:
        """Gives the device back; from any thread, as often as you like."""


def nobody(button: Button, stuck: bool) -> None:
    """Takes note of nothing."""


class Buttons(Protocol):
    """Buttons that can be pressed and that glow when a press is legal."""

    def start(self, on_press: Callable[[Button], None], on_stuck: Callable[[Button, bool], None] = nobody) -> None:
        """From now on `on_press` is called once for each press, when the button goes down.

        `on_stuck(button, True)` says that a button stays down as no finger does, `on_stuck(button, False)` that it
        came free. Both are called from a thread of the buttons: do no more in them than put something in a queue.
        """

    def light(self, button: Button, on: bool) -> None:
        """Lets a button glow or not."""

    def close(self) -> None:
        """Lamps out, pins free; as often as you like."""
