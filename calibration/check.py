"""Whether a calibration still holds: at every start, and once a minute when nothing moves.

The picture is compared with the empty tray that was calibrated, at the tray's corners: they are seen even when dice lie
on the felt. It says what changed in words for the café, and corrects a small shift by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.params import Calibration
from terminal.vision.tray import Table

_TILE = 48  # px of the kept felt, a corner of the tray in its middle
_CLEAR = 0.12  # response of the phase correlation below which a corner is hidden and says nothing
_STILL_PX = 1.5  # px of the picture
_MEND_PX = 6.0
_LIGHT = (0.5, 1.8)
_SHARP = 0.65


class Check(NamedTuple):
    """What a picture says of a calibration.

    verdict: "good"; "shifted", mended in `calibration`; "moved": calibrate again; "light": the lamp changed; "dirty":
    the lens is; "hidden": too little of the tray is seen to say. shift_px: how far the corners moved, median.
    spread_px: how far they disagree. light: against the calibration. sharp: edges against the calibration's.
    """

    verdict: str
    shift_px: float
    spread_px: float
    light: float
    sharp: float
    calibration: Calibration


def check(calibration: Calibration, image: NDArray[np.uint8]) -> Check:
    """Compare a picture (H, W, 3) uint8 with the empty tray of a calibration; both of one size."""
    felt = calibration.felt_bgr
    w, h = calibration.image_wh
    if felt is None or image.shape[1::-1] != (w, h):
        return Check("hidden", 0.0, 0.0, 1.0, 1.0, calibration)
    step, (x, y) = calibration.felt_step, calibration.felt_xy
    part = image[y : y + felt.shape[0] * step, x : x + felt.shape[1] * step]
    small = cv2.resize(part, felt.shape[1::-1], interpolation=cv2.INTER_AREA)
    now = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    then = np.asarray(cv2.cvtColor(felt, cv2.COLOR_BGR2GRAY), np.uint8)
    shifts, lights, sharps = [], [], []
    for corner in _corners(calibration):
        cx, cy = (np.round((corner - [x, y]) / step)).astype(int)
        rows, columns = slice(cy - _TILE // 2, cy + _TILE // 2), slice(cx - _TILE // 2, cx + _TILE // 2)
        old, new = then[rows, columns], now[rows, columns]
        if old.shape != (_TILE, _TILE):
            continue
        window = cv2.createHanningWindow((_TILE, _TILE), cv2.CV_32F)
        moved, response = cv2.phaseCorrelate(_edges(old), _edges(new), window)
        lights.append((float(new.mean()) + 1) / (float(old.mean()) + 1))
        if response > _CLEAR:
            shifts.append(np.array(moved) * step)
            sharps.append(float(_edges(new).std() + 0.1) / float(_edges(old).std() + 0.1) / max(lights[-1], 0.05))
    light = float(np.median(lights)) if lights else 1.0
    if len(shifts) < 3:
        verdict = "light" if not _LIGHT[0] < light < _LIGHT[1] else "hidden"
        return Check(verdict, 0.0, 0.0, light, 1.0, calibration)
    shift = np.median(shifts, 0)
    length, sharp = float(np.hypot(*shift)), float(np.median(sharps))
    spread = float(np.median(np.linalg.norm(np.array(shifts) - shift, axis=1)))
    mended = calibration
    if length > _MEND_PX or spread > _STILL_PX:
        verdict = "moved"
    elif not _LIGHT[0] < light < _LIGHT[1]:
        verdict = "light"
    elif sharp < _SHARP:
        verdict = "dirty"
    elif length > _STILL_PX:
        verdict, mended = "shifted", _shifted(calibration, shift)
    else:
        verdict = "good"
    return Check(verdict, length, spread, light, sharp, mended)


def _corners(calibration: Calibration) -> NDArray[np.float32]:
    """Pixels (N, 2) of the inner edge of the rim's top at the tray's corners."""
    floor = calibration.floor_mm
    high = np.full(len(floor), calibration.wall_mm)
    return Table(calibration, calibration.image_wh).project(np.column_stack([floor, high]))


def _edges(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    return np.asarray(cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)))


def _shifted(calibration: Calibration, shift_px: NDArray[np.float64]) -> Calibration:
    """The calibration for a picture in which everything lies this much further right and down."""
    camera = calibration.camera.copy()
    camera[:2, 2] += shift_px
    dx, dy = np.round(shift_px / calibration.felt_step).astype(int) * calibration.felt_step
    x, y = calibration.felt_xy
    return replace(calibration, camera=camera, felt_xy=(x + int(dx), y + int(dy)))
