"""A drawn tray whose every frame is known: dice, an arm, light and shakes, for the watcher's tests.

Seen straight from above at 384 x 288, 0.65 pixels a millimetre. The stage is its own reader and reads what it drew,
because these tests are about watching. The noise is fixed, so a test gives the same frames each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from terminal.frame import Frame
from terminal.vision.params import Calibration
from terminal.vision.reading import Die, Reading
from terminal.vision.watch import TrayEvent, Watcher, WatchParams

Place = tuple[float, float]  # mm
WH = (384, 288)
PX = 0.65
SIDE = 16 * PX
FPS = 30
ANGLES = np.radians(np.arange(8) * 45 + 22.5)
CORNERS = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


def calibration() -> Calibration:
    """The drawn table: an eye 800 mm above the middle of the felt."""
    camera = np.array([[PX * 800, 0, 191.5], [0, PX * 800, 143.5], [0, 0, 1]])
    return Calibration(
        WH, camera, np.zeros(5), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 800.0]),
        CORNERS * 190, CORNERS * 205, 30.0, 16.0,
    )  # fmt: skip


def on_picture(x: float, y: float) -> tuple[float, float]:
    """Pixels of a place on the felt in mm."""
    return 191.5 + x * PX, 143.5 - y * PX


@dataclass(frozen=True)
class Scene:
    """One moment. dice: (value, x mm, y mm, turned degrees); arm: tip (x, y) in mm, it comes from the right.

    lamp: brightness, and slope of light from left to right. shake: pixels. glass: one stands on the table.
    """

    dice: tuple[tuple[int, float, float, float], ...] = ()
    arm: tuple[float, float] | None = None
    lamp: float = 1.0
    slope: float = 0.0
    shake: tuple[float, float] = (0.0, 0.0)
    glass: bool = False
    blur: bool = False  # the dice are in motion, and no reader can read them
    white: int = 225


class Stage:
    """Draws scenes; also the reader of what it drew last."""

    def __init__(self, calibrated: bool = True, params: WatchParams | None = None) -> None:
        self.calibration = calibration() if calibrated else None
        self.watcher = Watcher(self, params or WatchParams())
        self.seq = 0
        self.reads = 0
        self.doubt: str | None = None  # the reason for which the reader is unsure, whatever lies there
        self.ghosts: tuple[tuple[int, float, float, float], ...] = ()  # dice that only the reader sees
        self.blind = False  # a reader that finds no dice
        self._scene = Scene()
        random = np.random.default_rng(7)
        wood = np.full((WH[1], WH[0]), 95.0)
        wood += 14 * np.sin(np.arange(WH[1]) / 5.0)[:, None] + random.normal(0, 5, (WH[1], WH[0]))
        rim = np.round([on_picture(*corner) for corner in CORNERS * 213]).astype(np.int32)
        felt = np.round([on_picture(*corner) for corner in CORNERS * 190]).astype(np.int32)
        cv2.fillPoly(wood, [rim], 130)
        cv2.fillPoly(wood, [felt], 60)
        for angle in range(0, 360, 60):  # chalk on the rim
            x, y = on_picture(196 * np.cos(np.radians(angle)), 196 * np.sin(np.radians(angle)))
            cv2.line(wood, (int(x) - 3, int(y)), (int(x) + 3, int(y)), 220, 1)
        cv2.circle(wood, tuple(int(n) for n in on_picture(-60, 60)), 9, 90, -1)  # a pattern on the felt
        cv2.circle(wood, (191, 143), round(130 * PX), 190, 3)  # and a bright ring
        self._empty = cv2.GaussianBlur(wood, (3, 3), 0.7).astype(np.float32)
        self._noise = [random.normal(0, 1.6, (WH[1], WH[0])).astype(np.float32) for _ in range(5)]

    def draw(self, scene: Scene) -> np.ndarray:
        """(288, 384) uint8 grey."""
        grey = self._empty.copy()
        if scene.glass:
            cv2.circle(grey, (350, 250), 24, 200, -1)
        for value, x, y, turned in scene.dice:
            self._die(grey, value, x, y, turned, scene.white)
        if scene.arm:
            tip, shoulder = on_picture(*scene.arm), (WH[0] + 20.0, 120.0)
            start, end = (int(tip[0]), int(tip[1])), (int(shoulder[0]), int(shoulder[1]))
            shadow = np.ones_like(grey)
            cv2.line(shadow, (start[0], start[1] + 9), (end[0], end[1] + 9), 0.6, 26)
            grey *= cv2.blur(shadow, (7, 7))
            cv2.line(grey, start, end, 150, 26)
        if scene.shake != (0.0, 0.0):
            move = np.array([[1, 0, scene.shake[0]], [0, 1, scene.shake[1]]])
            grey = cv2.warpAffine(grey, move, WH, borderMode=cv2.BORDER_REPLICATE)
        light = (scene.lamp * (1 + scene.slope * np.linspace(-1, 1, WH[0]))).astype(np.float32)
        grey = grey * light + self._noise[self.seq % 5]
        return np.asarray(cv2.convertScaleAbs(np.maximum(grey, 0)), np.uint8)

    @staticmethod
    def _die(grey: np.ndarray, value: int, x: float, y: float, turned: float, white: int) -> None:
        cx, cy = on_picture(x, y)
        face = np.full((60, 60), white, np.float32)
        for px, py in PIPS[value]:
            cv2.circle(face, (30 + px * 15, 30 + py * 15), 6, 20, -1)
        if not (-10 < cx < WH[0] + 9 and -10 < cy < WH[1] + 9):
            return
        # Drawn three times as large and shrunk, so that the edges come out as a camera gives them.
        x0, y0, size = int(cx) - 10, int(cy) - 10, 21
        turn = cv2.getRotationMatrix2D((29.5, 29.5), turned, 3 * SIDE / 60)
        turn[:, 2] += np.array([cx - x0 + 0.5, cy - y0 + 0.5]) * 3 - 30
        drawn, mask = (
            cv2.resize(cv2.warpAffine(layer, turn, (3 * size, 3 * size)), (size, size), interpolation=cv2.INTER_AREA)
            for layer in (face, np.ones_like(face))
        )
        part = grey[max(y0, 0) : y0 + size, max(x0, 0) : x0 + size]
        drawn, mask = (layer[max(-y0, 0) :, max(-x0, 0) :][: part.shape[0], : part.shape[1]] for layer in (drawn, mask))
        part[:] = part * (1 - mask) + drawn

    def read(self, image: np.ndarray, dice: int = 3) -> Reading:
        """What is drawn; unsure under an arm, in motion, in the dark, and with another number of dice."""
        self.reads += 1
        scene = self._scene
        in_tray = [die for die in (*scene.dice, *self.ghosts) if np.hypot(die[1], die[2]) < 180 and not self.blind]
        found = tuple(Die(value, *on_picture(x, y), SIDE, 0.99) for value, x, y, _ in in_tray)
        values = tuple(sorted(die.value for die in found))
        if scene.lamp < 0.15:
            return Reading("unsure", (), (), "dark", 1.0)
        if self.doubt or scene.blur or scene.arm:
            return Reading("unsure", values, found, self.doubt or ("blur" if scene.blur else "hand"), 1.0)
        if not found:
            return Reading("empty", (), (), None, 1.0)
        if dice and len(found) != dice:
            return Reading("unsure", values, found, "count", 1.0)
        return Reading("read", values, found, None, 1.0)

    def show(self, *scenes: Scene, times: int = 1) -> list[TrayEvent]:
        """The events while these scenes are seen, each `times` frames."""
        events: list[TrayEvent] = []
        for scene in scenes:
            for _ in range(times):
                self._scene = scene
                grey = self.draw(scene)
                frame = Frame(self.seq, self.seq / FPS, grey, cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
                events += self.watcher.see(frame)
                self.seq += 1
        return events


@dataclass
class Play:
    """Scenes in which something happens, frame by frame."""

    now: Scene = field(default_factory=Scene)

    def arm_to(self, x: float, y: float, frames: int = 6, start: Place = (330.0, 20.0)) -> Iterator[Scene]:
        """The arm's tip moves to a place; it comes from beside the tray if it is not there yet."""
        begin = self.now.arm or start
        for step in range(1, frames + 1):
            share = step / frames
            self.now = replace(self.now, arm=(begin[0] + (x - begin[0]) * share, begin[1] + (y - begin[1]) * share))
            yield self.now

    def arm_away(self, frames: int = 6) -> Iterator[Scene]:
        """The arm leaves the picture."""
        yield from self.arm_to(330.0, 20.0, frames)
        self.now = replace(self.now, arm=None)
        yield self.now

    def hold(self, frames: int) -> Iterator[Scene]:
        """Nothing changes."""
        for _ in range(frames):
            yield self.now

    def throw(
        self,
        dice: tuple[tuple[int, float, float, float], ...],
        frames: int = 14,
        hand: tuple[float, float] = (150.0, 10.0),
        leave: bool = True,
    ) -> Iterator[Scene]:
        """A hand over the rim lets dice go; they tumble to where they come to rest, ever slower. The last scene is the
        first in which they lie still.
        """
        yield from self.arm_to(*hand)
        for step in range(1, frames + 1):
            share = 1 - (1 - step / frames) ** 2
            tumbling = []
            for number, (value, x, y, turned) in enumerate(dice):
                shown = value if step > frames - 5 else (value + step * (number + 2)) % 6 + 1
                x0, y0 = hand[0] - 30, hand[1] + (number - 1) * 20
                spin = (1 - share) * 400
                tumbling.append((shown, x0 + (x - x0) * share, y0 + (y - y0) * share, turned + spin))
            arm = self.now.arm
            if leave and arm and step > 2:
                arm = (arm[0] + 40, arm[1]) if arm[0] < 300 else None
            self.now = replace(self.now, dice=tuple(tumbling), arm=arm, blur=step < frames - 4)
            yield self.now
