"""Trays found by their edges: drawn ones, of which everything is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from terminal.vision.octagon import Lens, Pose, find_outline, find_tray, find_tray_from
from terminal.vision.params import Calibration, Params
from terminal.vision.tray import Table

WH = (1280, 960)
Colour = tuple[int, int, int]
FELT, WOOD, WALL, TABLE = (60, 110, 30), (60, 90, 130), (40, 70, 20), (40, 60, 90)


def looking(tilt: float = 0.12, bearing: float = 0.7, focal: float = 1700.0, away: float = 800.0) -> Pose:
    """A camera above the felt that looks a little from aside."""
    camera = np.array([[focal, 0, 639.5], [0, focal, 479.5], [0, 0, 1]])
    down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1.0]])
    axis = np.array([np.cos(bearing), np.sin(bearing), 0]) * tilt
    return Pose(Lens(WH, camera, np.zeros(5)), cv2.Rodrigues(axis)[0] @ down, np.array([4.0, -6.0, away]))


def drawn(
    pose: Pose, sides: int = 8, felt: Colour = FELT, wood: Colour = WOOD, squares_mm: float = 0.0, table: Colour = TABLE
) -> np.ndarray:
    """A tray of apothem 180 whose walls flare by 4 to a rim of 18, 35 high, with the felt checkered where asked."""
    lens, rotation, shift = pose
    picture = np.full((WH[1], WH[0], 3), table, np.uint8)
    turns = 0.3 + (np.arange(sides) + 0.5) * 2 * np.pi / sides
    ring = np.stack([np.cos(turns), np.sin(turns)], 1) / np.cos(np.pi / sides)
    for apothem, height, colour in ((202, 35, wood), (184, 35, WALL), (180, 0, felt)):
        world = np.column_stack([ring * apothem, np.full(sides, height)])
        pixels = cv2.projectPoints(world, cv2.Rodrigues(rotation)[0], shift, lens.camera, lens.distortion)[0]
        cv2.fillPoly(picture, [np.round(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    if squares_mm:
        ys, xs = np.mgrid[: WH[1], : WH[0]]
        there = Table(Calibration(WH, *lens[1:], rotation, shift, ring * 180, ring * 202, 35.0), WH)
        world = there.at_height(np.stack([xs.ravel(), ys.ravel()], 1), 0.0).reshape(*xs.shape, 2)
        light = (np.floor(world / squares_mm).sum(-1) % 2 == 0) & (picture == np.array(felt)).all(-1)
        picture[light] = (150, 200, 210)
    noise = np.random.default_rng(2).normal(0, 3, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def apothem(corners_mm: np.ndarray) -> float:
    return float(np.linalg.norm(corners_mm - corners_mm.mean(0), axis=1).mean() * np.cos(np.pi / 8))


def off_px(made: Calibration | None, pose: Pose) -> float:
    """Pixels between the felt's corners as found and as drawn, the farthest."""
    assert made is not None
    turns = 0.3 + (np.arange(8) + 0.5) * np.pi / 4
    world = np.column_stack([np.cos(turns), np.sin(turns), np.zeros(8)]) * 180 / np.cos(np.pi / 8)
    lens, rotation, shift = pose
    there = cv2.projectPoints(world, cv2.Rodrigues(rotation)[0], shift, lens.camera, lens.distortion)[0].reshape(-1, 2)
    found = Table(made, WH).project(np.column_stack([made.floor_mm, np.zeros(8)]))
    return float(np.linalg.norm(found[:, None] - there, axis=2).min(1).max())


@pytest.mark.parametrize("squares_mm", [0.0, 22.0])
def test_where_the_camera_is_known_the_tray_is_measured(squares_mm: float) -> None:
    pose = looking()
    turned = pose._replace(rotation=pose.rotation @ cv2.Rodrigues(np.array([0, 0, 0.4]))[0])  # as the card may lie
    made = find_tray_from(drawn(pose, squares_mm=squares_mm), Params(), turned)
    assert off_px(made, pose) < 4
    assert made is not None
    assert apothem(made.floor_mm) == pytest.approx(180, abs=1.5)
    assert apothem(made.rim_mm) == pytest.approx(202, abs=3)
    assert made.wall_mm == pytest.approx(35, abs=6)


def test_where_nothing_is_known_places_on_the_felt_are_right_to_scale() -> None:
    pose = looking(tilt=0.2, bearing=-2.0)
    made = find_tray(drawn(pose), Params())
    assert off_px(made, pose) < 4
    assert made is not None
    places = np.array([[0, 0, 16], [120, 0, 16], [0, 120, 16], [-120, 0, 16], [0, -120, 16]], float)
    lens, rotation, shift = pose
    seen = cv2.projectPoints(places, cv2.Rodrigues(rotation)[0], shift, lens.camera, lens.distortion)[0].reshape(-1, 2)
    size = apothem(made.floor_mm) / 180
    again = Table(made, WH).at_height(seen, 16 * size) / size
    lengths = np.linalg.norm(again[1:] - again[0], axis=1)
    assert lengths == pytest.approx([120] * 4, rel=0.02)


def test_felt_and_rim_of_one_colour_on_a_table_of_that_colour_are_told_by_their_edges() -> None:
    pose = looking()
    assert off_px(find_tray(drawn(pose, felt=(38, 58, 88), wood=(34, 52, 79), table=(40, 60, 90)), Params()), pose) < 8


@pytest.mark.parametrize("sides", [4, 6])
def test_another_number_of_sides_is_no_tray_of_ours(sides: int) -> None:
    picture = drawn(looking(), sides)
    assert find_outline(picture, Params()) is None
    assert find_tray(picture, Params()) is None


def test_a_plain_table_is_no_tray_and_neither_is_a_stamp() -> None:
    plain = np.full((480, 640, 3), 90, np.uint8)
    assert find_outline(plain, Params()) is None
    assert find_tray(plain, Params()) is None
    assert find_outline(plain[:48, :64], Params()) is None
    assert find_tray(plain[:48, :64], Params()) is None


def test_the_felt_in_a_photograph_ends_where_the_rim_begins() -> None:
    pose = looking()
    found = find_outline(drawn(pose), Params())
    assert found is not None
    turns = 0.3 + (np.arange(8) + 0.5) * np.pi / 4
    ring = np.stack([np.cos(turns), np.sin(turns)], 1) * 184 / np.cos(np.pi / 8)
    lens, rotation, shift = pose
    world = np.column_stack([ring, np.full(8, 35.0)])
    there = cv2.projectPoints(world, cv2.Rodrigues(rotation)[0], shift, lens.camera, lens.distortion)[0].reshape(-1, 2)
    assert np.linalg.norm(found[:, None] - there, axis=2).min(1).max() < 6
