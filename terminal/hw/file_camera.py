"""Cameras that play files: a folder of frames, a video, and the tray of the demo, where pictures are thrown.

They behave as the devices do (same port, same errors), so that the eye, the demo and the tests need no other door.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from terminal.frame import LUMA_WH, Frame, Image
from terminal.hw.ports import CameraLost

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".webp"})
FPS = 30.0

Clock = Callable[[], float]
Sleep = Callable[[float], object]


def luma_of(image: Image) -> Image:
    """The small grey picture of a frame, (h, w) uint8: `image` (H, W, 3) BGR made to fit `LUMA_WH`, never enlarged."""
    height, width = image.shape[:2]
    scale = min(1.0, LUMA_WH[0] / width, LUMA_WH[1] / height)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def load(path: Path) -> Image:
    """The picture in a file, (H, W, 3) uint8 BGR, read-only because frames share it.

    `CameraLost` names a file that is none.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraLost(f"{path}: {error.strerror}") from error
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise CameraLost(f"{path}: is no picture, or a damaged one")
    image.setflags(write=False)
    return np.asarray(image, np.uint8)


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder in the order of their names, `frame2` before `frame10`.

    `CameraLost` when there are none.
    """
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES]
    except OSError as error:
        raise CameraLost(f"{folder}: {error.strerror}") from error
    if not found:
        raise CameraLost(f"{folder}: no pictures in this folder ({', '.join(sorted(PICTURES))})")
    return sorted(found, key=_in_order)


def _in_order(path: Path) -> tuple[list[str], list[int], str]:
    return re.split(r"\d+", path.name), [int(digits) for digits in re.findall(r"\d+", path.name)], path.name


class Pace:
    """Lets frames through `fps` times a second; one that comes late does not make the next ones hurry."""

    def __init__(self, fps: float, clock: Clock = time.monotonic, sleep: Sleep = time.sleep) -> None:
        self._step_s = 1.0 / fps
        self._clock = clock
        self._sleep = sleep
        self._due_s = clock()

    def wait(self) -> None:
        """Returns when the next frame is due."""
        now_s = self._clock()
        self._due_s = max(self._due_s, now_s - self._step_s) + self._step_s
        if self._due_s > now_s:
            self._sleep(self._due_s - now_s)


class FolderCamera:
    """The pictures of a folder, one a frame, in the order of their names.

    fps: how far apart the frames say they are. `paced`: they also come so, else as fast as they are asked for.
    loop: begins again after the last one instead of ending; the clock of the frames goes on.
    """

    def __init__(self, folder: Path, fps: float = FPS, *, loop: bool = False, paced: bool = False) -> None:
        self._folder = folder
        self._fps = fps
        self._loop = loop
        self._paced = paced
        self._closed = threading.Event()
        self._seq = 0

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`; an unreadable picture is `CameraLost` with its name."""
        paths = pictures_in(self._folder)
        pace = Pace(self._fps, sleep=self._closed.wait) if self._paced else None
        while not self._closed.is_set():
            for path in paths:
                image = load(path)
                if pace:
                    pace.wait()
                if self._closed.is_set():
                    return
                yield Frame(self._seq, self._seq / self._fps, luma_of(image), image)
                self._seq += 1
            if not self._loop:
                return

    def close(self) -> None:
        """See `Camera.close`."""
        self._closed.set()


class VideoCamera:
    """The frames of a video file, with the times that the file gives them.

    loop, paced: as for `FolderCamera`.
    """

    def __init__(self, path: Path, *, loop: bool = False, paced: bool = False) -> None:
        self._path = path
        self._loop = loop
        self._paced = paced
        self._closed = threading.Event()
        self._seq = 0
        self._t_s = 0.0

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`; a file that is no video is `CameraLost` with its name."""
        if not self._path.is_file():
            raise CameraLost(f"{self._path}: no such file")
        while not self._closed.is_set():
            before = self._seq
            yield from self._once()
            if self._seq == before and not self._closed.is_set():
                raise CameraLost(f"{self._path}: no frames in it, or no video that this OpenCV can read")
            if not self._loop:
                return

    def _once(self) -> Iterator[Frame]:
        video = cv2.VideoCapture(str(self._path))
        try:
            fps = video.get(cv2.CAP_PROP_FPS)
            fps = fps if 1.0 <= fps <= 1000.0 else FPS  # a file without an index says 0 or nonsense
            pace = Pace(fps, sleep=self._closed.wait) if self._paced else None
            while True:
                arrived, picture = video.read()
                if not arrived or self._closed.is_set():
                    return
                # Phones write frames at uneven times. Where a file gives no time, one that stands still, or begins
                # again because it loops, frames count evenly.
                stamp_s = video.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
                self._t_s = stamp_s if self._seq == 0 or stamp_s > self._t_s else self._t_s + 1.0 / fps
                if pace:
                    pace.wait()
                image = np.asarray(picture, np.uint8)
                yield Frame(self._seq, self._t_s, luma_of(image), image)
                self._seq += 1
        finally:
            video.release()

    def close(self) -> None:
        """See `Camera.close`."""
        self._closed.set()


class ThrowFolder:
    """The tray of the demo: empty until a picture of the folder is thrown into it.

    For each `throw` it shows the empty tray `empty_for` frames, the picture `held_for` frames, and the empty tray again
    `empty_for` frames; several throws queue up. Which picture comes next is the caller's choice (it follows from the
    journal), so a restart can show the same dice again, as a real table would.

    empty: the name of the picture of the empty tray.
    fps: frames a second, and how far apart the frames say they are. None: as fast as they are asked for while
    something is thrown (1/30 s apart by their own clock), and 30 a second else, so that an idle tray costs nothing.
    """

    def __init__(
        self,
        folder: Path,
        empty: str = "000.jpg",
        *,
        fps: float | None = FPS,
        held_for: int = 10,
        empty_for: int = 6,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
    ) -> None:
        self._folder = folder
        self._held_for = held_for
        self._empty_for = empty_for
        self._closed = threading.Event()
        self._news = threading.Event()  # something was thrown, or the tray was closed
        self._step_s = 1.0 / (fps or FPS)
        self._pace = Pace(fps, clock, sleep or self._closed.wait) if fps else None
        self._thrown: deque[str] = deque()
        self._to_show: deque[tuple[Image, Image]] = deque()  # pictures with their luma
        self._seq = 0
        self._empty = self._picture(empty)

    def throw(self, name: str) -> None:
        """Throws the picture of this name, after those already thrown; from any thread."""
        self._thrown.append(name)
        self._news.set()

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`; never ends before `close`. An unreadable picture is `CameraLost` with its name."""
        while not self._closed.is_set():
            if self._thrown and not self._to_show:
                around = [self._empty] * self._empty_for
                self._to_show.extend([*around, *[self._picture(self._thrown.popleft())] * self._held_for, *around])
            if self._pace:
                self._pace.wait()
            elif not self._to_show:
                self._news.clear()
                if not self._thrown and not self._closed.is_set() and self._news.wait(self._step_s):
                    continue
            if self._closed.is_set():
                return
            image, luma = self._to_show.popleft() if self._to_show else self._empty
            yield Frame(self._seq, self._seq * self._step_s, luma, image)
            self._seq += 1

    def _picture(self, name: str) -> tuple[Image, Image]:
        image = load(self._folder / name)
        luma = luma_of(image)
        luma.setflags(write=False)
        return image, luma

    def close(self) -> None:
        """See `Camera.close`."""
        self._closed.set()
        self._news.set()
