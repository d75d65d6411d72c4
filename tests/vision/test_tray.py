"""The geometry of a calibrated table, the octagon, and what differs from felt."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from terminal.vision.params import Calibration, Params
from terminal.vision.tray import Table, assumed_calibration, difference, find_octagon

WH = (1280, 960)


Colour = tuple[int, int, int]
FELT, WOOD, TABLE = (60, 110, 30), (30, 45, 70), (40, 60, 90)


def drawn_tray(
    sides: int = 8, felt: Colour = FELT, reach: float = 330, wood: Colour = WOOD, table: Colour = TABLE
) -> np.ndarray:
    """A felt with so many sides, seen from above on a wooden table."""
    picture = np.full((WH[1], WH[0], 3), table, np.uint8)
    turns = 0.2 + np.arange(sides) * 2 * np.pi / sides
    ring = np.stack([np.cos(turns), np.sin(turns)], 1)
    cv2.fillPoly(picture, [np.round(ring * (reach + 45) + [640, 480]).astype(np.int32)], wood)
    cv2.fillPoly(picture, [np.round(ring * reach + [640, 480]).astype(np.int32)], felt)
    noise = np.random.default_rng(2).normal(0, 3, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def calibration() -> Calibration:
    found = find_octagon(drawn_tray())
    assert found is not None
    made = assumed_calibration(found, WH, Params())
    assert made is not None
    return made


def off(found: np.ndarray | None) -> float:
    """Pixels between the farthest corner of what was found and the felt drawn."""
    assert found is not None
    turns = 0.2 + np.arange(8) * np.pi / 4
    corners = np.stack([np.cos(turns), np.sin(turns)], 1) * 330 + [640, 480]
    return float(np.linalg.norm(found[:, None] - corners[None], axis=2).min(1).max())


def test_the_felt_is_found_by_its_eight_sides() -> None:
    assert off(find_octagon(drawn_tray())) < 6


def test_felt_as_dark_as_the_wood_on_a_bright_table_is_not_its_rim() -> None:
    assert off(find_octagon(drawn_tray(felt=(32, 36, 40), table=(170, 180, 190)))) < 9


def test_felt_of_the_colour_of_the_table_is_found_by_its_edges() -> None:
    brown = drawn_tray(felt=(38, 58, 88), wood=(34, 52, 79))
    assert off(find_octagon(brown, thorough=True)) < 9


@pytest.mark.parametrize("sides", [4, 6])
@pytest.mark.parametrize("felt", [FELT, (38, 58, 88)])
def test_another_number_of_sides_is_no_tray_by_edges_either(sides: int, felt: Colour) -> None:
    assert find_octagon(drawn_tray(sides, felt), thorough=True) is None


@pytest.mark.parametrize("sides", [4, 6])
def test_another_number_of_sides_is_no_tray_of_ours(sides: int) -> None:
    assert find_octagon(drawn_tray(sides)) is None


def test_a_plain_table_is_no_tray() -> None:
    assert find_octagon(np.full((480, 640, 3), 90, np.uint8)) is None


def test_pixels_and_millimetres_lead_back_to_each_other() -> None:
    table = Table(calibration(), WH)
    places = np.array([[0, 0, 16], [100, -80, 16], [-120, 30, 16]], float)
    again = table.at_height(table.project(places), 16)
    assert np.abs(again - places[:, :2]).max() < 0.01


def test_a_picture_of_half_the_size_has_the_same_millimetres() -> None:
    whole, half = Table(calibration(), WH), Table(calibration(), (640, 480))
    place = np.array([[50, 60, 0]], float)
    assert np.abs((whole.project(place) + 0.5) / 2 - 0.5 - half.project(place)).max() < 0.01


def test_shadow_is_felt_and_a_die_is_not() -> None:
    felt = np.full((4, 4, 3), (40, 90, 30), np.float32)
    params = Params()
    shadow, _ = difference(felt * 0.4, felt, params)
    white, _ = difference(np.full_like(felt, 190), felt, params)
    red, _ = difference(np.full_like(felt, 0) + np.array([20, 20, 150], np.float32), felt, params)
    assert shadow.max() < 2
    assert white.min() > params.differs_least * 3
    assert red.min() > params.differs_least * 3
