"""Drawing changes the copy only, and everything that was found is drawn."""

from __future__ import annotations

import numpy as np

from terminal.vision.overlay import draw, draw_grid
from terminal.vision.reading import Die, Reading, Rejected
from terminal.vision.tray import Table
from tests.vision.test_tray import WH, calibration


def test_dice_and_rejects_are_drawn_where_they_are() -> None:
    picture = np.zeros((400, 600, 3), np.uint8)
    reading = Reading("unsure", (4,), (Die(4, 150, 200, 30, 0.9),), "cocked", 5.0, (Rejected(400, 250, 40, "cocked"),))
    drawn = draw(picture, reading)
    assert not picture.any()
    assert drawn[170:235, 120:185].any()
    assert drawn[220:280, 370:430].any()
    assert not drawn[300:, :100].any()


def test_the_grid_lies_on_the_felt_only() -> None:
    picture = np.zeros((WH[1], WH[0], 3), np.uint8)
    drawn = draw_grid(picture, Table(calibration(), WH))
    assert not picture.any()
    assert drawn[480 - 100 : 480 + 100, 640 - 100 : 640 + 100].any()
    assert not drawn[:60, :200].any()
