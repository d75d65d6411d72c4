"""What moves on the small grey stream: cheap enough for every frame, and it never reads a die.

Light is taken out first. A frame is brought to one mean grey, and what is left of each pixel is its difference to its
surroundings: a lamp that is switched, dusk and the soft shadow of an arm change little of that, the edge of a die much.
Two comparisons follow: with the frame before (what moves now), and with the scene as it last lay still (what is new).
New things hang together in blobs. A blob that reaches from the felt over the rim is an arm. One of the size of dice
that hangs on no arm, and covers a place that nothing new covered a frame ago, is loose: it travels by itself, as no die
does that a hand turns, takes or puts down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from terminal.vision.params import Calibration
from terminal.vision.tray import Table

Grey = NDArray[np.uint8]
Mat = NDArray[Any]  # uint8 too, but OpenCV's stubs do not say so
Wh = tuple[int, int]

MEAN_GREY = 110.0
SURROUNDINGS = 3.0  # sides of a die; less and the middle of a die fades, more and shadows come through
DIE_OF_HEIGHT = 0.042  # a 16 mm die in a picture that a 38 cm tray fills, of the picture's height
LATELY = 8  # frames
LIGHT_JUMP = 0.1  # share by which the light changes from one frame to the next only if a lamp or a flash does it
CONTRAST = 40.0  # of a die against its surroundings at most, in evened grey
AIM_SIDE = 36  # of a place at which the camera's aim is checked
AIM_REACH = 12  # and how far it may have gone to be found again


class Blob(NamedTuple):
    """Something loose that moves: centre and area in pixels of the luma."""

    x: float
    y: float
    area: float


class Motion(NamedTuple):
    """What one frame shows.

    moving: something moves on the felt. everywhere: so much of the picture changes that it is light or a shaken camera.
    arm: something reaches from outside over the felt, or stands so; reaching: and it moves on. loose: dice-sized,
    moving, on no arm. level: of grey, 0 to 255.
    """

    moving: bool
    everywhere: bool
    arm: bool
    reaching: bool
    loose: tuple[Blob, ...]
    level: float


class Felt(NamedTuple):
    """Where to look, in pixels of the luma.

    felt: (h, w) uint8 mask of what stands on the felt. border: mask of the line that every arm crosses; nothing that
    lies on the felt reaches it. corners: (N, 2) where the camera's aim is checked. die_px: side of a die, if known.
    """

    felt: Grey
    border: Grey
    corners: NDArray[np.float32]
    die_px: float | None


def felt_of(calibration: Calibration | None, wh: Wh) -> Felt:
    """Where to look in a luma of `wh`; without a calibration everywhere, and arms come over the picture's edge."""
    border = np.zeros((wh[1], wh[0]), np.uint8)
    cv2.rectangle(border, (0, 0), (wh[0] - 1, wh[1] - 1), 255, 2)
    if calibration is None:
        across = np.linspace(0.08, 0.92, 3)
        grid = np.array([(x, y) for y in across for x in across if (x, y) != (0.5, 0.5)], np.float32)
        return Felt(np.full((wh[1], wh[0]), 255, np.uint8), border, grid * np.array(wh, np.float32), None)
    table = Table(calibration, wh)
    die_mm = calibration.die_mm or 16.0
    high = np.full((len(calibration.rim_mm), 1), calibration.wall_mm)
    rim_px = table.project(np.hstack([calibration.rim_mm, high]))
    rim = np.zeros_like(border)
    cv2.fillPoly(rim, [np.round(rim_px).astype(np.int32)], 255)
    felt = np.asarray(table.region(die_mm), np.uint8)
    rim |= felt
    grown = np.asarray(cv2.dilate(rim, np.ones((7, 7), np.uint8)), np.uint8)
    line = grown & (~rim | border)
    middle = table.project(np.zeros((1, 3)))[0]
    beside = table.project(np.array([[die_mm, 0.0, 0.0]]))[0]
    return Felt(felt, line, rim_px, math.dist(beside, middle))


class Gate:
    """Compares frames of one camera. `look` at every frame in order; `keep` when the scene lies still.

    All lengths that come in or go out are pixels of the luma; inside, everything is done at half its size.
    """

    def __init__(self, felt: Felt) -> None:
        height, width = felt.felt.shape
        ys, xs = np.nonzero(felt.felt | felt.border)
        x0, y0 = int(xs.min()) // 2 * 2, int(ys.min()) // 2 * 2
        x1, y1 = (int(xs.max()) + 2) // 2 * 2, (int(ys.max()) + 2) // 2 * 2
        self._part = (slice(y0, min(y1, height // 2 * 2)), slice(x0, min(x1, width // 2 * 2)))
        self._xy = (x0, y0)
        self._felt = np.ascontiguousarray(felt.felt[self._part][::2, ::2])
        # Every second pixel of the line would leave gaps.
        self._border_at = np.flatnonzero(cv2.dilate(felt.border, _THREE)[self._part][::2, ::2])
        self._corners = felt.corners
        self.die_px = felt.die_px or DIE_OF_HEIGHT * height
        self._die_known = felt.die_px is not None
        self._noise = 0.0  # mean difference of two frames of one scene; 0: not heard yet
        self._gain = 1.0  # that brings the frame now to the light of the scene kept
        self._now: Mat | None = None
        self._even: Mat | None = None  # the frame now, light evened, surroundings not taken off
        self._kept: Mat | None = None  # the scene as it last lay still
        self._kept_even: Mat | None = None
        self._kept_few: NDArray[np.float32] | None = None
        self._was_new: Mat | None = None  # what was new in the frame before
        self._arm: Mat | None = None  # where an arm is now
        self._reaching = False
        self.new_at: tuple[tuple[float, float], ...] = ()  # where something of the size of dice is new in this frame
        self._lately: Mat = np.zeros_like(self._felt)  # frames until a place where something small was is fresh again
        self._aim: list[tuple[tuple[int, int], Mat]] = []
        self._aim_level = 0.0
        self._wh = (width, height)

    def know_die(self, die_px: float) -> None:
        """Takes the size of the dice from a reading, unless the calibration knew it."""
        if not self._die_known:
            self.die_px = die_px

    def look(self, luma: Grey) -> Motion:
        """What this frame shows against the one before and the scene kept; the first frame is kept by itself."""
        half = cv2.resize(luma[self._part], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        few = half[::4, ::4].ravel().astype(np.float32)
        level = float(np.median(few))
        gain = self._gain
        self._even = self._evened(half, few, level)
        jump = abs(math.log(self._gain / gain))
        side = self.die_px / 2
        reach = 2 * int(SURROUNDINGS * side / 2) + 1
        before = self._now
        self._now = cv2.addWeighted(self._even, 0.5, cv2.blur(self._even, (reach, reach)), -0.5, 128)
        if before is None:
            self.keep()
            return Motion(False, False, False, False, (), level)
        change = cv2.absdiff(self._now, before)
        switched = jump > LIGHT_JUMP
        if switched:
            self._noise = 0.0  # a dark picture has more of it than a bright one
        else:
            self._listen(change)
        least = 18.0 if switched else float(np.clip(5.0 * self._noise, 4.0, 18.0))
        # Noise is spots, what moves is a patch; two by two is the smallest that sees a die turn over its edge.
        changed = cv2.erode(cv2.threshold(change, least, 255, cv2.THRESH_BINARY)[1], _TWO)
        moving = cv2.countNonZero(cv2.bitwise_and(changed, self._felt)) >= max(3.0, 0.1 * side**2)
        loose = self._blobs(side)
        arm = self._arm is not None
        if not moving:
            return Motion(False, False, arm, False, (), level)
        return Motion(True, switched or _everywhere(changed), arm, self._reaching, loose, level)

    def _listen(self, change: Mat) -> None:
        """Learns how much two frames differ by noise alone, from the quieter pixels, so that arms hardly count."""
        few = np.sort(change[::4, ::4], axis=None)
        quiet = 1.69 * float(few[: 7 * len(few) // 10].mean())  # of the quieter 70 % of normal noise to all of it
        self._noise = self._noise + 0.05 * (quiet - self._noise) if self._noise else quiet

    def _evened(self, half: Mat, few: NDArray[np.float32], level: float) -> Mat:
        """The frame in the light of the scene kept. By the median: an arm covers less than half of what is seen."""
        if self._kept_few is None:
            gain = MEAN_GREY / max(level, 1.0)
        else:
            gain = float(np.median(self._kept_few / np.maximum(few, 1.0)))
        self._gain = min(max(gain, 0.05), 12.0)
        return cv2.convertScaleAbs(half, alpha=self._gain)

    def _blobs(self, side: float) -> tuple[Blob, ...]:
        """Finds the arm, and gives what is loose, among the things that are new since the scene was kept.

        side: of a die, in the halved picture.
        """
        assert self._even is not None and self._kept_even is not None
        assert self._now is not None and self._kept is not None
        was_new, self._was_new, self._arm, self._reaching, self.new_at = self._was_new, None, None, False, ()
        self._lately = cv2.subtract(self._lately, np.ones_like(self._lately))
        new = cv2.absdiff(self._even, self._kept_even)
        least = float(np.clip(0.2 * cv2.minMaxLoc(new)[1], 10.0 * max(self._noise, 1.0), 28.0))
        new = cv2.threshold(new, least, 255, cv2.THRESH_BINARY)[1]
        die = side**2
        if cv2.countNonZero(cv2.bitwise_and(new, self._felt)) < 0.25 * die:
            return ()
        new = cv2.morphologyEx(new, cv2.MORPH_CLOSE, _THREE)
        self._was_new = new
        count, labels, stats, centres = cv2.connectedComponentsWithStats(new, connectivity=8, ltype=cv2.CV_16U)
        at_border = set(np.unique(labels.ravel()[self._border_at]).tolist())
        large, small = np.zeros_like(new), []
        for label in range(1, count):
            x, y, w, h, area = (int(number) for number in stats[label])
            if area < 0.25 * die:
                continue
            box = (slice(y, y + h), slice(x, x + w))
            mine = labels[box] == label
            if label in at_border:
                if np.count_nonzero(mine & (self._felt[box] > 0)) > 0.4 * die:
                    self._arm = large
                    large[box][mine] = 1
                    # A patch of other light that hangs over the rim comes at once and then stands, its edge trembling.
                    fresh = mine if was_new is None else mine & (was_new[box] == 0)
                    self._reaching |= cv2.countNonZero(cv2.erode(fresh.astype(np.uint8), _TWO)) > 0.3 * die
            elif area > 6 * die:
                large[box][mine] = 1
            elif min(w, h) > 0.5 * side and area > 0.3 * w * h:
                small.append((box, mine, area, centres[label]))
        if not small:
            return ()
        on_felt = [centre for *_, centre in small if self._felt[round(centre[1]), round(centre[0])]]
        self.new_at = tuple((2 * x + 0.5 + self._xy[0], 2 * y + 0.5 + self._xy[1]) for x, y in on_felt)
        # Fingertips and the edges of shadows come apart from the hand, but they stay close to it.
        aura = 2 * round(side) + 1
        shunned = cv2.dilate(large, np.ones((aura, aura), np.uint8)) if large.any() else large
        edges = cv2.absdiff(self._now, self._kept)
        loose = []
        for box, mine, area, (x, y) in small:
            # Edges that flicker in a shaken picture come back where they were; what travels covers new ground.
            ground = self._lately[box] == 0 if was_new is None else (self._lately[box] == 0) & (was_new[box] == 0)
            fresh = np.count_nonzero(mine & ground)
            self._lately[box][mine] = LATELY
            sharp = np.count_nonzero(mine & (edges[box] > least / 2))  # a soft shadow is not
            alone = not (shunned[box] & mine).any() and self._felt[round(y), round(x)] > 0
            if alone and fresh > 0.2 * area and sharp > 0.3 * area:
                loose.append(Blob(2 * float(x) + 0.5 + self._xy[0], 2 * float(y) + 0.5 + self._xy[1], 4.0 * area))
        return tuple(loose)

    def keep(self) -> None:
        """The frame last looked at is from now on the scene as it lies still."""
        self._kept, self._kept_even = self._now, self._even
        if self._even is not None:
            self._kept_few = self._even[::4, ::4].ravel().astype(np.float32)

    def sameness(self, x: float, y: float) -> float | None:
        """How much the place of a die looks as in the scene kept: 1 the same, 0 and less another thing.

        None: under an arm. Light hardly counts: the patch may be brighter or darker all over. Shifts up to a fifth of a
        die are forgiven.
        """
        assert self._even is not None and self._kept_even is not None
        half = max(3, round(0.3 * self.die_px))
        slack = max(1, round(0.1 * self.die_px))
        height, width = self._even.shape
        cx, cy = round((x - self._xy[0]) / 2), round((y - self._xy[1]) / 2)
        x0, x1, y0, y1 = max(cx - half, 0), min(cx + half + 1, width), max(cy - half, 0), min(cy + half + 1, height)
        if x1 - x0 < half or y1 - y0 < half:
            return None
        if self._arm is not None and self._arm[y0:y1, x0:x1].any():
            return None
        was = self._kept_even[y0:y1, x0:x1]
        if int(was.max()) - int(was.min()) < 8:
            return 0.0
        top, left = max(y0 - slack, 0), max(x0 - slack, 0)
        around = self._even[top : y1 + slack, left : x1 + slack]
        dx, dy = cv2.minMaxLoc(cv2.matchTemplate(around, was, cv2.TM_CCOEFF_NORMED))[3]
        now = around[dy : dy + was.shape[0], dx : dx + was.shape[1]].astype(np.float32)
        # Not the correlation itself: a bright suit on the felt correlates well with a white die.
        was_flat, now_flat = was - was.mean(), now - now.mean()
        # And a dark die on a bright line of the felt takes little of the line's own contrast away: hence the bound.
        return float(1.0 - np.square(now_flat - was_flat).mean() / min(np.square(was_flat).mean(), CONTRAST**2))

    def strayed_px(self, luma: Grey) -> float:
        """How far the camera's aim is off since `aim`, in pixels; inf: most of what it saw then is not there.

        Of the places checked the median counts: a hand or a glass may lie on some of them, never on most. 0 where it
        cannot be said, because the light went since.
        """
        if float(np.median(luma[::6, ::6])) < 0.4 * self._aim_level:
            return 0.0
        shifts = []
        for (x, y), was in self._aim:
            near = luma[y - AIM_REACH : y + AIM_SIDE + AIM_REACH, x - AIM_REACH : x + AIM_SIDE + AIM_REACH]
            match = cv2.matchTemplate(cv2.blur(near, (3, 3)), was, cv2.TM_CCOEFF_NORMED)
            best, at = cv2.minMaxLoc(match)[1::2]
            shifts.append(_off(match, at) if best > 0.5 else math.inf)
        return float(np.median(shifts)) if len(shifts) > 2 else 0.0

    def aim(self, luma: Grey) -> None:
        """The camera aims right now; `strayed_px` is counted from here. Places that show nothing are left out."""
        self._aim = []
        self._aim_level = float(np.median(luma[::6, ::6]))
        size = AIM_SIDE + 2 * AIM_REACH
        for corner_x, corner_y in self._corners:
            x = int(np.clip(corner_x - size / 2, 0, self._wh[0] - size)) + AIM_REACH
            y = int(np.clip(corner_y - size / 2, 0, self._wh[1] - size)) + AIM_REACH
            view = cv2.blur(luma[y : y + AIM_SIDE, x : x + AIM_SIDE], (3, 3))
            if float(np.std(view)) > 6.0:
                self._aim.append(((x, y), view))


def _off(match: Mat, at: Sequence[int]) -> float:
    """How far the peak of a match lies from its middle, to a fraction of a pixel, which a parabola gives."""
    off = []
    for place, line in ((at[0], match[at[1], :]), (at[1], match[:, at[0]])):
        part = 0.0
        if 0 < place < len(line) - 1:
            low, peak, high = (float(value) for value in line[place - 1 : place + 2])
            part = 0.5 * (low - high) / min(low - 2 * peak + high, -1e-6)
        off.append(place + part - AIM_REACH)
    return math.hypot(*off)


def _everywhere(changed: Mat) -> bool:
    """Does more than half of all places of the size of a hand change?"""
    if cv2.countNonZero(changed) < 0.02 * changed.size:
        return False
    height, width = (number // 16 * 16 for number in changed.shape)
    places = changed[:height, :width].reshape(height // 16, 16, width // 16, 16).max(axis=(1, 3))
    return bool(np.count_nonzero(places) > 0.5 * places.size)


_TWO = np.ones((2, 2), np.uint8)
_THREE = np.ones((3, 3), np.uint8)
