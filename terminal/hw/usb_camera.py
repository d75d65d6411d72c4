"""A camera on USB, by OpenCV: for tables without a Pi camera, and for trying things at a desk.

Exposure, white balance and focus are locked once the picture has come to rest, as far as the camera lets itself be
locked; one that turns dark or bright by it is left to its own automatics.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np

from terminal.frame import Frame, Image
from terminal.hw.file_camera import Clock, Sleep, luma_of
from terminal.hw.ports import CameraLost

log = logging.getLogger(__name__)

V4L2_AUTO = 3.0
V4L2_MANUAL = 1.0


class Device(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool: ...  # noqa: N802  OpenCV's name
    def read(self) -> tuple[bool, Image | None]: ...
    def get(self, propId: int) -> float: ...  # noqa: N803  OpenCV's name
    def set(self, propId: int, value: float) -> bool: ...  # noqa: N803  OpenCV's name
    def release(self) -> None: ...


@dataclass(frozen=True, slots=True)
class UsbSettings:
    """number: of /dev/videoN. wh, fps: asked for; the camera may choose others.

    lock: whether exposure, colour and focus are locked. rest: frames of equal brightness before that; patience:
    frames after which it is done anyway. silent_for_s: without a frame for so long the camera counts as lost.
    """

    number: int = 0
    wh: tuple[int, int] = (1280, 960)
    fps: float = 30.0
    lock: bool = True
    rest: int = 15
    patience: int = 120
    silent_for_s: float = 3.0


def open_v4l2(number: int) -> Device:
    """The device /dev/video`number`; OpenCV itself would only grumble on stderr when there is none."""
    if not Path(f"/dev/video{number}").exists():
        raise CameraLost(f"no camera usb:{number}: /dev/video{number} is not there")
    return cast(Device, cv2.VideoCapture(number, cv2.CAP_V4L2))


class UsbCamera:
    """A camera on USB. See `Camera`."""

    def __init__(
        self,
        settings: UsbSettings | None = None,
        opener: Callable[[int], Device] = open_v4l2,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
    ) -> None:
        self._settings = settings or UsbSettings()
        self._open = opener
        self._clock = clock
        self._closed = threading.Event()
        self._anew = threading.Event()
        self._sleep: Sleep = sleep or self._closed.wait
        self._seq = 0

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`. Nothing comes out while the light is being measured, about a second."""
        if self._closed.is_set():
            return
        device = self._open(self._settings.number)
        try:
            if not device.isOpened():
                raise CameraLost(
                    f"the camera usb:{self._settings.number} cannot be opened; does another program use it?"
                )
            self._ask(device)
            pictures = self._pictures(device)
            if self._settings.lock:
                self._lock(device, pictures)
            for picture in pictures:
                if self._anew.is_set():
                    self._anew.clear()
                    _let_go(device)
                    self._lock(device, pictures)
                    continue
                yield Frame(self._seq, self._clock(), luma_of(picture), picture)
                self._seq += 1
        finally:
            device.release()

    def measure_light(self) -> None:
        """See `MeasuresLight`; without effect where exposure and colour are not locked."""
        if self._settings.lock:
            self._anew.set()

    def close(self) -> None:
        """See `Camera.close`."""
        self._closed.set()

    def _ask(self, device: Device) -> None:
        width, height = self._settings.wh
        # Uncompressed, most cameras give no more than five large pictures a second.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        device.set(cv2.CAP_PROP_FPS, self._settings.fps)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # old frames are worth nothing

    def _pictures(self, device: Device) -> Iterator[Image]:
        heard_s = self._clock()
        while not self._closed.is_set():
            arrived, picture = device.read()
            if arrived and picture is not None:
                heard_s = self._clock()
                yield np.asarray(picture, np.uint8)
            elif self._clock() - heard_s >= self._settings.silent_for_s:
                raise CameraLost(f"the camera usb:{self._settings.number} gives no frames; is it unplugged?")
            else:
                self._sleep(0.05)

    def _lock(self, device: Device, pictures: Iterator[Image]) -> None:
        before = self._settled(pictures)
        _hold(device)
        after = before
        for _, picture in zip(range(4), pictures, strict=False):  # the first ones are still from before
            after = _brightness(picture)
        if abs(after - before) > 0.15 * before + 2.0:
            log.warning("usb:%d cannot hold its exposure, it stays automatic", self._settings.number)
            _let_go(device)

    def _settled(self, pictures: Iterator[Image]) -> float:
        """Waits for the picture to come to rest; how bright it is then."""
        first, alike, brightness = -100.0, 0, 0.0
        for number, picture in enumerate(pictures, start=1):
            brightness = _brightness(picture)
            if abs(brightness - first) <= 2.0:
                alike += 1
            else:
                first, alike = brightness, 1
            if alike >= self._settings.rest or number >= self._settings.patience:
                break
        return brightness


def _brightness(picture: Image) -> float:
    return float(luma_of(picture).mean())


def _hold(device: Device) -> None:
    exposure, colour = device.get(cv2.CAP_PROP_EXPOSURE), device.get(cv2.CAP_PROP_WB_TEMPERATURE)
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_MANUAL)
    device.set(cv2.CAP_PROP_EXPOSURE, exposure)
    device.set(cv2.CAP_PROP_AUTO_WB, 0)
    device.set(cv2.CAP_PROP_WB_TEMPERATURE, colour)
    device.set(cv2.CAP_PROP_AUTOFOCUS, 0)


def _let_go(device: Device) -> None:
    device.set(cv2.CAP_PROP_AUTO_EXPOSURE, V4L2_AUTO)
    device.set(cv2.CAP_PROP_AUTO_WB, 1)
