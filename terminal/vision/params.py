"""Every number that the reader can be tuned by, and what a calibration knows of one table. Records only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Calibration:
    """One camera above one tray. World: the felt is z = 0, millimetres, z up; OpenCV's camera model.

    image_wh: pixels of the pictures it was made for; others of the same shape are scaled to it.
    camera: (3, 3) float64; distortion: (5,) float64; rotation (3, 3) and shift_mm (3,): world to camera.
    floor_mm: (N, 2) corners of the felt, in order round it; rim_mm: (N, 2) outer top edge at height wall_mm.
    die_mm: side of this table's dice; None: learnt from the pictures, 12 to 19 mm.
    felt_bgr: (h, w, 3) uint8, the empty tray at 1/felt_step of the picture's size; None: never seen empty.
    felt_xy: its top left pixel in the full picture.
    floor_error_mm: how far the walls may stand from floor_mm.
    """

    image_wh: tuple[int, int]
    camera: NDArray[np.float64]
    distortion: NDArray[np.float64]
    rotation: NDArray[np.float64]
    shift_mm: NDArray[np.float64]
    floor_mm: NDArray[np.float64]
    rim_mm: NDArray[np.float64]
    wall_mm: float
    die_mm: float | None = None
    felt_bgr: NDArray[np.uint8] | None = None
    felt_xy: tuple[int, int] = (0, 0)
    felt_step: int = 2
    floor_error_mm: float = 5.0


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of the reader. Lengths without a unit are in sides of a die.

    Each: unit, default; what it costs and when to change it.
    """

    die_mm: float = 16.0
    """mm; taken for the die where the calibration does not know it."""
    felt_step: int = 4
    """px; the felt is searched at this reduction. 2 is four times dearer and only needed below 20 px a die."""
    felt_every: int = 7
    """One in so many felt pixels measures light and noise."""
    felt_median: int = 41
    """px of the reduced picture; where no empty felt is known, the median over this is taken for it: over 4 dice."""
    differs_least: float = 11.0
    """Grey levels that a thing must differ from felt at least. Lower finds darker dice on dark felt, and crumbs."""
    differs_noise: float = 5.0
    """The same in units of the felt's median difference, for noisy pictures."""
    shadow_factor: float = 0.15
    """Darkest shadow on the felt, as a share of its light."""
    dim_factor: float = 0.75
    """What is darker than this share of the felt's light may be shadow, or a dark die."""
    dim_little: float = 0.87
    """The same where one die is short: what is darker may be a dark die that nothing else shows."""
    light_factor: float = 1.4
    """Brightest light on the felt against the calibration, after the lamp as a whole is accounted for."""
    patch_side: int = 36
    """px a side of the die in the rectified patch; about what a 1280x960 camera over a 38 cm tray sees."""
    fit_least: float = 0.75
    """Share of a face's texture that its value must explain. Flat dice give 0.84 and more, leaning ones up to 0.83."""
    depth_least: float = 0.4
    """How deep a mask must be for a top face to lie in it."""
    gain_bright: float = 2.2
    """Light against the calibration from which on nothing is read: `overexposed`, and time to calibrate again."""
    gain_dark: float = 0.35
    """Light against the calibration below which a doubt is called `dark`."""
    gain_least: float = 0.15
    """The same below which nothing is read: pips that a person could not see there are none that count."""
    light_least: float = 4.0
    """Median grey of the felt below which nothing is read: `dark`."""
    burnt_most: float = 0.08
    """Share of white felt from which on a doubt is called `overexposed`."""
    score_certain: float = 0.84
    """Fit squared, less what of the outline is not covered, from which on no other pose is tried: a clear face."""
    fit_lit: float = 0.55
    """The same where network and spots are sure of the value, and for a 1 that nothing else explains."""
    fit_outlined: float = 0.35
    """The same for a die found by its outline, where every look is sure: a face that mirrors a lamp, or is marbled."""
    apart_sure: float = 0.3
    """How far the value must be apart from the next best (`pips.jointly`) of a face that its edges tell of."""
    apart_least: float = 0.02
    """The same where the network is certain of the value."""
    outline_areas: tuple[float, float] = (0.4, 1.4)
    """Area against that of a die's outline of what may be one die."""
    single_margin: float = 0.35
    """How far every other value must stay behind a 1 in gleaming light."""
    fit_good: float = 0.88
    """Fit from which on no other colour is tried for a better one. Higher is slower on faces in glare."""
    fit_margin: float = 0.12
    """By how much the best value must explain the face better than any other."""
    margin_sure: float = 0.05
    """The same where network and spots are sure of the value."""
    contrast_least: float = 12.0
    """Grey levels between pips and face at least; below, `dark`, or nothing to read."""
    contrast_sure: float = 3.0
    """The same where every look is sure: a lamp that a face mirrors leaves its pips only a little darker."""
    lean_gaps: tuple[float, float] = (0.17, 0.8)
    """Sides of a die between a top face and the wall, or another top face, at which the die may lean on that: its foot
    touches and its top is away by the sine of the angle, 10 to 45 degrees less what foreshortening takes off."""
    flat_usual: float = 0.75
    """Probability from which on a die lies flat where it has nothing to lean on, or touches what stands beside it."""
    flat_leaning: float = 0.8
    """The same at a gap at which the die may lean. Lower asks less about dice that lie close, and lets some lean."""
    flat_leaning_sure: float = 0.98
    """The same with an edge along what it may lean on, as most of those that lean have, and for dice whose sides look
    like felt in shadow: little shows it there."""
    lean_turn: float = 0.14
    """Radians between such edges at most."""
    flat_firm: float = 0.9
    """Probability from which on a die surely lies there, so that a network that sees no face does not count; a 1, which
    any face is that is framed wrongly round one pip, needs it."""
    flat_never: float = 0.01
    """Probability below which no die lies there at all."""
    flat_touching: float = 0.1
    """Probability from which on a die that has another beside it is doubted for that, not for leaning."""
    wall_least: float = 0.2
    """Sides of a die from the wall to its middle at least; a flat one has 0.5, one on the rim less than none."""
    covered_least: float = 0.6
    """Share of a die's outline, seen as a cube on the felt, that must differ from the felt or be darker."""
    unexplained_most: float = 0.1
    """Faces; area of a thing beyond the outlines of its dice from which on there is more than dice that lie flat."""
    unexplained_near: float = 0.02
    """The same for dice that touch: one that leans on the other by 15 degrees shows only a narrow strip of its side."""
    unexplained_firm: float = 0.06
    """The same for dice that touch and each surely lie flat."""
    flat_certain: float = 0.98
    """Probability from which on a die surely lies flat."""
    lattices: tuple[tuple[float, float], ...] = ((0.235, 0.1), (0.25, 0.1), (0.265, 0.1), (0.25, 0.12))
    """Distance between neighbouring places of the lattice, and radius of a pip; all dice seen lie near one."""
    crumb_most: float = 0.12
    """Faces; what is smaller when looked at closely is a crumb, a drop or noise."""
    speck_most: float = 0.1
    """The same as the camera sees it from afar; a smaller thing is not looked at."""
    dark_areas: tuple[float, float] = (0.7, 5.0)
    """Faces; area of what is dim, and may be a die as dark as its shadow, with that shadow."""
    dirt_most: float = 0.5
    """Faces; what is smaller and no face to the network either may lie beside the dice."""
    shadow_most: float = 2.0
    """The same for what is a shadow all over and surely no face."""
    stack_least: float = 0.05
    """Faces beyond the outline of a die from which on there is another under it, where one is missing."""
    stack_faces: float = 2.45
    """Faces; a thing smaller than this in which one die is missing hides it under the other."""
    hand_faces: float = 9.0
    """Faces; a thing larger than this is a hand, a glass, a sleeve: three dice in a heap show at most about six."""
    hand_at_edge: float = 3.5
    """The same for a thing that reaches in from the edge, as an arm does: one die and its shadow come to 2.5."""
    sharp_least: float = 0.13
    """Edges of a thing at rest are at least this steep for their contrast; lower when it moves."""
    even_least: float = 0.6
    """Share of the steepest edges that those of any other way have at least, of a thing at rest."""
    spot_limits: tuple[int, ...] = (8, 20, 42)
    """Grey levels from the local mean at which round spots are cut out of a photograph; each costs as much again."""
    spot_least: int = 14
    """px; smallest spot. 9 finds pips of dice below 30 px, and much more dirt."""
    spot_contrast: float = 12.0
    """Grey levels between a spot and its surroundings at least."""
    spot_rough: float = 2.0
    """Contrast of a spot in units of the roughness round it. Lower finds pips at shaded edges, and carpet."""
    slants: tuple[float, ...] = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
    """Shares to which the camera's slant may shorten a top face upwards in the picture; each costs as much again."""
    face_rough: float = 0.55
    """Fit before refining from which on a face is looked at more closely."""
    faces_most: int = 45
    """Faces of a photograph that are looked at more closely at most."""
    edges_least: float = 0.75
    """Share of a face's outline that must show in a photograph without calibration."""
    photo_px: int = 1280
    """px; longer photographs are reduced to this long side first."""
    single_least: float = 0.88
    """The fit that a 1 needs in a photograph: a lone spot on something even is easily found."""
    fit_photo: float = 0.85
    """The fit that other values need in a photograph."""
    fit_certain: float = 0.94
    """Fit of several pips from which on `edges_certain` is enough."""
    edges_certain: float = 0.5
    """Share of the outline that must show where the lattice fits best."""
    fit_doubt: float = 0.85
    """Fit from which on a face without a clear outline makes a photograph unsure."""
    focal_widths: float = 1.3
    """Focal length in picture widths that is assumed where a tray is found without calibration."""
    tray_apothem_mm: float = 168.0
    """mm from the middle of the usual tray to its inner wall; the tray measures 38 cm outside."""
    tray_wall_mm: float = 34.0
    """mm; height of the usual tray's rim above the felt."""
    tray_rim_mm: float = 17.0
    """mm; width of the usual tray's rim."""
    die_range_mm: tuple[float, float] = (10.5, 22.0)
    """mm; dice that the size of the things on a felt may tell, where the calibration does not know it."""
    spots_most: int = 120
    """Spots that are measured at most for each scale, sign and limit: the clearest. Carpet has thousands."""
    singles_most: int = 20
    """Lone spots of a photograph that are looked at more closely at most."""
    doubt_most: float = 1.1
    """Fit and 0.4 of the outline together, from which on a face that is not clear makes a photograph unsure."""
    alike_least: float = 0.45
    """Contrast of a face against the photograph's clearest dice, below which it must be clear by itself."""
    network_sure: float = 0.9
    """Probability from which on the network agrees."""
    network_joint: float = 0.95
    """The same for a face that its edges tell of."""
    network_other: float = 0.1
    """Probability of all other values up to which the network does not contradict."""
    network_none: float = 0.02
    """Probability of all other values up to which the network only doubts that there is a face."""
    reject_sure: float = 0.97
    """Probability from which on what the network calls no face is none."""
    reject_odd: float = 0.6
    """The same for what is unlike two dice or more that are beyond doubt: of another polarity, or much paler."""
    reject_amiss: float = 0.8
    """Probability of "no face" from which on a face that does not lie flat may be framed wrongly, not lean."""
    faint: float = 0.35
    """Contrast against that of the dice beyond doubt, below which such a thing is carpet or a shadow."""
    fit_strong: float = 0.93
    """The fit with which lattice and spots outvote a network that is not sure."""
    margin_strong: float = 0.2
    """The same for the distance to the next best value."""
    fit_insists: float = 0.95
    """Fit in a photograph from which on a face that the network calls none is asked about, not left out."""
    network_felt: float = 0.2
    """What the network must give at least to a value on a calibrated felt that lattice and spots are sure of."""
    network_photo: float = 0.5
    """The same in a photograph from anywhere."""
    network_certain: float = 0.97
    """Probability from which on a face with a poor outline counts, when lattice and spots say the same."""
    network_alone: float = 0.99
    """The same where the spots say otherwise: marbled faces have more spots than pips."""
    fit_doubtful: float = 0.8
    """The fit that such a face needs."""
    sight_least: float = 0.3
    """Chance from which on the finder's faces are looked at: all dice of the photographs have it."""
    sight_sure: float = 0.4
    """Chance from which on a face may be a die that lattice and network give the same value as the finder."""
    sight_single: float = 0.6
    """The same for a 1: stains on a checkered felt had 0.56, and every other look took them for one."""
    sight_other: float = 0.1
    """The chance that the finder must leave a face to show no more than what spots, lattice and network see in it."""
    sight_seen: float = 0.5
    """Chance from which on a face that nothing makes a die of keeps a photograph from being called empty, where the
    lattice fits too: chalk stripes on a rim look like a 6, and fit badly."""
    body_contrast: float = 30.0
    """Grey levels from which on a round thing of a die's size makes a photograph unsure."""
    edges_whole: float = 0.9
    """Share of the outline from which on a face may be of another colour than the other dice."""
