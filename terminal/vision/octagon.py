"""Where an octagonal tray stands in a picture from above, and how the camera looks at it: from the tray's own edges.

A tray shows up to three regular octagons: the outer and the inner edge of the rim's top, and below them the crease
where felt and walls meet. All stand on one axis, so together they tell how the camera looks, and none of them is easily
taken for a pattern of the felt or of the tablecloth. Where the camera is known only the tray is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats, Picture
from terminal.vision.outline import corners, outline
from terminal.vision.params import Calibration, Params

Numbers = NDArray[np.float64]


class Lens(NamedTuple):
    """A camera's matrix (3, 3) and distortion (5,), float64, for pictures of image_wh."""

    image_wh: tuple[int, int]
    camera: Numbers
    distortion: Numbers


class Pose(NamedTuple):
    """How a camera looks at the felt, z = 0: lens, rotation (3, 3) and shift (3,) in mm, world to camera."""

    lens: Lens
    rotation: Numbers
    shift_mm: Numbers


class _Limits(NamedTuple):
    """Of each number of a state: what is usual, how far from it is, what it can be, and a small step. (P,) each."""

    usual: Numbers
    spread: Numbers
    least: Numbers
    most: Numbers
    step: Numbers


class _Model(Protocol):
    """Trays as rows of numbers (states), and where their three rings are seen in pictures with a long side of `width`.

    firm: how clear each side of the rim's two edges but one must be, in the picture's usual edge.
    apart: by how much states differ that are two. shape: which numbers (P,) say how the tray is made, not where it
    stands. hops: steps (N, P) from a tray to others that look a little like it.
    """

    limits: _Limits
    width: int
    firm: float
    apart: Numbers
    shape: NDArray[np.bool_]
    hops: Numbers

    def rings(self, states: Numbers, points: Numbers) -> Floats:
        """Pixels (N, 3, M, 2) of points (M, 2) on a regular octagon of apothem 1, on each ring of N trays (N, P)."""
        ...

    def sizes(self, states: Numbers) -> Numbers:
        """(N,) how large the rims are."""
        ...

    def starts(self, edges: Floats) -> list[Numbers]:
        """States (P,) at which to begin, best first, by the edges of a small picture, in which what is a little off
        still counts.
        """
        ...

    def calibration(self, state: Numbers) -> Calibration:
        """What a state says."""
        ...


def find_tray(image: Picture, params: Params) -> Calibration | None:
    """The tray in a picture (H, W, 3) uint8 BGR of it, empty and from above; None where there is none.

    Its absolute size is that of the usual tray: places and sizes on the felt are good to some 3 % of each other,
    heights and the camera's distance, which a slanted view tells a little, to some 20 %. Takes seconds.
    """
    wh = (image.shape[1], image.shape[0])
    if max(wh) < _MIDDLE_PX:
        return None
    model = _Unknown(params, wh)
    octagon = outline(_lab(image, _MIDDLE_PX))
    return _found(image, model, [] if octagon is None else model.seen_as(_scaled(octagon, max(wh) / _MIDDLE_PX)))


def find_tray_from(image: Picture, params: Params, pose: Pose) -> Calibration | None:
    """The same where it is known how the camera looks at the felt: all lengths are true then."""
    return _found(image, _Known(params, pose), [])


def find_outline(image: Picture, params: Params) -> Floats | None:
    """The felt's outline in a photograph (H, W, 3) uint8 BGR that may show a tray: (8, 2) pixels in order round it, or
    None where no felt of one colour has eight sides.

    The lined walls have the felt's colour, so this is the inner edge of the rim's top.
    """
    if max(image.shape[:2]) < _MIDDLE_PX:
        return None
    octagon = outline(_lab(image, _MIDDLE_PX))
    if octagon is None:
        return None
    scale = _MIDDLE_PX / max(image.shape[:2])
    edges = _edges(image, _MIDDLE_PX)
    model = _Unknown(params, (image.shape[1], image.shape[0]))
    near = [_settled(edges, model, state, _FAR) for state in model.seen_as(_scaled(octagon, 1 / scale))]
    scores = _score(edges, model, np.stack(near))
    inner = model.rings(near[int(scores.argmax())][None], corners())[0, 1]
    return np.asarray(inner, np.float32)


def usual_lens(wh: tuple[int, int], params: Params) -> Lens:
    """The lens that is assumed where nothing tells."""
    focal = params.focal_widths * max(wh)
    camera = np.array([[focal, 0, (wh[0] - 1) / 2], [0, focal, (wh[1] - 1) / 2], [0, 0, 1]], np.float64)
    return Lens(wh, camera, np.zeros(5))


_COARSE_PX, _MIDDLE_PX, _FINE_PX = 160, 320, 960  # long sides in which a picture is looked at
# How far from where a ring is thought its edge is looked for, in apothems, one look after another.
_FAR = (0.06, 0.04, 0.03, 0.03, 0.02, 0.02, 0.015, 0.01, 0.01)
_NEAR = (0.02, 0.015, 0.01, 0.008, 0.006, 0.005)
_STARTS = 60  # trays by the small picture that are looked at in the middle one
_TRIED = 40  # of these, in the large one
_HOPS_MOST = 6
_LIKE_MOST = 0.55  # likeness of a rim to the felt inside it


def _found(image: Picture, model: _Model, starts: list[Numbers]) -> Calibration | None:
    """The likeliest tray: of many starts the best, then on to what looks a little like it till nothing is better."""
    coarse = cv2.GaussianBlur(_edges(image, _COARSE_PX), (0, 0), 1.5)
    middle, fine, lab = _edges(image, _MIDDLE_PX), _edges(image, _FINE_PX), _lab(image, _MIDDLE_PX)

    def likely(edges: Floats, state: Numbers) -> float:
        return float(_score(edges, model, state[None])[0]) - _LIKE * _likeness(lab, model, state)

    def settled(states: Iterable[Numbers]) -> list[tuple[float, Numbers]]:
        """Trays near some states, best first, with how likely they are."""
        near = [_settled(middle, model, state, _FAR) for state in states]
        near = _unlike([(likely(middle, one), one) for one in near], 0.3 * model.apart, _TRIED)
        found = [_settled(fine, model, one, _NEAR) for one in near]
        return sorted(((likely(fine, one), one) for one in found), key=lambda one: -one[0])

    searched = sorted(model.starts(coarse), key=lambda one: -likely(coarse, one))
    best, state = settled([*starts, *searched[:_STARTS]])[0]
    for _ in range(_HOPS_MOST):
        next_, other = settled(np.where(model.shape, model.limits.usual, state) + hop for hop in model.hops)[0]
        if next_ < best + 0.01:
            break
        best, state = next_, other
    rings = _scaled(model.rings(state[None], corners())[0, :2], max(fine.shape[:2]) / model.width)
    second = np.sort(_steepness(fine, rings), 1)[:, 1].min()  # one side may be hidden
    return model.calibration(state) if second > model.firm and _likeness(lab, model, state) < _LIKE_MOST else None


def _seen(lens: Lens, points: Numbers, focal: Numbers | None = None) -> Floats:
    """Pixels of points (N, ..., 3) in the camera's frame; focal: (N,), else the lens's own."""
    k1, k2, p1, p2, k3 = lens.distortion[:5]
    x, y = np.moveaxis(points[..., :2] / np.maximum(points[..., 2:], 1e-6), -1, 0)
    squared = x * x + y * y
    radial = 1 + squared * (k1 + squared * (k2 + squared * k3))
    x, y = (
        x * radial + 2 * p1 * x * y + p2 * (squared + 2 * x * x),
        y * radial + p1 * (squared + 2 * y * y) + 2 * p2 * x * y,
    )
    zoom = np.ones(len(points)) if focal is None else focal / lens.camera[0, 0]
    zoom = zoom.reshape(-1, *[1] * (points.ndim - 2))
    matrix = lens.camera
    return np.stack([x * zoom * matrix[0, 0] + matrix[0, 2], y * zoom * matrix[1, 1] + matrix[1, 2]], -1).astype(
        np.float32
    )


def _hops(numbers: int, aside: float, sizes: dict[int, tuple[float, ...]], turn: int) -> Numbers:
    """Steps (N, P): the middle up to twice `aside` away, each of some numbers either way, and the turn all round."""
    steps = [(at, sign * size) for at, some in sizes.items() for size in some for sign in (1, -1)]
    steps += [(turn, step * np.pi / 40) for step in range(1, 10)]
    hops = np.zeros((len(steps), numbers))
    for row, (at, size) in enumerate(steps):
        hops[row, at] = size
    places = np.stack(np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)), -1).reshape(-1, 2) * aside
    return np.concatenate([hops, np.column_stack([places, np.zeros((len(places), numbers - 2))])])


class _Unknown:
    """A tray under a camera of which nothing is known.

    A state: where the middle of its rim is and how large the rim's apothem (picture widths, from the picture's middle),
    its turn, the camera's tilt about x and y (radians); as shares of the felt's apothem how much wider the rim's inner
    edge is, the rim's width and the wall's height; the focal length against the usual one, as a logarithm.
    """

    limits = _Limits(
        np.array([0, 0, 0.33, 0, 0, 0, 0.025, 0.1, 0.19, 0]),
        np.array([0.3, 0.3, 0.6, 9, 0.25, 0.25, 0.02, 0.035, 0.04, 0.25]),
        np.array([-0.4, -0.4, 0.1, -9, -0.5, -0.5, -0.005, 0.03, 0.08, -0.8]),
        np.array([0.4, 0.4, 0.7, 9, 0.5, 0.5, 0.07, 0.2, 0.35, 0.5]),
        np.array([0.001, 0.001, 0.001, 0.002, 0.005, 0.005, 0.001, 0.002, 0.003, 0.01]),
    )

    firm = 3.0  # of 26 rendered tables those that were not found right had up to 2.7, the others 3.2 and more
    apart = np.array([0.02, 0.02, 0.01, 0.05, 0.1, 0.1, 9, 0.03, 9, 9])
    shape = np.arange(10) >= 6
    hops = _hops(10, 0.02, {2: (0.02, 0.04), 4: (0.07, 0.14), 5: (0.07, 0.14)}, 3)

    def __init__(self, params: Params, wh: tuple[int, int]) -> None:
        self._params, self._lens = params, usual_lens(wh, params)
        self.width = max(wh)

    def _pose(self, states: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Rotations (N, 3, 3), shifts (N, 3) from the middle of the rim, whose apothem is 1, and focal lengths (N,)."""
        x, y, size, turn, about_x, about_y = states.T[:6]
        focal = self._lens.camera[0, 0] * np.exp(states[:, 9])
        zero, one = np.zeros_like(x), np.ones_like(x)
        cos, sin = np.cos(turn), np.sin(turn)
        # Seen from above the world's y axis points up in the picture.
        turned = np.stack([cos, -sin, zero, -sin, -cos, zero, zero, zero, -one], -1).reshape(-1, 3, 3)
        ca, sa, cb, sb = np.cos(about_x), np.sin(about_x), np.cos(about_y), np.sin(about_y)
        tilted = np.stack([cb, sa * sb, ca * sb, zero, ca, -sa, -sb, sa * cb, ca * cb], -1).reshape(-1, 3, 3)
        place = np.stack([x, y], -1) * self.width + (np.array(self._lens.image_wh) - 1) / 2 - self._lens.camera[:2, 2]
        far = focal / (size * self.width)
        return tilted @ turned, np.column_stack([place / focal[:, None], one]) * far[:, None], focal

    def rings(self, states: Numbers, points: Numbers) -> Floats:
        rotation, shift, focal = self._pose(states)
        flare, rim, wall = states.T[6:9]
        outer = 1 + flare + rim
        sizes = np.stack([np.ones_like(outer), (1 + flare) / outer, 1 / outer], 1)
        heights = np.stack([np.zeros_like(outer), np.zeros_like(outer), -wall / outer], 1)
        there = _ringed(sizes, heights, points)
        return _seen(self._lens, np.einsum("nij,nrmj->nrmi", rotation, there) + shift[:, None, None], focal)

    def sizes(self, states: Numbers) -> Numbers:
        return np.asarray(states[:, 2], np.float64)

    def starts(self, edges: Floats) -> list[Numbers]:
        middles = np.stack(np.meshgrid(np.linspace(-0.12, 0.12, 9), np.linspace(-0.12, 0.12, 9)), -1).reshape(-1, 2)
        sizes = np.geomspace(0.17, 0.42, 30)
        bearings = np.arange(6) * np.pi / 3
        tilts = np.concatenate([np.zeros((1, 2)), 0.16 * np.stack([np.cos(bearings), np.sin(bearings)], 1)])
        found: list[tuple[float, Numbers]] = []
        width = max(edges.shape[:2])
        for tilt in tilts:
            for turn in np.arange(0, np.pi / 4, np.pi / 60):
                states = np.repeat(self.limits.usual[None], len(sizes), 0)
                states[:, 2], states[:, 3], states[:, 4:6] = sizes, turn, tilt
                rings = _scaled(self.rings(states, corners())[:, 0], width / self.width)
                octagons = rings[None] + (middles * width)[:, None, None]
                clear = _clearness(_steepness(edges, octagons.reshape(-1, 8, 2))).reshape(len(middles), len(sizes))
                for apart in range(2, 5):
                    both = clear[:, apart:] + clear[:, :-apart] + _LARGE * np.log(sizes[apart:])
                    for index in np.argsort(-both.ravel())[:2]:
                        at, size = np.unravel_index(index, both.shape)
                        outer = states[size + apart].copy()
                        outer[:2] = middles[at]
                        outer[7] = (1 + outer[6]) * (sizes[size + apart] / sizes[size] - 1)
                        found.append((float(both[at, size]), outer))
        return _unlike(found, self.apart, 5 * _STARTS)

    def seen_as(self, octagon: Floats) -> list[Numbers]:
        """States of which one ring, each in turn, is an octagon (8, 2) in the picture (Gauss and Newton)."""
        ordered = octagon if cv2.contourArea(octagon, True) < 0 else octagon[::-1]  # seen from above, y points down
        middle = (octagon.mean(0) - (np.array(self._lens.image_wh) - 1) / 2) / self.width
        away = ordered[0] - octagon.mean(0)
        states = []
        for ring in range(3):
            state = self.limits.usual.copy()
            state[:2], state[2] = (
                middle,
                np.sqrt(cv2.contourArea(octagon) / cv2.contourArea(corners().astype(np.float32))) / self.width,
            )
            state[3] = -np.arctan2(away[1], away[0]) - np.pi / 8
            for _ in range(8):
                moved = np.concatenate([state[None], state + np.diag(self.limits.step)[:6]])
                places = self.rings(moved, corners())[:, ring].reshape(7, -1)
                slope = (places[1:] - places[0]) / self.limits.step[:6, None]
                state[:6] += np.linalg.lstsq(slope.T, ordered.ravel() - places[0], rcond=None)[0]
            states.append(np.clip(state, self.limits.least, self.limits.most))
        return states

    def calibration(self, state: Numbers) -> Calibration:
        rotations, shifts, focals = self._pose(state[None])
        rotation = rotations[0]
        flare, rim, wall = self._params.tray_apothem_mm * state[6:9]
        apothem = self._params.tray_apothem_mm
        camera = self._lens.camera.copy()
        camera[[0, 1], [0, 1]] *= focals[0] / self._lens.camera[0, 0]
        shift = shifts[0] * (apothem + flare + rim) - rotation[:, 2] * wall
        pose = Pose(self._lens._replace(camera=camera), rotation, shift)
        return _calibration(pose, apothem, apothem + flare + rim, wall)


class _Known:
    """A tray on a felt of which it is known how the camera looks at it.

    A state, mm: where its middle is; its turn, radians; the felt's apothem; how much wider the rim's inner edge is; the
    rim's width; the wall's height.
    """

    firm = 1.5
    apart = np.array([11, 11, 0.05, 5, 9, 9, 99.0])
    shape = np.arange(7) >= 4
    hops = _hops(7, 10.0, {3: (8, 16)}, 2)

    def __init__(self, params: Params, pose: Pose) -> None:
        self._pose = pose
        self.width = max(pose.lens.image_wh)
        apothem = params.tray_apothem_mm
        self.limits = _Limits(
            np.array([0, 0, 0, apothem, 4, params.tray_rim_mm, params.tray_wall_mm]),
            np.array([90, 90, 9, 60, 3, 6, 5.0]),
            np.array([-150, -150, -9, 100, -1, 5, 22.0]),
            np.array([150, 150, 9, 300, 12, 40, 70.0]),
            np.array([0.2, 0.2, 0.002, 0.2, 0.2, 0.2, 0.5]),
        )

    def rings(self, states: Numbers, points: Numbers) -> Floats:
        x, y, turn, apothem, flare, rim, wall = states.T
        sizes = np.stack([apothem + flare + rim, apothem + flare, apothem], 1)
        heights = np.stack([wall, wall, np.zeros_like(wall)], 1)
        there = _ringed(sizes, heights, points)
        cos, sin = (one(turn)[:, None, None] for one in (np.cos, np.sin))
        there = np.stack(
            [
                x[:, None, None] + cos * there[..., 0] - sin * there[..., 1],
                y[:, None, None] + sin * there[..., 0] + cos * there[..., 1],
                there[..., 2],
            ],
            -1,
        )
        return _seen(self._pose.lens, there @ self._pose.rotation.T + self._pose.shift_mm)

    def sizes(self, states: Numbers) -> Numbers:
        return np.asarray(states[:, 3:6].sum(1), np.float64)

    def starts(self, edges: Floats) -> list[Numbers]:
        away = np.linspace(-54, 54, 13)
        middles = np.stack(np.meshgrid(away, away), -1).reshape(-1, 2)
        apothems = np.geomspace(140, 240, 18)
        found: list[tuple[float, Numbers]] = []
        for turn in np.arange(0, np.pi / 4, np.pi / 48):
            states = np.repeat(self.limits.usual[None], len(middles) * len(apothems), 0)
            states[:, :2] = np.repeat(middles, len(apothems), 0)
            states[:, 3] = np.tile(apothems, len(middles))
            states[:, 2] = turn
            scores = _score(edges, self, states)
            found += [(float(scores[at]), states[at]) for at in np.argsort(-scores)[:80]]
        return _unlike(found, self.apart, 5 * _STARTS)

    def calibration(self, state: Numbers) -> Calibration:
        x, y, turn, apothem, flare, rim, wall = state
        cos, sin = np.cos(turn), np.sin(turn)
        rotation = self._pose.rotation @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        shift = self._pose.rotation @ np.array([x, y, 0]) + self._pose.shift_mm
        return _calibration(Pose(self._pose.lens, rotation, shift), apothem, apothem + flare + rim, wall)


_ERROR_MM = 3.0  # by which walls may be off that were seen, not measured


def _calibration(pose: Pose, floor: float, rim: float, wall: float) -> Calibration:
    """A tray's calibration; floor, rim: apothems in mm."""
    (wh, camera, distortion), rotation, shift = pose
    rings = corners() * floor, corners() * rim
    return Calibration(wh, camera, distortion, rotation, shift, *rings, float(wall), floor_error_mm=_ERROR_MM)


def _ringed(sizes: Numbers, heights: Numbers, points: Numbers) -> Numbers:
    """(N, 3, M, 3): points (M, 2) on rings of sizes and at heights (N, 3)."""
    flat = sizes[:, :, None, None] * points
    return np.concatenate([flat, np.broadcast_to(heights[:, :, None, None], (*flat.shape[:3], 1))], -1)


def _scaled(pixels: Floats, scale: float) -> Floats:
    return np.asarray((pixels + 0.5) * scale - 0.5, np.float32)


def _unlike(found: Sequence[tuple[float, Numbers]], near: Numbers, count: int) -> list[Numbers]:
    """The best of scored states, none nearer than `near` to another."""
    kept: list[Numbers] = []
    for _, state in sorted(found, key=lambda one: -one[0]):
        if len(kept) < count and all(np.abs((state - other) / near).max() > 1 for other in kept):
            kept.append(state)
    return kept


_ALONG = np.linspace(0.1, 0.9, 16)  # places on a side at which its edge is looked for
_CLEAR = 3.0  # times the picture's usual edge
_WEIGHTS = np.array([1.0, 1.0, 0.5])  # of the rings; the top of a wall's lining is often clearer than the crease
_UNUSUAL = 0.1  # what a make that is not usual costs
_LARGE = 1.0  # what a larger tray is preferred by: the rim's inner edge and the crease are two clear rings too


def _edges(image: Picture, long_px: int) -> Floats:
    """How colours change at each pixel (h, w, 3) of a picture reduced to a long side: the tensor's xx, xy and yy, as
    shares of the picture's median.
    """
    lab = _lab(image, long_px)
    gx, gy = (cv2.Sobel(lab, cv2.CV_32F, x, 1 - x) for x in (1, 0))
    tensor = np.stack([(gx * gx).sum(-1), (gx * gy).sum(-1), (gy * gy).sum(-1)], -1)
    return np.asarray(tensor / max(float(np.median(tensor[..., 0] + tensor[..., 2])), 1e-3), np.float32)


def _lab(image: Picture, long_px: int) -> Floats:
    """A picture (h, w, 3) reduced to a long side, in colours as different as they look."""
    scale = min(1.0, long_px / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    return cv2.cvtColor(cv2.GaussianBlur(small, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float32)


_LIKE = 3.0  # what a rim of the colours of the felt inside it costs


def _likeness(lab: Floats, model: _Model, state: Numbers) -> float:
    """How much a rim has the colours of what lies inside it, 0 to 1: lines of a checkered felt are no tray."""
    scale = max(lab.shape[:2]) / model.width
    ring = corners()
    sides = (ring[:, None] + (np.roll(ring, -1, 0) - ring)[:, None] * _ALONG[:, None]).reshape(-1, 2)
    outer, inner, crease = _scaled(model.rings(state[None], sides), scale)[0]
    middle = crease.mean(0)
    counts = []
    for near, far, shares in ((outer, inner, (0.25, 0.5, 0.75)), (crease, middle, (0.06, 0.12, 0.2))):
        places = np.concatenate([near + share * (far - near) for share in shares]).astype(np.float32)[None]
        seen = cv2.remap(lab, places[..., 0], places[..., 1], cv2.INTER_NEAREST)[0]
        counts.append(cv2.calcHist([seen[None]], [0, 1, 2], None, [8, 24, 24], [0, 256] * 3).ravel() / len(seen))
    return float(np.minimum(*counts).sum())


def _steep(edges: Floats, places: Floats, normal: Floats) -> Floats:
    """The edge across a direction (N, M, 2) at pixels (N, M, 2), in the picture's usual edge: (N, M)."""
    # remap knows no more than 32,767 rows
    parts = [
        cv2.remap(edges, part[..., 0], part[..., 1], cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT)
        for part in (places[at : at + 30000].astype(np.float32) for at in range(0, len(places), 30000))
    ]
    xx, xy, yy = np.moveaxis(np.concatenate(parts), -1, 0)
    nx, ny = normal[..., 0], normal[..., 1]
    return np.asarray(np.sqrt(np.maximum(nx * nx * xx + 2 * nx * ny * xy + ny * ny * yy, 0)), np.float32)


def _steepness(edges: Floats, octagons: Floats) -> Floats:
    """The edge along each side (N, 8) of octagons (N, 8, 2): what half of 16 places on it exceed."""
    ahead = np.roll(octagons, -1, 1) - octagons
    places = octagons[:, :, None] + ahead[:, :, None] * _ALONG[:, None]
    normal = np.repeat(_across(ahead), len(_ALONG), 1)
    steep = _steep(edges, places.reshape(len(octagons), -1, 2), normal)
    return np.asarray(np.median(steep.reshape(len(octagons), 8, -1), -1))


def _across(ahead: Floats) -> Floats:
    """Unit vectors across some directions (..., 2)."""
    normal = np.stack([-ahead[..., 1], ahead[..., 0]], -1)
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6), np.float32)


def _clearness(steep: Floats) -> Floats:
    """How clear octagons with such sides (..., 8) are."""
    return np.asarray(np.log1p(steep / _CLEAR).mean(-1))


def _score(edges: Floats, model: _Model, states: Numbers) -> Numbers:
    """How much states (N, P) look like trays: clear rings, large, and of a usual make; (N,)."""
    rings = _scaled(model.rings(states, corners()), max(edges.shape[:2]) / model.width)
    clear = _clearness(_steepness(edges, rings.reshape(-1, 8, 2))).reshape(-1, 3)
    usual = (((states - model.limits.usual) / model.limits.spread) ** 2).sum(1)
    score = clear @ _WEIGHTS + clear[:, :2].min(1) + _LARGE * np.log(model.sizes(states)) - _UNUSUAL * usual
    return np.asarray(score, np.float64)


def _settled(edges: Floats, model: _Model, state: Numbers, reaches: Sequence[float]) -> Numbers:
    """A state moved to where the edges near its rings are.

    Gauss and Newton, with what is usual as a weak spring; reaches: how far edges are looked for, in apothems.
    """
    limits = model.limits
    ring = corners()
    along = np.linspace(0.06, 0.94, 16)
    points = (ring[:, None] + (np.roll(ring, -1, 0) - ring)[:, None] * along[:, None]).reshape(-1, 2)
    scale = max(edges.shape[:2]) / model.width
    for share in reaches:
        size = float(np.linalg.norm(np.ptp(_scaled(model.rings(state[None], ring), scale)[0, 0], 0))) / 2.8
        reach = share * size
        offsets = np.linspace(-reach, reach, 2 * max(round(1.5 * reach), 3) + 1)
        moved = np.concatenate([state[None], state + np.diag(limits.step)])
        places = _scaled(model.rings(moved, points), scale)
        here = places[0].reshape(3, 8, -1, 2)
        normal = np.repeat(_across(here[:, :, -1] - here[:, :, 0])[:, :, None], len(along), 2)
        seen = here[..., None, :] + normal[..., None, :] * offsets[:, None]
        steep = _steep(edges, seen.reshape(1, -1, 2), np.repeat(normal.reshape(1, -1, 2), len(offsets), 1))
        firm = np.log1p(steep.reshape(*here.shape[:3], -1) / _CLEAR)
        best = (firm * np.exp(-0.5 * (offsets / (0.6 * reach)) ** 2)).argmax(-1)
        off = offsets[best]
        weight = np.take_along_axis(firm, best[..., None], -1)[..., 0]
        # Of a side's places those count that agree: a crumb or a chalk stripe moves no edge.
        weight = weight * (np.abs(off - np.median(off, -1, keepdims=True)) < 0.4 * reach)
        slope = (((places[1:] - places[0]).reshape(len(state), 3, 8, -1, 2)) * normal).sum(-1)
        root = np.sqrt(weight * _WEIGHTS[:, None, None]).ravel()
        lines = slope.reshape(len(state), -1).T / limits.step * root[:, None]
        spring = len(along) * (0.5 * reach / limits.spread) ** 2
        step = np.linalg.solve(
            lines.T @ lines + np.diag(spring), lines.T @ (off.ravel() * root) + spring * (limits.usual - state)
        )
        state = np.clip(state + step, limits.least, limits.most)
    return state
