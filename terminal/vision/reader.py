"""The reader: one picture in, one `Reading` out. It never guesses in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture
from terminal.vision.crops import face_crops
from terminal.vision.dice import Face, Thinged, explain, likely_die_mm, only
from terminal.vision.doubts import doubt_of, is_dirt
from terminal.vision.finder import Finder
from terminal.vision.network import PACKAGED_FELT, PACKAGED_PHOTO, REJECT, FlatNetwork, Network, together
from terminal.vision.octagon import find_outline
from terminal.vision.outlined import outlined
from terminal.vision.params import Calibration, Params
from terminal.vision.photograph import photographed
from terminal.vision.pips import Relief, Templates
from terminal.vision.reading import Die, Reading, Rejected, error
from terminal.vision.things import Thing, dim_places, things
from terminal.vision.tray import Felt, Scene, Table

_SEEN_SMALL = 1.025  # see `Reader.die_mm`

Judged = tuple[Thinged, list[Floats], list[tuple[float, float]]]
"""A thing; for each of its faces what the value network says, and how sure it is that the die lies flat and must be."""


class Reader:
    """Reads dice. With a calibration on the felt of its tray, without one anywhere in the picture.

    Not safe for two threads at once; keeps nothing of the pictures it reads.
    """

    def __init__(
        self, calibration: Calibration | None = None, params: Params | None = None, network: Path | None = None
    ) -> None:
        """network: a value network to use instead of the packaged one, to measure it."""
        self.calibration = calibration
        self.params = params or Params()
        self._felts: dict[float, Felt] = {}
        self._table: Table | None = None
        self._network = Network(network or (PACKAGED_PHOTO if calibration is None else PACKAGED_FELT))
        self._flat = None if calibration is None else FlatNetwork()
        self._finder = Finder() if calibration is None else None
        self._templates = Templates(self.params.lattices)
        self._relief = Relief(self.params.lattices)

    def read(self, image: Picture, dice: int = 3) -> Reading:
        """What the dice show in a picture (H, W, 3) uint8 BGR; `dice` are expected, 0 for any number."""
        started = perf_counter()
        wh = (image.shape[1], image.shape[0])
        if self.calibration is None:
            octagon = find_outline(image, self.params)
            assert self._finder is not None
            seen, doubts, anything = photographed(
                image, octagon, dice, self._network, self._finder, self._templates, self.params
            )
            reading = _verdict(seen, doubts, [], dice, anything)
        else:
            c = self.calibration
            if abs(wh[0] * c.image_wh[1] - wh[1] * c.image_wh[0]) > 2 * max(c.image_wh):
                return error(f"the picture is {wh[0]}x{wh[1]}, the calibration is for {c.image_wh[0]}x{c.image_wh[1]}")
            if self._table is None or self._table.wh != wh:
                self._table, self._felts = Table(c, wh), {}
            reading = self._on_felt(image, self._table, dice)
        return reading._replace(ms=(perf_counter() - started) * 1e3)

    def die_mm(self, image: Picture) -> float | None:
        """Side of the dice on the felt of a picture; None where no die is found. Calibrated only.

        Their outlines tell it roughly; then the network that knows how a die lies flat says in which size it sees them
        best, which is 2.5 % smaller than they are (median of twelve rendered tables with their pose). Of these the mean
        of four throws then comes within 6 % on eleven, and within 8 % on all; about half a second.
        """
        assert self.calibration is not None and self._flat is not None, "without a calibration there are no millimetres"
        self._table = Table(self.calibration, (image.shape[1], image.shape[0]))
        roughly = self._measured_die(image, self._table)
        if roughly is None:
            return None
        low, high = self.params.die_range_mm
        sizes = [side for step in range(-4, 7) if low < (side := roughly * (1 + 0.04 * step)) < high]
        felt = self._felt(self._table, roughly)
        scene = felt.look(image)
        single = [one for one in things(felt, scene) if 0.5 < one.faces < 4]
        score = np.zeros(len(sizes))
        for at, side in enumerate(sizes):
            looked = [explain(image, felt, scene, one, self._templates, side) for one in single]
            alone = [look for look in looked if len(look.faces) == 1]
            score[at] = -6.0 * (len(single) - len(alone))
            if alone:
                score[at] += float(self._flat.odds(np.stack([look.faces[0].view for look in alone])).sum())
                score[at] += sum(10 * look.match * look.faces[0].explained.verdict.fit for look in alone)
        weights = np.exp(2 * (score - score.max()) / max(len(single), 1))
        return _SEEN_SMALL * float(weights @ np.array(sizes) / weights.sum())

    def _felt(self, table: Table, die_mm: float) -> Felt:
        side = round(die_mm * 4) / 4
        if side not in self._felts:
            self._felts[side] = Felt(table, side, self.params)
        return self._felts[side]

    def _measured_die(self, image: Picture, table: Table) -> float | None:
        felt = self._felt(table, self.params.die_mm)
        scene = felt.look(image)
        single = [one for one in things(felt, scene) if 0.5 < one.faces < 4]
        measured = [(likely_die_mm(image, felt, scene, one), one) for one in single]
        sides = [side for side, _ in measured if side is not None]
        if not sides:
            return None
        side = float(np.median(sides))
        near = [one for size, one in measured if size is not None and abs(size - side) < 0.08 * side][:3]
        tried = {}
        for die_mm in (side * (1 + 0.025 * step) for step in (-3, -2, -1, 0, 1, 2, 3)):
            looked = [explain(image, felt, scene, one, self._templates, die_mm) for one in near]
            tried[die_mm] = sum(one.match * one.faces[0].explained.verdict.fit for one in looked if len(one.faces) == 1)
        return max(tried, key=lambda one: tried[one])

    def _second(self, image: Picture, corners: list[Floats], channels: Sequence[int] = ()) -> Floats:
        """The network's probabilities (N, 7) for faces with these corners, seen in these channels."""
        return self._network.classify(face_crops(image, corners, channels))

    def _values(self, image: Picture, faces: Sequence[Face]) -> Floats:
        """The network's probabilities (N, 7) for faces on felt; by the mean score where a tint shows one better."""
        tinted = [face for face in faces if face.tint is not None]
        channels = [face.channel for face in faces] + [face.tint for face in tinted if face.tint is not None]
        looks = self._second(image, [face.corners for face in (*faces, *tinted)], channels)
        further = iter(looks[len(faces) :])
        for at, face in enumerate(faces):
            if face.tint is not None:
                looks[at] = together(looks[at], next(further))
        return looks[: len(faces)]

    def _on_felt(self, image: Picture, table: Table, dice: int) -> Reading:
        params = self.params
        die_mm = table.calibration.die_mm or self._measured_die(image, table) or params.die_mm
        felt = self._felt(table, die_mm)
        scene = felt.look(image)
        found = things(felt, scene)
        doubts: list[str] = []
        faces: list[Face] = []
        rejected: list[Rejected] = []
        looks: list[Thinged] = []
        for thing in found:
            if thing.faces > params.hand_faces or (thing.at_edge and thing.faces > params.hand_at_edge):
                doubts.append("hand")
                rejected.append(_rejected(felt, thing, "much larger than dice"))
            else:
                look = explain(image, felt, scene, thing, self._templates)
                if look.faces or look.solid > params.crumb_most:
                    looks.append(look)
        judged = self._judged(image, looks, [], die_mm)
        # A thing that is not dice lying flat as the lattice sees it is looked at once more, by its edges and outline;
        # under a hand, or in a light that makes things of everything, that would help nothing.
        again = not doubts and len(judged) <= (dice or 3) + 2
        for at, one in enumerate(judged if again else []):
            others = [face for other in judged if other is not one for face in other[0].faces]
            judged[at] = self._second_thought(image, one, others, die_mm)
        judged = self._once(image, judged, die_mm)
        if again and 0 < sum(len(look.faces) for look, _, _ in judged) < dice:
            judged += self._in_the_dim(image, felt, scene, found, judged, die_mm)
        # A drop, ash or a crumb of chalk beside as many dice as there should be is not asked about.
        clean = [one for one in judged if not is_dirt(*one, params)]
        if dice and sum(len(look.faces) for look, _, _ in clean) == dice:
            judged = clean
        dim = float(scene.gain.mean()) < params.gain_dark
        one_short = sum(len(look.faces) for look, _, _ in judged) == dice - 1
        for look, second, flat in judged:
            doubt = doubt_of(look, second, flat, params)
            if doubt is None and dim and look.outlined:
                doubt = "dark"  # the lattice alone does not find it, and little light is left to tell by
            alone = len(look.faces) == 1 and look.lit < params.stack_faces
            least_mm = params.wall_least * die_mm
            on_felt = [face for face in look.faces if self._wall_mm(face.corners_mm.mean(0)) > least_mm]
            faces.extend(on_felt)
            if len(on_felt) < len(look.faces):
                doubt = "count"  # on the rim, or beside the tray
            elif alone and one_short and (doubt == "cocked" or (doubt is None and look.leftover > params.stack_least)):
                doubt = "stacked"  # one thing is more than the die on top of it
            if doubt:
                doubts.append(doubt)
                rejected.append(_rejected(felt, look.thing, doubt))
        if any(_overlap(one, other, die_mm) for at, one in enumerate(faces) for other in faces[:at]):
            doubts.append("disagree")  # one die seen twice
        if float(scene.gain.mean()) > params.gain_bright:
            doubts = ["overexposed"]  # where felt is burnt out all sorts of things differ from it
        elif doubts and scene.burnt > params.burnt_most:
            doubts.append("overexposed")
        hardly_lit = scene.light < params.light_least or float(scene.gain.mean()) < params.gain_least
        if hardly_lit or (doubts and dim):
            doubts.append("dark")
        return _verdict(tuple(_die(face) for face in faces), doubts, rejected, dice, bool(judged or doubts))

    def _judged(self, image: Picture, looks: list[Thinged], others: list[Face], die_mm: float) -> list[Judged]:
        """What the networks make of some things; `others` are the faces of dice beside them."""
        every = [face for look in looks for face in look.faces]
        again = iter(self._values(image, every))
        least = self._flat_least(every, others, die_mm)
        lying = iter(zip(self._lying(every, least), least, strict=True))
        return [(look, [next(again) for _ in look.faces], [next(lying) for _ in look.faces]) for look in looks]

    def _second_thought(self, image: Picture, first: Judged, others: list[Face], die_mm: float) -> Judged:
        """The same thing without faces that are only a shadow's shape, or with one that its outline tells of."""
        params = self.params
        look, second, flat = first
        kept, shadows, firm = [], 0, True
        for face, again, (lies, _) in zip(look.faces, second, flat, strict=True):
            # A die that leans is a face to the network, even where it is none that lies flat.
            never = params.flat_firm if again[REJECT] > params.reject_sure else params.flat_touching
            amiss = lies < never and again[REJECT] > params.reject_amiss
            clear = abs(face.explained.verdict.contrast) > params.contrast_least
            if face.explained.verdict.fit > params.fit_least and clear and not amiss:
                kept.append(face)
                firm &= lies > params.flat_certain
            surely = params.reject_odd if lies < params.flat_never else params.reject_sure
            shadows += lies < params.flat_touching and again[REJECT] > surely
        if look.faces and len(kept) == len(look.faces) and look.leftover < params.dirt_most:
            return first
        if kept and len(kept) + shadows == len(look.faces):
            without = only(look, kept)
            if without.leftover < (params.unexplained_firm if firm else params.unexplained_near):
                return self._judged(image, [without], others, die_mm)[0]
        found = self._one_more(image, first, kept, others, die_mm)
        if found is not first and found[0].leftover > params.dirt_most:
            found = self._one_more(image, found, found[0].faces, others, die_mm)
        return found

    def _once(self, image: Picture, judged: list[Judged], die_mm: float) -> list[Judged]:
        """The same with each die once, and without what is only a side of one: a dark die may be several things."""
        params = self.params
        once: list[Judged] = []
        for one in judged:
            before = [face for look, _, _ in once for face in look.faces]
            new = [face for face in one[0].faces if not any(_same(face, other, die_mm) for other in before)]
            once.append(
                one if len(new) == len(one[0].faces) else self._judged(image, [only(one[0], new)], before, die_mm)[0]
            )
        none = [
            all(
                seen[REJECT] > params.reject_sure and lies < params.flat_never
                for seen, (lies, _) in zip(second, flat, strict=True)
            )
            for _, second, flat in once
        ]
        # Only what may be a die can have a side: two things that show nothing do not explain each other.
        dice = [face for (look, _, _), nothing in zip(once, none, strict=True) if not nothing for face in look.faces]
        return [
            one
            for one, nothing in zip(once, none, strict=True)
            if not nothing or not one[0].patch.is_part([face.corners_mm for face in dice], params.unexplained_firm)
        ]

    def _in_the_dim(
        self, image: Picture, felt: Felt, scene: Scene, found: list[Thing], judged: list[Judged], die_mm: float
    ) -> list[Judged]:
        """Dice beyond doubt in places that are only dim, as where a black 1 lies."""
        dice: list[Judged] = []
        for place in dim_places(felt, scene, found):
            others = [face for look, _, _ in (*judged, *dice) for face in look.faces]
            look = explain(image, felt, scene, place, self._templates)
            new = [face for face in look.faces if not any(_overlap(face, other, die_mm) for other in others)]
            one = self._judged(image, [only(look, new)], others, die_mm)[0]
            if new and doubt_of(*one, self.params) is None:
                dice.append(one)
        return dice

    def _one_more(
        self, image: Picture, first: Judged, kept: Sequence[Face], others: list[Face], die_mm: float
    ) -> Judged:
        """A thing with some of its faces and a die that its edges or its outline tell of, where it lies flat there."""
        found = first
        before = [lies for lies, _ in first[2]]
        said: set[int] = set()
        for instead in outlined(first[0], kept, self._templates, self._relief, self.params):
            last = self._judged(image, [instead], others, die_mm)[0]
            after = [lies for lies, _ in last[2]]
            better = len(after) > len(before) or min(after) >= min([*before, self.params.flat_certain])
            if better and after[-1] > self.params.flat_firm:
                said |= {int(last[1][-1].argmax())} - {REJECT}  # a frame that is a little off may show another value
                if len(said) < 2 and doubt_of(*last, self.params) is None:
                    return last
                found = last if found is first else found
        return found

    def _lying(self, faces: list[Face], least: list[float]) -> list[float]:
        """Probability that each of some faces belongs to a die that lies flat; `least` is what it must be."""
        if self._flat is None or not faces:
            return []
        params = self.params
        closely = [
            flat_least > params.flat_usual
            or (verdict := face.explained.verdict).value == 1
            or verdict.fit < params.fit_least
            for face, flat_least in zip(faces, least, strict=True)
        ]
        return [float(chance) for chance in self._flat.flat(np.stack([face.view for face in faces]), closely)]

    def _flat_least(self, faces: list[Face], beside: list[Face], die_mm: float) -> list[float]:
        """What the network must give each of some faces, by what its die could lean on: a wall or another face."""
        params = self.params
        assert self.calibration is not None
        nearest, farthest = (gap * die_mm for gap in params.lean_gaps)
        error = self.calibration.floor_error_mm
        least = []
        for face in faces:
            walls = sorted(self._wall_mm(corner) for corner in face.corners_mm)
            others = [(_gap_mm(face, other), _turn(face, other)) for other in [*faces, *beside] if other is not face]
            leans = [turn < params.lean_turn for gap, turn in others if nearest < gap < farthest]
            if nearest - error < walls[0] < farthest + error:
                leans.append(walls[1] - walls[0] < params.lean_turn * die_mm)
            if leans:
                hardly_shows = any(leans) or face.dark
                least.append(params.flat_leaning_sure if hardly_shows else params.flat_leaning)
            else:
                least.append(params.flat_usual)
        return least

    def _wall_mm(self, place: Floats) -> float:
        """How far a place (2,) in mm is from the nearest wall, negative beyond it. Needs `calibration`."""
        assert self.calibration is not None
        floor = self.calibration.floor_mm.astype(np.float32)
        return float(cv2.pointPolygonTest(floor, (float(place[0]), float(place[1])), True))


def _verdict(seen: tuple[Die, ...], doubts: list[str], rejected: list[Rejected], dice: int, anything: bool) -> Reading:
    values = tuple(sorted(die.value for die in seen))
    if not anything:
        return Reading("empty", (), (), None, 0.0, tuple(rejected))
    if not doubts and dice and len(seen) != dice:
        doubts = ["count"]
    if doubts:
        reason = min(doubts, key=_WEIGHT.index)
        return Reading("unsure", values, seen, reason, 0.0, tuple(rejected))
    return Reading("read", values, seen, None, 0.0, tuple(rejected))


_WEIGHT = ("hand", "dark", "overexposed", "blur", "stacked", "cocked", "touching", "disagree", "count")


def _gap_mm(one: Face, other: Face) -> float:
    """How far two top faces are apart, mm; negative where they overlap."""
    pairs = ((one.corners_mm, other.corners_mm), (other.corners_mm, one.corners_mm))
    return min(-cv2.pointPolygonTest(b, (float(x), float(y)), True) for a, b in pairs for x, y in a)


def _overlap(one: Face, other: Face, die_mm: float) -> bool:
    """Whether two top faces are nearer to each other than two dice that lie flat can be."""
    return bool(np.linalg.norm(one.corners_mm.mean(0) - other.corners_mm.mean(0)) < _NEAREST * die_mm)


def _same(one: Face, other: Face, die_mm: float) -> bool:
    """Whether two top faces are one and show the same."""
    return _overlap(one, other, die_mm) and one.explained.verdict.value == other.explained.verdict.value


_NEAREST = 0.85  # sides from the middle of a die to that of another; 1 where they touch


def _turn(one: Face, other: Face) -> float:
    """How far the edges of two top faces are from parallel, radians."""
    edges = (one.corners_mm[1] - one.corners_mm[0], other.corners_mm[1] - other.corners_mm[0])
    turn = float(np.arctan2(edges[0][1], edges[0][0]) - np.arctan2(edges[1][1], edges[1][0]))
    return abs((turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)


def _rejected(felt: Felt, thing: Thing, why: str) -> Rejected:
    step = felt.params.felt_step
    x, y = felt.x0 + (thing.centre[0] + 0.5) * step, felt.y0 + (thing.centre[1] + 0.5) * step
    return Rejected(x, y, float(np.sqrt(thing.faces)) * felt.die_mm / felt.mm_per_px * step, why)


def _die(face: Face) -> Die:
    centre = face.corners.mean(0)
    return Die(face.explained.verdict.value, float(centre[0]), float(centre[1]), face.size, face.explained.verdict.fit)


def read_files(
    files: Iterable[str], calibration: Calibration | None = None, dice: int = 3, params: Params | None = None
) -> Iterator[dict[str, Any]]:
    """The lines of `pitjesbak read`, one a file in order (CONTRACT section 3). A bad file is a line with `error`."""
    reader = Reader(calibration, params)
    for name in files:
        image = load_picture(name)
        reading = error(image) if isinstance(image, str) else reader.read(image, dice)
        yield {"file": name, **reading.to_json()}


def load_picture(name: str) -> Picture | str:
    """A picture file as (H, W, 3) uint8 BGR, or a sentence why it can't be read. Grey, alpha and 16 bits are turned."""
    try:
        data = np.frombuffer(Path(name).read_bytes(), np.uint8)
    except OSError as problem:
        return f"cannot be read: {problem.strerror}"
    if data.size == 0:
        return "is empty"
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        return "is no picture that can be decoded"
    return np.asarray(image, np.uint8)
