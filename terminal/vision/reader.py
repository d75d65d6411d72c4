"""The reader: one picture in, one `Reading` out. It never guesses in silence."""

from __future__ import annotations

from time import perf_counter

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.anywhere import top_faces
from terminal.vision.dice import Face, Thinged, explain, things
from terminal.vision.params import Calibration, Params
from terminal.vision.pips import Templates
from terminal.vision.reading import Die, Reading, Rejected, error
from terminal.vision.tray import Felt, Table


class Reader:
    """Reads dice. With a calibration on the felt of its tray, without one anywhere in the picture.

    Not safe for two threads at once; keeps nothing of the pictures it reads.
    """

    def __init__(self, calibration: Calibration | None = None, params: Params | None = None) -> None:
        self.calibration = calibration
        self.params = params or Params()
        self._felts: dict[tuple[int, int], Felt] = {}
        self._templates = [Templates(spacing) for spacing in self.params.spacings]

    def read(self, image: NDArray[np.uint8], dice: int = 3) -> Reading:
        """What the dice show in a picture (H, W, 3) uint8 BGR; `dice` are expected, 0 for any number."""
        started = perf_counter()
        if self.calibration is None:
            reading = self._anywhere(image, dice)
            return reading._replace(ms=(perf_counter() - started) * 1e3)
        wh = (image.shape[1], image.shape[0])
        c = self.calibration
        if abs(wh[0] * c.image_wh[1] - wh[1] * c.image_wh[0]) > max(wh) * 2:
            return error(f"the picture is {wh[0]}x{wh[1]}, the calibration is for {c.image_wh[0]}x{c.image_wh[1]}")
        if wh not in self._felts:
            self._felts = {wh: Felt(Table(c, wh), self.params)}
        reading = self._on_felt(image, self._felts[wh], dice)
        return reading._replace(ms=(perf_counter() - started) * 1e3)

    def _anywhere(self, image: NDArray[np.uint8], dice: int) -> Reading:
        """A photograph from anywhere: pips first."""
        params = self.params
        largest = max(image.shape[:2])
        scale = min(1.0, params.photo_px / largest)
        small = image if scale == 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tops, doubted = top_faces(small, self._templates, params)
        doubts = []
        for top in tops:
            if top.fit - top.runner_fit < params.fit_margin or top.spots != top.value:
                doubts.append("disagree")
        if doubted:
            doubts.append("disagree")
        seen = tuple(
            Die(
                top.value,
                float((top.centre[0] + 0.5) / scale - 0.5),
                float((top.centre[1] + 0.5) / scale - 0.5),
                float(np.sqrt(top.area)) / scale,
                top.fit,
            )
            for top in tops
        )
        return self._verdict(seen, doubts, [], dice, bool(tops or doubted))

    def _on_felt(self, image: NDArray[np.uint8], felt: Felt, dice: int) -> Reading:
        params = self.params
        scene = felt.look(image)
        found = things(felt, scene)
        doubts: list[str] = []
        faces: list[Face] = []
        rejected: list[Rejected] = []
        for thing in found:
            centre = (
                felt.x0 + (thing.centre[0] + 0.5) * params.felt_step,
                felt.y0 + (thing.centre[1] + 0.5) * params.felt_step,
            )
            size = np.sqrt(thing.faces) * felt.die_mm / felt.mm_per_px * params.felt_step
            if thing.faces > params.hand_faces or (thing.at_edge and thing.faces > 2.5):
                doubts.append("hand")
                rejected.append(Rejected(*centre, float(size), "much larger than dice"))
                continue
            looked = explain(image, felt, scene, thing, self._templates)
            faces.extend(looked.faces)
            doubt = self._doubt(looked)
            if doubt:
                doubts.append(doubt)
                rejected.append(Rejected(*centre, float(size), doubt))
        return self._verdict(tuple(_die(face) for face in faces), doubts, rejected, dice, bool(found))

    def _doubt(self, looked: Thinged) -> str | None:
        """Why a thing is not just dice that were read, or None."""
        params = self.params
        if not looked.faces:
            if looked.thing.faces < 0.4:
                return "count"
            return "blur" if looked.sharp < params.sharp_least else "cocked"
        for face in looked.faces:
            one = face.explained
            if one.fit < params.fit_least or face.covered < params.covered_least:
                return "blur" if looked.sharp < params.sharp_least else "cocked"
            if abs(one.contrast) < params.contrast_least:
                return "dark"
            if one.fit - one.runner_fit < params.fit_margin or face.spots != one.value:
                return "disagree"
        if looked.leftover > params.unexplained_most:
            return "cocked"
        return None

    def _verdict(
        self, seen: tuple[Die, ...], doubts: list[str], rejected: list[Rejected], dice: int, anything: bool
    ) -> Reading:
        values = tuple(sorted(die.value for die in seen))
        if not anything:
            return Reading("empty", (), (), None, 0.0, tuple(rejected))
        if not doubts and dice and len(seen) != dice:
            doubts = ["count"]
        if doubts:
            reason = min(doubts, key=_WEIGHT.index)
            return Reading("unsure", values, seen, reason, 0.0, tuple(rejected))
        return Reading("read", values, seen, None, 0.0, tuple(rejected))


_WEIGHT = ("hand", "blur", "stacked", "cocked", "touching", "dark", "overexposed", "disagree", "count")


def _die(face: Face) -> Die:
    centre = face.corners.mean(0)
    return Die(face.explained.value, float(centre[0]), float(centre[1]), face.size, face.explained.fit)
