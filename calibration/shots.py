"""Pictures for a calibration, as the camera of the table itself takes them: same size, same focus, light locked."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration import card, fit
from terminal.frame import Frame, Image
from terminal.hw.ports import Camera, CameraLost
from terminal.vision.params import Calibration

SHOTS = 5
APART_S = 0.5  # a lamp that flickers, a shadow that passes: the pictures are compared with each other


class Shots:
    """Some pictures of one thing, half a second apart, from a moment on: (H, W, 3) uint8 BGR in `taken`."""

    def __init__(self, from_s: float = float("-inf")) -> None:
        self.taken: list[Image] = []
        self._due_s = from_s

    @property
    def complete(self) -> bool:
        """Whether all are taken."""
        return len(self.taken) >= SHOTS

    def see(self, frame: Frame) -> bool:
        """Take the picture of this frame if it is time for one; whether all are taken now."""
        if not self.complete and frame.t_s >= self._due_s:
            self.taken.append(frame.image())
            self._due_s = frame.t_s + APART_S
        return self.complete


def of_empty(camera: Camera) -> list[Image]:
    """Some pictures, (H, W, 3) uint8 BGR, half a second apart; all there are where a folder has fewer.

    Closes the camera. Raises CameraLost where there is not a single one.
    """
    shots = Shots()
    try:
        for frame in camera.frames():
            if shots.see(frame):
                break
    finally:
        camera.close()
    if not shots.taken:
        raise CameraLost("the camera gives no picture")
    return shots.taken


def fitted(empty: Sequence[Image], lying: Sequence[Image]) -> Calibration:
    """A calibration from pictures of the empty tray and of the card lying in it; of no card where `lying` is empty.

    Raises CalibrationFailed; its code is "no_card" where the card should lie there and is not seen. Takes seconds.
    """
    try:
        if lying and not any(card.find(image) is not None for image in lying):
            raise fit.CalibrationFailed("the card is not seen; lay it flat on the felt, in full light", "no_card")
        return fit.from_empty([*empty, *lying])
    except (cv2.error, np.linalg.LinAlgError, ArithmeticError) as problem:  # a table must not wait for this for ever
        raise fit.CalibrationFailed(f"the pictures cannot be worked out ({problem})") from problem
