"""The outline of a felt of one colour, where it has eight sides as a tray has that is seen from somewhere above."""

from __future__ import annotations

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture


def corners() -> Floats:
    """(8, 2) float64 of a regular octagon round the origin whose apothem is 1."""
    turns = np.pi / 8 + np.arange(8) * np.pi / 4
    return np.asarray(np.stack([np.cos(turns), np.sin(turns)], 1) / np.cos(np.pi / 8))


def outline(lab: Floats) -> Floats | None:
    """The most regular octagon of one colour round a picture's middle, (8, 2) pixels. lab: (h, w, 3), in L*a*b*."""
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
    regular = corners().astype(np.float32)
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
