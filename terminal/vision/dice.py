"""Top faces of dice in a picture: where they may lie. What they show is for `pips`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats, Picture
from terminal.vision.edges import Edges
from terminal.vision.params import Params
from terminal.vision.pips import (
    Explained,
    Pose,
    Templates,
    axes_of,
    count_spots,
    quantile,
    sample,
    search,
)
from terminal.vision.tray import Felt, Scene, difference

GREY = -1  # for the number of a channel
TINTS = {3: 0, 4: 2}  # "channels" that are the share of blue, or of red, in the light
CROP_PX = 48
FACE_PX = 32  # side of the top face in a crop; the margin of 8 px shows what lies around it


def face_crops(image: Picture, corners: Floats | Sequence[Floats], channels: Sequence[int] = ()) -> Picture:
    """Top faces set upright for the second look: (N, 48, 48) uint8 grey, the face's side 32 px in the middle.

    image: (H, W, 3) uint8 BGR, or (H, W) uint8 grey; not changed.
    channels: (N,) which of a colour picture's channels shows each face, GREY for all three, or one of TINTS; none
    given: GREY.
    corners: (N, 4, 2), x then y, pixels of `image` with the centre of the first pixel at (0, 0), in order round the
    face (either way round is fine for the value, clockwise is ours). Grey is as it comes: no stretching here.
    """
    crops = np.zeros((len(corners), CROP_PX, CROP_PX), np.uint8)
    low, high = (CROP_PX - FACE_PX) / 2 - 0.5, (CROP_PX + FACE_PX) / 2 - 0.5
    upright = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    every = channels or [GREY] * len(corners)
    for crop, quad, channel in zip(crops, np.asarray(corners, np.float32), every, strict=True):
        reach = 0.35 * float(np.ptp(quad, axis=0).max()) + 3
        x0, y0 = np.floor(quad.min(0) - reach).astype(int)
        x1, y1 = np.ceil(quad.max(0) + reach).astype(int) + 1
        x0, y0 = max(x0, 0), max(y0, 0)
        part = image[y0 : max(y1, y0), x0 : max(x1, x0)]
        if part.size == 0:
            continue
        if part.ndim == 3:
            part = _seen_in(part, channel)
        # A face much larger than its crop is shrunk by area first: warpPerspective samples points and would alias.
        side = float(np.sqrt(cv2.contourArea(quad)))
        shrink = min(1.0, 1.5 * FACE_PX / max(side, 1.0))
        if shrink < 0.75:
            wh = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
            scale = np.array([wh[0] / part.shape[1], wh[1] / part.shape[0]], np.float32)
            part = cv2.resize(part, wh, interpolation=cv2.INTER_AREA)
        else:
            scale = np.ones(2, np.float32)
        local = ((quad - np.array([x0, y0], np.float32) + 0.5) * scale - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(local, upright)
        cv2.warpPerspective(part, warp, (CROP_PX, CROP_PX), crop, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    return crops


def _seen_in(picture: Picture, channel: int) -> Picture:
    """A picture (h, w, 3) in one channel, (h, w) uint8."""
    if channel == GREY:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    if channel in TINTS:
        return np.asarray(np.clip(tint(picture, TINTS[channel]) / 2, 0, 255), np.uint8)
    return np.asarray(cv2.extractChannel(picture, channel), np.uint8)


def tint(picture: Picture, channel: int) -> Floats:
    """How strong one channel of a picture (h, w, 3) is against the mean of all, (h, w) float32, 255 for as strong."""
    seen = picture.astype(np.float32) + 4
    return np.asarray(765 * seen[..., channel] / seen.sum(2), np.float32)


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


def things(felt: Felt, scene: Scene) -> list[Thing]:
    """All that lies on the felt, largest first; crumbs are left out.

    Small things in one dim place of a die's size are one thing: the pips of a die as dark as its own shadow.
    """
    params = felt.params
    mask = cv2.morphologyEx(scene.mask, cv2.MORPH_CLOSE, _BLOCK)
    face_px = (felt.die_mm / felt.mm_per_px) ** 2
    labels, stats = cv2.connectedComponentsWithStats(mask, connectivity=8)[1:3]
    areas = stats[:, cv2.CC_STAT_AREA] / face_px
    areas[0] = 0
    small = np.flatnonzero((stats[:, cv2.CC_STAT_AREA] > 1) & (areas > 0) & (areas < params.dirt_most))
    found = [_thing(felt, labels == index, stats[index, :4]) for index in np.flatnonzero(areas > params.speck_most)]
    if not len(small):
        return sorted(found, key=lambda thing: -thing.faces)
    dim = cv2.morphologyEx(((scene.factor < params.dim_factor) & felt.mask).astype(np.uint8), cv2.MORPH_OPEN, _BLOCK)
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
    closed = cv2.morphologyEx(cv2.morphologyEx(dim, cv2.MORPH_OPEN, _BLOCK), cv2.MORPH_CLOSE, _BLOCK)
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


_BLOCK = np.ones((3, 3), np.uint8)
VIEW_PX = 64
VIEW_SIDE = 32  # px of a face's side in a view
_NARROW = 0.36  # sides of a die; pips are 0.2 to 0.25 wide, but for the large 1 of some
_BODY = 0.4  # faces; less that surely is no felt is the pips of a die, not the die
_PIPS_APART = 0.35  # sides of a die between the rims of pips that are one die's
_CLEARER = 1.3  # times as much contrast as in grey
_LIMIT, _FELT = 48, 160  # what `Scene.limit` and the felt's usual light are in a view


class Patch:
    """A part of the picture rectified to the plane of the top faces, with what differs from the felt there.

    bgr: (h, w, 3) uint8, `params.patch_side` px a die. solid: (h, w) uint8, 1 where something lies, holes filled.
    """

    def __init__(self, image: Picture, felt: Felt, scene: Scene, thing: Thing, die_mm: float) -> None:
        table, step = felt.table, felt.params.felt_step
        x, y, w, h = thing.box
        box = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32) * step + [felt.x0, felt.y0]
        world = table.at_height(box, die_mm)
        margin = 0.45 * die_mm
        self.origin = world.min(0) - margin
        self.per_mm = felt.params.patch_side / die_mm
        size = (world.max(0) + margin - self.origin) * self.per_mm
        self.wh = (int(size[0]) // 2 * 2 + 2, int(size[1]) // 2 * 2 + 2)
        self._table, self._die_mm = table, die_mm
        ends = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * self.wh - 0.5
        pixels = self.to_image(ends)
        to_patch = cv2.getPerspectiveTransform(pixels, ends.astype(np.float32))
        self.bgr = cv2.warpPerspective(image, to_patch, self.wh, None, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        # The mask at half the patch's size: a cube's outline needs no more.
        half = (self.wh[0] // 2, self.wh[1] // 2)
        half_ends = ((ends + 0.5) / 2 - 0.5).astype(np.float32)
        to_half = cv2.getPerspectiveTransform(felt.to_reference(pixels), half_ends)
        empty = cv2.warpPerspective(scene.reference, to_half, half, None, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        reference = np.minimum(empty.astype(np.float32) * scene.gain, 255)
        picture = cv2.resize(self.bgr, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        differs, factor = difference(picture, reference, felt.params)
        mask: Picture = (differs > scene.limit).astype(np.uint8)
        # Shadows of several lamps take another share of each colour, but none makes any colour brighter.
        self.shade = np.asarray((picture < 1.05 * reference + 3).all(2), np.uint8)
        dim: Picture = (factor < felt.params.dim_factor).astype(np.uint8)
        in_box = (pixels - np.array([felt.x0, felt.y0]) + 0.5) / step - 0.5 - np.array([x, y])
        to_own = cv2.getPerspectiveTransform(in_box.astype(np.float32), half_ends)
        own = cv2.warpPerspective(thing.mask, to_own, half, None, cv2.INTER_NEAREST)
        self.solid = _touching(_filled(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _BLOCK)), own)
        # A dark die and the shadow beside it are both just darker than felt: together they bound where it can lie.
        either = cv2.morphologyEx(cv2.max(mask, dim), cv2.MORPH_CLOSE, _BLOCK)
        either = cv2.morphologyEx(either, cv2.MORPH_OPEN, _BLOCK)
        self.maybe = _filled(cv2.max(either, self.solid))
        if not self.has_body(self.solid):  # the pips of a die as dark as its shadow: it lies where they and that are
            pip = np.ones((round(_PIPS_APART * self.wh_side / 2) | 1,) * 2, np.uint8)
            every = cv2.max(cv2.max(mask, dim), own)
            near = _touching(np.asarray(cv2.morphologyEx(every, cv2.MORPH_CLOSE, pip), np.uint8), own)
            cv2.fillConvexPoly(self.maybe, cv2.convexHull(cv2.findNonZero(near)), 1)
        self._light = reference.mean(2)
        self._differs = np.asarray(np.clip(differs * (_LIMIT / scene.limit), 0, 255), np.uint8)
        self._factor = np.asarray(np.clip(factor * _FELT, 0, 255), np.uint8)
        self.grey: Picture = np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._fine = cv2.GaussianBlur(self.bgr, (0, 0), 0.05 * self.wh_side)
        self.field = cv2.cvtColor(self._fine, cv2.COLOR_BGR2GRAY).astype(np.float32)
        eye = table.eye_mm
        floor = eye[:2] + (table.calibration.floor_mm - eye[:2]) * (eye[2] - die_mm) / eye[2]
        self._floor = (floor - self.origin) * self.per_mm - 0.5

    def has_body(self, mask: Picture) -> bool:
        """Whether a mask is more than the pips of a die."""
        return cv2.countNonZero(mask) > _BODY * (self.wh_side / 2) ** 2

    def view(self, pose: Pose) -> Picture:
        """What lies round a face, set upright: (4, 64, 64) uint8, a side 32 px, for asking whether its die lies flat.

        Grey; how much the picture differs from felt; the light that felt would have there; and where the die would
        be seen if it lay flat: 255 its top face, 128 its sides, and 64 where no felt is but the wall or what is
        beyond.
        """
        frame = np.array([pose], np.float32)
        axes = axes_of(frame)[0].astype(np.float64) / VIEW_SIDE
        middle = (VIEW_PX - 1) / 2
        warp = np.column_stack([axes, np.array([pose.x, pose.y]) - axes @ np.array([middle, middle])])
        half = warp / 2
        half[:, 2] -= 0.25
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        view = np.zeros((4, VIEW_PX, VIEW_PX), np.uint8)
        wh = (VIEW_PX, VIEW_PX)
        cv2.warpAffine(self.grey, warp, wh, view[0], flags, cv2.BORDER_REPLICATE)
        cv2.warpAffine(self._differs, half, wh, view[1], flags, cv2.BORDER_REPLICATE)
        cv2.warpAffine(self._factor, half, wh, view[2], flags, cv2.BORDER_REPLICATE)
        inverse = np.linalg.inv(axes)
        outline = (self.outline(pose) + 0.5) * 2 - 0.5
        whole = (outline - np.array([pose.x, pose.y])) @ inverse.T + middle
        top = _ROUNDED * VIEW_SIDE + middle
        floor = (self._floor - np.array([pose.x, pose.y])) @ inverse.T + middle
        view[3] = 64
        for polygon, mark in ((floor, 0), (whole, 128), (top, 255)):
            cv2.fillConvexPoly(view[3], np.round(polygon * 16).astype(np.int32), mark, cv2.LINE_8, 4)
        return view

    @property
    def lit(self) -> Picture:
        """What of `solid` no shadow can be."""
        return np.asarray(self.solid > self.shade, np.uint8)

    def is_dark(self, one: Explained) -> bool:
        """Whether a face is no brighter than the felt would be there, so that its sides may look like shadow."""
        frame = np.array([one.pose], np.float32)
        plain = 0.1 if one.verdict.contrast > 0 else 0.9
        face = quantile(sample(self.field, frame[:, :2], axes_of(frame)).ravel(), plain)
        h, w = self._light.shape
        felt = self._light[int(np.clip(one.pose.y / 2, 0, h - 1)), int(np.clip(one.pose.x / 2, 0, w - 1))]
        return face < 1.15 * float(felt)

    def hats(self) -> Iterator[Floats]:
        """Fields (h, w) float32 without the edges of shadows and without gleams.

        How much darker, then how much lighter than the light round it anything as narrow as a pip is, as a share of
        that light.
        """
        block = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(_NARROW * self.wh_side) | 1,) * 2)
        closed = cv2.morphologyEx(self.field, cv2.MORPH_CLOSE, block)
        for light in (closed, cv2.morphologyEx(self.field, cv2.MORPH_OPEN, block)):
            yield np.asarray(128 * (self.field - light) / (closed + 10), np.float32)

    def colours(self) -> Iterator[Floats]:
        """Fields (h, w) float32 in which pips may stand out that grey does not show: red on beige, gold on green."""
        for channel in (1, 2, 0):
            yield self._fine[..., channel].astype(np.float32)

    def tints(self) -> Iterator[tuple[int, Floats]]:
        """The TINTS and their fields (h, w) float32: a face that mirrors a lamp is of its colour, its pips are not."""
        for number, channel in TINTS.items():
            yield number, tint(self._fine, channel)

    def clearest_channel(self, one: Explained, templates: Templates) -> int:
        """The channel in which the pips of a face stand out far more than in grey, or GREY."""
        frame = np.array([one.pose], np.float32)
        centres, axes = frame[:, :2], axes_of(frame)
        grey, colours = sample(self.field, centres, axes), sample(self._fine, centres, axes)[0]
        fits, contrasts = templates.explain(np.vstack([grey, colours.T.astype(np.float32)]))
        found = fits.argmax(1)
        strength = np.abs(contrasts[np.arange(4), found])
        strength[1:][templates.values[found[1:]] != one.verdict.value] = 0
        best = int(strength[1:].argmax())
        return best if strength[1 + best] > _CLEARER * strength[0] else GREY

    @property
    def wh_side(self) -> float:
        """Side of a die in patch pixels."""
        return self._die_mm * self.per_mm

    def to_image(self, patch_px: Floats) -> Floats:
        """Pixels of the image (N, 2) of patch pixels (N, 2) on the plane of the top faces."""
        mm = (np.asarray(patch_px, np.float64) + 0.5) / self.per_mm + self.origin
        return self._table.project(np.column_stack([mm, np.full(len(mm), self._die_mm)]))

    def excess(self, whole: Picture) -> int:
        """Pixels of `solid` in the largest part that lies beyond the outlines drawn in `whole` and is no shadow.

        Strips of one pixel along an outline are blur and rounded edges, and do not count.
        """
        grown: Picture = cv2.dilate(whole, np.ones((3, 3), np.uint8))
        beyond = self.solid & (1 - grown) & (1 - self.shade)
        beyond = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(beyond, connectivity=8)
        return int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0

    def is_part(self, faces: Sequence[Face], most: float) -> bool:
        """Whether the thing lies within the outlines of dice, up to a part of an area `most`, in faces of a die.

        faces: their top faces, found in other things.
        """
        whole: Picture = np.zeros_like(self.solid)
        for face in faces:
            x, y = (face.corners_mm.mean(0) - self.origin) * self.per_mm - 0.5
            edge = face.corners_mm[1] - face.corners_mm[0]
            pose = Pose(float(x), float(y), float(np.arctan2(edge[1], edge[0])), self.wh_side)
            cv2.fillConvexPoly(whole, np.round(self.outline(pose)).astype(np.int32), 1)
        within = any(
            2 * cv2.countNonZero(cv2.min(mask, whole)) > cv2.countNonZero(mask) for mask in (self.solid, self.lit)
        )
        return within and self.excess(whole) < most * (self.wh_side / 2) ** 2

    def top(self, pose: Pose) -> Floats:
        """The outline of a top face, in pixels of `solid`."""
        return np.asarray((_ring(pose) + 0.5) / 2 - 0.5, np.float32)

    def outline(self, pose: Pose) -> Floats:
        """The outline of a die under a top face, convex, in pixels of `solid`."""
        top = _ring(pose)
        eye = (self._table.eye_mm[:2] - self.origin) * self.per_mm - 0.5
        height = self._table.eye_mm[2]
        foot = eye + (top - eye) * (height - self._die_mm) / (height - 0.12 * self._die_mm)
        both = np.vstack([top, foot]).astype(np.float32)
        return ((cv2.convexHull(both).reshape(-1, 2) + 0.5) / 2 - 0.5).astype(np.float32)


def _filled(mask: Picture) -> Picture:
    """A mask without its holes."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled: Picture = np.zeros_like(mask)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return filled


def _touching(mask: Picture, own: Picture) -> Picture:
    """The connected parts of a mask that share a pixel with `own`: others reach in from things of their own."""
    count, labels = cv2.connectedComponents(mask, connectivity=8)
    if count <= 2:
        return mask
    kept = np.zeros(count, np.uint8)
    kept[np.unique(labels[(own > 0) & (mask > 0)])] = 1
    kept[0] = 0
    return np.asarray(kept[labels], np.uint8)


_ROUNDED = np.array(
    [(x, y) for x, y in ((0.5, 0.34), (0.34, 0.5), (-0.34, 0.5), (-0.5, 0.34))]
    + [(-0.5, -0.34), (-0.34, -0.5), (0.34, -0.5), (0.5, -0.34)]
)


def _ring(pose: Pose) -> Floats:
    """The outline of a top face, (8, 2) patch pixels."""
    cos, sin = np.cos(pose.turn), np.sin(pose.turn)
    return np.asarray(_ROUNDED @ np.array([[cos, sin], [-sin, cos]]) * pose.side + np.array([pose.x, pose.y]))


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


def sharpness(patch: Patch) -> tuple[float, float]:
    """How steep the edges in a thing are for its contrast, and how steep the least steep way against the steepest.

    The first is low out of focus, the second when the thing moved while the shutter was open: edges across the way
    that it went are smeared, those along it are not.
    """
    grey = cv2.cvtColor(patch.bgr, cv2.COLOR_BGR2GRAY)
    solid = cv2.resize(patch.solid, patch.wh, interpolation=cv2.INTER_NEAREST)
    inside = cv2.erode(solid, np.ones((5, 5), np.uint8)).astype(bool)
    if inside.sum() < 50:
        return 1.0, 1.0
    gx, gy = (cv2.Sobel(grey, cv2.CV_32F, x, 1 - x) for x in (1, 0))
    lit = grey[solid.astype(bool)]
    spread = quantile(lit, 0.95) - quantile(lit, 0.05) + 8.0
    steep = quantile(np.hypot(gx[inside], gy[inside]), 0.95) / (8 * spread)
    outline = cv2.dilate(solid, np.ones((3, 3), np.uint8)).astype(bool)
    gx, gy = gx[outline][::2], gy[outline][::2]
    ways = [quantile(np.abs(gx * np.cos(way) + gy * np.sin(way)), 0.95) for way in np.arange(8) * np.pi / 8]
    return steep, min(ways) / max(*ways, 1.0)


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
