"""The geometry of a calibrated table, and what differs from felt."""

from __future__ import annotations

import functools

import numpy as np

from terminal.vision.octagon import find_tray_from
from terminal.vision.params import Calibration, Params
from terminal.vision.tray import Table, difference
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
