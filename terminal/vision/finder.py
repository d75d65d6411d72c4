"""A small network that finds the top faces of dice in a photograph from anywhere, at any slant.

It says of every fourth pixel how much it is the middle of a top face, and of that face how large it is, how the
camera's slant shortens it, how it is turned and what it shows. It saw drawn tabletops alone
(`fixtures/train_finder.py`). Faces of 20 to 45 pixels are found; for others the picture is looked at in other sizes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture
from terminal.vision.network import load

PACKAGED = Path(__file__).with_name("finder.onnx")
STRIDE = 4
SIDE_PX, OFFSET_PX = 30.0, 16.0  # what the network gives sides and offsets against
_EVEN = 65  # px over which light is evened


def evened(grey: Picture) -> Floats:
    """A picture (H, W) uint8 as the network takes it: how it differs from what is round it, for how much that does."""
    picture = grey.astype(np.float32)
    mean = cv2.blur(picture, (_EVEN, _EVEN))
    spread = np.sqrt(np.maximum(cv2.blur(picture * picture, (_EVEN, _EVEN)) - mean * mean, 0))
    return np.asarray((picture - mean) / (spread + 8), np.float32)


class Sight(NamedTuple):
    """A top face as the network sees it.

    middle: (2,) pixels. axes: (2, 2), from sides of the face to pixels. chance: that it is one, 0 to 1. values: (6,)
    chances of what it shows, if it is one.
    """

    middle: Floats
    axes: Floats
    chance: float
    values: Floats

    @property
    def value(self) -> int:
        """What it most likely shows."""
        return int(self.values.argmax()) + 1

    @property
    def side(self) -> float:
        """Pixels: the root of its area."""
        return float(np.sqrt(abs(np.linalg.det(self.axes))))


class Finder:
    """Finds top faces. Not safe for two threads at once, as OpenCV's networks are not."""

    def __init__(self, path: Path = PACKAGED) -> None:
        self._net = load(path)

    def find(self, grey: Picture, least: float, side: float | None = None) -> list[Sight]:
        """Faces in a picture (H, W) uint8 of at least this chance, the surest first; one at a place.

        side: pixels of the faces that are looked for, else all.
        """
        found: list[Sight] = []
        for scale in _SCALES:
            if (scale > 1 and max(grey.shape) > _SMALL_PX) or min(grey.shape) * scale < _LEAST_PX:
                continue
            if side is None or _SIDES[0] < side * scale < _SIDES[1]:
                found += self._at(grey, scale, least)
        found.sort(key=lambda one: -one.chance)
        kept: list[Sight] = []
        for one in found:
            if all(np.hypot(*(one.middle - other.middle)) > 0.5 * min(one.side, other.side) for other in kept):
                kept.append(one)
        return kept

    def _at(self, grey: Picture, scale: float, least: float) -> list[Sight]:
        """Faces that have a good size in the picture at this scale."""
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        small = grey if scale == 1 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=way)
        h, w = (-size % 16 for size in small.shape)
        padded = cv2.copyMakeBorder(evened(np.asarray(small, np.uint8)), 0, h, 0, w, cv2.BORDER_REPLICATE)
        self._net.setInput(padded[None, None])
        said = np.asarray(self._net.forward(), np.float32)[0]
        parts, high, wide = said.shape[0] // 4, said.shape[1] * 2, said.shape[2] * 2
        said = said.reshape(parts, 2, 2, high // 2, wide // 2).transpose(0, 3, 1, 4, 2).reshape(parts, high, wide)
        heat = 1 / (1 + np.exp(-said[0]))
        peaks = (heat >= least) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
        found = []
        for row, column in np.argwhere(peaks):
            there = said[:, row, column]
            place = np.array([column, row], np.float32) * STRIDE + (STRIDE - 1) / 2 + there[7:9] * OFFSET_PX
            side = SIDE_PX * float(np.exp(there[9]))
            if not _SIDES[0] < side < _SIDES[1]:
                continue
            values = np.exp(there[1:7] - there[1:7].max())
            axes = _axes(there[10:12], there[12:14]) * side / scale
            found.append(
                Sight((place + 0.5) / scale - 0.5, axes, float(heat[row, column]), np.asarray(values / values.sum()))
            )
        return found


_SCALES = (2.0, 1.0, 0.5, 0.25, 0.125, 0.0625)
_SMALL_PX, _LEAST_PX = 800, 40
_SIDES = (15.0, 56.0)  # px of a face that the network has learnt


def _axes(shape: Floats, turn: Floats) -> Floats:
    """(2, 2) of a face of side 1, by the logarithm of its spread and by the cosine and sine of four times its turn."""
    values, vectors = np.linalg.eigh(np.array([[shape[0], shape[1]], [shape[1], -shape[0]]]) / 2)
    root = vectors * np.exp(values / 2) @ vectors.T
    angle = np.arctan2(turn[1], turn[0]) / 4
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(root @ np.array([[cos, -sin], [sin, cos]]), np.float32)
