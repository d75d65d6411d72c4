"""What lies on the felt: connected things, whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Picture
from terminal.vision.tray import Felt, Scene


class Thing(NamedTuple):
    """One connected thing on the felt. box: x, y, w, h in pixels of the small felt; mask: (h, w) uint8 in the box.
    faces: its area in faces of a die.

    at_edge: it reaches the edge of the felt's region over more than a die's width, as an arm does.
    """

    box: tuple[int, int, int, int]
    mask: Picture
    faces: float
    at_edge: bool
    centre: tuple[float, float]


def things(felt: Felt, scene: Scene) -> list[Thing]:
    """All that lies on the felt, largest first; crumbs are left out.

    Small things in one dim place of a die's size are one thing: the pips of a die as dark as its own shadow.
    """
    params = felt.params
    mask = cv2.morphologyEx(scene.mask, cv2.MORPH_CLOSE, BLOCK)
    face_px = (felt.die_mm / felt.mm_per_px) ** 2
    labels, stats = cv2.connectedComponentsWithStats(mask, connectivity=8)[1:3]
    areas = stats[:, cv2.CC_STAT_AREA] / face_px
    areas[0] = 0
    small = np.flatnonzero((stats[:, cv2.CC_STAT_AREA] > 1) & (areas > 0) & (areas < params.dirt_most))
    found = [_thing(felt, labels == index, stats[index, :4]) for index in np.flatnonzero(areas > params.speck_most)]
    if not len(small):
        return sorted(found, key=lambda thing: -thing.faces)
    dim = cv2.morphologyEx(((scene.factor < params.dim_factor) & felt.mask).astype(np.uint8), cv2.MORPH_OPEN, BLOCK)
    half = np.ones((round(0.5 * felt.die_mm / felt.mm_per_px) | 1,) * 2, np.uint8)  # a face may mirror the lamp itself
    dim = cv2.max(dim, mask)
    closed = cv2.morphologyEx(dim, cv2.MORPH_CLOSE, half)
    dark, places = cv2.connectedComponentsWithStats(closed, connectivity=8)[1:3]
    own = np.bincount(dark[dim > 0], minlength=len(places)) / places[:, cv2.CC_STAT_AREA]
    large = set(np.unique(dark[np.isin(labels, np.flatnonzero(areas >= params.dirt_most))]))
    homes = {int(dark[labels == index][0]) for index in small} - large
    low, high = params.dark_areas
    dies = [home for home in homes if low < places[home, cv2.CC_STAT_AREA] / face_px < high and own[home] > _DIM_SHARE]
    dies = sorted(dies, key=lambda home: -own[home])[:_DARK_MOST]
    inside = set(np.unique(labels[np.isin(dark, dies)]))
    found = [
        one for one, index in zip(found, np.flatnonzero(areas > params.speck_most), strict=True) if index not in inside
    ]
    found += [_thing(felt, dark == home, places[home, :4]) for home in dies]
    return sorted(found, key=lambda thing: -thing.faces)


def dim_places(felt: Felt, scene: Scene, found: Sequence[Thing]) -> list[Thing]:
    """Places of a die's size that are dimmer than felt and hold nothing found: nothing else may show a black 1 or 2."""
    params = felt.params
    dim = ((scene.factor < params.dim_little) & felt.mask).astype(np.uint8)
    closed = cv2.morphologyEx(cv2.morphologyEx(dim, cv2.MORPH_OPEN, BLOCK), cv2.MORPH_CLOSE, BLOCK)
    places = _sized(felt, closed) + _sized(felt, _hulls(felt, cv2.max(dim, scene.mask)))
    taken = np.zeros(closed.shape, np.uint8)
    for thing in found:
        x, y, w, h = thing.box
        taken[y : y + h, x : x + w] |= thing.mask
    free: list[Thing] = []
    for place in places:
        x, y, w, h = place.box
        if not (taken[y : y + h, x : x + w] & place.mask).any():
            taken[y : y + h, x : x + w] |= place.mask
            free.append(place)
    return free[:_DARK_MOST]


def _sized(felt: Felt, mask: Picture) -> list[Thing]:
    """The parts of a mask (H, W) that are as large as a die may be with its shadow, smallest first."""
    labels, stats = cv2.connectedComponentsWithStats(mask, connectivity=8)[1:3]
    low, high = felt.params.dark_areas
    faces = stats[:, cv2.CC_STAT_AREA] / (felt.die_mm / felt.mm_per_px) ** 2
    those = [int(at) for at in np.argsort(faces) if at and low < faces[at] < high]
    return [_thing(felt, labels == at, stats[at, :4]) for at in those]


def _hulls(felt: Felt, marks: Picture) -> Picture:
    """What marks (H, W) less than half a die apart lie round: the rim and the pips of a face as bright as the felt."""
    near = np.ones((round(0.4 * felt.die_mm / felt.mm_per_px) | 1,) * 2, np.uint8)
    closed = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, near)
    hulls = np.zeros(marks.shape, np.uint8)
    for outline in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
        cv2.fillConvexPoly(hulls, cv2.convexHull(outline), 1)
    return hulls


_DIM_SHARE = 0.5  # of a place that is called dim; noise is dim here and there
_DARK_MOST = 4  # places, of which three are dice


def _thing(felt: Felt, own: NDArray[np.bool_], box: NDArray[Any]) -> Thing:
    x, y, w, h = (int(number) for number in box)
    own = own[y : y + h, x : x + w]
    edge = felt.edge[y : y + h, x : x + w] & own
    at_edge = int(edge.sum()) > 1.5 * felt.die_mm / felt.mm_per_px
    ys, xs = np.nonzero(own)
    faces = len(xs) / (felt.die_mm / felt.mm_per_px) ** 2
    return Thing((x, y, w, h), own.astype(np.uint8), faces, at_edge, (float(xs.mean() + x), float(ys.mean() + y)))


BLOCK = np.ones((3, 3), np.uint8)
