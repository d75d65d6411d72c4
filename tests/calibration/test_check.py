"""Does the calibration still hold? A moved camera, another lamp, a dirty lens: said; a small shift is mended."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.check import check
from calibration.fit import from_empty
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader
from tests.calibration.test_fit import TABLES, picture, truth


@cache
def calibrated(table: str) -> Calibration:
    return from_empty([picture(table)], truth(table))


def moved(image: np.ndarray, x: float, y: float, turn: float = 0.0) -> np.ndarray:
    centre = (image.shape[1] / 2, image.shape[0] / 2)
    warp = cv2.getRotationMatrix2D(centre, turn, 1.0)
    warp[:, 2] += [x, y]
    return cv2.warpAffine(image, warp, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("file", ["000.jpg", "001.jpg", "002.jpg"])
def test_the_same_tray_is_good_with_dice_or_without(table: str, file: str) -> None:
    assert check(calibrated(table), picture(table, file)).verdict == "good"


@pytest.mark.parametrize("table", TABLES)
def test_a_small_shift_is_mended_and_the_dice_are_read_on(table: str) -> None:
    one = next(one for one in truth(table)["pictures"] if one["kind"] == "easy")
    shifted = moved(picture(table, one["file"]), 4.0, -2.0)
    found = check(calibrated(table), shifted)
    assert found.verdict == "shifted"
    assert found.shift_px == pytest.approx(np.hypot(4, 2), abs=1.0)
    reading = Reader(found.calibration).read(shifted)
    assert (reading.status, list(reading.values)) == ("read", one["values"])


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("x", "y", "turn"), [(18.0, 0.0, 0.0), (0.0, -14.0, 0.0), (0.0, 0.0, 3.0)])
def test_a_moved_camera_or_a_turned_tray_is_said(table: str, x: float, y: float, turn: float) -> None:
    assert check(calibrated(table), moved(picture(table), x, y, turn)).verdict == "moved"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("factor", [0.3, 0.45])
def test_another_lamp_is_said(table: str, factor: float) -> None:
    lit = np.clip(picture(table).astype(float) * factor, 0, 255).astype(np.uint8)
    assert check(calibrated(table), lit).verdict == "light"


@pytest.mark.parametrize("table", TABLES)
def test_a_dirty_lens_is_said(table: str) -> None:
    smeared = cv2.GaussianBlur(picture(table), (0, 0), 6).astype(np.uint8)
    assert check(calibrated(table), smeared).verdict in ("dirty", "hidden")


def test_a_covered_camera_says_nothing_of_the_calibration() -> None:
    found = check(calibrated(TABLES[0]), np.full_like(picture(TABLES[0]), 60))
    assert found.verdict in ("hidden", "light")
    assert found.calibration is calibrated(TABLES[0])
