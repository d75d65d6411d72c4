"""Where the felt is, and what lies on it: the geometry of a calibrated table and its empty felt as background."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats, Picture
from terminal.vision.params import Calibration, Params


class Scene(NamedTuple):
    """The felt in one picture, at 1/felt_step of its size.

    mask: (h, w) uint8, 1 where something lies. reference: (h, w, 3), the empty felt as it was kept, from which
    `Felt.to_reference` leads; gain: (3,), this picture's light against it.
    limit: the difference in grey levels from which on something lies. light: the felt's median grey.
    burnt: share of the felt that is white. factor: (h, w), the light each pixel would have were it felt, 1 is usual.
    """

    mask: Picture
    factor: Floats
    reference: Picture
    gain: Floats
    limit: float
    light: float
    burnt: float


class Table:
    """A calibration made ready for pictures of one size: projections and the felt's region.

    Made once per reader; every method is pure.
    """

    def __init__(self, calibration: Calibration, wh: tuple[int, int]) -> None:
        self.calibration = calibration
        self.wh = wh
        scale = wh[0] / calibration.image_wh[0]
        camera = calibration.camera.copy()
        # The centre of the first pixel is (0, 0), so a picture's edge lies at -0.5 and that is what scales.
        camera[:2] *= scale
        camera[:2, 2] += 0.5 * scale - 0.5
        self._camera = camera
        self._rvec = cv2.Rodrigues(calibration.rotation)[0]
        self.eye_mm = (-calibration.rotation.T @ calibration.shift_mm).astype(np.float64)

    def project(self, points_mm: NDArray[np.floating]) -> Floats:
        """Pixels (N, 2) of world points (N, 3)."""
        c = self.calibration
        points = np.ascontiguousarray(points_mm, np.float64).reshape(-1, 1, 3)
        pixels, _ = cv2.projectPoints(points, self._rvec, c.shift_mm, self._camera, c.distortion)
        return pixels.reshape(-1, 2).astype(np.float32)

    def at_height(self, pixels: NDArray[np.floating], z_mm: float) -> Floats:
        """World x, y (N, 2) of pixels (N, 2) that show something at height z_mm."""
        c = self.calibration
        points = np.ascontiguousarray(pixels, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self._camera, c.distortion).reshape(-1, 2)
        world = np.column_stack([rays, np.ones(len(rays))]) @ c.rotation
        along = (z_mm - self.eye_mm[2]) / world[:, 2]
        return np.asarray(self.eye_mm[:2] + along[:, None] * world[:, :2], np.float32)

    def region(self, height_mm: float, margin_mm: float = 0.0) -> Picture:
        """Mask (H, W) uint8 of where something that stands on the felt, height_mm tall, can be seen."""
        mask = np.zeros((self.wh[1], self.wh[0]), np.uint8)
        floor = self.calibration.floor_mm
        centre = floor.mean(0)
        out = floor + margin_mm * (floor - centre) / np.linalg.norm(floor - centre, axis=1, keepdims=True)
        for z in (0.0, height_mm):
            pixels = self.project(np.column_stack([out, np.full(len(out), z)]))
            cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], 255)
        return mask


class Felt:
    """The empty felt of one table, and what differs from it in a picture.

    A pixel is felt when it is the reference times one factor for all three channels: shadows and lamps change the
    factor, things change the colour or lie far outside the factor's range. What is left over is compared with noise.
    """

    def __init__(self, table: Table, die_mm: float, params: Params) -> None:
        self.table = table
        self.params = params
        self.die_mm = die_mm
        mask = table.region(self.die_mm)
        step = params.felt_step
        x, y, w, h = cv2.boundingRect(mask)
        self.x0, self.y0 = x // step * step, y // step * step
        self.wh = (-(-(x + w - self.x0) // step), -(-(y + h - self.y0) // step))
        self.mask = self._small(mask[..., None])[..., 0] > 127
        inner = cv2.erode(np.pad(self.mask.astype(np.uint8), 1), np.ones((5, 5), np.uint8))[1:-1, 1:-1]
        self.edge = self.mask & (inner == 0)
        self._some = np.flatnonzero(self.mask.ravel())[:: params.felt_every]
        self.area_px = int(self.mask.sum())
        corners = np.array([[0, 0], [self.wh[0], 0], [self.wh[0], self.wh[1]], [0, self.wh[1]]], np.float32) * step
        world = table.at_height(corners + np.array([self.x0, self.y0]), 0.0)
        self.mm_per_px = float(np.sqrt(cv2.contourArea(world) / (self.wh[0] * self.wh[1])))
        self.reference = self._reference()

    def _small(self, image: Picture) -> Picture:
        step = self.params.felt_step
        part = image[self.y0 : self.y0 + self.wh[1] * step, self.x0 : self.x0 + self.wh[0] * step]
        small = cv2.resize(part, self.wh, interpolation=cv2.INTER_AREA)
        return small.reshape(self.wh[1], self.wh[0], -1)

    def _reference(self) -> Floats | None:
        """The empty felt at the small size, (h, w, 3) float32."""
        felt = self.table.calibration.felt_bgr
        if felt is None:
            return None
        ys, xs = np.mgrid[: self.wh[1], : self.wh[0]].astype(np.float32)
        step = self.params.felt_step
        pixels = (np.stack([xs, ys], -1) + 0.5) * step - 0.5 + np.array([self.x0, self.y0], np.float32)
        total = np.zeros((self.wh[1], self.wh[0], 3), np.float32)
        for shift in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            # The mean over the four quarters of a pixel: no blur moves the felt's pattern then.
            quarter = pixels + np.array(shift, np.float32) * step / 4
            maps = self.to_reference(quarter.reshape(-1, 2)).reshape(self.wh[1], self.wh[0], 2)
            total += cv2.remap(felt, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
        return np.asarray(total / 4, np.float32)

    def to_reference(self, pixels: Floats) -> Floats:
        """Pixels (N, 2) of `Scene.reference` for pixels of the picture."""
        c = self.table.calibration
        if c.felt_bgr is None:
            xy, scale = np.array([self.x0, self.y0], np.float32), float(self.params.felt_step)
        else:
            ratio = self.table.wh[0] / c.image_wh[0]
            xy, scale = np.array(c.felt_xy, np.float32) * ratio, c.felt_step * ratio
        return np.asarray((pixels - xy + 0.5) / scale - 0.5, np.float32)

    def look(self, image: Picture) -> Scene:
        """What lies on the felt of a picture (H, W, 3) uint8 BGR."""
        small = self._small(image)
        picture = small.astype(np.float32)
        sampled = picture.reshape(-1, 3)[self._some]
        light = sampled.mean(1)
        gain = np.ones(3, np.float32)
        kept = self.table.calibration.felt_bgr
        if self.reference is None or kept is None:
            kept = np.asarray(cv2.medianBlur(small, self.params.felt_median | 1), np.uint8)
            reference = kept.astype(np.float32)
        else:
            usual = self.reference.reshape(-1, 3)[self._some]
            gain = np.median((sampled + 2) / (usual + 2), 0).astype(np.float32)
            reference = np.minimum(self.reference * gain, 255)
        differs, factor = difference(picture, reference, self.params)
        noise = float(np.median(differs.reshape(-1)[self._some]))
        limit = max(self.params.differs_least, self.params.differs_noise * noise)
        mask = ((differs > limit) & self.mask).astype(np.uint8)
        return Scene(mask, factor, kept, gain, limit, float(np.median(light)), float((light > 250).mean()))


def difference(picture: Floats, reference: Floats, params: Params) -> tuple[Floats, Floats]:
    """How far each pixel (h, w) is from its reference times the best factor allowed, in grey levels; that factor."""
    squared = cv2.transform(reference * reference, _SUM).reshape(picture.shape[:2])
    along = cv2.transform(picture * reference, _SUM).reshape(picture.shape[:2])
    factor = np.clip(along / (squared + 30), params.shadow_factor, params.light_factor)
    rest = picture - reference * factor[..., None]
    return np.sqrt(cv2.transform(rest * rest, _SUM).reshape(picture.shape[:2])), factor


_SUM = np.ones((1, 3), np.float32)


def find_octagon(image: Picture, thorough: bool = False) -> Floats | None:
    """The felt's outline in a picture (H, W, 3): (8, 2) float32 pixels in order round it, or None where no tray is.

    The lined walls have the felt's colour, so what is found is the inner edge of the rim's top, wall_mm above the felt.
    Found by the felt's colour; where that is too much like the wood, and `thorough`, by edges: for pictures that are
    known to show a tray from above.
    """
    scale = 320 / max(image.shape[:2])
    if scale > 1:
        return None
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    octagon = _by_colour(lab)
    edges = _edges(lab)
    if octagon is None and thorough:
        octagon = _by_edges(edges)
    if octagon is None:
        return None
    return np.asarray((_inner(octagon, edges) + 0.5) / scale - 0.5, np.float32)


def _by_colour(lab: Floats) -> Floats | None:
    """The most regular octagon of one colour round the picture's middle."""
    h, w = lab.shape[:2]
    best: Floats | None = None
    best_error = 0.02
    for cx, cy in ((0.5, 0.5), (0.4, 0.4), (0.6, 0.4), (0.4, 0.6), (0.6, 0.6)):
        x, y, reach = round(cx * w), round(cy * h), round(0.07 * w)
        seed = np.median(lab[y - reach : y + reach, x - reach : x + reach].reshape(-1, 3), 0)
        for light in (0.1, 0.4):
            away = np.sqrt((((lab - seed) ** 2) * np.array([light, 1, 1])).sum(-1))
            grey = np.clip(4 * away, 0, 255).astype(np.uint8)
            usual, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
            for share in (1.0, 0.75, 1.3):
                mask = ((grey <= usual * share) * 255).astype(np.uint8)
                mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
                octagon, error = _octagon_of(mask, (x, y))
                if octagon is not None and error < best_error:
                    best, best_error = octagon, error
            if best_error < 0.008:
                break
        if best is not None:
            break
    return best


_ALONG = np.linspace(0.12, 0.88, 16)  # places on a side at which its edge is looked for
_CLEAR = 3.0  # times the picture's usual edge


def _edges(lab: Floats) -> Floats:
    """How colours change at each pixel (h, w, 3): the tensor's xx, xy and yy, as shares of the picture's median."""
    gx, gy = (cv2.Sobel(lab, cv2.CV_32F, x, 1 - x) for x in (1, 0))
    tensor = np.stack([(gx * gx).sum(-1), (gx * gy).sum(-1), (gy * gy).sum(-1)], -1)
    return np.asarray(tensor / max(float(np.median(tensor[..., 0] + tensor[..., 2])), 1e-3), np.float32)


def _steepness(edges: Floats, octagons: Floats, share: float = 0.5) -> Floats:
    """The edge along each side (N, 8) of octagons (N, 8, 2), in the picture's usual edge: what all but a share of 16
    places on it exceed.
    """
    ahead = np.roll(octagons, -1, 1) - octagons
    places = octagons[:, :, None] + ahead[:, :, None] * _ALONG[:, None]
    maps = places.reshape(len(octagons), -1, 2).astype(np.float32)
    seen = cv2.remap(edges, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    xx, xy, yy = np.moveaxis(seen, -1, 0).reshape(3, *places.shape[:3])
    normal = np.stack([-ahead[..., 1], ahead[..., 0]], -1) / np.maximum(np.linalg.norm(ahead, axis=-1), 1e-6)[..., None]
    nx, ny = normal[..., :1], normal[..., 1:]
    steep = np.sort(np.maximum(nx * nx * xx + 2 * nx * ny * xy + ny * ny * yy, 0), -1)
    return np.asarray(np.sqrt(steep[..., round(share * (len(_ALONG) - 1))]), np.float32)


def _by_edges(edges: Floats) -> Floats | None:
    """The octagon whose eight sides are the clearest edges, seen from about above."""
    h, w = edges.shape[:2]
    middles = np.stack(np.meshgrid(np.linspace(-0.1, 0.1, 7) * w, np.linspace(-0.1, 0.1, 7) * w), -1).reshape(-1, 2)
    middles = middles + np.array([w - 1, h - 1]) / 2
    sizes = np.arange(0.26, 0.49, 0.01) * h
    tried = []
    for turn in np.arange(0, np.pi / 4, np.pi / 60):
        cos, sin = np.cos(turn), np.sin(turn)
        ring = _regular(1.0) @ np.array([[cos, sin], [-sin, cos]])
        octagons = (middles[:, None, None] + sizes[None, :, None, None] * ring).reshape(-1, 8, 2)
        score = _clearness(edges, octagons)
        tried += [(float(score[index]), octagons[index]) for index in np.argsort(-score)[:4]]
    found = [_fitted(edges, octagon, 0.03) for _, octagon in sorted(tried, key=lambda one: -one[0])[:8]]
    best = max(found, key=lambda octagon: _clearness(edges, octagon[None])[0])
    # One side may be hidden; an edge that only crosses a side is clear for a part of it.
    return best if np.sort(_steepness(edges, best[None], 0.2)[0])[1] > 0.6 * _CLEAR else None


def _clearness(edges: Floats, octagons: Floats) -> Floats:
    """How clear all sides of octagons (N, 8, 2) are, (N,); a very clear one counts no more than a clear one."""
    return np.asarray(np.minimum(_steepness(edges, octagons), 3 * _CLEAR).mean(1))


def _fitted(edges: Floats, octagon: Floats, reach: float) -> Floats:
    """An octagon moved, turned, grown and tilted to where its sides are clearest, by a few times `reach` widths."""
    size = float(np.sqrt(cv2.contourArea(octagon.astype(np.float32))))
    middle = octagon.mean(0)
    ring = (octagon - middle) / size
    state, step = np.zeros(6), np.full(6, reach)
    while step[0] > 0.001:
        tried = np.concatenate([state[None], state + np.diag(step), state - np.diag(step)])
        x, y, grown, turned, tilt_x, tilt_y = tried.T[:, :, None]
        across, down = ring[:, 0] - turned * ring[:, 1], ring[:, 1] + turned * ring[:, 0]
        share = (1 + grown) / (1 + tilt_x * ring[:, 0] + tilt_y * ring[:, 1])
        moved = np.stack([across * share + x, down * share + y], -1) * size + middle
        clear = _clearness(edges, moved)
        best = int(clear.argmax())
        if clear[best] > clear[0]:
            state = tried[best]
        else:
            step = step / 2
            result = moved[0]
    return np.asarray(result, np.float32)


def _inner(octagon: Floats, edges: Floats) -> Floats:
    """The felt's outline, where an octagon is the rim's outer edge; else the octagon itself."""
    middle = octagon.mean(0)

    def steepness(scales: NDArray[np.float64]) -> Floats:
        octagons = middle + scales[:, None, None] * (octagon - middle)
        return np.asarray(np.median(_steepness(edges, octagons), 1), np.float32)

    if steepness(np.arange(1.07, 1.23, 0.01)).max() > _CLEAR / 2:
        return octagon  # the rim lies round it
    scales = np.arange(0.97, 0.79, -0.01)
    strong = steepness(scales)
    for before, here, after, scale in zip(strong, strong[1:], strong[2:], scales[1:], strict=False):
        if here > _CLEAR and before <= here >= after:
            return _fitted(edges, np.asarray(middle + scale * (octagon - middle), np.float32), 0.006)
    return octagon


_NONE: tuple[None, float] = (None, np.inf)


def _octagon_of(mask: Picture, seed: tuple[int, int]) -> tuple[Floats, float] | tuple[None, float]:
    """The octagon that the part of a mask round `seed` makes, and how far it is from a regular one seen from somewhere.

    It must fill its hull and have eight sides. The error is in octagon widths.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = [one for one in contours if cv2.pointPolygonTest(one, seed, False) >= 0]
    if not around:
        return _NONE
    contour = max(around, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area, full = cv2.contourArea(contour), cv2.contourArea(hull)
    x, y, w, h = cv2.boundingRect(hull)
    if full < 0.1 * mask.size or area < 0.93 * full:
        return _NONE
    if x <= 0 or y <= 0 or x + w >= mask.shape[1] or y + h >= mask.shape[0]:
        return _NONE
    around_px = cv2.arcLength(hull, True)
    for share in np.arange(0.008, 0.05, 0.002):
        corners = cv2.approxPolyDP(hull, share * around_px, True).reshape(-1, 2).astype(np.float32)
        if len(corners) <= 8:
            break
    if len(corners) != 8:
        return _NONE
    octagon = _straightened(corners, contour.reshape(-1, 2).astype(np.float32))
    if not 0.96 < cv2.contourArea(octagon) / full < 1.04:
        return _NONE
    return octagon, _irregular(octagon)


def _irregular(octagon: Floats) -> float:
    """How far an octagon (8, 2) is from a regular one seen from somewhere, in widths of it."""
    sides = np.linalg.norm(octagon - np.roll(octagon, -1, 0), axis=1)
    if sides.max() > 1.9 * sides.min():
        return np.inf
    regular = _regular(1.0)
    ordered = octagon if cv2.contourArea(octagon, True) * cv2.contourArea(regular, True) > 0 else octagon[::-1]
    warp, _ = cv2.findHomography(regular, ordered)
    if warp is None:
        return np.inf
    again = cv2.perspectiveTransform(regular.reshape(-1, 1, 2), warp).reshape(-1, 2)
    return float(np.abs(again - ordered).max() / np.sqrt(cv2.contourArea(octagon)))


def _straightened(corners: Floats, contour: Floats) -> Floats:
    """The octagon of the lines through the contour's points along each side, (8, 2)."""
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = (contour - start) @ (end - start) / max(float((end - start) @ (end - start)), 1e-6)
        normal = np.array([start[1] - end[1], end[0] - start[0]]) / max(float(np.linalg.norm(end - start)), 1e-6)
        off = np.abs((contour - start) @ normal)
        near = contour[(along > 0.12) & (along < 0.88) & (off < 4)]
        points = near if len(near) >= 6 else np.array([start, end])
        vx, vy, x0, y0 = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x0, y0, 1], [x0 + vx, y0 + vy, 1]))
    crossings = [np.cross(before, line) for before, line in zip(np.roll(lines, 1, 0), lines, strict=True)]
    return np.array([one[:2] / one[2] for one in crossings], np.float32)


def _regular(apothem: float) -> Floats:
    """Corners (8, 2) of a regular octagon round the origin."""
    turns = np.pi / 8 + np.arange(8) * np.pi / 4
    return np.asarray(np.stack([np.cos(turns), np.sin(turns)], 1) * apothem / np.cos(np.pi / 8), np.float32)


def assumed_calibration(
    octagon: Floats, wh: tuple[int, int], params: Params, lens: tuple[Floats, Floats] | None = None
) -> Calibration | None:
    """A calibration from the felt's outline alone, for a tray and a lens of the usual kind; None when it can't be.

    lens: camera matrix (3, 3) and distortion (5,), float64, where they are known.

    Absolute size comes from the usual tray, the camera's distance from the usual lens: heights above the felt, and
    so the sides of dice, are only good to some 30 %, places and sizes on the felt to some 3 %.
    """
    focal = params.focal_widths * max(wh)
    camera = np.array([[focal, 0, (wh[0] - 1) / 2], [0, focal, (wh[1] - 1) / 2], [0, 0, 1]], np.float64)
    distortion = np.zeros(5)
    if lens is not None:
        camera, distortion = lens
    world = np.column_stack([_regular(params.tray_apothem_mm), np.full(8, params.tray_wall_mm)]).astype(np.float64)
    flat = np.column_stack([world[:, :2], np.zeros(8)])
    # In pictures y points down: seen from above, the corners run the other way round.
    ordered = octagon if cv2.contourArea(octagon, True) < 0 else octagon[::-1]
    found, rvec, tvec = cv2.solvePnP(
        flat, np.ascontiguousarray(ordered, np.float64), camera, distortion, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return None
    rotation = np.asarray(cv2.Rodrigues(rvec)[0], np.float64)
    shift = tvec.ravel() - rotation[:, 2] * params.tray_wall_mm
    eye = -rotation.T @ shift
    if eye[2] < 200:
        return None
    return Calibration(
        wh,
        camera,
        distortion,
        rotation,
        shift,
        world[:, :2],
        np.asarray(_regular(params.tray_apothem_mm + params.tray_rim_mm), np.float64),
        params.tray_wall_mm,
    )
