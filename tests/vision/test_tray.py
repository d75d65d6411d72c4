"""The geometry of a calibrated table, and what differs from felt."""

from __future__ import annotations

import functools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from terminal.vision.octagon import find_tray_from
from terminal.vision.params import Calibration, Params
from terminal.vision.things import things
from terminal.vision.tray import Felt, Table, difference, lit
from tests.vision.test_octagon import WH, drawn, looking


@functools.cache
def calibration() -> Calibration:
    made = find_tray_from(drawn(looking()), Params(), looking())
    assert made is not None
    return made


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


def test_light_is_what_a_camera_multiplies() -> None:
    assert np.abs(lit(np.ones(3)) - np.arange(256)[None, :, None]).max() < 0.1
    half = lit(np.array([0.5, 0.5, 4.0]))[0]
    assert half[255, :2] == pytest.approx(187.5, abs=0.5)  # half the light of white, IEC 61966-2-1
    assert half[8, :2] == pytest.approx(4, abs=0.1)  # in the dark a level is light itself
    assert half[200, 2] == pytest.approx(255)


@pytest.mark.parametrize("light", [0.35, 0.6, 1.0, 1.5])
def test_chalk_on_a_felt_that_is_black_in_one_colour_is_felt_in_any_light(light: float) -> None:
    wh, noise = WH, np.random.default_rng(3)
    true = np.full((wh[1], wh[0], 3), (1, 72, 135), np.uint8)
    cv2.circle(true, (wh[0] // 2, wh[1] // 2), 70, (60, 110, 160), -1)

    def taken(by: np.ndarray) -> np.ndarray:
        """A photograph: what is black has no noise below 0, and so is brighter than it is in any light."""
        return np.clip(cv2.LUT(true, lit(by)) + noise.normal(0, 8, true.shape), 0, 255).astype(np.uint8)

    empty = cv2.resize(taken(np.ones(3)), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    table = Table(replace(calibration(), felt_bgr=empty, felt_xy=(0, 0), felt_step=2), wh)
    felt = Felt(table, 16.0, Params())
    picture = taken(light * np.array([0.7, 1.0, 1.2]))
    assert things(felt, felt.look(picture)) == []
    picture[300:330, 600:630] = (200, 200, 200)
    assert len(things(felt, felt.look(picture))) == 1
