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
    dark, places = cv2.connectedComponentsWithStats(closed, connectivity=8)[1:3]
    taken = {0}
    for thing in found:
        x, y, w, h = thing.box
        taken |= set(np.unique(dark[y : y + h, x : x + w][thing.mask > 0]))
    low, high = params.dark_areas
    faces = places[:, cv2.CC_STAT_AREA] / (felt.die_mm / felt.mm_per_px) ** 2
    dies = [home for home in np.flatnonzero((faces > low) & (faces < high)) if home not in taken]
    dies = sorted(dies, key=lambda home: float(faces[home]))[:_DARK_MOST]
    return [_thing(felt, dark == home, places[home, :4]) for home in dies]


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
