"""A reading drawn on its picture, for `pitjesbak doctor` and for looking at failures. Draws only; decides nothing."""

from __future__ import annotations

import cv2
import numpy as np

from terminal.vision.arrays import Picture
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


def draw_grid(image: Picture, table: Table, step_mm: float = 16.0) -> Picture:
    """A copy of a picture with the felt's outline and a grid of step_mm on it: does the calibration fit the tray?"""
    drawn = image.copy()
    floor = table.calibration.floor_mm
    outline = np.round(table.project(np.column_stack([floor, np.zeros(len(floor))]))).astype(np.int32)
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [outline], 255)
    reach = float(np.abs(floor).max())
    lines: Picture = np.zeros_like(inside)
    for at in np.arange(-np.floor(reach / step_mm), reach / step_mm + 1) * step_mm:
        for ends in ([[at, -reach, 0], [at, reach, 0]], [[-reach, at, 0], [reach, at, 0]]):
            start, end = np.round(table.project(np.array(ends, float))).astype(int)
            cv2.line(lines, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 255, 1, cv2.LINE_AA)
    drawn[(lines > 127) & (inside > 0)] = (230, 230, 90)
    cv2.polylines(drawn, [outline], True, (90, 230, 230), 2, cv2.LINE_AA)
    return drawn


def _write(drawn: Picture, text: str, x: float, y: float, colour: tuple[int, int, int]) -> None:
    place = (round(x), round(y))
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 1, cv2.LINE_AA)
