"""Drawing changes the copy only, and everything that was found is drawn."""

from __future__ import annotations

import cv2
import numpy as np

from terminal.vision.octagon import find_tray_from
from terminal.vision.overlay import draw, from_above
from terminal.vision.params import Params
from terminal.vision.reading import Die, Reading, Rejected
from terminal.vision.tray import Table
from tests.vision.test_octagon import WH, looking
from tests.vision.test_octagon import drawn as drawn_tray


def test_dice_and_rejects_are_drawn_where_they_are() -> None:
    picture = np.zeros((400, 600, 3), np.uint8)
    reading = Reading("unsure", (4,), (Die(4, 150, 200, 30, 0.9),), "cocked", 5.0, (Rejected(400, 250, 40, "cocked"),))
    drawn = draw(picture, reading)
    assert not picture.any()
    assert drawn[170:235, 120:185].any()
    assert drawn[220:280, 370:430].any()
    assert not drawn[300:, :100].any()


def test_from_above_the_felt_is_true_to_scale_and_its_grid_ends_at_the_walls() -> None:
    pose = looking()
    made = find_tray_from(drawn_tray(pose), Params(), pose)
    assert made is not None
    picture = np.zeros((WH[1], WH[0], 3), np.uint8)
    table = Table(made, WH)
    for place in ([64.0, 32.0], [-80.0, 0.0]):  # crossings of the grid's lines
        ring = np.column_stack([np.array([[-8, -8], [8, -8], [8, 8], [-8, 8]]) + place, np.zeros((4, 1))])
        cv2.fillPoly(picture, [np.round(table.project(ring)).astype(np.int32)], (255, 255, 255))
    before = picture.copy()
    drawn = from_above(picture, table)
    assert (picture == before).all()
    white = (drawn == 255).all(2)
    low = made.floor_mm.min(0)
    for x, y in ([64.0, 32.0], [-80.0, 0.0]):
        column, row = round((x - low[0] + 40) * 2), drawn.shape[0] - 1 - round((y - low[1] + 40) * 2)
        assert white[row - 14 : row + 15, column - 14 : column + 15].mean() > 0.85  # all but the lines through it
        assert not white[row - 20 : row + 21, column - 20].any()
    assert not (drawn[:60] == (230, 230, 90)).all(2).any()
    assert (drawn[drawn.shape[0] // 2] == (230, 230, 90)).all(1).sum() > 20
