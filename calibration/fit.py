"""A calibration from pictures of the empty tray: pass, or fail with a reason a café owner can act on.

With a pose (camera, tray and die already measured) only the look of the felt is taken from the pictures. Without one
the felt's outline gives the place of the camera, on the assumption of the usual tray and lens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import card
from calibration.model import BadCalibration, die_side, numbers
from terminal.vision.params import Calibration, Params
from terminal.vision.reader import Reader, load_picture
from terminal.vision.tray import Table, assumed_calibration, find_octagon

Picture = NDArray[np.uint8]

_FELT_STEP = 2
_DARKEST = 10.0  # median grey of a felt in which black and dark red pips still differ from their dice
_BURNT = 0.2
_MOVED = 0.01  # share of the felt that may differ between two pictures of an empty tray


class CalibrationFailed(ValueError):  # named for what happened
    """The pictures give no calibration; the sentence says why and what to do."""


class Lens(NamedTuple):
    """A camera's matrix (3, 3) and distortion (5,), float64, for pictures of image_wh."""

    image_wh: tuple[int, int]
    camera: NDArray[np.float64]
    distortion: NDArray[np.float64]


def lens_from_card(images: Sequence[Picture]) -> Lens:
    """The lens from four pictures or more of the printed card, held differently in each. Raises CalibrationFailed."""
    found = [one for one in (card.find(image) for image in images) if one is not None]
    if len(found) < 4:
        raise CalibrationFailed(
            f"the card is seen in {len(found)} of {len(images)} pictures; hold it slanted in four or more"
        )
    height, width = images[0].shape[:2]
    places = [np.column_stack([one.card_mm, np.zeros(len(one.card_mm))]).astype(np.float32) for one in found]
    guess = np.array([[1.3 * width, 0, (width - 1) / 2], [0, 1.3 * width, (height - 1) / 2], [0, 0, 1.0]])
    # One radial term only: a card fills too little of the picture for more.
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
    flags |= cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    pixels = [one.pixels for one in found]
    error, camera, distortion, _, _ = cv2.calibrateCamera(
        places, pixels, (width, height), guess, np.zeros(5), flags=flags
    )
    if error > 2:
        raise CalibrationFailed(f"the card's corners miss by {error:.1f} pixels; is it flat, and printed at 100 %?")
    return Lens((width, height), np.asarray(camera, np.float64), np.asarray(distortion, np.float64).ravel()[:5])


def from_empty(
    images: Sequence[Picture], pose: Mapping[str, Any] | None = None, lens: Lens | None = None
) -> Calibration:
    """A calibration from pictures (H, W, 3) uint8 BGR of the empty tray, all of one size.

    pose: `camera`, `tray` and `die_mm` as in a truth.json, where they are known; else die_mm stays unknown.
    lens: of `lens_from_card`; without it the usual one is assumed.
    Raises CalibrationFailed.
    """
    if not images:
        raise CalibrationFailed("no picture was given; take at least one of the empty tray")
    sizes = {image.shape[:2] for image in images}
    if len(sizes) > 1:
        raise CalibrationFailed("the pictures have different sizes; take them all with the same camera")
    height, width = images[0].shape[:2]
    if pose is None:
        calibration = _from_outline(images, lens)
    else:
        calibration = _from_pose(pose)
        w, h = calibration.image_wh
        if abs(width * h - height * w) > 2 * max(w, h):
            raise CalibrationFailed(f"the pictures are {width}x{height}, the pose is for {w}x{h}")
        if (width, height) != (w, h):
            images = [cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA).astype(np.uint8) for image in images]
    return _with_felt(calibration, images)


def from_files(empty: Sequence[Path], pose: Path | None = None) -> Calibration:
    """`from_empty` of files; CalibrationFailed also names a file that cannot be read."""
    images = []
    for path in empty:
        image = load_picture(str(path))
        if isinstance(image, str):
            raise CalibrationFailed(f"{path}: {image}")
        images.append(image)
    return from_empty(images, read_pose(pose) if pose is not None else None)


def read_pose(path: Path) -> Mapping[str, Any]:
    """The pose in a JSON file; raises CalibrationFailed."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise CalibrationFailed(f"{path}: is no JSON that can be read ({problem})") from problem
    if not isinstance(known, dict):
        raise CalibrationFailed(f"{path}: expected a JSON object with camera, tray and die_mm")
    return known


def _from_outline(images: Sequence[Picture], lens: Lens | None) -> Calibration:
    height, width = images[0].shape[:2]
    if lens is not None and lens.image_wh != (width, height):
        raise CalibrationFailed("the card and the tray were taken in different sizes; use the same camera for both")
    outlines = [find_octagon(image, thorough=True) for image in images]
    found = [outline for outline in outlines if outline is not None]
    if len(found) < len(images) or not found:
        which = next(index for index, outline in enumerate(outlines) if outline is None)
        raise CalibrationFailed(
            f"picture {which + 1}: no octagonal tray found; the whole rim must be in sight, and nothing on the felt"
        )
    first = found[0]
    size = float(np.sqrt(cv2.contourArea(first)))
    for index, outline in enumerate(found[1:], 2):
        away = min(np.abs(np.roll(outline, turn, 0) - first).max() for turn in range(8))
        if away > 0.02 * size:
            raise CalibrationFailed(f"the tray or the camera moved between pictures 1 and {index}")
    aligned = [
        min((np.roll(one, turn, 0) for turn in range(8)), key=lambda o: np.abs(o - first).max()) for one in found
    ]
    calibration = assumed_calibration(
        np.mean(aligned, 0).astype(np.float32), (width, height), Params(), lens and (lens.camera, lens.distortion)
    )
    if calibration is None:
        raise CalibrationFailed("the tray is seen too much from the side; hang the camera above it")
    return calibration


def _from_pose(pose: Mapping[str, Any]) -> Calibration:
    try:
        width, height = (float(numbers(pose, field, (), "pose")) for field in ("camera.width", "camera.height"))
        floor = numbers(pose, "tray.floor_mm", (None, None), "pose")
        rim = numbers(pose, "tray.rim_mm", (None, None), "pose")
        calibration = Calibration(
            image_wh=(int(width), int(height)),
            camera=numbers(pose, "camera.K", (3, 3), "pose"),
            distortion=numbers(pose, "camera.dist", (5,), "pose"),
            rotation=numbers(pose, "camera.R", (3, 3), "pose"),
            shift_mm=numbers(pose, "camera.t_mm", (3,), "pose"),
            floor_mm=floor[:, :2],
            rim_mm=rim[:, :2],
            wall_mm=float(numbers(pose, "tray.wall_mm", (), "pose")),
            die_mm=die_side(pose, "pose"),
            floor_error_mm=0.5,
        )
    except BadCalibration as problem:
        raise CalibrationFailed(str(problem)) from problem
    if not np.allclose(calibration.rotation @ calibration.rotation.T, np.eye(3), atol=1e-3):
        raise CalibrationFailed("pose: camera.R: expected a rotation (3 by 3, orthonormal)")
    return calibration


def _with_felt(calibration: Calibration, images: Sequence[Picture]) -> Calibration:
    """The calibration with the mean look of the felt, after checking that the pictures agree and can be used."""
    table = Table(calibration, calibration.image_wh)
    mask = table.region(25.0, 8.0)
    x, y, w, h = cv2.boundingRect(mask)
    x, y = x // _FELT_STEP * _FELT_STEP, y // _FELT_STEP * _FELT_STEP
    small_wh = (w // _FELT_STEP, h // _FELT_STEP)
    if min(small_wh) < 40:
        raise CalibrationFailed("the felt is not in the picture, or smaller than 80 pixels")
    parts = [
        cv2.resize(
            image[y : y + small_wh[1] * _FELT_STEP, x : x + small_wh[0] * _FELT_STEP],
            small_wh,
            interpolation=cv2.INTER_AREA,
        ).astype(np.float32)
        for image in images
    ]
    felt = np.zeros_like(mask)
    cv2.fillPoly(felt, [np.round(table.project(_flat(calibration.floor_mm))).astype(np.int32)], 255)
    felt = cv2.resize(felt[y : y + small_wh[1] * _FELT_STEP, x : x + small_wh[0] * _FELT_STEP], small_wh) > 127
    for index, part in enumerate(parts, 1):
        light = part[felt].mean(1)
        if np.median(light) < _DARKEST:
            raise CalibrationFailed(f"picture {index}: too dark; switch the lamp on or expose longer")
        if (light > 250).mean() > _BURNT:
            raise CalibrationFailed(f"picture {index}: overexposed; dim the lamp or expose shorter")
        gain = np.median(part[felt], 0) / np.maximum(np.median(parts[0][felt], 0), 1)
        differs = np.abs(part - parts[0] * gain).max(2)
        if index > 1 and (differs[felt] > 30).mean() > _MOVED:
            raise CalibrationFailed(f"the pictures differ: something moved between pictures 1 and {index}")
    mean = np.clip(np.mean(parts, 0), 0, 255).astype(np.uint8)
    return replace(calibration, felt_bgr=mean, felt_xy=(x, y), felt_step=_FELT_STEP)


def _flat(floor_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([floor_mm, np.zeros(len(floor_mm))])


def learn_dice(calibration: Calibration, throws: Sequence[Picture]) -> Calibration:
    """The calibration with the side of this café's dice, from pictures of a few throws, one die or more in each.

    Raises CalibrationFailed when no die is seen, or when the throws do not agree.
    """
    reader = Reader(calibration)
    sides = [side for side in (reader.die_mm(image) for image in throws) if side is not None]
    if not sides:
        raise CalibrationFailed("no die was found on the felt; lay one in the middle, not against the rim")
    side = float(np.median(sides))
    alike = [one for one in sides if abs(one - side) < 0.06 * side]
    if len(alike) <= len(sides) / 2:  # one throw in which dice lie close together may be measured wrongly
        raise CalibrationFailed("the dice have different sizes; use three of the same")
    return replace(calibration, die_mm=round(float(np.mean(alike)), 2))
