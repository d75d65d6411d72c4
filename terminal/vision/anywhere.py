"""Top faces in a photograph from anywhere: no tray, no scale, any slant of the camera.

It starts from the pips. Round spots are found at several scales; what slant they agree on undoes the picture's
foreshortening; pairs of spots then propose faces, which are judged on the lattice like those on a calibrated felt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats, Picture
from terminal.vision.params import Params
from terminal.vision.pips import VALUES, Templates, Verdict, count_spots, relax, sample


class Spots(NamedTuple):
    """Round spots of a picture, one a row.

    xy: (N, 2) pixels. spread: (N, 2, 2) covariance of the spot's area, pixels squared. contrast: (N,) against its
    surroundings, negative where the spot is darker. ground: (N,) grey of the surroundings.
    """

    xy: Floats
    spread: Floats
    contrast: Floats
    ground: Floats

    @property
    def radius(self) -> Floats:
        """(N,) pixels: the radius of a disc of the spot's area."""
        return np.asarray(2 * np.linalg.det(self.spread) ** 0.25, np.float32)


def spots(grey: Picture, params: Params) -> Spots:
    """Round or elliptic spots of a grey picture (H, W), darker or lighter than what is round them."""
    rows: list[tuple[float, ...]] = []
    for step in (1, 2, 4, 8):
        if min(grey.shape) < 40 * step:
            break
        wh = (grey.shape[1] // step, grey.shape[0] // step)
        small = grey if step == 1 else cv2.resize(grey, wh, interpolation=cv2.INTER_AREA)
        level = small.astype(np.int16) - cv2.blur(small, (27, 27)).astype(np.int16)
        for sign in (-1, 1):
            signed = level * sign
            for limit in params.spot_limits:
                mask = (signed > limit).astype(np.uint8)
                rows.extend(_round_parts(mask, small, sign, step, params))
    if not rows:
        empty = np.zeros(0, np.float32)
        return Spots(np.zeros((0, 2), np.float32), np.zeros((0, 2, 2), np.float32), empty, empty)
    table = np.array(rows, np.float32)
    return _distinct(table)


def _round_parts(mask: Picture, small: Picture, sign: int, step: int, params: Params) -> list[tuple[float, ...]]:
    _, labels, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=4)
    area, w, h = stats[:, cv2.CC_STAT_AREA], stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    likely = (area >= params.spot_least) & (area <= 420) & (np.maximum(w, h) <= 30) & (area > 0.5 * w * h)
    likely[0] = False
    candidates = np.flatnonzero(likely)
    rows = []
    for index in candidates[_stand_out(small, centres[candidates], w[candidates], h[candidates], sign, params)]:
        x, y, bw, bh, _ = stats[index]
        x0, y0 = max(x - bw, 0), max(y - bh, 0)
        x1, y1 = min(x + 2 * bw, small.shape[1]), min(y + 2 * bh, small.shape[0])
        part = (labels[y0:y1, x0:x1] == index).astype(np.uint8)
        m = cv2.moments(part, True)
        spread = np.array([[m["mu20"], m["mu11"]], [m["mu11"], m["mu02"]]]) / m["m00"] + np.eye(2) / 12
        low, high = np.linalg.eigvalsh(spread)
        filled = m["m00"] / (4 * np.pi * np.sqrt(low * high))
        if low < 0.09 * high or not 0.88 < filled < 1.12:
            continue
        reach = max(2, round(0.45 * float(np.sqrt(low * high) ** 0.5 * 2)))
        near = cv2.dilate(part, np.ones((3, 3), np.uint8))
        wide = cv2.dilate(near, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2))
        ring = small[y0:y1, x0:x1][(wide - near).astype(bool)]
        inside = small[y0:y1, x0:x1][part.astype(bool)]
        if len(ring) < 8:
            continue
        ground, rough = float(np.median(ring)), float(ring.std())
        contrast = float(np.mean(inside)) - ground
        if contrast * sign < params.spot_contrast or contrast * sign < params.spot_rough * rough:
            continue
        cx, cy = centres[index]
        rows.append(
            (
                (cx + 0.5) * step - 0.5,
                (cy + 0.5) * step - 0.5,
                *(spread * step * step).ravel(),
                contrast,
                ground,
                abs(contrast) / (rough + 4) - 10 * abs(1 - filled),
            )
        )
    return rows


_RING = np.stack([np.cos(np.arange(12) * np.pi / 6), np.sin(np.arange(12) * np.pi / 6)], 1)


def _stand_out(small: Picture, centres: Floats, w: Floats, h: Floats, sign: int, params: Params) -> NDArray[np.intp]:
    """Which parts with these centres and boxes differ from an even ring round them, clearest first. A quick look."""
    reach = 0.75 * np.stack([w, h], -1)[:, None] * _RING + 0.8 * _RING
    places = np.round(centres[:, None] + reach).astype(int)
    xs, ys = np.clip(places[..., 0], 0, small.shape[1] - 1), np.clip(places[..., 1], 0, small.shape[0] - 1)
    ring = small[ys, xs].astype(np.float32)
    middle = np.round(centres).astype(int).reshape(-1, 2)
    inside = small[middle[:, 1], middle[:, 0]].astype(np.float32)
    contrast = sign * (inside - np.median(ring, 1))
    clear = contrast / (ring.std(1) + 4)
    good = np.flatnonzero((contrast > 0.7 * params.spot_contrast) & (contrast > params.spot_rough * 0.7 * ring.std(1)))
    return np.asarray(good[np.argsort(-clear[good])][: params.spots_most])


def _distinct(table: Floats) -> Spots:
    """One row a spot: the clearest of those that lie within half a radius of each other."""
    order = np.argsort(-table[:, 8])
    kept: list[int] = []
    radius = 2 * np.maximum(table[:, 2] * table[:, 5] - table[:, 3] * table[:, 4], 1e-3) ** 0.25
    for index in order:
        if kept:
            away = np.hypot(*(table[kept, :2] - table[index, :2]).T)
            if (away < 0.7 * np.maximum(radius[kept], radius[index])).any():
                continue
        kept.append(int(index))
    table = table[kept]
    return Spots(table[:, :2], table[:, 2:6].reshape(-1, 2, 2), table[:, 6], table[:, 7])


class Seen(NamedTuple):
    """A face found in a photograph. axes: (2, 2), from sides of the face to pixels. edges: see `edges`."""

    centre: Floats
    axes: Floats
    verdict: Verdict
    edges: float
    spots: int

    @property
    def corners(self) -> Floats:
        """(4, 2) float32 pixels, in order round the face."""
        return corners_of(self.centre, self.axes)

    @property
    def area(self) -> float:
        """Pixels squared."""
        return abs(float(np.linalg.det(self.axes)))


_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32)
_SPACING = 0.25


def corners_of(centre: Floats, axes: Floats) -> Floats:
    """(4, 2) float32 pixels of a face, in order round it."""
    return np.asarray(_SQUARE @ axes.T + centre, np.float32)


def _proposals(found: Spots, slant: float) -> tuple[Floats, Floats]:
    """Faces that pairs of spots, or one alone, may belong to: centres (M, 2) and axes (M, 2, 2)."""
    flat = np.array([[1, 0], [0, 1 / slant]], np.float32)
    xy = found.xy @ flat
    spread = flat @ found.spread @ flat
    low, high = np.linalg.eigvalsh(spread).T
    radius = 2 * (low * high) ** 0.25
    usable = np.sqrt(low / high) > 0.62
    index = np.flatnonzero(usable)
    xy, radius = xy[index], radius[index]
    sign = np.sign(found.contrast[index])
    poses = [
        np.column_stack([xy, np.full(len(xy), turn), radius * ratio])
        for turn in (0.0, np.pi / 4)
        for ratio in (7.5, 10.5)
    ]
    away = xy[None] - xy[:, None]
    distance = np.hypot(away[..., 0], away[..., 1])
    mean = np.sqrt(radius[None] * radius[:, None])
    alike = (np.maximum(radius[None], radius[:, None]) < 1.7 * np.minimum(radius[None], radius[:, None])) & (
        sign[None] == sign[:, None]
    )
    first, second = np.nonzero(alike & (distance > 1.8 * mean) & (distance < 9 * mean))
    angle = np.arctan2(away[first, second, 1], away[first, second, 0])
    length = distance[first, second]
    middle = (xy[first] + xy[second]) / 2
    for start, turn, steps in (
        (middle, angle - np.pi / 4, 2 * np.sqrt(2)),  # the ends of a diagonal
        (middle, angle, 2.0),  # the middle pair of a 6
        (middle, angle, 1.4),  # the same where a maker sets its rows closer together
        (xy[first], angle - np.pi / 4, np.sqrt(2)),  # centre and corner
    ):
        side = length / (steps * _SPACING)
        ratio = side / mean[first, second]
        fits = (ratio > 7) & (ratio < 13.5) & ((first < second) | (steps < 1.5))
        poses.append(np.column_stack([start, turn, side])[fits])
    all_poses = np.concatenate(poses).astype(np.float32)
    cos, sin = np.cos(all_poses[:, 2]) * all_poses[:, 3], np.sin(all_poses[:, 2]) * all_poses[:, 3]
    axes = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1) * slant], 1)
    centres = all_poses[:, :2] * np.array([1, slant], np.float32)
    return centres, axes


class _Fields:
    """A picture smoothed as faces of each size need it, made when first asked for."""

    def __init__(self, bgr: Picture, grey: Picture) -> None:
        self._bgr = bgr
        self._grey = grey
        self._made: dict[int, Floats] = {}
        self._coloured: dict[int, Floats] = {}

    @staticmethod
    def level(side: float) -> int:
        return int(np.clip(round(2 * np.log2(max(side, 1) * 0.05)), -1, 9))

    def at(self, level: int) -> Floats:
        if level not in self._made:
            self._made[level] = _smooth(self._grey, level).astype(np.float32)
        return self._made[level]

    def colours(self, level: int) -> Floats:
        """(H, W, 3) float32."""
        if level not in self._coloured:
            self._coloured[level] = _smooth(self._bgr, level).astype(np.float32)
        return self._coloured[level]


def _smooth(picture: Picture, level: int) -> Picture:
    """The picture smoothed by a sigma of 2 to the level/2 pixels; wide ones by stacks of boxes, whose cost is fixed."""
    sigma = 2 ** (level / 2)
    if sigma < 1.5:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)
    size = 2 * round(2.45 * sigma) + 1
    return np.asarray(cv2.stackBlur(picture, (size, size)), np.uint8)


def faces(bgr: Picture, templates: Templates, params: Params) -> tuple[list[Seen], Spots]:
    """Faces in a picture (H, W, 3) whose lattice fits, top faces and side faces, best first; and all spots."""
    # Green, not grey: gold or white on red and red on yellow stand out most in it, black and white as much as in grey.
    grey: Picture = np.ascontiguousarray(bgr[..., 1])
    found = spots(grey, params)
    fields = _Fields(bgr, grey)
    rough: list[tuple[float, int, Floats, Floats]] = []
    for slant in params.slants:
        if len(found.xy) == 0:
            break
        centres, axes = _proposals(found, slant)
        sides = np.sqrt(np.abs(np.linalg.det(axes)))
        levels = np.array([fields.level(float(side)) for side in sides])
        for level in np.unique(levels):
            those = np.flatnonzero(levels == level)
            fits, contrasts = templates.explain_roughly(sample(fields.at(int(level)), centres[those], axes[those]))
            best = fits.argmax(1)
            fit = fits[np.arange(len(best)), best]
            loud = np.abs(contrasts[np.arange(len(best)), best]) > params.spot_contrast
            for row in np.flatnonzero((fit > params.face_rough) & loud):
                rough.append((float(fit[row]), int(VALUES[best[row]]), centres[those[row]], axes[those[row]]))
    rough.sort(key=lambda one: -one[0])
    kept: list[tuple[float, int, Floats, Floats]] = []
    singles = 0
    for one in rough:
        side = np.sqrt(abs(np.linalg.det(one[3])))
        if any(one[1] == other[1] and np.hypot(*(one[2] - other[2])) < 0.2 * side for other in kept):
            continue
        if one[1] == 1:
            singles += 1
            if singles > params.singles_most:
                continue
        elif edges(fields.colours(fields.level(float(side))), one[2][None], one[3][None])[0] < 0.35:
            continue
        kept.append(one)
        if len(kept) >= params.faces_most:
            break
    seen = [_refined(fields, centre, axes, templates) for _, _, centre, axes in kept]
    seen.sort(key=lambda one: -one.verdict.fit)
    return seen, found


def faces_at(bgr: Picture, poses: Sequence[tuple[Floats, Floats]], templates: Templates) -> list[Seen]:
    """What a picture (H, W, 3) shows near some faces, given by their middles (2,) and axes (2, 2)."""
    fields = _Fields(bgr, np.ascontiguousarray(bgr[..., 1]))
    return [_refined(fields, centre, axes, templates) for centre, axes in poses]


def _refined(fields: _Fields, centre: Floats, axes: Floats, templates: Templates) -> Seen:
    """A face moved, turned, stretched and sheared a little to where its template fits best."""
    field = fields.at(fields.level(float(np.sqrt(abs(np.linalg.det(axes))))))
    centre, axes, verdict = relax(field, centre, axes, templates)
    colours = fields.colours(fields.level(float(np.sqrt(abs(np.linalg.det(axes))))))
    if verdict.value == 1:
        # One pip tells neither turn nor side: the die's outline must.
        turns, sides = np.meshgrid(np.arange(0, 90, 7.5) * (np.pi / 180), np.geomspace(0.75, 1.5, 13))
        cos, sin = (np.cos(turns) * sides).ravel(), (np.sin(turns) * sides).ravel()
        tried = axes @ np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], 1).astype(np.float32)
        scores = edges(colours, np.repeat(centre[None], len(tried), 0), tried)
        best = int((scores - 0.2 * np.abs(np.log(sides.ravel()))).argmax())
    else:
        # Some makers set their pips closer to the middle: the outline is where most of it shows, the nearest such.
        tried = axes * _WIDER[:, None, None]
        scores = edges(colours, np.repeat(centre[None], len(tried), 0), tried)
        best = int(np.flatnonzero(scores >= 0.85 * scores.max())[0])
    axes, outlined = tried[best], scores[best]
    found = count_spots(field, centre, axes, verdict.contrast)
    return Seen(centre, axes, verdict, float(outlined), found)


_WIDER = np.array([1.0, 1.1, 1.2], np.float32)
_ALONG = np.linspace(-0.33, 0.33, 7, dtype=np.float32)
_ACROSS = np.arange(0.36, 0.74, 0.04, dtype=np.float32)
_QUARTERS = [np.array([[c, -s], [s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
_RAYS = np.array([turn @ [across, along] for turn in _QUARTERS for along in _ALONG for across in _ACROSS], np.float32)


def edges(field: Floats, centres: Floats, axes: Floats) -> Floats:
    """(M,): share of each face's outline, 0 to 1, along which light changes most right at the outline of the square.

    Near 1 for a die, low for a stain, for a part of a face, and for a square that is too large or too small.
    """
    rays = sample(field, centres, axes, _RAYS).reshape(len(centres), 4 * len(_ALONG), len(_ACROSS), -1)
    steps = np.abs(rays[:, :, 2:] - rays[:, :, :-2]).max(3)
    place = steps.argmax(2)
    strong = (steps.max(2) > 9) & (place < steps.shape[2] - 1)
    return np.asarray(strong.mean(1), np.float32)


class Found(NamedTuple):
    """A photograph's dice by their top faces; further faces that may be dice; round things of a die's size, (N, 2)."""

    tops: list[Seen]
    doubts: list[Seen]
    bodies: Floats


def top_faces(bgr: Picture, templates: Templates, params: Params) -> Found:
    """What of a photograph (H, W, 3) shows dice, and what may."""
    found, all_spots = faces(bgr, templates, params)
    likely = [one for one in found if one.verdict.fit > 0.7 and one.edges > 0.5]
    # Of faces that overlap the one that explains more pips, unless it explains them worse.
    likely.sort(key=lambda one: -(1.5 * min(one.verdict.fit, 0.95) + 0.3 * one.edges + 0.05 * one.verdict.value))
    kept: list[Seen] = []
    parts: list[Seen] = []
    for one in likely:
        if all(_apart(one, other) > 0.75 for other in kept):
            (parts if _strangers(one, all_spots) else kept).append(one)
    kept, alike = _alike(kept, params)
    clear = [_is_clear(one, params) and like for one, like in zip(kept, alike, strict=True)]
    sure = [one for one, good in zip(kept, clear, strict=True) if good]
    tops = [one for one in sure if not any(_is_below(one, other) for other in sure if other is not one)]
    usual = float(np.median([top.area for top in tops])) if tops else 0.0
    # Whatever else is enough like a die, and no part or side of one, makes the photograph unsure.
    doubts = [
        one
        for one in likely
        if _is_doubtful(one, params)
        and not any(belongs(one, top) for top in tops)
        and (
            not usual
            or (0.2 if one.verdict.value > 1 else 0.5) < one.area / usual < (5 if one.verdict.value > 1 else 2)
        )
    ]
    # A face above a top face, on the same die, would be the real top.
    doubts.extend(one for one in likely if _is_doubtful(one, params) and any(_is_above(one, top, tops) for top in tops))
    # So would one with more pips at the same place that seemed to be a part of something larger still.
    doubts.extend(
        one
        for one in parts
        if _is_doubtful(one, params)
        and any(one.verdict.value > top.verdict.value and _apart(one, top) < 0.75 for top in tops)
    )
    return Found(tops, doubts, _bodies(all_spots, tops, bgr.shape[1::-1], params))


def _bodies(found: Spots, tops: list[Seen], wh: tuple[int, ...], params: Params) -> Floats:
    """Middles (N, 2) of round things as large as the dice, away from them: dice whose pips can't be seen, it may be."""
    if not tops:
        return np.zeros((0, 2), np.float32)
    sides = np.array([top.area**0.5 for top in tops])
    size = found.radius / float(np.median(sides))
    away = np.linalg.norm(found.xy[:, None] - np.array([top.centre for top in tops])[None], axis=2) > 1.45 * sides
    loud = np.abs(found.contrast) > params.body_contrast
    # What the picture's edge cuts is round by chance.
    inside = np.minimum(found.xy, np.array(wh) - found.xy).min(1) > 0.75 * np.median(sides)
    return np.asarray(found.xy[(size > 0.38) & (size < 1.3) & loud & inside & away.all(1)], np.float32)


def _is_doubtful(one: Seen, params: Params) -> bool:
    """Whether a face that is not clear is still enough like a die's to ask."""
    if one.verdict.value == 1:
        return one.verdict.fit > params.fit_doubt and one.edges > 0.7
    return one.verdict.fit > params.fit_doubt or one.verdict.fit + 0.4 * one.edges > params.doubt_most


def _is_above(one: Seen, top: Seen, tops: list[Seen]) -> bool:
    """Whether a face lies just above a top face in the picture, and is part of no other."""
    if one.centre[1] > top.centre[1] - 0.45 * np.sqrt(top.area) or not belongs(one, top):
        return False
    return one.edges > 0.7 and all(_apart(one, other) > 0.75 for other in tops if other is not top)


def _is_clear(one: Seen, params: Params) -> bool:
    """Whether a face is a die's without further ado: the better the lattice fits, the less of its outline must show."""
    if one.verdict.value == 1:
        return one.verdict.fit > params.single_least and one.edges > params.edges_least
    if one.verdict.fit > params.fit_certain:
        return one.edges > params.edges_certain
    return one.verdict.fit > params.fit_photo and one.edges > params.edges_least


def _alike(kept: list[Seen], params: Params) -> tuple[list[Seen], list[bool]]:
    """Faces without those of quite another size than what surely are dice, and whether each is like those.

    Knots in carpet and letters on a box are small, or have pips of the other polarity, or faint ones.
    """
    best = [one for one in kept if one.verdict.value > 1 and one.verdict.fit > 0.95 and one.edges > 0.85]
    if not best:
        return kept, [True] * len(kept)
    side = float(np.median([np.sqrt(one.area) for one in best]))
    contrast = float(np.median([one.verdict.contrast for one in best]))
    kept = [_sized(one, side, params) for one in kept if 0.45 * side < np.sqrt(one.area) < 2.2 * side]
    return kept, [_is_like(one, side, contrast, params) for one in kept]


def _sized(one: Seen, side: float, params: Params) -> Seen:
    """A face with the side of the other dice where it is a 1 whose own outline does not show all round."""
    own = np.sqrt(one.area)
    if one.verdict.value > 1 or one.edges > params.edges_whole or 0.85 * side < own < 1.18 * side:
        return one
    return one._replace(axes=one.axes * (side / own))


def _is_like(one: Seen, side: float, contrast: float, params: Params) -> bool:
    """Whether a face is like dice of this side and contrast, or so clear that it may be of another colour."""
    if not 0.6 * side < np.sqrt(one.area) < 1.7 * side:
        return one.verdict.fit > 0.97 and one.edges > 0.9
    clear = one.verdict.value > 1 and one.spots == one.verdict.value
    return bool(
        one.verdict.contrast / contrast > params.alike_least
        or (clear and one.verdict.fit > 0.93 and one.edges > 0.8)
        or (one.verdict.fit > 0.97 and one.edges > 0.9)
    )


def _strangers(one: Seen, found: Spots) -> bool:
    """Whether the face holds a spot like its own pips that its value does not explain: it is a part of a larger one."""
    local = np.linalg.solve(one.axes, (found.xy - one.centre).T).T
    inverse = np.linalg.inv(one.axes)
    spread = inverse @ found.spread @ inverse.T
    like = (np.sign(found.contrast) == np.sign(one.verdict.contrast)) & (
        np.abs(found.contrast) > 0.4 * abs(one.verdict.contrast)
    )
    radius = 2 * np.linalg.det(spread) ** 0.25
    inside = (np.abs(local).max(1) < 0.45) & like & (radius > 0.05) & (radius < 0.2)
    if int(inside.sum()) > one.verdict.value:
        return True
    if one.verdict.value > 2 or not inside.any():
        return False
    # The other pips of a 4 lie half a side from the one or two that were taken for a 1 or a 2, and are as round.
    own = np.median(spread[inside], 0)
    same = np.abs(spread - own).max((1, 2)) < 0.25 * np.trace(own) / 2
    reach = 0.58 if one.verdict.value == 1 else 0.8
    return int(((np.abs(local).max(1) < reach) & like & same).sum()) > one.verdict.value


def _apart(one: Seen, other: Seen) -> float:
    """Distance of two faces' centres in sides of the larger one."""
    larger = one if one.area > other.area else other
    return float(np.abs(np.linalg.solve(larger.axes, one.centre - other.centre)).max())


def overlap(one: Seen, other: Seen) -> bool:
    """Whether two faces are at one place, so that only one of them can be a die's top."""
    return _apart(one, other) < 0.75


def _shape(one: Seen) -> Floats:
    """What the slant made of the face's square, (2, 2), without its size."""
    spread = one.axes @ one.axes.T
    return np.asarray(spread / np.sqrt(np.linalg.det(spread)), np.float32)


def _squareness(one: Seen) -> float:
    """How little the slant shortened a face, 0 to 1."""
    longer, shorter = np.linalg.svd(one.axes, compute_uv=False)
    return float(shorter / longer)


def belongs(one: Seen, top: Seen) -> bool:
    """Whether a face lies where the sides of the die under a top face may be seen."""
    away = float(np.hypot(*(one.centre - top.centre)))
    return away < 1.45 * float(max(top.area, one.area) ** 0.5)


def _is_below(one: Seen, other: Seen) -> bool:
    """Whether `one` is a side of the die whose top is `other`: adjacent, of another shape, and lower in the picture."""
    if not belongs(one, other):
        return False
    if np.abs(_shape(one) - _shape(other)).max() < 0.22 and 0.7 < one.area / other.area < 1.4:
        return False  # two dice side by side
    if min(_squareness(one), _squareness(other)) > 0.88:
        return False  # where a top is seen from so high, its sides are strips
    if one.centre[1] > other.centre[1]:
        return bool(one.area < 1.6 * other.area)
    return bool(one.area < 0.5 * other.area)
