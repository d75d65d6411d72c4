"""One picture of the tray, as every camera gives it and the eye takes it.

A frame carries a small grey picture, cheap enough to look at thirty times a second, and the way to the full picture,
which is fetched only when the dice are to be read. It knows no camera and no clock.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

LUMA_WH = (384, 288)
"""The size of `luma` that cameras aim at; 384 is a multiple of 128, so the Pi's hardware pads no rows."""


class Frame:
    """One picture of the tray at one moment.

    seq: counts the frames of one camera from 0.
    t_s: monotonic seconds; the only clock the eye has.
    luma: (h, w) uint8, about `LUMA_WH` and of the shape of the full picture; not to be changed.
    """

    __slots__ = ("_image", "luma", "seq", "t_s")

    def __init__(self, seq: int, t_s: float, luma: Image, image: Image | Callable[[], Image]) -> None:
        self.seq = seq
        self.t_s = t_s
        self.luma = luma
        self._image = image

    def image(self) -> Image:
        """The full picture, (H, W, 3) uint8 BGR, made at the first call and kept; not to be changed.

        Call it before asking the camera for its next frame: a Pi camera takes the buffer back then.
        """
        if callable(self._image):
            self._image = self._image()
        return self._image

    def __repr__(self) -> str:
        return f"Frame({self.seq}, {self.t_s:.3f} s)"
