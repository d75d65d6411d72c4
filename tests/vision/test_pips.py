"""The lattice on drawn faces: every value, any turn, dark pips and light ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from terminal.vision.params import Params
from terminal.vision.pips import (
    NODES,
    PATTERNS,
    Relief,
    Templates,
    axes_of,
    count_spots,
    jointly,
    judge,
    sample,
    search,
)

SIDE = 36
TEMPLATES = Templates(Params().lattices)
RELIEF = Relief(Params().lattices)


def face(pattern: int, turn: float = 0.3, ground: int = 200, pip: int = 30) -> np.ndarray:
    """A drawn face in the middle of a patch of 81 px, as the reader smooths it: (81, 81) float32."""
    big = 8
    picture = np.full((81 * big, 81 * big), 60, np.uint8)
    cos, sin = np.cos(turn), np.sin(turn)
    axes = np.array([[cos, -sin], [sin, cos]]) * SIDE * big
    centre = np.array([40.5, 40.5]) * big
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ axes.T + centre
    cv2.fillConvexPoly(picture, np.round(square).astype(np.int32), ground)
    ring = np.stack([np.cos(np.arange(32) * np.pi / 16), np.sin(np.arange(32) * np.pi / 16)], 1) * 0.1
    for place in PATTERNS[pattern][1]:
        outline = (ring + 0.25 * np.array(place)) @ axes.T + centre
        cv2.fillConvexPoly(picture, np.round(outline).astype(np.int32), pip)
    small = cv2.resize(picture, (81, 81), interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (0, 0), 0.05 * SIDE).astype(np.float32)


def gilt(pattern: int, lit: float, ground: int = 200) -> np.ndarray:
    """A face as bright as its pips are on the whole: each is dark on one side and light on the other, (81, 81)."""
    y, x = np.mgrid[:81, :81].astype(np.float32) - 40
    turned = np.stack([x, y], -1) @ np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]]) / SIDE
    picture = np.where(np.abs(turned).max(-1) < 0.5, float(ground), 60.0)
    for place in PATTERNS[pattern][1]:
        off = (turned - 0.25 * np.array(place)) / 0.1
        slope = off[..., 0] * np.cos(lit) + off[..., 1] * np.sin(lit)
        picture += np.where(np.linalg.norm(off, axis=-1) < 1, 70 * slope, 0)
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 0.8)


def pose(turn: float = 0.3) -> np.ndarray:
    return np.array([[40, 40, turn, SIDE]], np.float32)


@pytest.mark.parametrize("pattern", range(9))
@pytest.mark.parametrize(("ground", "pip"), [(200, 30), (40, 220)])
def test_each_value_explains_its_own_face_far_better_than_any_other(pattern: int, ground: int, pip: int) -> None:
    field = face(pattern, ground=ground, pip=pip)
    verdict = judge(field, pose()[0, :2], axes_of(pose())[0], TEMPLATES)
    assert verdict.value == PATTERNS[pattern][0]
    assert verdict.fit > 0.9
    assert verdict.fit - verdict.runner_fit > 0.2
    assert np.sign(verdict.contrast) == np.sign(pip - ground)


@pytest.mark.parametrize("pattern", range(9))
@pytest.mark.parametrize("turn", [0.0, 0.2, 0.7, 1.1, 1.5])
def test_a_face_is_found_wherever_it_is_turned(pattern: int, turn: float) -> None:
    centres = np.array([(x, y) for x in range(34, 47, 2) for y in range(34, 47, 2)], np.float32)
    found = next(search(face(pattern, turn), centres, SIDE, TEMPLATES, 3))
    assert found.verdict.value == PATTERNS[pattern][0]
    assert np.hypot(found.pose.x - 40, found.pose.y - 40) < 1.0


@pytest.mark.parametrize("pattern", range(9))
def test_spots_are_counted_without_a_lattice(pattern: int) -> None:
    field = face(pattern)
    verdict = judge(field, pose()[0, :2], axes_of(pose())[0], TEMPLATES)
    assert count_spots(field, pose()[0, :2], axes_of(pose())[0], verdict.contrast) == PATTERNS[pattern][0]


def test_more_faces_than_opencv_takes_at_once_are_sampled_alike() -> None:
    field = face(3)
    many = np.repeat(pose(), 40_000, 0)
    sampled = sample(field, many[:, :2], axes_of(many))
    assert sampled.shape == (40_000, len(NODES))
    assert (sampled == sample(field, pose()[:, :2], axes_of(pose()))).all()


@pytest.mark.parametrize("pattern", range(9))
@pytest.mark.parametrize("lit", [0.0, 0.8, 2.5])
def test_pips_that_are_dark_on_one_side_and_light_on_the_other_show_as_relief(pattern: int, lit: float) -> None:
    field = gilt(pattern, lit)
    flat = judge(field, pose()[0, :2], axes_of(pose())[0], TEMPLATES)
    verdict = judge(field, pose()[0, :2], axes_of(pose())[0], RELIEF)
    assert flat.fit < 0.5
    assert verdict.value == PATTERNS[pattern][0]
    assert verdict.fit > 0.7
    assert verdict.fit - verdict.runner_fit > 0.1


@pytest.mark.parametrize("pattern", range(9))
def test_a_field_in_which_nothing_shows_says_nothing_against_another(pattern: int) -> None:
    noise = np.random.default_rng(pattern).normal(100, 3, (81, 81)).astype(np.float32)
    poses = np.repeat(pose(), 3, 0)
    poses[0, :2] += 9
    poses[2, :2] -= 9
    ways = [(gilt(pattern, 0.8), RELIEF, 2.0), (noise, TEMPLATES, 1.0), (noise.T.copy(), TEMPLATES, 1.0)]
    at, verdict, apart = jointly(ways, poses)
    assert (at, verdict.value) == (1, PATTERNS[pattern][0])
    assert apart > 0.5
    assert jointly(ways[1:], poses)[2] < 0.5


@pytest.mark.parametrize("radius", [0.1, 0.15, 0.2, 0.22])
def test_a_single_pip_of_any_size_is_a_1(radius: float) -> None:
    field = np.full((81, 81), 40, np.uint8)
    cv2.circle(field, (40 * 16, 40 * 16), round(radius * SIDE * 16), 200, -1, cv2.LINE_AA, 4)
    field = cv2.GaussianBlur(field.astype(np.float32), (0, 0), 0.05 * SIDE)
    verdict = judge(field, pose()[0, :2], axes_of(pose())[0], TEMPLATES)
    assert (verdict.value, verdict.fit > 0.9, verdict.fit - verdict.runner_fit > 0.35) == (1, True, True)


def test_an_even_face_fits_no_value() -> None:
    noise = np.random.default_rng(1).normal(100, 3, (81, 81)).astype(np.float32)
    assert judge(noise, pose()[0, :2], axes_of(pose())[0], TEMPLATES).fit < 0.5
