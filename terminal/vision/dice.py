"""Which dice explain a thing on the felt: where their top faces may lie. What these show is for `pips`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture
from terminal.vision.edges import Edges
from terminal.vision.params import Params
from terminal.vision.patch import Patch
from terminal.vision.pips import (
    Explained,
    Pose,
    Templates,
    axes_of,
    count_spots,
    search,
)
from terminal.vision.things import Thing
from terminal.vision.tray import Felt, Scene


class Face(NamedTuple):
    """A top face found: where, what it shows, how well its outline and its lattice fit. corners: (4, 2) image pixels.

    covered: share of the die's outline, seen as a cube, that surely is no felt; shaded: that is no felt or dimmer felt.
    dark: no brighter than the felt, so that its sides can't be told from shadow and only `shaded` counts.
    corners_mm: (4, 2) on the plane of the top faces. spots: see `count_spots`. view: see `Patch.view`.
    channel: of the picture, in which the pips stand out most; GREY where no colour shows them better.
    tint: the one of TINTS that shows its pips, where it was found by its edges. apart: see `pips.jointly`, which told
    its value then; None where one field told it.
    """

    corners: Floats
    corners_mm: Floats
    explained: Explained
    covered: float
    shaded: float
    spots: int
    dark: bool
    view: Picture
    channel: int
    tint: int | None = None
    apart: float | None = None

    @property
    def size(self) -> float:
        """Side in pixels of the image."""
        return float(np.sqrt(cv2.contourArea(self.corners)))


class Thinged(NamedTuple):
    """What was made of one thing.

    solid: area of the thing itself, in faces; a thing that comes to nothing when looked at closely was only noise.
    lit: what of that no shadow can be. leftover: largest area that no die in it explains, in faces.
    match: area that both thing and dice cover, of what either covers, shadow left out. patch: what was looked at.
    outlined: so many of its last faces were found by their edges or by the outline of the die.
    """

    thing: Thing
    faces: tuple[Face, ...]
    solid: float
    lit: float
    leftover: float
    match: float
    patch: Patch
    outlined: int = 0


def explain(
    image: Picture,
    felt: Felt,
    scene: Scene,
    thing: Thing,
    templates: Templates,
    die_mm: float | None = None,
) -> Thinged:
    """The dice of one thing: faces whose lattice fits and whose outlines, one after another, explain its area.

    die_mm: another side of the dice than the felt's, for trying.
    """
    params = felt.params
    patch = Patch(image, felt, scene, thing, die_mm or felt.die_mm)
    side = patch.wh_side
    rest: Picture = patch.solid.copy()
    maybe: Picture = patch.maybe.copy()
    left, shaded = rest.copy(), maybe.copy()
    face_area = (side / 2) ** 2
    found: list[Face] = []
    for _ in range(4):
        # Once a die is found its shadow is left: only what is more than that, or a whole dark die, is searched again.
        lit = cv2.countNonZero(cv2.min(left, patch.lit)) > 0.25 * face_area
        if found and not lit and not (found[-1].dark and _depth(shaded) > params.depth_least * side / 2):
            break
        best = best_face(patch, rest, maybe, templates, params, plain=bool(found) and not lit)
        if best is None or (found and not _is_another(best, params)):
            break
        best = squared(patch, best, left, shaded)
        found.append(face_of(patch, best, templates))
        for mask in (left, shaded):
            cv2.fillConvexPoly(mask, np.round(best.polygon).astype(np.int32), 0)
        # The sides of a die may be hidden by the next one: only its top is surely no part of that.
        for mask in (rest, maybe):
            cv2.fillConvexPoly(mask, np.round(patch.top(best.explained.pose)).astype(np.int32), 0)
    return thinged(thing, patch, found)


def only(look: Thinged, kept: Sequence[Face]) -> Thinged:
    """A thing with some of its faces alone."""
    return thinged(look.thing, look.patch, kept)


def thinged(thing: Thing, patch: Patch, found: Sequence[Face]) -> Thinged:
    """A thing that these faces were found in."""
    whole: Picture = np.zeros_like(patch.solid)
    for face in found:
        cv2.fillConvexPoly(whole, np.round(patch.outline(face.explained.pose)).astype(np.int32), 1)
    face_area = (patch.wh_side / 2) ** 2
    either = max(cv2.countNonZero(cv2.max(patch.lit, whole)), 1)
    match = cv2.countNonZero(cv2.min(patch.solid, whole)) / either
    solid, lit = (cv2.countNonZero(mask) / face_area for mask in (patch.solid, patch.lit))
    return Thinged(thing, tuple(found), solid, lit, patch.excess(whole) / face_area, match, patch)


def _is_another(best: Best, params: Params) -> bool:
    """Whether what is left of a thing shows another die, not only the shape of the first one's shadow."""
    verdict = best.explained.verdict
    dark = best.shaded > 0.6 and best.covered > 0.01  # its pips at least are no felt
    seen = best.covered > 0.6 or (dark and abs(verdict.contrast) > params.contrast_least)
    return seen and verdict.fit > params.fit_least


class Best(NamedTuple):
    """A face explained, before it is a `Face`: the outline of its die, and the field in which it was found."""

    explained: Explained
    covered: float
    shaded: float
    dark: bool
    polygon: Floats
    field: Floats
    tint: int | None = None
    apart: float | None = None


def best_face(
    patch: Patch,
    rest: Picture,
    maybe: Picture,
    templates: Templates,
    params: Params,
    but: Sequence[Pose] = (),
    plain: bool = False,
) -> Best | None:
    """The face that lattice and outline together explain best in what is left of a thing, but at none of some poses.

    plain: only as it is seen in grey, among shadow: enough for a second dark die beside one that was found.
    """
    side = patch.wh_side
    best: Best | None = None
    best_score = 0.0
    # What surely differs from felt first; for dark dice also what may be their shadow; other colours last.
    for mask, field, lone in [(maybe, patch.field, True)] if plain else looks(patch, rest, maybe):
        if best_score > params.fit_good**2:
            break
        centres = centres_in(mask, side, _DEEP if patch.has_body(rest) else 0.5 * _DEEP)
        for one in search(field, centres, side, templates, 5):
            if one.verdict.value == 1 and not lone:
                continue
            if any(np.hypot(one.pose.x - other.x, one.pose.y - other.y) < _SAME * side for other in but):
                continue
            this = best_at(patch, one, rest, maybe, field)
            score = one.verdict.fit**2 * (0.4 + 0.6 * (this.shaded if this.dark else this.covered))
            if score > best_score:
                best_score, best = score, this
            # A lone pip of a die as dark as its shadow may have others beside it.
            if best_score > params.score_certain and (one.verdict.value != 1 or patch.has_body(rest)):
                break
    if best is None or best.explained.verdict.fit < 0.5 * params.fit_least:
        return None
    return best


_SAME = 0.15  # sides between two poses that are one face's


def squared(patch: Patch, best: Best, left: Picture, shaded: Picture) -> Best:
    """A 1 turned as its die is; any other face as it is, since its pips tell."""
    explained = best.explained
    if explained.verdict.value != 1:
        return best
    edges = Edges(patch.grey, patch.wh_side, patch.outline)
    pose = edges.turned(explained.pose, shaded if best.dark else left)
    return best_at(patch, explained._replace(pose=pose), left, shaded, best.field, best.tint, best.apart)


def best_at(
    patch: Patch,
    one: Explained,
    rest: Picture,
    maybe: Picture,
    field: Floats,
    tint: int | None = None,
    apart: float | None = None,
) -> Best:
    """An explained face with how much of its die's outline these masks cover."""
    polygon = patch.outline(one.pose)
    drawn: Picture = np.zeros_like(rest)
    cv2.fillConvexPoly(drawn, np.round(polygon).astype(np.int32), 1)
    area = max(cv2.countNonZero(drawn), 1)
    covered, shaded = (cv2.countNonZero(cv2.min(drawn, mask)) / area for mask in (rest, maybe))
    return Best(one, covered, shaded, patch.is_dark(one), polygon, field, tint, apart)


def looks(patch: Patch, rest: Picture, maybe: Picture) -> Iterator[tuple[Picture, Floats, bool]]:
    """Where to look for a face, in which field, and whether a lone pip is a 1 there: under a hat every pip is lone."""
    if patch.has_body(rest):
        yield rest, patch.field, True
    yield maybe, patch.field, True
    for field in patch.hats():
        yield maybe, field, False
    for field in patch.colours():
        yield rest, field, True


def centres_in(mask: Picture, side: float, deep: float) -> Floats:
    """Patch pixels (M, 2) where the middle of a top face may lie: so many sides inside of a mask of half the size."""
    inside = _distance(mask)
    ys, xs = np.nonzero(inside > min(deep * side / 2, 0.85 * float(inside.max())))
    keep = np.flatnonzero((xs + ys) % 2 == 0)
    keep = keep[:: 1 + len(keep) // _CENTRES]
    return np.column_stack([xs[keep], ys[keep]]).astype(np.float32) * 2 + 0.5


_DEEP = 0.38
_CENTRES = 1500  # tried at most in one thing; three dice side by side have some 500


def _distance(mask: Picture) -> Floats:
    """How far each pixel of a mask is from what is not in it; outside of the picture is not in it."""
    framed = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.distanceTransform(framed, cv2.DIST_L2, 3)[1:-1, 1:-1], np.float32)


def _depth(mask: Picture) -> float:
    return float(_distance(mask).max())


def face_of(patch: Patch, best: Best, templates: Templates) -> Face:
    pose, verdict = best.explained
    frame = np.array([pose], np.float32)
    axes = axes_of(frame)[0]
    corners = _SQUARE @ axes.T + frame[0, :2]
    spots = count_spots(best.field, frame[0, :2], axes, verdict.contrast)
    return Face(
        patch.to_image(corners),
        np.asarray((corners + 0.5) / patch.per_mm + patch.origin, np.float32),
        best.explained,
        best.covered,
        best.shaded,
        spots,
        best.dark,
        patch.view(pose),
        patch.clearest_channel(best.explained, templates),
        best.tint,
        best.apart,
    )


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)


def likely_die_mm(image: Picture, felt: Felt, scene: Scene, thing: Thing) -> float | None:
    """Side of a die from the area of the thing that it is, good to about 6 %; None where no die has this area."""
    patch = Patch(image, felt, scene, thing, felt.die_mm)
    px = max(cv2.countNonZero(patch.lit), 0.6 * cv2.countNonZero(patch.solid))
    if not patch.has_body(patch.solid):
        px = 0.8 * cv2.countNonZero(patch.maybe)  # with its shadow
    area = px * (2 / patch.per_mm) ** 2
    centre = np.array([thing.centre], np.float32) * felt.params.felt_step + np.array([felt.x0, felt.y0])
    away = np.linalg.norm(felt.table.at_height(centre, 0.0)[0] - felt.table.eye_mm[:2])
    side = float(np.sqrt(area / (0.96 * (1 + 1.27 * away / felt.table.eye_mm[2]))))
    low, high = felt.params.die_range_mm
    return side if low < side < high else None
