"""One thing on the felt looked at closely: rectified to the plane of the top faces, with what differs from the felt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture
from terminal.vision.crops import GREY, TINTS, tint
from terminal.vision.pips import Explained, Pose, Templates, axes_of, quantile, sample
from terminal.vision.things import BLOCK, Thing
from terminal.vision.tray import Felt, Scene, difference

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
        reference = np.asarray(cv2.LUT(empty, scene.curve), np.float32)
        picture = cv2.resize(self.bgr, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        differs, factor = difference(picture, reference, felt.params)
        mask: Picture = (differs > scene.limit).astype(np.uint8)
        # Shadows of several lamps take another share of each colour, but none makes any colour brighter.
        self.shade = np.asarray((picture < 1.05 * reference + 3).all(2), np.uint8)
        dim: Picture = (factor < felt.params.dim_factor).astype(np.uint8)
        in_box = (pixels - np.array([felt.x0, felt.y0]) + 0.5) / step - 0.5 - np.array([x, y])
        to_own = cv2.getPerspectiveTransform(in_box.astype(np.float32), half_ends)
        own = cv2.warpPerspective(thing.mask, to_own, half, None, cv2.INTER_NEAREST)
        self.solid = _touching(_filled(cv2.morphologyEx(mask, cv2.MORPH_OPEN, BLOCK)), own)
        # A dark die and the shadow beside it are both just darker than felt: together they bound where it can lie.
        either = cv2.morphologyEx(cv2.max(mask, dim), cv2.MORPH_CLOSE, BLOCK)
        either = cv2.morphologyEx(either, cv2.MORPH_OPEN, BLOCK)
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

    def is_part(self, tops_mm: Sequence[Floats], most: float) -> bool:
        """Whether the thing lies within the outlines of dice, up to a part of an area `most`, in faces of a die.

        tops_mm: (4, 2) corners of their top faces each, found in other things.
        """
        whole: Picture = np.zeros_like(self.solid)
        for top in tops_mm:
            x, y = (top.mean(0) - self.origin) * self.per_mm - 0.5
            edge = top[1] - top[0]
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
