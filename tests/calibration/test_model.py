"""The calibration file: what is written is read again, and what is wrong is named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.model import BadCalibration, load, save, to_mapping
from terminal.vision.params import Calibration


def record(felt: bool = True) -> Calibration:
    turn = np.diag([1.0, -1.0, -1.0])
    octagon = np.array([(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4]) * 180
    return Calibration(
        image_wh=(1280, 960),
        camera=np.array([[1500, 0, 639.5], [0, 1500, 479.5], [0, 0, 1.0]]),
        distortion=np.array([0.01, 0, 0, 0, 0.0]),
        rotation=turn,
        shift_mm=np.array([1.0, 2.0, 800.0]),
        floor_mm=octagon,
        rim_mm=octagon * 1.1,
        wall_mm=34.0,
        die_mm=16.0,
        felt_bgr=np.random.default_rng(4).integers(0, 255, (30, 40, 3)).astype(np.uint8) if felt else None,
        felt_xy=(200, 100),
    )


@pytest.mark.parametrize("felt", [True, False])
def test_what_is_saved_is_loaded_again(tmp_path: Path, felt: bool) -> None:
    file = tmp_path / "table.json"
    save(file, record(felt))
    again = load(file)
    assert to_mapping(again) == to_mapping(record(felt))
    assert [one.name for one in tmp_path.iterdir()] == ["table.json"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"version": 2}, "version"),
        ({"image_wh": [1280]}, "image_wh"),
        ({"image_wh": [1280.5, 960]}, "image_wh"),
        ({"camera": {}}, "camera.R"),
        ({"tray": {"floor_mm": [[1, 2]], "rim_mm": [], "wall_mm": 3}}, "tray.floor_mm"),
        ({"die_mm": 3}, "die_mm"),
        ({"die_mm": "16"}, "die_mm"),
        ({"felt": {"png": "§", "xy": [0, 0], "step": 2}}, "felt.png"),
        ({"felt": {"png": "AAAA", "xy": [0, 0], "step": 2}}, "felt.png"),
        ({"felt": {"png": "AAAA"}}, "xy"),
        ({"felt": 3}, "felt"),
    ],
)
def test_a_bad_field_is_named_with_its_file(tmp_path: Path, change: dict, named: str) -> None:
    file = tmp_path / "table.json"
    file.write_text(json.dumps({**to_mapping(record()), **change}), encoding="utf-8")
    with pytest.raises(BadCalibration) as raised:
        load(file)
    assert str(file) in str(raised.value)
    assert named in str(raised.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null"])
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "table.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadCalibration, match=r"table\.json"):
        load(file)


def test_a_missing_file_and_a_picture_are_refused(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(bytes([0xFF, 0xD8, 0xFF, 0xE0, 0x80]))
    for name in ("missing.json", "photo.jpg"):
        with pytest.raises(BadCalibration, match=name):
            load(tmp_path / name)


def test_a_rotation_that_turns_nothing_is_refused(tmp_path: Path) -> None:
    mapping = to_mapping(record())
    mapping["camera"]["R"] = [[0, 0, 0]] * 3
    file = tmp_path / "table.json"
    file.write_text(json.dumps(mapping), encoding="utf-8")
    with pytest.raises(BadCalibration, match=r"camera\.R"):
        load(file)
