"""The calibration on disk: JSON, versioned, read strictly. It knows the record and the file, and no camera."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal import durable
from terminal.vision.params import Calibration

VERSION = 1


class BadCalibration(ValueError):  # reads as what it is
    """A calibration file that can't be used: names the file, the field and what is allowed."""


def save(path: Path | str, calibration: Calibration) -> None:
    """Write it so that a power cut leaves either the old file or the new one, and the new one once this is done."""
    durable.replace(Path(path), json.dumps(to_mapping(calibration), indent=1, sort_keys=True) + "\n")


def load(path: Path | str) -> Calibration:
    """Read a calibration; raises BadCalibration."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise BadCalibration(f"{path}: cannot be read ({problem.strerror})") from problem
    except UnicodeDecodeError as problem:
        raise BadCalibration(f"{path}: is no text; expected the JSON that `pitjesbak calibrate` writes") from problem
    try:
        mapping = json.loads(text)
    except json.JSONDecodeError as problem:
        raise BadCalibration(f"{path}: is no JSON (line {problem.lineno}: {problem.msg})") from problem
    if not isinstance(mapping, dict):
        raise BadCalibration(f"{path}: expected a JSON object, as `pitjesbak calibrate` writes it")
    return from_mapping(mapping, str(path))


def to_mapping(calibration: Calibration) -> dict[str, Any]:
    """The record as JSON."""
    felt = None
    if calibration.felt_bgr is not None:
        done, png = cv2.imencode(".png", calibration.felt_bgr)
        assert done, "a PNG of an 8-bit picture can always be made"
        felt = {
            "png": base64.b64encode(png.tobytes()).decode("ascii"),
            "xy": list(calibration.felt_xy),
            "step": calibration.felt_step,
        }
    return {
        "version": VERSION,
        "image_wh": list(calibration.image_wh),
        "camera": {
            "K": calibration.camera.tolist(),
            "dist": calibration.distortion.tolist(),
            "R": calibration.rotation.tolist(),
            "t_mm": calibration.shift_mm.tolist(),
        },
        "tray": {
            "floor_mm": calibration.floor_mm.tolist(),
            "rim_mm": calibration.rim_mm.tolist(),
            "wall_mm": calibration.wall_mm,
            "error_mm": calibration.floor_error_mm,
        },
        "die_mm": calibration.die_mm,
        "felt": felt,
    }


def from_mapping(mapping: Mapping[str, Any], name: str) -> Calibration:
    """The record of a mapping as `to_mapping` makes it; `name` stands in front of every complaint."""
    version = mapping.get("version")
    if version != VERSION:
        raise BadCalibration(f"{name}: version is {version!r}, this program reads {VERSION}; calibrate again")
    wh = numbers(mapping, "image_wh", (2,), name)
    if not (wh == wh.round()).all() or (wh < 16).any():
        raise BadCalibration(f"{name}: image_wh: expected two whole numbers of at least 16")
    rotation = numbers(mapping, "camera.R", (3, 3), name)
    if not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-3):
        raise BadCalibration(f"{name}: camera.R: expected a rotation (3 by 3, orthonormal)")
    wall = float(numbers(mapping, "tray.wall_mm", (), name))
    die = die_side(mapping, name)
    picture, xy, step = _felt(mapping.get("felt"), name)
    return Calibration(
        image_wh=(int(wh[0]), int(wh[1])),
        camera=numbers(mapping, "camera.K", (3, 3), name),
        distortion=numbers(mapping, "camera.dist", (5,), name),
        rotation=rotation,
        shift_mm=numbers(mapping, "camera.t_mm", (3,), name),
        floor_mm=numbers(mapping, "tray.floor_mm", (None, 2), name),
        rim_mm=numbers(mapping, "tray.rim_mm", (None, 2), name),
        wall_mm=wall,
        die_mm=die,
        felt_bgr=picture,
        felt_xy=xy,
        felt_step=step,
        floor_error_mm=float(numbers(mapping, "tray.error_mm", (), name)) if "error_mm" in mapping["tray"] else 5.0,
    )


def numbers(mapping: Mapping[str, Any], field: str, shape: tuple[int | None, ...], name: str) -> NDArray[np.float64]:
    """The finite numbers of a field ("camera.K") with this shape, None for any length from 3."""
    value: Any = mapping
    for part in field.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise BadCalibration(f"{name}: {field} is missing")
        value = value[part]
    wanted = " by ".join("N" if size is None else str(size) for size in shape) or "one"
    try:
        array = np.array(value if _is_numbers(value) else None, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise BadCalibration(f"{name}: {field}: expected {wanted} numbers") from problem
    fits = array.ndim == len(shape) and all(
        size == got if size is not None else got >= 3 for size, got in zip(shape, array.shape, strict=True)
    )
    if not fits or not np.isfinite(array).all():
        raise BadCalibration(f"{name}: {field}: expected {wanted} finite numbers")
    return array


def _is_numbers(value: object) -> bool:
    """Whether this is a JSON number, or lists of them: no text, no true or false."""
    if isinstance(value, list):
        return all(_is_numbers(one) for one in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def die_side(mapping: Mapping[str, Any], name: str) -> float | None:
    """`die_mm`, or None where it is absent or null."""
    if mapping.get("die_mm") is None:
        return None
    die = float(numbers(mapping, "die_mm", (), name))
    if not 8 <= die <= 30:
        raise BadCalibration(f"{name}: die_mm is {die:g}; expected 8 to 30, or null when not known")
    return die


def _felt(felt: object, name: str) -> tuple[NDArray[np.uint8] | None, tuple[int, int], int]:
    if felt is None:
        return None, (0, 0), 2
    if not isinstance(felt, Mapping) or not isinstance(felt.get("png"), str):
        raise BadCalibration(f"{name}: felt: expected null, or an object with png, xy and step")
    xy = numbers(felt, "xy", (2,), f"{name}: felt")
    step = int(numbers(felt, "step", (), f"{name}: felt"))
    try:
        data = np.frombuffer(base64.b64decode(felt["png"], validate=True), np.uint8)
    except ValueError as problem:
        raise BadCalibration(f"{name}: felt.png: expected a picture as base64") from problem
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if picture is None or step < 1:
        raise BadCalibration(f"{name}: felt.png: expected a picture as base64, and step 1 or more")
    return np.asarray(picture, np.uint8), (int(xy[0]), int(xy[1])), step
