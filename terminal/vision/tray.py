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

    mask: (h, w) uint8, 1 where something lies. reference: (h, w, 3) uint8, the empty felt as it was kept, from which
    `Felt.to_reference` leads; gain: (3,), this picture's grey levels against it; curve: see `lit`.
    limit: the difference in grey levels from which on something lies. light: the felt's median grey.
    burnt: share of the felt that is white. factor: (h, w), the light each pixel would have were it felt, 1 is usual.
    """

    mask: Picture
    factor: Floats
    reference: Picture
    gain: Floats
    curve: Floats
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

    def _reference(self) -> Picture | None:
        """The empty felt at the small size, (h, w, 3) uint8."""
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
        return np.asarray(np.round(total / 4), np.uint8)

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
        gain, more = np.ones(3, np.float32), np.ones(3, np.float32)
        kept = self.table.calibration.felt_bgr
        if self.reference is None or kept is None:
            kept = np.asarray(cv2.medianBlur(small, self.params.felt_median | 1), np.uint8)
            reference = kept
        else:
            reference = self.reference
            usual, now = (levels.reshape(-1, 3)[self._some] for levels in (reference, small))
            gain = _usual_ratio((sampled + 2) / (usual + np.float32(2)), usual)
            more = _usual_ratio((_LIGHT[now] + _LITTLE) / (_LIGHT[usual] + _LITTLE), usual)
        curve = lit(more)
        differs, factor = difference(picture, np.asarray(cv2.LUT(reference, curve), np.float32), self.params)
        noise = float(np.median(differs.reshape(-1)[self._some]))
        limit = max(self.params.differs_least, self.params.differs_noise * noise)
        mask = ((differs > limit) & self.mask).astype(np.uint8)
        return Scene(mask, factor, kept, gain, curve, limit, float(np.median(light)), float((light > 250).mean()))


def difference(picture: Floats, reference: Floats, params: Params) -> tuple[Floats, Floats]:
    """How far each pixel (h, w) is from its reference times the best factor allowed, in grey levels; that factor."""
    squared = cv2.transform(reference * reference, _SUM).reshape(picture.shape[:2])
    along = cv2.transform(picture * reference, _SUM).reshape(picture.shape[:2])
    factor = np.clip(along / (squared + 30), params.shadow_factor, params.light_factor)
    rest = picture - reference * factor[..., None]
    return np.sqrt(cv2.transform(rest * rest, _SUM).reshape(picture.shape[:2])), factor


def _usual_ratio(ratios: Floats, levels: Picture) -> Floats:
    """The median (3,) of ratios (N, 3); what is nearly black (levels (N, 3)) is noise, and hardly counts."""
    order = ratios.argsort(0)
    total = np.take_along_axis(np.minimum(levels, _PLAIN).astype(np.float32) ** 2 + 1, order, 0).cumsum(0)
    middle = (total < total[-1] / 2).sum(0)
    return np.asarray(np.take_along_axis(ratios, np.take_along_axis(order, middle[None], 0), 0)[0], np.float32)


_PLAIN = 40  # grey level from which on noise is little against the light


def lit(more: NDArray[np.floating]) -> Floats:
    """What each grey level of each channel becomes in so many times (3,) the light: (1, 256, 3) float32, for `cv2.LUT`.

    A camera multiplies light, and its tone curve (IEC 61966-2-1) comes after that: chalk dust and a light pattern get
    other shares of brightness than the felt round them.
    """
    light = np.minimum(_LIGHT[:, None] * np.asarray(more, np.float32), 1.0)
    levels = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(255 * levels, np.float32)[None]


_LEVELS = np.arange(256, dtype=np.float32) / 255
_LIGHT = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)
_LITTLE = float(_LIGHT[2])  # of light, so that noise in the dark is no gain
_SUM = np.ones((1, 3), np.float32)
