"""A photograph from anywhere: which of the faces found in it (`anywhere`) are dice, and what makes it doubtful."""

from __future__ import annotations

import cv2
import numpy as np

from terminal.vision.anywhere import Found, Seen, belongs, overlap, top_faces
from terminal.vision.arrays import Floats, Picture
from terminal.vision.crops import face_crops
from terminal.vision.doubts import agree
from terminal.vision.network import REJECT, Network
from terminal.vision.params import Params
from terminal.vision.pips import Templates
from terminal.vision.reading import Die


def photographed(
    image: Picture, octagon: Floats | None, dice: int, network: Network, templates: Templates, params: Params
) -> tuple[tuple[Die, ...], list[str], bool]:
    """The dice of a photograph from anywhere (H, W, 3), its doubts, and whether there is anything.

    octagon: (8, 2) pixels; only dice inside count. dice: how many are expected, 0 for any number.
    """
    largest = max(image.shape[:2])
    scale = min(1.0, params.photo_px / largest)
    small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = top_faces(small, templates, params)
    if octagon is not None:
        inside = np.asarray((octagon + 0.5) * scale - 0.5, np.float32)
        found = Found(
            [one for one in found.tops if _within(inside, one.centre)],
            [one for one in found.doubts if _within(inside, one.centre)],
            np.array([xy for xy in found.bodies if _within(inside, xy)], np.float32).reshape(-1, 2),
        )
    tops, doubts, firm = _settled(small, found.tops, found.doubts, network, params)
    if dice and firm and len(tops) == dice:
        doubts = []  # as many as there should be, each beyond doubt: what else looks a little like a die is none
    elif not dice or len(tops) != dice:
        doubts.extend(["count"] * len(found.bodies))
    seen = tuple(
        Die(
            top.verdict.value,
            float((top.centre[0] + 0.5) / scale - 0.5),
            float((top.centre[1] + 0.5) / scale - 0.5),
            float(np.sqrt(top.area)) / scale,
            top.verdict.fit,
        )
        for top in tops
    )
    return seen, doubts, bool(tops or doubts)


def _settled(
    image: Picture, tops: list[Seen], doubted: list[Seen], network: Network, params: Params
) -> tuple[list[Seen], list[str], bool]:
    """The dice of a photograph, its doubts, and whether each die is beyond doubt.

    The network has looked at the faces that were clear and at those that were not.

    What it is sure is no face was carpet or print; what it is sure of becomes a die; what is left of quite another
    size than the dice, or another polarity, was never a die.
    """
    looks = network.classify(face_crops(image, [one.corners for one in (*tops, *doubted)]))
    first, second = looks[: len(tops)], looks[len(tops) :]
    firm = [one for one, look in zip(tops, first, strict=True) if look[one.verdict.value] > params.network_sure]
    side = float(np.median([one.area for one in firm])) ** 0.5 if firm else 0.0

    def is_near(one: Seen) -> bool:
        return not firm or 0.65 * side < one.area**0.5 < 1.5 * side

    def is_alike(one: Seen) -> bool:
        return not firm or any(one.verdict.contrast / f.verdict.contrast > params.alike_least for f in firm)

    def is_part(one: Seen) -> bool:
        return one.spots != one.verdict.value or one.verdict.fit > params.fit_strong

    def is_whole(one: Seen, look: Floats) -> bool:
        outlined = one.spots == one.verdict.value and one.edges > params.edges_whole
        usual = float(np.median([abs(f.verdict.contrast) for f in firm]))
        return outlined and look[REJECT] < params.reject_odd and abs(one.verdict.contrast) > params.faint * usual

    # A die of another colour than the first ones is firm too when all looks say the same of it.
    for one, look in zip(doubted, second, strict=True):
        if firm and is_near(one) and _is_sure(one, look, is_alike(one), params):
            firm.append(one)
    # What is rejected but is as large and as dark as the dice may be a part of one whose face was not found.
    kept: list[tuple[Seen, Floats]] = []
    rest: list[Seen] = []
    for one, look in zip(tops, first, strict=True):
        odd = len(firm) > 1 and not is_alike(one) and look[REJECT] > params.reject_odd
        if not odd and (look[REJECT] < params.reject_sure or one.verdict.fit > params.fit_insists):
            kept.append((one, look))
        elif firm and is_near(one) and is_alike(one) and is_part(one):
            rest.append(one)
    at_first = len(kept)
    for one, look in zip(doubted, second, strict=True):
        near, alike = is_near(one), is_alike(one)
        # A stain on a light square of a checkered felt is a 1 in all but its size.
        sized = one.verdict.value > 1 or 0.85 * side < one.area**0.5 < 1.2 * side
        sure = firm and near and sized and _is_sure(one, look, alike, params)
        if sure and not any(overlap(one, other) for other, _ in kept):
            kept.append((one, look))
            continue
        rejected = look[REJECT] > (params.reject_sure if near else 0.5)
        if (firm and near and alike and is_part(one)) or not (rejected or (firm and not near and not alike)):
            strong = look[one.verdict.value] > params.network_certain or one.verdict.fit > params.fit_strong
            if len(firm) < 2 or alike or strong or is_whole(one, look):
                rest.append(one)
    doubts = ["disagree" for one in rest if not any(belongs(one, top) for top, _ in kept[at_first:])]
    for one, look in kept:
        apart = one.verdict.fit - one.verdict.runner_fit
        # One pip fits wherever it lies, and a pip of a 2 does too: a 1 must be as large as the dice beyond doubt.
        lone = one.verdict.value == 1 and not 0.9 < one.area**0.5 / max(side, 1e-6) < 1.1
        least = params.network_sure if lone else params.network_photo
        if apart < params.fit_margin or not agree(one.verdict, one.spots, look, params, least):
            doubts.append("disagree")
    certain = all(
        look[one.verdict.value] > params.network_certain
        and one.verdict.fit > params.fit_strong
        and one.edges > params.edges_certain
        for one, look in kept
    )
    return [one for one, _ in kept], doubts, certain


def _is_sure(one: Seen, look: Floats, alike: bool, params: Params) -> bool:
    """Whether lattice, spots and network are so much of one mind that a face with a poor outline is a die."""
    if look[one.verdict.value] < params.network_certain or one.spots != one.verdict.value:
        return False
    if alike or one.edges > params.edges_whole:
        return one.verdict.fit > params.fit_doubtful and one.edges > params.edges_certain
    return one.verdict.fit > params.fit_strong and one.edges > params.edges_certain


def _within(outline: Floats, xy: Floats) -> bool:
    return bool(cv2.pointPolygonTest(outline, (float(xy[0]), float(xy[1])), False) > 0)
