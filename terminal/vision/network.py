"""Small networks of our own, which look at a face without knowing what the first look made of it.

`Network` says what a top face shows. It sees one crop and nothing else: no lattice, no size, no neighbours, and it was
trained to say "that is no face I can read". `FlatNetwork` says whether the die lies flat where the first look puts it:
it sees what lies round the face, what of that is no felt, and where a flat die would be seen. It is two networks: a
small one for dice that stand free, and a larger one for those that could lean on something.
There is one `Network` for dice on a calibrated felt, which learnt from drawn and rendered dice, and one for photographs
from anywhere, which learnt from drawn dice alone: each reads its own kind better than the other does.
`fixtures/train_network.py` makes all four again and states how well they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

CROP_PX = 48
REJECT = 0
PACKAGED_FELT = Path(__file__).with_name("felt.onnx")
PACKAGED_PHOTO = Path(__file__).with_name("photo.onnx")
PACKAGED_FLAT = Path(__file__).with_name("flat.onnx")
PACKAGED_LEAN = Path(__file__).with_name("lean.onnx")


def normal(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Crops (N, 48, 48) as the network takes them, (N, 1, 48, 48) float32: mean 0, spread 1, flat ones near 0."""
    grey = np.asarray(crops, np.float32).reshape(-1, 1, CROP_PX, CROP_PX)
    mean = grey.mean(axis=(2, 3), keepdims=True)
    spread = grey.std(axis=(2, 3), keepdims=True)
    return np.asarray((grey - mean) / (spread + 4.0), np.float32)


def normal_views(views: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Views (N, 4, V, V), as `dice.Patch.view` cuts them, as the network takes them: float32, each layer around 0."""
    grey = np.asarray(views[:, :1], np.float32)
    mean = grey.mean(axis=(2, 3), keepdims=True)
    spread = grey.std(axis=(2, 3), keepdims=True)
    rest = np.asarray(views[:, 1:], np.float32) / np.array([96, 96, 128], np.float32)[:, None, None] - 1
    return np.concatenate([(grey - mean) / (spread + 4.0), rest], 1)


def load(path: Path) -> cv2.dnn.Net:
    try:
        model = path.read_bytes()
    except OSError as error:
        raise FileNotFoundError(f"{path}: the network that comes with the program is missing") from error
    buffer = np.frombuffer(model, np.uint8)
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    # OpenCV 5's new engine takes twice as long for a network this small; 4.x has only the classic one.
    net = cv2.dnn.readNetFromONNX(buffer) if classic is None else cv2.dnn.readNetFromONNX(buffer, classic)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    return net


def _chances(net: cv2.dnn.Net, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities (N, K) of inputs (N, …)."""
    net.setInput(inputs)
    scores = np.asarray(net.forward(), np.float32).reshape(len(inputs), -1)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)


def _from_all_sides(net: cv2.dnn.Net, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities (N, K) of inputs (N, L, S, S), by the mean score over the eight symmetries of the square."""
    turned = [np.rot90(inputs, turns, (2, 3)) for turns in range(4)]
    every = [np.ascontiguousarray(one) for one in (*turned, *(one[..., ::-1] for one in turned))]
    # One side at a time: a network keeps room for as many as it ever saw at once.
    scores = np.mean([np.log(np.maximum(_chances(net, one), 1e-7)) for one in every], 0)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True), np.float32)


def _unsure(chances: NDArray[np.float32], sure: float) -> NDArray[np.bool_]:
    return np.asarray((chances > 0.05) & (chances < sure))


def together(first: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities (..., K) by the mean score of two looks."""
    both = np.sqrt(first * second) + 1e-12
    return np.asarray(both / both.sum(axis=-1, keepdims=True), np.float32)


_SURE = 0.99  # what a face is given at the first look that is not looked at from all sides


class Network:
    """Reads crops of top faces. Not safe for two threads at once, as OpenCV's networks are not."""

    def __init__(self, path: Path = PACKAGED_FELT) -> None:
        self._net = load(path)

    def classify(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Probabilities (N, 7) float32 of crops (N, 48, 48) uint8 grey, as `dice.face_crops` cuts them.

        Column 0 is "no face that can be read", column v the value v. They are calibrated: of faces given 0.99, about
        one in a hundred is wrong. A value is as good as `read` from 0.9 on; below that say unsure.
        """
        if len(crops) == 0:
            return np.zeros((0, 7), np.float32)
        inputs = normal(crops)
        chances = _chances(self._net, inputs)
        again = chances.max(1) < _SURE
        if again.any():
            chances[again] = _from_all_sides(self._net, inputs[again])
        return chances


def _in_play(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """Probabilities (N, 2) that dice lean or lie flat, as in play: of those it was shown half leaned, in play one in
    twelve of those that it is asked about does."""
    odds = chances * np.array([1, _FLAT_IN_PLAY], np.float32)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)


_FLAT_IN_PLAY = 12.0


class FlatNetwork:
    """Says whether dice lie flat: a small network for all, and a larger one for those that could lean.

    Not safe for two threads at once.
    """

    def __init__(self, path: Path = PACKAGED_FLAT, lean: Path = PACKAGED_LEAN) -> None:
        self._net = load(path)
        self._lean = load(lean)

    def flat(self, views: NDArray[np.uint8], closely: Sequence[bool] = ()) -> NDArray[np.float32]:
        """Probabilities (N,) float32 that the dice of these views (N, 4, V, V) lie flat and uncovered.

        closely: (N,) which of them the larger network looks at alone; none given: all. It also looks at those that the
        small one is not sure of, and at those that it is not sure of itself in the eight symmetries of the square.
        """
        if len(views) == 0:
            return np.zeros(0, np.float32)
        inputs = normal_views(views)
        chances = np.zeros((len(views), 2), np.float32)
        again = np.asarray(closely or [True] * len(views))
        if not again.all():
            chances[~again] = _chances(self._net, inputs[~again])
            again |= _unsure(chances[:, 1], 0.98)
        if again.any():
            chances[again] = _in_play(_chances(self._lean, inputs[again]))
            again &= _unsure(chances[:, 1], 0.995)
        if again.any():
            chances[again] = _in_play(_from_all_sides(self._lean, inputs[again]))
        return np.asarray(chances[:, 1], np.float32)

    def odds(self, views: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Log odds (N,) float32 by the larger network's first look, to compare frames of one die, -9 to 9."""
        chances = _chances(self._lean, normal_views(views)).clip(1e-4)
        return np.asarray(np.log(chances[:, 1] / chances[:, 0]), np.float32)
