"""Frames made small for the screen, each once; cut to the dice, or to the tray where it is known."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import cv2
import numpy as np

from terminal.display.view import Picture
from terminal.frame import Image
from terminal.vision.params import Calibration
from terminal.vision.tray import Table

WIDTH = 640  # pixels; what the largest screen shows of a picture
KEPT = 3  # pictures of about 0.9 MB: of the dice on the table, of the question, of a correction


class Pictures:
    """Gives the screen its pictures by key; a small store in front of whoever has the frames.

    frame: the frame of a key, (H, W, 3) uint8 BGR, or None when it is gone. around: the part of it that
    holds the dice (left, top, right, bottom), None for all of the tray. calibration: where the tray is.
    """

    def __init__(
        self,
        frame: Callable[[str], Image | None],
        around: Callable[[str], tuple[int, int, int, int] | None] = lambda key: None,
        calibration: Calibration | None = None,
    ) -> None:
        self._frame = frame
        self._around = around
        self._calibration = calibration
        self._made: OrderedDict[str, Picture] = OrderedDict()

    def picture(self, key: str) -> Picture | None:
        """The picture, at most WIDTH wide; None when nobody has the frame any more."""
        if key in self._made:
            self._made.move_to_end(key)
            return self._made[key]
        image = self._frame(key)
        if image is None:
            return None
        box = self._around(key)
        if box is not None:
            left, top, right, bottom = box
            image = image[max(0, top) : max(2, bottom), max(0, left) : max(2, right)]
        elif self._calibration is not None:
            image = image[_tray(self._calibration, (image.shape[1], image.shape[0]))]
        height, width = image.shape[:2]
        scale = min(1.0, WIDTH / width)
        wh = (max(1, round(width * scale)), max(1, round(height * scale)))
        rgb = cv2.cvtColor(cv2.resize(image, wh, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)
        made = Picture(key, wh, np.ascontiguousarray(rgb).tobytes())
        self._made[key] = made
        while len(self._made) > KEPT:
            self._made.popitem(last=False)
        return made


def _tray(calibration: Calibration, wh: tuple[int, int]) -> tuple[slice, slice]:
    """Rows and columns of a picture of this size that hold the tray with its rim; all of it if the tray is outside."""
    rim = np.column_stack([calibration.rim_mm, np.full(len(calibration.rim_mm), calibration.wall_mm)])
    pixels = Table(calibration, wh).project(rim)
    left, top = np.clip(np.floor(pixels.min(0)), 0, wh).astype(int)
    right, bottom = np.clip(np.ceil(pixels.max(0)), 0, wh).astype(int)
    if right - left < 2 or bottom - top < 2:
        return slice(None), slice(None)
    return slice(top, bottom), slice(left, right)
