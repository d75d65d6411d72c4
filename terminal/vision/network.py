"""The second look: a small network of our own says what a top face shows, without knowing what the first look said.

It sees one crop and nothing else: no lattice, no size, no neighbours, and it was trained to say "that is no face I can
read". `fixtures/train_network.py` makes `network.onnx` again and states how well it reads.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_PX = 48
REJECT = 0
PACKAGED = Path(__file__).with_name("network.onnx")


def normal(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (N, 48, 48) as the network takes them, (N, 1, 48, 48) float32: mean 0, spread 1, flat ones near 0."""
    grey = np.asarray(crops, np.float32).reshape(-1, 1, CROP_PX, CROP_PX)
    mean = grey.mean(axis=(2, 3), keepdims=True)
    spread = grey.std(axis=(2, 3), keepdims=True)
    return np.asarray((grey - mean) / (spread + 4.0), np.float32)


class Network:
    """Reads crops of top faces. Not safe for two threads at once, as OpenCV's networks are not."""

    def __init__(self, path: Path = PACKAGED) -> None:
        try:
            model = path.read_bytes()
        except OSError as error:
            raise FileNotFoundError(f"{path}: the network that comes with the program is missing") from error
        buffer = np.frombuffer(model, np.uint8)
        classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        # OpenCV 5's new engine takes twice as long for a network this small; 4.x has only the classic one.
        self._net = cv2.dnn.readNetFromONNX(buffer) if classic is None else cv2.dnn.readNetFromONNX(buffer, classic)
        self._net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)

    def classify(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Probabilities (N, 7) float32 of crops (N, 48, 48) uint8 grey, as `dice.face_crops` cuts them.

        Column 0 is "no face that can be read", column v the value v. They are calibrated: of faces given 0.99, about
        one in a hundred is wrong. A value is as good as `read` from 0.9 on; below that say unsure.
        """
        if len(crops) == 0:
            return np.zeros((0, 7), np.float32)
        self._net.setInput(normal(crops))
        scores = np.asarray(self._net.forward(), np.float32).reshape(-1, 7)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)
