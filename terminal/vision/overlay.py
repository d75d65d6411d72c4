"""Readings and calibrations drawn on their pictures, for people to look at. Draws only; decides nothing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Picture
from terminal.vision.params import Calibration
from terminal.vision.reading import Reading
from terminal.vision.tray import Table

_COLOURS = {"read": (80, 220, 80), "unsure": (40, 170, 255), "empty": (200, 200, 200), "error": (60, 60, 255)}


def draw(image: Picture, reading: Reading) -> Picture:
    """A copy of a picture (H, W, 3) uint8 BGR with each die's value, what was rejected and why, and the verdict."""
    drawn = image.copy()
    colour = _COLOURS[reading.status]
    for one in reading.rejected:
        cv2.circle(drawn, (round(one.x), round(one.y)), max(3, round(one.size * 0.6)), (60, 60, 255), 1, cv2.LINE_AA)
        _write(drawn, one.why, one.x + one.size * 0.6, one.y, (60, 60, 255))
    for die in reading.dice:
        cv2.circle(drawn, (round(die.x), round(die.y)), max(3, round(die.size * 0.75)), colour, 2, cv2.LINE_AA)
        _write(drawn, f"{die.value}  {die.confidence:.2f}", die.x + die.size * 0.8, die.y, colour)
    _write(drawn, " ".join([reading.status, reading.reason or "", str(list(reading.values))]), 12, 28, colour)
    return drawn


def from_above(image: Picture, table: Table, step_mm: float = 16.0, px_per_mm: float = 2.0) -> Picture:
    """The felt of a picture seen from straight above, its outline and a grid of step_mm on it.

    Where the calibration fits the tray, walls end at the outline and a die of that size fills a square.
    """
    floor = table.calibration.floor_mm
    low = floor.min(0) - _MARGIN_MM
    w, h = (int(size) for size in np.ceil((floor.max(0) + _MARGIN_MM - low) * px_per_mm))
    xs, ys = np.meshgrid(np.arange(w) / px_per_mm + low[0], (h - 1 - np.arange(h)) / px_per_mm + low[1])
    maps = table.project(np.stack([xs.ravel(), ys.ravel(), np.zeros(xs.size)], 1)).reshape(h, w, 2)
    seen = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)

    def on_picture(places_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        pixels = (places_mm - low) * px_per_mm
        return np.round(np.column_stack([pixels[:, 0], h - 1 - pixels[:, 1]])).astype(np.int32)

    outline = on_picture(floor)
    inside = cv2.fillPoly(np.zeros((h, w), np.uint8), [outline], 255)
    lines = np.zeros((h, w), np.uint8)
    reach = np.ceil(np.abs(floor).max() / step_mm) * step_mm
    for at in np.arange(-reach, reach + 1, step_mm):
        for ends in ([[at, -reach], [at, reach]], [[-reach, at], [reach, at]]):
            start, end = on_picture(np.array(ends)).tolist()
            cv2.line(lines, start, end, 255, 1)
    seen[(lines > 0) & (inside > 0)] = (230, 230, 90)
    cv2.polylines(seen, [outline], True, (90, 230, 230), 2, cv2.LINE_AA)
    return np.asarray(seen, np.uint8)


def from_above_png(image: Picture, calibration: Calibration) -> bytes:
    """`from_above` of a picture by this calibration, as a file."""
    done, png = cv2.imencode(".png", from_above(image, Table(calibration, (image.shape[1], image.shape[0]))))
    assert done, "a PNG of an 8-bit picture can always be made"
    return png.tobytes()


_MARGIN_MM = 40.0


def _write(drawn: Picture, text: str, x: float, y: float, colour: tuple[int, int, int]) -> None:
    place = (round(x), round(y))
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 1, cv2.LINE_AA)
