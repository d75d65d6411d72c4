"""A calibration from pictures of the empty tray: pass, or fail with a reason a café owner can act on.

With a pose (camera, tray and die already measured) only the look of the felt is taken from the pictures. With a picture
in which the printed card lies flat on the felt that tells how the camera looks at it, and all lengths are true. With
neither the tray's own edges tell, on the assumption of the usual tray and lens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import card
from calibration.check import check
from calibration.model import BadCalibration, die_side, numbers
from terminal.vision.octagon import Lens, Pose, find_tray, find_tray_from, usual_lens
from terminal.vision.params import Calibration, Params
from terminal.vision.reader import Reader, load_picture
from terminal.vision.tray import Table

Picture = NDArray[np.uint8]

_FELT_STEP = 2
_DARKEST = 10.0  # median grey of a felt in which black and dark red pips still differ from their dice
_BURNT = 0.2
_MOVED = 0.01  # share of the felt that may differ between two pictures of an empty tray


class CalibrationFailed(ValueError):  # named for what happened
    """The pictures give no calibration; the sentence says why and what to do.

    code: the same in a word, for screens that say it in other languages: "tray" was not found, "card" is not flat,
    "moved" (tray, camera or something in the tray), "dark", "bright", or "unusable" for all that no camera of a table
    can give.
    """

    def __init__(self, sentence: str, code: str = "unusable") -> None:
        super().__init__(sentence)
        self.code = code


def from_empty(images: Sequence[Picture], pose: Mapping[str, Any] | None = None) -> Calibration:
    """A calibration from pictures (H, W, 3) uint8 BGR of the empty tray, all of one size.

    Some of them may show the printed card: in the first of these it lies flat on the felt, in others it may be held
    anywhere; the more slanted it is seen, the better is the lens known.
    pose: `camera`, `tray` and `die_mm` as in a truth.json, where they are known; else die_mm stays unknown.
    Raises CalibrationFailed.
    """
    if not images:
        raise CalibrationFailed("no picture was given; take at least one of the empty tray")
    sizes = {image.shape[:2] for image in images}
    if len(sizes) > 1:
        raise CalibrationFailed("the pictures have different sizes; take them all with the same camera")
    height, width = images[0].shape[:2]
    if pose is not None:
        calibration = _from_pose(pose)
        w, h = calibration.image_wh
        if abs(width * h - height * w) > 2 * max(w, h):
            raise CalibrationFailed(f"the pictures are {width}x{height}, the pose is for {w}x{h}")
        if (width, height) != (w, h):
            images = [cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA).astype(np.uint8) for image in images]
        return _with_felt(calibration, images)
    found = [card.find(image) for image in images]
    cards = [one for one in found if one is not None]
    empty = [image for image, one in zip(images, found, strict=True) if one is None]
    if not empty:
        raise CalibrationFailed("the card lies in every picture; take one of the tray with nothing in it as well")
    calibration = _with_felt(_from_edges(empty[0], cards), empty)
    lying = next((image for image, one in zip(images, found, strict=True) if one is not None), None)
    if lying is not None and check(calibration, lying).verdict in ("moved", "shifted"):
        raise CalibrationFailed(
            "the tray or the camera moved between the picture with the card and the others", "moved"
        )
    return calibration


def pictures(files: Sequence[Path]) -> list[Picture]:
    """Pictures of files; raises CalibrationFailed, which names the one that cannot be read."""
    images = []
    for path in files:
        image = load_picture(str(path))
        if isinstance(image, str):
            raise CalibrationFailed(f"{path}: {image}")
        images.append(image)
    return images


def read_pose(path: Path) -> Mapping[str, Any]:
    """The pose in a JSON file; raises CalibrationFailed."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise CalibrationFailed(f"{path}: is no JSON that can be read ({problem})") from problem
    if not isinstance(known, dict):
        raise CalibrationFailed(f"{path}: expected a JSON object with camera, tray and die_mm")
    return known


def _from_edges(image: Picture, cards: Sequence[card.Seen]) -> Calibration:
    wh = (image.shape[1], image.shape[0])
    found = find_tray_from(image, Params(), pose_of(cards, wh)) if cards else find_tray(image, Params())
    if found is None:
        raise CalibrationFailed(
            "no octagonal tray found; the whole rim must be in sight, and nothing on the felt."
            + ("" if cards else " A picture with the printed card flat on the felt helps"),
            "tray",
        )
    return found


_PIXEL = 0.3  # to which the card's corners are found, and a printer's paper is flat
_FOCAL, _RADIAL = 0.35, 0.05  # how far lenses are from the usual: the focal length's logarithm, the first radial term
_MISSES_MOST = 2.0  # pixels


def pose_of(cards: Sequence[card.Seen], wh: tuple[int, int]) -> Pose:
    """How the camera looks at the first of some cards.

    Of lenses about the usual one that under which the corners miss least; a card that lies below the camera hardly
    tells the focal length, and then it matters little too.
    """
    usual = usual_lens(wh, Params())
    places = [np.column_stack([one.card_mm * [1, -1], np.zeros(len(one.card_mm))]) - card.MIDDLE_MM for one in cards]

    def looked(focal: float, radial: float) -> tuple[float, float, Pose]:
        """What speaks against a lens, by how many pixels the corners miss, and the first card's pose."""
        camera = usual.camera.copy()
        camera[[0, 1], [0, 1]] *= np.exp(focal)
        distortion = np.array([radial, 0, 0, 0, 0])
        off, poses = [], []
        for place, one in zip(places, cards, strict=True):
            _, rvec, tvec = cv2.solvePnP(place, one.pixels, camera, distortion, flags=cv2.SOLVEPNP_IPPE)
            rvec, tvec = cv2.solvePnPRefineLM(place, one.pixels, camera, distortion, rvec, tvec)
            poses.append((rvec, tvec))
            off.append(cv2.projectPoints(place, rvec, tvec, camera, distortion)[0].reshape(-1, 2) - one.pixels)
        squares = float((np.concatenate(off) ** 2).sum())
        against = squares / _PIXEL**2 + (focal / _FOCAL) ** 2 + (radial / _RADIAL) ** 2
        rotation = np.asarray(cv2.Rodrigues(poses[0][0])[0], np.float64)
        pose = Pose(Lens(wh, camera, distortion), rotation, np.asarray(poses[0][1], np.float64).ravel())
        return against, float(np.sqrt(squares / sum(map(len, off)))), pose

    best = (0.0, 0.0)
    for step in (0.1, 0.03, 0.01):
        around = [(best[0] + i * step, best[1] + j * step / 5) for i in range(-7, 6) for j in range(-4, 4)]
        best = min(around, key=lambda one: looked(*one)[0])
    _, misses, pose = looked(*best)
    if misses > _MISSES_MOST:
        raise CalibrationFailed(
            f"the card's corners miss by {misses:.1f} pixels; is it flat, and printed at 100 %?", "card"
        )
    return pose


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
        raise CalibrationFailed("the felt is not in the picture, or smaller than 80 pixels", "tray")
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
            raise CalibrationFailed(f"picture {index}: too dark; switch the lamp on or expose longer", "dark")
        if (light > 250).mean() > _BURNT:
            raise CalibrationFailed(f"picture {index}: overexposed; dim the lamp or expose shorter", "bright")
        gain = np.median(part[felt], 0) / np.maximum(np.median(parts[0][felt], 0), 1)
        differs = np.abs(part - parts[0] * gain).max(2)
        if index > 1 and (differs[felt] > 30).mean() > _MOVED:
            raise CalibrationFailed(
                f"the pictures differ: something moved between pictures 1 and {index}", "moved"
            )
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
