"""Calibrating from pictures of the empty tray: it passes, or says what to do."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.fit import CalibrationFailed, from_empty, learn_dice
from fixtures.printed import with_card
from terminal.vision.params import Calibration
from terminal.vision.reader import load_picture
from terminal.vision.tray import Table

IMAGES = Path(__file__).resolve().parents[2] / "fixtures" / "images"
TABLES = sorted(path.parent.name for path in IMAGES.glob("*/truth.json"))


def picture(table: str, file: str = "000.jpg") -> np.ndarray:
    image = load_picture(str(IMAGES / table / file))
    assert not isinstance(image, str), image
    return image


def truth(table: str) -> dict:
    return json.loads((IMAGES / table / "truth.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("table", TABLES)
def test_a_pose_is_taken_as_it_is(table: str) -> None:
    made = from_empty([picture(table)], truth(table))
    assert made.die_mm == truth(table)["die_mm"]
    pixels = Table(made, made.image_wh).project(np.column_stack([made.floor_mm, np.zeros(len(made.floor_mm))]))
    assert np.abs(pixels - truth(table)["tray"]["floor_px"]).max() < 0.1
    assert made.felt_bgr is not None


@functools.cache
def known(table: str) -> Calibration:
    return from_empty([picture(table)], truth(table))


@functools.cache
def by_edges(table: str) -> Calibration:
    return from_empty([picture(table)])


@functools.cache
def by_card(table: str) -> Calibration:
    return from_empty([picture(table), with_card(picture(table), known(table))])


def corners_off(made: Calibration, table: str) -> float:
    """Pixels by which the felt's corners are off, the farthest."""
    pixels = Table(made, made.image_wh).project(np.column_stack([made.floor_mm, np.zeros(len(made.floor_mm))]))
    there = np.array(truth(table)["tray"]["floor_px"])
    return float(np.linalg.norm(pixels[:, None] - there[None], axis=2).min(1).max())


def lengths(made: Calibration, table: str) -> np.ndarray:
    """How long some lengths of 100 mm across the tops of dice are by a calibration."""
    places = np.array([[x, y, 16] for x in (-100, 0, 100) for y in (-100, 0, 100)], float)
    true = Table(known(table), made.image_wh)
    found = Table(made, made.image_wh).at_height(true.project(places), 16.0).reshape(3, 3, 2)
    return np.concatenate([np.linalg.norm(np.diff(found, axis=axis), axis=2).ravel() for axis in (0, 1)])


@pytest.mark.parametrize("table", TABLES)
def test_with_the_card_on_the_felt_all_lengths_are_true(table: str) -> None:
    made = by_card(table)
    assert made.die_mm is None
    assert lengths(made, table) == pytest.approx([100] * 12, rel=0.005)
    assert corners_off(made, table) < 14  # 5 mm
    assert made.felt_bgr is not None


@pytest.mark.parametrize("table", TABLES)
def test_without_pose_and_card_lengths_are_true_to_one_scale(table: str) -> None:
    made = by_edges(table)
    assert made.die_mm is None
    found = lengths(made, table)
    assert found == pytest.approx([np.mean(found)] * 12, rel=0.03)
    assert corners_off(made, table) < 20


def test_a_camera_that_moves_between_card_and_empty_tray_is_noticed() -> None:
    lying = np.roll(with_card(picture(TABLES[0]), known(TABLES[0])), 11, 1)
    with pytest.raises(CalibrationFailed, match="moved between the picture with the card"):
        from_empty([picture(TABLES[0]), lying])


def test_the_card_in_every_picture_is_refused() -> None:
    with pytest.raises(CalibrationFailed, match="nothing in it"):
        from_empty([with_card(picture(TABLES[0]), known(TABLES[0]))])


@pytest.mark.parametrize("table", TABLES)
def test_the_cafes_own_dice_are_learnt_from_a_few_throws(table: str) -> None:
    easy = [one["file"] for one in truth(table)["pictures"] if one["kind"] == "easy"][:3]
    made = learn_dice(by_card(table), [picture(table, file) for file in easy])
    assert made.die_mm == pytest.approx(truth(table)["die_mm"], rel=0.08)


def measuring(monkeypatch: pytest.MonkeyPatch, sides: list[float]) -> list[np.ndarray]:
    """As many pictures of throws as sides; the reader measures these."""
    given = iter(sides)
    monkeypatch.setattr("calibration.fit.Reader.die_mm", lambda reader, image: next(given))
    return [picture(TABLES[0])] * len(sides)


def test_one_throw_measured_wrongly_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    throws = measuring(monkeypatch, [16.0, 16.2, 13.9, 16.1])
    assert learn_dice(by_edges(TABLES[0]), throws).die_mm == pytest.approx(16.1)


def test_dice_of_three_sizes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    throws = measuring(monkeypatch, [12.0, 16.0, 19.0])
    with pytest.raises(CalibrationFailed, match="different sizes"):
        learn_dice(by_edges(TABLES[0]), throws)


def test_an_empty_tray_teaches_no_dice() -> None:
    with pytest.raises(CalibrationFailed, match="no die"):
        learn_dice(by_edges(TABLES[0]), [picture(TABLES[0])])


def test_what_is_no_tray_is_refused() -> None:
    with pytest.raises(CalibrationFailed, match="no octagonal tray"):
        from_empty([np.full((960, 1280, 3), 80, np.uint8)])


def test_no_picture_and_pictures_of_two_sizes_are_refused() -> None:
    with pytest.raises(CalibrationFailed, match="no picture"):
        from_empty([])
    with pytest.raises(CalibrationFailed, match="different sizes"):
        from_empty([picture(TABLES[0]), np.zeros((480, 640, 3), np.uint8)])


def test_a_dark_room_is_refused() -> None:
    with pytest.raises(CalibrationFailed, match="too dark"):
        from_empty([(picture(TABLES[0]) * 0.05).astype(np.uint8)], truth(TABLES[0]))


def test_a_burnt_picture_is_refused() -> None:
    with pytest.raises(CalibrationFailed, match="overexposed"):
        from_empty([np.full_like(picture(TABLES[0]), 255)], truth(TABLES[0]))


def test_something_that_moves_between_the_pictures_is_refused() -> None:
    moved = picture(TABLES[0]).copy()
    x, y = np.mean(truth(TABLES[0])["tray"]["floor_px"], 0).astype(int)
    cv2.circle(moved, (int(x), int(y)), 70, (230, 230, 230), -1)
    with pytest.raises(CalibrationFailed, match="moved between pictures 1 and 2"):
        from_empty([picture(TABLES[0]), moved], truth(TABLES[0]))


@pytest.mark.parametrize("field", ["camera", "tray"])
def test_a_pose_without_a_field_names_it(field: str) -> None:
    pose = {key: value for key, value in truth(TABLES[0]).items() if key != field}
    with pytest.raises(CalibrationFailed, match=field):
        from_empty([picture(TABLES[0])], pose)


def test_a_pose_for_pictures_of_another_shape_is_refused() -> None:
    with pytest.raises(CalibrationFailed, match="the pose is for"):
        from_empty([np.full((600, 600, 3), 90, np.uint8)], truth(TABLES[0]))
