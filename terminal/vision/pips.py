"""What a top face shows: nine places on one lattice, each pip or no pip.

A face is looked at on a 7x7 grid of nodes an eighth of its side apart. Every value is a template on those nodes, and
the face is explained as a plane of light plus one template times a contrast. How much of what is not the plane of
light the best template explains is the fit; the best template of any other value is the second explanation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.arrays import Floats

_DIAGONAL = ((-1, -1), (1, 1))
_OTHER = ((-1, 1), (1, -1))
_CENTRE = ((0, 0),)
_SIX = ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))
PATTERNS: tuple[tuple[int, tuple[tuple[float, float], ...]], ...] = (
    (1, _CENTRE),
    (2, _DIAGONAL),
    (2, _OTHER),
    (3, _DIAGONAL + _CENTRE),
    (3, _OTHER + _CENTRE),
    (4, _DIAGONAL + _OTHER),
    (5, _DIAGONAL + _OTHER + _CENTRE),
    (6, _SIX),
    (6, tuple((y, x) for x, y in _SIX)),
    (6, tuple((0.66 * x, y) for x, y in _SIX)),  # many a maker sets the two rows of the 6 closer together
    (6, tuple((y, 0.66 * x) for x, y in _SIX)),
    (6, tuple((0.7 * x, 1.2 * y) for x, y in _SIX)),
    (6, tuple((1.2 * y, 0.7 * x) for x, y in _SIX)),
    (1, _CENTRE),  # the large single pip of many a café die
    (1, _CENTRE),
)
VALUES = np.array([value for value, _ in PATTERNS])
_LARGE = {len(PATTERNS) - 2: 0.15, len(PATTERNS) - 1: 0.2}  # radii


def _nodes() -> Floats:
    """(45, 2) float32: the grid's nodes in sides of the face, without the four corners, which are round."""
    steps = np.arange(-3, 4) / 8
    grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    return np.asarray(grid[np.abs(grid).min(1) < 0.374], np.float32)


NODES = _nodes()


class Templates:
    """All patterns for several lattices: distances between places and radii of pips, both in sides of the face.

    values: (T,) the value of each template; the first lattice's come first. lattice: (T,) which one each belongs to.
    nodes: (N, 2) where a face is looked at.
    """

    nodes = NODES

    def __init__(self, lattices: Sequence[tuple[float, float]]) -> None:
        plane = _light(NODES)
        columns = []
        for spacing, radius in lattices:
            for index, (_, places) in enumerate(PATTERNS):
                away = np.linalg.norm(_to_nearest(NODES, spacing, places), axis=1)
                column = _disc(away, _LARGE.get(index, radius))
                columns.append(column - plane @ (plane.T @ column))
        shapes = np.array(columns).T
        self._plane = np.ascontiguousarray(plane, np.float32)
        self._size = np.linalg.norm(shapes, axis=0).astype(np.float32)
        self._shapes = np.ascontiguousarray(shapes / self._size, np.float32)
        self._one = np.ascontiguousarray(self._shapes[:, len(PATTERNS) : 2 * len(PATTERNS)])
        self._one_size = self._size[len(PATTERNS) : 2 * len(PATTERNS)]
        self.values = np.tile(VALUES, len(lattices))
        self.lattice = np.repeat(np.arange(len(lattices)), len(PATTERNS))

    def explain(self, samples: Floats) -> tuple[Floats, Floats]:
        """Fit (M, T), 0 to 1, and signed contrast (M, T) of each template on samples (M, 45) taken at NODES."""
        return self._explained(samples, self._shapes, self._size)

    def explain_roughly(self, samples: Floats) -> tuple[Floats, Floats]:
        """The same with the second lattice alone, (M, P), in the order of PATTERNS: a first look at many poses."""
        return self._explained(samples, self._one, self._one_size)

    def _explained(self, samples: Floats, shapes: Floats, size: Floats) -> tuple[Floats, Floats]:
        light = samples @ self._plane
        along = samples @ shapes
        unlit = np.einsum("ij,ij->i", samples, samples) - np.einsum("ij,ij->i", light, light)
        return along * along / np.maximum(unlit, 1e-3)[:, None], along / size


class Relief:
    """The same patterns with pips that are not of one light: drilled or gilt ones under a lamp that the face mirrors.

    Such a pip has a dark rim, a gleam in its middle, or a dark and a light side; all pips of a face are alike. A value
    is a space of four shapes then (disc, its middle, its slopes across and down), looked at on finer nodes.
    """

    def __init__(self, lattices: Sequence[tuple[float, float]]) -> None:
        steps = np.arange(-7, 8) / 18
        grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
        self.nodes = np.asarray(grid[np.abs(grid).min(1) < 0.33], np.float32)
        plane = _mirrored_light(self.nodes)
        spaces, sizes = [], []
        for spacing, radius in lattices:
            for index, (_, places) in enumerate(PATTERNS):
                r = _LARGE.get(index, radius)
                towards = _to_nearest(self.nodes, spacing, places)
                away = np.linalg.norm(towards, axis=1)
                disc = _disc(away, r)
                shapes = np.column_stack([disc, _disc(away, r / 2), disc[:, None] * towards / r])
                shapes -= plane @ (plane.T @ shapes)
                sizes.append(np.linalg.norm(shapes[:, 0]))
                spaces.append(np.linalg.qr(shapes)[0])
        self._plane = np.ascontiguousarray(plane, np.float32)
        self._spaces = np.ascontiguousarray(np.concatenate(spaces, 1), np.float32)
        self._size = np.array(sizes, np.float32)
        self.values = np.tile(VALUES, len(lattices))
        self.lattice = np.repeat(np.arange(len(lattices)), len(PATTERNS))

    def explain(self, samples: Floats) -> tuple[Floats, Floats]:
        """Fit (M, T), 0 to 1, of each pattern on samples (M, N) taken at `nodes`; strength in grey levels of a disc."""
        light = samples @ self._plane
        along = ((samples @ self._spaces) ** 2).reshape(len(samples), len(self.values), -1).sum(2)
        unlit = np.einsum("ij,ij->i", samples, samples) - np.einsum("ij,ij->i", light, light)
        return along / np.maximum(unlit, 1e-3)[:, None], np.sqrt(along) / self._size


def _light(nodes: Floats) -> NDArray[np.float64]:
    """(N, 4) orthonormal: even light, light that falls off across or down, more on the flat middle than the edges."""
    flat = 1 / (1 + np.exp((np.linalg.norm(nodes, axis=1) - 0.39) / 0.03))
    return np.asarray(np.linalg.qr(np.column_stack([np.ones(len(nodes)), nodes, flat]))[0])


def _mirrored_light(nodes: Floats) -> NDArray[np.float64]:
    """(N, 8) orthonormal: that, light curved any way as a lamp's mirror is, and more on a square middle."""
    x, y = nodes.T
    square = 1 / (1 + np.exp((np.abs(nodes).max(1) - 0.36) / 0.03))
    return np.asarray(np.linalg.qr(np.column_stack([_light(nodes), square, x * x, y * y, x * y]))[0])


def _to_nearest(nodes: Floats, spacing: float, places: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """(N, 2) from the nearest pip's middle to each node, in sides."""
    towards = nodes[:, None] - spacing * np.array(places)[None]
    return np.asarray(towards[np.arange(len(nodes)), np.linalg.norm(towards, axis=2).argmin(1)])


def _disc(away: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """A pip as a camera sees it: 1 in its middle, 0 beyond its rim."""
    return np.asarray(1 / (1 + np.exp((away - radius) / 0.028)))


class Pose(NamedTuple):
    """A face in a patch: centre in patch pixels, turn in radians, side in patch pixels."""

    x: float
    y: float
    turn: float
    side: float


class Verdict(NamedTuple):
    """What a face shows, how much of it that explains, and what would explain it next best.

    contrast: pips against face, negative where pips are darker. lattice: which of the templates it was.
    """

    value: int
    fit: float
    contrast: float
    runner_up: int
    runner_fit: float
    lattice: int


class Explained(NamedTuple):
    """A pose with the value that explains it best."""

    pose: Pose
    verdict: Verdict


def axes_of(poses: Floats) -> Floats:
    """(M, 2, 2) float32: what takes a face's own axes, in sides, to pixels, for poses (M, 4: x, y, turn, side)."""
    axes = np.empty((len(poses), 2, 2), np.float32)
    axes[:, 0, 0] = axes[:, 1, 1] = np.cos(poses[:, 2]) * poses[:, 3]
    axes[:, 1, 0] = np.sin(poses[:, 2]) * poses[:, 3]
    axes[:, 0, 1] = -axes[:, 1, 0]
    return axes


def sample(field: Floats, centres: Floats, axes: Floats, nodes: Floats = NODES) -> Floats:
    """(M, N) float32: `field` at nodes (N, 2) of faces with these centres (M, 2) and axes (M, 2, 2), bilinear."""
    if len(centres) > _ROWS:
        parts = [slice(at, at + _ROWS) for at in range(0, len(centres), _ROWS)]
        return np.concatenate([sample(field, centres[part], axes[part], nodes) for part in parts])
    xs = centres[:, 0:1] + axes[:, 0, :1] * nodes[:, 0] + axes[:, 0, 1:] * nodes[:, 1]
    ys = centres[:, 1:2] + axes[:, 1, :1] * nodes[:, 0] + axes[:, 1, 1:] * nodes[:, 1]
    return cv2.remap(field, xs.astype(np.float32), ys.astype(np.float32), cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)


_ROWS = 30_000  # that cv2.remap takes at most at once, and a few less


def search(field: Floats, centres: Floats, side: float, templates: Templates, most: int) -> Iterator[Explained]:
    """Well explained poses with their centre near one of `centres`, every turn tried; about best first, made as asked.

    field: (H, W) float32, light along the pips' contrast, a little smoothed. centres: (M, 2) pixels of it.
    """
    if len(centres) == 0:
        return
    turns = np.arange(18, dtype=np.float32) * (np.pi / 36)
    coarse = np.empty((len(centres) * len(turns), 4), np.float32)
    coarse[:, :2] = np.repeat(centres, len(turns), 0)
    coarse[:, 2] = np.tile(turns, len(centres))
    coarse[:, 3] = side
    fits, _ = templates.explain_roughly(sample(field, coarse, axes_of(coarse)))
    best, values = fits.max(1), VALUES[fits.argmax(1)]
    taken = np.zeros(len(best), bool)
    found = 0
    for index in np.argsort(-best)[: 12 * most]:
        if taken[index]:
            continue
        near = np.abs(coarse[:, :2] - coarse[index, :2]).max(1) < 0.12 * side
        taken |= near & (values == values[index])
        yield refine(field, coarse[index], templates)
        found += 1
        if found == most:
            return


STEPS = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1], indexing="ij"), -1).reshape(-1, 3).astype(np.float32)


def refine(field: Floats, pose: Floats, templates: Templates | Relief) -> Explained:
    """The pose moved and turned to where its best template fits best, and what else would explain it there."""
    pose = pose.astype(np.float32).copy()
    step = np.array([0.05, 0.05, 0.045], np.float32) * [pose[3], pose[3], 1]
    around = np.empty((len(STEPS), 4), np.float32)
    for _ in range(4):
        around[:] = pose
        around[:, :3] += STEPS * step
        fits, _ = templates.explain(sample(field, around, axes_of(around), templates.nodes))
        place = int(fits.max(1).argmax())
        pose = around[place].copy()
        if place == len(STEPS) // 2:
            step = step / 2
    verdict = judge(field, pose[:2], axes_of(pose[None])[0], templates)
    return Explained(Pose(*(float(number) for number in pose)), verdict)


_NUDGES = np.concatenate([np.zeros((1, 6)), np.eye(6), -np.eye(6)]).astype(np.float32)


def relax(field: Floats, centre: Floats, axes: Floats, templates: Templates) -> tuple[Floats, Floats, Verdict]:
    """A face moved, turned, stretched and sheared a little to where its template fits best: centre, axes, verdict.

    A face that lies flat stays a square of its size; one that leans is shortened one way.
    """
    step = 0.06
    state = np.concatenate([centre, axes.ravel()]).astype(np.float32)
    for _ in range(14):
        side = float(np.sqrt(abs(np.linalg.det(state[2:].reshape(2, 2)))))
        around = state + _NUDGES * (step * side)
        fits, _ = templates.explain(sample(field, around[:, :2], around[:, 2:].reshape(-1, 2, 2)))
        place = int(fits.max(1).argmax())
        state = around[place]
        if place == 0:
            step /= 2
            if step < 0.008:
                break
    centre, axes = state[:2], state[2:].reshape(2, 2)
    return centre, axes, judge(field, centre, axes, templates)


def judge(field: Floats, centre: Floats, axes: Floats, templates: Templates | Relief) -> Verdict:
    """The value that explains a face best, over all templates, and the best other value."""
    fits, contrasts = templates.explain(sample(field, centre[None], axes[None], templates.nodes))
    best = int(fits[0].argmax())
    other = np.where(templates.values == templates.values[best], 0, fits[0])
    runner = int(other.argmax())
    return Verdict(
        int(templates.values[best]),
        float(fits[0, best]),
        float(contrasts[0, best]),
        int(templates.values[runner]),
        float(other[runner]),
        int(templates.lattice[best]),
    )


def jointly(ways: Sequence[tuple[Floats, Templates | Relief, float]], poses: Floats) -> tuple[int, Verdict, float]:
    """Which of some poses (M, 4) is a face as several fields see it together, what it shows, and how far that is apart.

    ways: a field (h, w) float32, what to look for in it, and how much it counts. What a field leaves unexplained by a
    value is noise of that size to it: the logarithms of these shares add up, so that a field in which nothing shows
    says nothing. The fit is 1 less the mean share left, the contrast that in the first field; how far the value is
    apart from the next best is the difference of the sums. Of 287 faces that mirror a lamp, which the lattice told in
    grey for 31 %, the largest fit of any field was right for 69 %, this for 95 %, and for all of the three quarters
    that are farthest apart.
    """
    left = np.zeros((len(poses), 6), np.float32)
    axes = axes_of(poses)
    for field, shapes, counts in ways:
        fits, _ = shapes.explain(sample(field, poses[:, :2], axes, shapes.nodes))
        best = np.stack([fits[:, shapes.values == value].max(1) for value in range(1, 7)], 1)
        left += counts * np.log(1 - np.minimum(best, 0.98))
    at, index = np.unravel_index(int(left.argmin()), left.shape)
    order = np.argsort(left[at])
    total = sum(counts for *_, counts in ways)
    fit, runner_fit = (1 - float(np.exp(left[at, one] / total)) for one in order[:2])
    field, shapes, _ = ways[0]
    fits, contrasts = shapes.explain(sample(field, poses[at : at + 1, :2], axes[at : at + 1], shapes.nodes))
    place = int(np.where(shapes.values == index + 1, fits[0], -1).argmax())
    verdict = Verdict(int(index) + 1, fit, float(contrasts[0, place]), int(order[1]) + 1, runner_fit, 0)
    return int(at), verdict, float(left[at, order[1]] - left[at, order[0]])


def count_spots(field: Floats, centre: Floats, axes: Floats, contrast: float, px: int = 40) -> int:
    """Round spots on the face, counted without any lattice: the independent look.

    Every place that stands out most within a pip's reach is a spot, when it stands out as pips do.
    """
    middle = (px - 1) / 2
    shift = np.asarray(centre, np.float64) - np.asarray(axes, np.float64) @ np.array([middle, middle]) / px
    warp = np.column_stack([np.asarray(axes, np.float64) / px, shift])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    face = cv2.warpAffine(field, warp, (px, px), None, flags, cv2.BORDER_REPLICATE)
    signed = face if contrast > 0 else -face
    rim = round(0.11 * px)
    inner = signed[rim:-rim, rim:-rim]
    plain = quantile(inner.ravel(), 0.25)  # the pips of a 6 may cover a third of what is looked at
    window = round(0.18 * px) | 1
    peaks = (cv2.dilate(signed, np.ones((window, window), np.uint8)) <= signed).astype(np.uint8)
    peaks[:rim] = peaks[-rim:] = peaks[:, :rim] = peaks[:, -rim:] = 0
    peaks &= (signed > plain + 0.5 * abs(contrast)).astype(np.uint8)
    count, _ = cv2.connectedComponents(cv2.dilate(peaks, np.ones((3, 3), np.uint8)))
    return int(count) - 1


def quantile(values: NDArray[np.generic], share: float) -> float:
    """What a share of values (N,) lies below, to the nearest of them: many times quicker than numpy's for a few."""
    place = round(share * (len(values) - 1))
    return float(np.partition(values, place)[place])
