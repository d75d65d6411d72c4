"""Small stand-ins for whole devices, for tests and for trying a table without any.

Where the real library can run on a fake bottom (gpiozero on its mock pins, picamera2 on `fake_libcamera`), tests do
that instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from terminal.frame import Frame, Image
from terminal.hw.ports import Button, CameraLost, nobody


class FakeButtons:
    """Buttons that a program presses; `lit` are those that glow."""

    def __init__(self) -> None:
        self.lit: set[Button] = set()
        self.closed = False
        self._on_press: Callable[[Button], None] | None = None
        self._on_stuck: Callable[[Button, bool], None] = nobody

    def start(self, on_press: Callable[[Button], None], on_stuck: Callable[[Button, bool], None] = nobody) -> None:
        """See `Buttons.start`."""
        self._on_press, self._on_stuck = on_press, on_stuck

    def press(self, button: Button) -> None:
        """Presses a button, as a finger would; before `start` and after `close` nobody hears it."""
        if self._on_press is not None and not self.closed:
            self._on_press(button)

    def stick(self, button: Button, stuck: bool = True) -> None:
        """Lets a button get stuck or come free."""
        self._on_stuck(button, stuck)

    def light(self, button: Button, on: bool) -> None:
        """See `Buttons.light`."""
        (self.lit.add if on else self.lit.discard)(button)

    def close(self) -> None:
        """See `Buttons.close`."""
        self.closed = True
        self.lit.clear()


class FakeCamera:
    """A camera that shows given frames.

    A `CameraLost` among them is raised in its place, and the next call of `frames` goes on after it.
    """

    def __init__(self, shown: Iterable[Frame | CameraLost]) -> None:
        self._shown = iter(shown)
        self.closed = False

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`."""
        for frame in self._shown:
            if self.closed:
                return
            if isinstance(frame, CameraLost):
                raise frame
            yield frame

    def close(self) -> None:
        """See `Camera.close`."""
        self.closed = True


class FakeUsbDevice:
    """Stands in for `cv2.VideoCapture` on a USB camera: `picture` makes what it sees from (frame number, settings)."""

    def __init__(self, picture: Callable[[int, dict[int, float]], Image]) -> None:
        self._picture = picture
        self.settings: dict[int, float] = {}
        self.asked: list[tuple[int, float]] = []  # settings in the order in which they were made
        self.plugged = True
        self.open = True
        self.reads = 0

    def isOpened(self) -> bool:  # noqa: N802  OpenCV's name
        """Whether it could be opened."""
        return self.open

    def read(self) -> tuple[bool, Image | None]:
        """The next picture, or (False, None) while it is unplugged."""
        self.reads += 1
        return (True, self._picture(self.reads, self.settings)) if self.plugged and self.open else (False, None)

    def get(self, propId: int) -> float:  # noqa: N803  OpenCV's name
        """A setting; 0 when it was never set."""
        return self.settings.get(propId, 0.0)

    def set(self, propId: int, value: float) -> bool:  # noqa: N803  OpenCV's name
        """Changes a setting."""
        self.settings[propId] = value
        self.asked.append((propId, value))
        return True

    def release(self) -> None:
        """Closes it."""
        self.open = False
