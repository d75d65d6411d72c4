"""Why what was made of a thing on the felt is not just dice that were read: what makes a reading `unsure`."""

from __future__ import annotations

import numpy as np

from terminal.vision.arrays import Floats
from terminal.vision.dice import Face, Thinged
from terminal.vision.network import REJECT
from terminal.vision.params import Params
from terminal.vision.patch import sharpness
from terminal.vision.pips import Verdict


def doubt_of(looked: Thinged, second: list[Floats], flat: list[tuple[float, float]], params: Params) -> str | None:
    """Why a thing is not just dice that were read, or None.

    flat: the chance that each of its faces belongs to a die that lies flat, and what it must be at least.
    """
    if not looked.faces:
        if looked.solid < 0.4:
            return "count"
        return "blur" if _is_blurred(looked, params) else "cocked"
    lattice = len(looked.faces) - looked.outlined
    for at, (face, again, (lies, flat_least)) in enumerate(zip(looked.faces, second, flat, strict=True)):
        one = face.explained.verdict
        if lies > params.flat_firm and again[one.value] > params.network_felt:
            again = _as_a_face(again)
        if one.value == 1:
            flat_least = max(flat_least, params.flat_firm)  # any face framed wrongly round one pip is a 1
        if face.apart is not None:
            if doubt := _joint_doubt(looked, face, float(again[one.value]), lies, flat_least, params):
                return doubt
            continue
        sure = again[one.value] > (params.network_certain if face.spots == one.value else params.network_alone)
        lone = one.value == 1 and one.fit - one.runner_fit > params.single_margin
        # A lone pip is little against the gleam of a whole face, and so is any value against a shadow's edge.
        fit_least = params.fit_lit if sure or lone else params.fit_least
        if at >= lattice and sure and lies > params.flat_firm:
            fit_least = params.fit_outlined
        firm = sure and lies > params.flat_certain
        covered = firm or max(face.covered, face.shaded) > params.covered_least
        if one.fit < fit_least or lies < flat_least or not covered:
            return _not_flat(looked, lies, flat_least, params)
        if (one.fit < params.fit_least or lies < params.flat_firm) and not firm and _is_blurred(looked, params):
            return "blur"  # a smeared face fits no better than one in a gleam
        if abs(one.contrast) < (params.contrast_sure if firm else params.contrast_least):
            return "dark"
        # Where all three looks are of one mind the next best value may come nearer.
        margin = params.margin_sure if sure else params.fit_margin
        if one.fit - one.runner_fit < margin or (at >= lattice and not sure):
            return "disagree"
        if not agree(one, face.spots, again, params, params.network_felt) and not (
            lies > params.flat_firm and _uncontradicted(one, face.spots, again, params)
        ):
            return "disagree"
    allowed = params.unexplained_most
    if len(looked.faces) > 1:
        firm = all(lies > params.flat_certain for lies, _ in flat)
        allowed = params.unexplained_firm if firm else params.unexplained_near
    return "cocked" if looked.leftover > allowed else None


def _joint_doubt(looked: Thinged, face: Face, own: float, lies: float, flat_least: float, params: Params) -> str | None:
    """Why a face whose value several fields told together is not sure; own: what the network gives that value."""
    assert face.apart is not None
    certain = own > params.network_certain
    firm = certain and lies > params.flat_certain and face.apart > params.apart_sure
    covered = firm or max(face.covered, face.shaded) > params.covered_least
    if lies < max(flat_least, params.flat_firm) or not covered:
        return _not_flat(looked, lies, flat_least, params)
    if not firm and _is_blurred(looked, params):
        return "blur"
    if abs(face.explained.verdict.contrast) < params.contrast_sure:
        return "dark"
    apart_least = params.apart_least if certain else params.apart_sure
    return None if own > params.network_joint and face.apart > apart_least else "disagree"


def _not_flat(looked: Thinged, lies: float, flat_least: float, params: Params) -> str:
    """What a face is called that may not lie flat, or be none."""
    if _is_blurred(looked, params):
        return "blur"
    may_lean = flat_least > params.flat_usual
    beside = len(looked.faces) > 1 and lies > params.flat_touching
    return "touching" if beside and not may_lean else "cocked"


def is_dirt(looked: Thinged, second: list[Floats], flat: list[tuple[float, float]], params: Params) -> bool:
    """Whether a thing is far smaller than a die and no face, or is as dark as a shadow all over and surely no face.

    Only where every die expected was found elsewhere.
    """
    faces = list(zip(looked.faces, second, flat, strict=True))
    small = looked.solid < params.dirt_most and all(
        one[REJECT] > params.reject_sure
        or (one[REJECT] > params.reject_odd and lies < params.flat_touching)
        or (abs(face.explained.verdict.contrast) < params.contrast_least and lies < params.flat_usual)
        for face, one, (lies, _) in faces
    )
    shadow = looked.lit < params.speck_most and looked.solid < params.shadow_most
    return small or (
        shadow and all(one[REJECT] > params.reject_sure and lies < params.flat_never for _, one, (lies, _) in faces)
    )


def _is_blurred(looked: Thinged, params: Params) -> bool:
    """Whether a thing is out of focus, or moved."""
    sharp, even = sharpness(looked.patch)
    return sharp < params.sharp_least or even < params.even_least


def agree(first: Verdict, spots: int, second: Floats, params: Params, least: float) -> bool:
    """Whether two independent looks say what the lattice says: the network alone, or the spots where it is not sure.

    second: (7,) the network's probabilities. least: what it must give the value at any rate; where it says another
    value nothing can outvote it.
    """
    mine = float(second[first.value])
    if mine >= params.network_sure:
        return True
    other = 1.0 - mine - float(second[REJECT])
    strong = first.fit > params.fit_strong and first.fit - first.runner_fit > params.margin_strong
    return strong and spots == first.value and mine > least and other < params.network_other


def _as_a_face(second: Floats) -> Floats:
    """The network's probabilities (7,) where a face surely is: its doubt that there is one is void."""
    there = second / max(1.0 - float(second[REJECT]), 1e-6)
    there[REJECT] = 0
    return np.asarray(there, np.float32)


def _uncontradicted(first: Verdict, spots: int, second: Floats, params: Params) -> bool:
    """Whether lattice and spots are of one mind, and the network, if anything, only doubts that it sees a face.

    That doubt is void where the other network is sure of a die that lies flat there. Gleaming and marbled 1s need it.
    """
    other = 1.0 - float(second[first.value]) - float(second[REJECT])
    clear = first.fit > params.fit_doubtful and first.fit - first.runner_fit > params.margin_strong
    return clear and spots == first.value and other < params.network_none
