"""Top faces that the lattice does not find: by their own edges, or by the outline of their die; then the value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats, Picture
from terminal.vision.dice import Best, Face, Thinged, best_at, best_face, centres_in, face_of, squared, thinged
from terminal.vision.edges import TURNS, Edges
from terminal.vision.params import Params
from terminal.vision.patch import Patch
from terminal.vision.pips import STEPS, Explained, Pose, Relief, Templates, axes_of, jointly, judge


def outlined(
    look: Thinged, kept: Sequence[Face], templates: Templates, relief: Relief, params: Params
) -> Iterator[Thinged]:
    """A thing with some of its faces and one more die, found by its edges, its outline or elsewhere, made as asked.

    A face that mirrors a lamp, or is marbled, shows its pips too faintly for the lattice to say where it is; and where
    the lattice fits best there may be no face.
    """
    patch = look.patch
    left, shaded = patch.solid.copy(), patch.maybe.copy()
    for face in kept:
        for mask in (left, shaded):
            cv2.fillConvexPoly(mask, np.round(patch.outline(face.explained.pose)).astype(np.int32), 0)
    ways: list[Callable[[], Best | None]]
    ways = [partial(_by_outline, patch, left, shaded, templates, relief, params)]
    if (around := _at_edges(patch, shaded)) is not None:
        by_edges = partial(_told, patch, around, left, shaded, templates, relief)
        ways = [by_edges, *ways, partial(by_edges, partly=True)]
    if amiss := [face.explained.pose for face in look.faces if all(face is not one for one in kept)]:
        ways.append(partial(_elsewhere, patch, left, shaded, amiss, templates, params))
    for find in ways:
        if (best := find()) is not None:
            best = squared(patch, best, left, shaded)
            more = thinged(look.thing, patch, [*kept, face_of(patch, best, templates)])
            yield more._replace(outlined=1 + look.outlined)


def _at_edges(patch: Patch, shaded: Picture) -> Floats | None:
    """Poses (M, 4) of the face that stands out most by itself, as one that mirrors a lamp does, by its own edges."""
    edges = Edges(patch.grey, patch.wh_side, patch.outline)
    square = edges.square(centres_in(shaded, patch.wh_side, _INSIDE))
    if square is None:
        return None
    pose, clear = square
    around = _around(pose, 0.03 * patch.wh_side, TURNS)
    return np.asarray(around[edges.stand_out(around) > _AS_CLEAR * clear], np.float32)


def _around(pose: Floats, step: float, turns: NDArray[np.floating[Any]]) -> Floats:
    """(9 T, 4): poses a step away and turned."""
    around = np.repeat(pose[None], 9 * len(turns), 0)
    around[:, :2] += np.repeat(STEPS[::3, :2] * step, len(turns), 0).astype(np.float32)
    around[:, 2] += np.tile(turns, 9)
    return around


def _told(
    patch: Patch,
    poses: Floats,
    left: Picture,
    shaded: Picture,
    templates: Templates,
    relief: Relief,
    partly: bool = False,
) -> Best:
    """The face that is near one of some poses, with the value that all fields together tell.

    A lamp's mirror has the lamp's colour, pips have theirs: the tints may show what grey does not; and drilled or gilt
    pips show as relief. partly: the mirror ends within the face, where its edge is the strongest of all; it is wider
    than any pip, so what is only as wide as that counts most (`Patch.hats`).
    """
    side = patch.wh_side
    grey = patch.grey.astype(np.float32)
    even = grey - cv2.GaussianBlur(grey, (0, 0), _EVEN * side)
    tints = list(patch.tints())
    ways: list[tuple[Floats, Templates | Relief, float]]
    if partly:
        ways = [(grey, relief, 1.5), (even, relief, 0.5), *((hat, relief, 1.5) for hat in patch.hats())]
    else:
        ways = [(grey, relief, 2), (even, relief, 1), (patch.field, templates, 1)]
    ways += [(field, templates, 0.5 if partly else 1) for _, field in tints]
    at, _, _ = jointly(ways, poses)
    finer = np.repeat(poses[at : at + 1], len(STEPS), 0)
    finer[:, :3] += STEPS * np.array([0.015 * side, 0.015 * side, 0.06], np.float32)
    at, verdict, apart = jointly(ways, finer)
    best = Explained(Pose(*(float(number) for number in finer[at])), verdict)
    axes = axes_of(finer[at : at + 1])[0]
    alone = [(judge(field, finer[at, :2], axes, templates), number) for number, field in tints]
    seen = [(one.fit, number) for one, number in alone if one.value == verdict.value and one.fit > _SEEN]
    return best_at(patch, best, left, shaded, patch.field, max(seen)[1] if seen else None, apart)


_EVEN = 0.15  # sides over which light is evened out
_SEEN = 0.5  # fit from which on a tint shows the pips
_INSIDE = 0.19  # sides that a centre lies inside of what is left of a thing
_AS_CLEAR = 0.8  # as at the clearest place; a round face is as clear in every turn


def _elsewhere(
    patch: Patch, left: Picture, shaded: Picture, amiss: Sequence[Pose], templates: Templates, params: Params
) -> Best | None:
    """The face that the lattice finds anywhere within what bounds what is left of a thing, but at none of some poses.

    Of a die about as bright as the felt its pips and a part of its shadow may be all that differs.
    """
    inside = np.zeros_like(left)
    if (places := cv2.findNonZero(cv2.max(left, shaded))) is not None:
        cv2.fillConvexPoly(inside, cv2.convexHull(places), 1)
    best = best_face(patch, np.zeros_like(left), inside, templates, params, amiss)
    return None if best is None else best_at(patch, best.explained, left, shaded, best.field)


def _by_outline(
    patch: Patch, left: Picture, shaded: Picture, templates: Templates, relief: Relief, params: Params
) -> Best | None:
    """The face of the die whose outline is what is left of a thing."""
    side = patch.wh_side
    left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((round(0.2 * side) // 2 | 1,) * 2, np.uint8))
    x, y = _middle(left, True)
    usual = cv2.contourArea(patch.outline(Pose(float(x), float(y), 0.0, side)))
    if not params.outline_areas[0] < cv2.countNonZero(left) / usual < params.outline_areas[1]:
        return None
    around = _around(_pose_of(patch, left), 0.07 * side, np.arange(-2, 3) * 0.08)
    return _told(patch, around, left, shaded, templates, relief)


def _pose_of(patch: Patch, mask: Picture) -> Floats:
    """(4,) float32: the pose whose outline and a mask overlap best."""
    side = patch.wh_side

    def overlap(pose: Floats) -> float:
        drawn: Picture = np.zeros_like(mask)
        cv2.fillConvexPoly(drawn, np.round(16 * patch.outline(Pose(*pose))).astype(np.int32), 1, cv2.LINE_8, 4)
        either = max(cv2.countNonZero(cv2.max(drawn, mask)), 1)
        return cv2.countNonZero(cv2.min(drawn, mask)) / either

    middle = _middle(mask, True)
    starts = []
    for turn in np.arange(12) * (np.pi / 24):
        pose = np.array([*middle, turn, side])
        for _ in range(2):
            pose[:2] += middle - _middle(patch.outline(Pose(*pose)), False)
        starts.append((overlap(pose), pose))
    climbed = []
    for most, pose in sorted(starts, key=lambda one: -one[0])[:3]:
        step = np.array([0.08 * side, 0.08 * side, 0.07])
        for _ in range(6):
            around = np.repeat(pose[None], len(STEPS), 0)
            around[:, :3] += STEPS * step
            found = [overlap(one) for one in around]
            if max(found) > most:
                most, pose = max(found), around[int(np.argmax(found))]
            else:
                step = step / 2
        climbed.append((most, pose))
    return np.asarray(max(climbed, key=lambda one: one[0])[1], np.float32)


def _middle(shape: Picture | Floats, is_mask: bool) -> Floats:
    """(2,) patch pixels: the middle of a mask of half the size, or of an outline in its pixels."""
    moments = cv2.moments(shape, is_mask)
    return np.array([moments["m10"], moments["m01"]]) / max(moments["m00"], 1e-6) * 2 + 0.5
