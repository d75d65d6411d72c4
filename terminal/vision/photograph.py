"""A photograph from anywhere: which of the faces found in it (`anywhere`) are dice, and what makes it doubtful."""

from __future__ import annotations

import cv2
import numpy as np

from terminal.vision.anywhere import Found, Seen, belongs, corners_of, faces_at, overlap, top_faces
from terminal.vision.arrays import Floats, Picture
from terminal.vision.crops import face_crops
from terminal.vision.doubts import agree
from terminal.vision.finder import Finder, Sight
from terminal.vision.network import REJECT, Network
from terminal.vision.params import Params
from terminal.vision.pips import Templates
from terminal.vision.reading import Die


def photographed(
    image: Picture,
    octagon: Floats | None,
    dice: int,
    network: Network,
    finder: Finder,
    templates: Templates,
    params: Params,
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
    green = np.ascontiguousarray(small[..., 1])
    if tops and not doubts and not _all_seen(tops, finder, green, params):
        doubts = ["disagree"]
    if doubts or not tops or (dice and len(tops) != dice):
        sights = finder.find(green, params.sight_least)
        if octagon is not None:
            sights = [one for one in sights if _within(inside, one.middle)]
        tops, doubts = _by_sight(small, sights, tops, doubts, dice, network, templates, params)
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


def _all_seen(tops: list[Seen], finder: Finder, green: Picture, params: Params) -> bool:
    """Whether the finder sees a face too wherever the spots do; one that surely shows more has theirs as a part."""
    sights = finder.find(green, params.sight_least, float(np.median([top.area**0.5 for top in tops])))
    near = [[one for one in sights if np.hypot(*(one.middle - top.centre)) < 0.45 * top.area**0.5] for top in tops]
    return all(
        any(one.values[: top.verdict.value].sum() > params.sight_other for one in there)
        for top, there in zip(tops, near, strict=True)
    )


def _by_sight(
    image: Picture,
    sights: list[Sight],
    tops: list[Seen],
    doubts: list[str],
    dice: int,
    network: Network,
    templates: Templates,
    params: Params,
) -> tuple[list[Seen], list[str]]:
    """The dice of a photograph as the finder sees them, and its doubts; those given where it makes nothing of it.

    A die is what finder, lattice and network give one value. tops: what the spots made of it.
    """
    found = faces_at(image, [(one.middle, one.axes) for one in sights], templates)
    at_sight = network.classify(face_crops(image, [corners_of(one.middle, one.axes) for one in sights]))
    # A face may be framed better as the finder saw it, or where the lattice fits best.
    refined = network.classify(face_crops(image, [one.corners for one in found]))
    looks = np.where(at_sight[:, REJECT, None] < refined[:, REJECT, None], at_sight, refined)
    sure = [
        (face, sight)
        for face, sight, look in zip(found, sights, looks, strict=True)
        if _is_one_mind(face, sight, look, params)
    ]
    if not sure:
        seen = any(
            one.chance > (params.sight_seen if one.value > 1 else params.sight_single)
            and look[REJECT] < 0.5
            and face.verdict.fit > params.fit_least
            for one, look, face in zip(sights, looks, found, strict=True)
        )
        return tops, doubts or ["count"] * seen
    side = float(np.median([face.area**0.5 for face, _ in sure[:5]]))
    kept: list[Seen] = []
    weakest = 1.0
    for face, sight in sure:
        if 0.7 < face.area**0.5 / side < 1.4 and not any(overlap(face, other) for other in kept):
            kept.append(face)
            weakest = min(weakest, sight.chance)
    # What may be a die too, and what the spots made of it: as many as there should be must stand out from these. A
    # face above one on the same die would be its top.
    enough = bool(dice) and len(kept) == dice
    rest = [
        one
        for one, look in zip(sights, looks, strict=True)
        if (not enough or one.chance > weakest or (_is_likely(one, params) and look[one.value] > params.network_sure))
        and 0.7 < one.side / side < 1.4
        and all(np.hypot(*(one.middle - face.centre)) > face.area**0.5 for face in kept)
    ]
    rest += [one for one in sights if 0.6 < one.side / side < 1.6 and any(_is_over(one, face) for face in kept)]
    told = network.classify(face_crops(image, [top.corners for top in tops]))
    others = [
        top
        for top, look in zip(tops, told, strict=True)
        if look[REJECT] < 0.5
        and 0.6 < top.area**0.5 / side < 1.6
        and not any(overlap(top, face) and top.verdict.value == face.verdict.value for face in kept)
    ]
    return kept, ["disagree"] * (len(rest) + len(others))


def _is_over(one: Sight, face: Seen) -> bool:
    """Whether the finder sees another face just above one in the picture: the die's top, if that is its side."""
    side = float(face.area) ** 0.5
    x, y = one.middle - face.centre
    return bool(np.hypot(x, y) < side and -y > 0.35 * side)


def _is_likely(sight: Sight, params: Params) -> bool:
    """Whether the finder is sure enough of a face, and of a 1 more so."""
    return sight.chance > (params.sight_sure if sight.value > 1 else params.sight_single)


def _is_one_mind(face: Seen, sight: Sight, look: Floats, params: Params) -> bool:
    """Whether finder, lattice and network see the same value."""
    value, verdict = sight.value, face.verdict
    return bool(
        verdict.value == value
        and _is_likely(sight, params)
        and sight.values.max() > 0.5
        and look[value] > params.network_sure
        and verdict.fit > params.fit_doubtful
        and verdict.fit - verdict.runner_fit > params.fit_margin
        and (face.spots == value or look[value] > params.network_alone)
    )


def _is_sure(one: Seen, look: Floats, alike: bool, params: Params) -> bool:
    """Whether lattice, spots and network are so much of one mind that a face with a poor outline is a die."""
    if look[one.verdict.value] < params.network_certain or one.spots != one.verdict.value:
        return False
    if alike or one.edges > params.edges_whole:
        return one.verdict.fit > params.fit_doubtful and one.edges > params.edges_certain
    return one.verdict.fit > params.fit_strong and one.edges > params.edges_certain


def _within(outline: Floats, xy: Floats) -> bool:
    return bool(cv2.pointPolygonTest(outline, (float(xy[0]), float(xy[1])), False) > 0)
