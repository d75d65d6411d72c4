"""Edges of drawn dice: a face that stands out by itself, and a 1 turned as the die under it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from terminal.vision.edges import Edges
from terminal.vision.pips import Pose

SIDE = 36.0


def square(turn: float, x: float = 50.0, y: float = 46.0, side: float = SIDE) -> np.ndarray:
    cos, sin = np.cos(turn), np.sin(turn)
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + [x, y])


def drawn(corners: np.ndarray, wh: tuple[int, int] = (100, 100), ground: int = 70, face: int = 160) -> np.ndarray:
    picture = np.full((wh[1], wh[0]), ground, np.uint8)
    cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), face, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2))


def outline(pose: Pose) -> np.ndarray:
    """The outline of a die that the camera sees from right above, in a mask of half the size."""
    return np.asarray((square(pose.turn, pose.x, pose.y, pose.side) + 0.5) / 2 - 0.5, np.float32)


CENTRES = np.array([(x, y) for x in range(40, 61, 4) for y in range(36, 57, 4)], np.float32)


@pytest.mark.parametrize("turn", [0.0, 0.3, 0.7, 1.2])
@pytest.mark.parametrize("flat", [0.75, 0.9, 1.0])
def test_a_bright_face_is_found_by_its_edges_whatever_part_of_it_is_flat(turn: float, flat: float) -> None:
    edges = Edges(drawn(square(turn, side=flat * SIDE)), SIDE, outline)
    found = edges.square(CENTRES)
    assert found is not None
    pose, clear = found
    assert np.hypot(pose[0] - 50, pose[1] - 46) < 0.04 * SIDE
    assert abs((pose[2] - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4) < 0.1
    assert clear > 30


def test_a_dark_face_or_none_stands_out_nowhere() -> None:
    noise = np.random.default_rng(3).normal(90, 4, (100, 100)).astype(np.uint8)
    for picture in (drawn(square(0.4), face=20), noise):
        assert Edges(picture, SIDE, outline).square(CENTRES) is None
    assert Edges(noise, SIDE, outline).square(CENTRES[:0]) is None


@pytest.mark.parametrize("turn", [0.1, 0.5, 0.9, 1.4])
def test_a_1_is_turned_as_the_die_is_that_shows_no_turn_by_its_pip(turn: float) -> None:
    corners = square(turn)
    picture = drawn(corners)
    cv2.circle(picture, (50, 46), 4, 30, -1, cv2.LINE_AA)
    mask = np.zeros((50, 50), np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners + 0.5) / 2 - 0.5).astype(np.int32), 1)
    pose = Edges(picture, SIDE, outline).turned(Pose(50.0, 46.0, 0.0, SIDE), mask)
    assert abs((pose.turn - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4) < 0.1
    assert (pose.x, pose.y, pose.side) == (50.0, 46.0, SIDE)
