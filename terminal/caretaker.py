"""Looks after a calibration while nothing happens: does it still hold, and how large are this café's dice?

It looks at a picture of a calm tray at every start, once a minute, and when something is suspected. What it can safely
mend or learn it does, and says so; what it cannot it says, and from then on no reading counts unasked where it could be
wrong. One look is never enough: a sleeve over a corner, a lamp that swings, a cloth on the lens go away by themselves.

It only answers; the eye lets it work in a thread of its own, so that no frame of a throw ever waits for it.
"""

from __future__ import annotations

import logging
import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from calibration.check import Check, check
from calibration.fit import CalibrationFailed, learn_dice
from terminal.evidence import picture_of
from terminal.frame import Image
from terminal.table import Camera, Message, Tended
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader

log = logging.getLogger(__name__)

EVERY_S = 60.0  # between two looks while all is well
AGAIN_S = 2.0  # a suspicion is looked at again
HIDDEN_MOST = 3  # looks in a row at which too little of the tray is seen
ALIKE_PX = 1.5  # two looks at one shift differ by less
MENDED_MOST_PX = 20.0  # away from where it was calibrated; beyond it the slant is another too
OTHER_LIGHT = 1.5  # times brighter or darker
SAMPLES = 6  # throws that the dice are learnt from
LOST_MOST = 3  # of so many throws; who asks more often than this does not know these dice
SIDE_SHARE = 0.06  # by which one throw's measure may be off the median and count
SHARES = (0.94, 0.97, 1.0, 1.03, 1.07, 1.11)  # of what was measured; black dice on dark felt come out a tenth too small
NEXT_SAMPLES = 40  # throws until the dice are looked at again


class Sample(NamedTuple):
    """A throw that counts: its picture as JPEG, what the players let it be, and whether the eye had been sure."""

    jpeg: bytes
    values: tuple[int, ...]
    sure: bool


class Caretaker:
    """Looks after the calibration of one camera. Not for two threads at once, but for what says otherwise.

    measures: whether the camera can measure its light anew. What is to be done about it is `wants_light`.
    """

    def __init__(self, calibration: Calibration, measures: bool = False) -> None:
        self.calibration = calibration
        """The one to read by now; another object when something was mended or learnt."""
        self.trusted = True
        """Whether readings may count unasked; from any thread."""
        self.settled = False
        """Whether the calibration was looked at since the camera came, and nothing is suspected; from any thread."""
        self.wants_light = False
        """The camera is to measure its light anew; whoever lets it do so clears this."""
        self._made = calibration
        self._measures = measures
        self._health = "ok"
        self._due_s = -math.inf
        self._suspect: Check | None = None
        self._hidden = 0
        self._alarms = 0
        self._measured: float | None = None  # light that was left when the camera had measured; nan: to be seen yet
        self._samples: OrderedDict[str, Sample] = OrderedDict()
        self._skip = 0
        self._work: Iterator[tuple[Message, ...]] | None = None

    # -- does the calibration still hold?

    def due(self, t_s: float) -> bool:
        """Whether it is time for a look; from any thread."""
        return t_s >= self._due_s

    def alarm(self) -> None:
        """Something moved the camera or the tray: nothing counts unasked until a look says otherwise."""
        self._alarms += 1
        self.trusted = False
        self._health = "moved"
        self._due_s = -math.inf

    def anew(self) -> None:
        """The camera is back after it was lost; who knows how it hangs now."""
        self._health, self._suspect, self._hidden = "ok", None, 0
        self.settled = False
        self._due_s = -math.inf

    def look(self, image: Image, t_s: float) -> tuple[Message, ...]:
        """Look at a picture of the calm tray, (H, W, 3) uint8 BGR; what there is to tell."""
        alarms = self._alarms
        self._due_s = t_s + EVERY_S
        told = self._judge(image, t_s)
        self.settled = self._suspect is None
        if self._alarms != alarms:  # knocked while this picture was looked at: it says nothing of what is now
            self.trusted, self._health, self._due_s = False, "moved", -math.inf
            return ()
        return told

    def _judge(self, image: Image, t_s: float) -> tuple[Message, ...]:
        if image.shape[1::-1] != self.calibration.image_wh:  # of the same shape, or the reader would not take it
            image = np.asarray(cv2.resize(image, self.calibration.image_wh, interpolation=cv2.INTER_AREA), np.uint8)
        found = check(self.calibration, image)
        self._hidden = self._hidden + 1 if found.verdict == "hidden" else 0
        if found.verdict == "good":
            self._suspect, self._measured, self.trusted = None, None, True
            return self._is("ok")
        if found.verdict == "hidden":
            return self._is("hidden") if self._hidden >= HIDDEN_MOST else ()
        before, self._suspect = self._suspect, found
        if before is None or not _alike(before, found):
            self._due_s = t_s + AGAIN_S
            return ()
        self._suspect = None
        if found.verdict == "shifted":
            return self._mend(found)
        if found.verdict == "light":
            self.trusted = True  # it hangs where it hung
            return self._another_light(found.light, t_s)
        if found.verdict == "dirty":
            self.trusted = True
            return self._is("dirty")
        self.trusted = False
        return self._is("moved")

    def _another_light(self, light: float, t_s: float) -> tuple[Message, ...]:
        """Let the camera measure, once in each light: off in the afternoon and on in the evening are two."""
        if self._measured is not None and math.isnan(self._measured):
            self._measured = light  # what measuring could not mend
        known = self._measured
        if not self._measures or (known is not None and known / OTHER_LIGHT < light < known * OTHER_LIGHT):
            return self._is("light")
        self._measured, self.wants_light = math.nan, True
        self._due_s = t_s + 2 * AGAIN_S
        return (Tended("light"),)

    def _mend(self, found: Check) -> tuple[Message, ...]:
        away = np.hypot(*(found.calibration.camera[:2, 2] - self._made.camera[:2, 2]))
        if away > MENDED_MOST_PX:
            self.trusted = False
            return self._is("moved")
        log.info("The camera moved by %.1f pixels; the calibration follows.", found.shift_px)
        self.calibration, self.trusted = found.calibration, True
        return (*self._is("ok"), Tended("shifted", round(found.shift_px, 1)))

    def _is(self, health: str) -> tuple[Message, ...]:
        """The camera's health, told when it is another than before."""
        before, self._health = self._health, health
        return (Camera(health),) if health != before else ()

    # -- how large are the dice?

    def counted(self, name: str, sample: Sample) -> None:
        """A throw that counts, under this name."""
        if self._skip:
            self._skip -= 1
            return
        self._samples[name] = sample
        while len(self._samples) > SAMPLES:
            self._samples.popitem(last=False)

    def corrected(self, name: str, values: tuple[int, ...]) -> None:
        """The players know better what it was."""
        if name in self._samples:
            self._samples[name] = self._samples[name]._replace(values=tuple(sorted(values)))

    def undone(self, name: str) -> None:
        """It counts no more."""
        self._samples.pop(name, None)

    @property
    def busy(self) -> bool:
        """Whether there is something to learn; from any thread."""
        return self._work is not None or len(self._samples) == SAMPLES

    def learn(self) -> tuple[Message, ...]:
        """One piece of the work, a picture at a time: half a second here, a few on a small machine."""
        if self._work is None:
            samples = list(self._samples.values())
            self._samples.clear()
            self._skip = NEXT_SAMPLES
            lost = sum(not one.sure for one in samples)
            if self.calibration.die_mm is not None and lost <= LOST_MOST:
                return ()  # it knows these dice
            self._work = self._learning(samples)
        told = next(self._work, None)
        if told is None:
            self._work = None
            return ()
        return told

    def _learning(self, samples: list[Sample]) -> Iterator[tuple[Message, ...]]:
        """The dice's side from these throws, taken only when the throws are then read as the players know them."""
        unknown = replace(self.calibration, die_mm=None)
        sides = []
        for one in samples:
            image = picture_of(one.jpeg)
            try:
                side = learn_dice(unknown, [image]).die_mm if image is not None else None
            except CalibrationFailed:
                side = None  # a picture in which nothing can be measured
            if side is not None:
                sides.append(side)
            yield ()
        alike = [side for side in sides if abs(side / float(np.median(sides)) - 1) < SIDE_SHARE]
        if len(alike) < max(SAMPLES // 2, len(sides) / 2 + 0.5):
            log.info("The dice were not learnt: measured %s mm.", ", ".join(f"{side:.1f}" for side in sides) or "no")
            return
        measured, known = float(np.mean(alike)), self.calibration.die_mm
        read: dict[float | None, int] = {known: 0}
        for side in (known, *(round(measured * share, 2) for share in SHARES)):
            reader = Reader(replace(self.calibration, die_mm=side))
            read[side] = 0
            for one in samples:
                image = picture_of(one.jpeg)
                reading = reader.read(image, len(one.values)) if image is not None else None
                if reading is not None and reading.status == "read":
                    if reading.values != one.values:
                        log.warning("The dice were not learnt: %s is read where %s counts.", reading.values, one.values)
                        return
                    read[side] += 1
                yield ()
        # A size that is known reads as well and many times faster than one that is measured in every picture.
        before = read.pop(known) if known is not None else max(0, read.pop(None) - 1)
        most = max(read.values())
        if most <= before:
            log.info("The dice were not learnt: of %d throws %d are read, %d before.", len(samples), most, before)
            return
        as_good = sorted(side for side, count in read.items() if side is not None and count == most)
        side = as_good[len(as_good) // 2]  # a size in their middle is the farthest from one that reads less
        log.info("The dice are %.1f mm: %d of %d throws read.", side, most, len(samples))
        self.calibration = replace(self.calibration, die_mm=side)
        yield (Tended("dice", side),)


def _alike(one: Check, other: Check) -> bool:
    """Whether two looks say the same."""
    return one.verdict == other.verdict and (one.verdict != "shifted" or abs(one.shift_px - other.shift_px) < ALIKE_PX)
