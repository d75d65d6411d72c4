"""Watching the tray: frames in, what happened out. It knows no clock but the frames' own, and reads only still dice.

How a throw is told from a hand
-------------------------------
The tray *lies still* until something moves on the felt; what happens from then until nothing moved for a moment is one
*stir*. Every stir is judged once, at its end, by what lay there before, what lies there after, and three observations
made on the way by the gate (`motion.py`):

  arm      something reached over the rim and moved
  loose    something of the size of dice travelled by itself, on no arm, for several frames and more than a die's side
  gone     the place of a die that lay there before was seen without it, not merely covered

  after the stir the tray is …    … and then
  --------------------------------------------------------------------------------------------------------------------
  rolled: loose and all gone, or all gone and new dice there though no arm was seen (pictures in a folder, lost frames)
      dice, or doubt               `rolling` as soon as it is known, then one `throw` or `unsure`
      empty                        `unsure`: somebody took them before they were read, or they left the tray; `emptied`
  not rolled
      empty, and dice lay there    `emptied`
      other dice than before       `moved`: turned, shifted, taken away or put down by a hand, and never a throw
      as before                    nothing: a finger pointed, a glass was put down, the lamp, a flash, a shaken table

"All gone" is why a poked die is no throw: whoever throws has first picked up what lay there. An empty tray has nothing
left to be gone. A die that a hand puts down comes out from under the arm and lies where it is, so it is not loose; one
that is thrown runs over felt that nothing covered a moment ago. What lies there when watching begins is only noted.

Nothing is read while an arm is in the tray, unless it lies still so long that it must be a thing. Several frames must
read alike before `throw` is said; a reading that an arm interrupted still has to agree with those after it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from terminal.frame import Frame
from terminal.vision.motion import Blob, Gate, Motion, felt_of
from terminal.vision.params import Calibration
from terminal.vision.reading import Die, Reading


class Reads(Protocol):
    """What the watcher needs of a reader."""

    @property
    def calibration(self) -> Calibration | None:
        """The table, if it is known."""

    def read(self, image: NDArray[np.uint8], dice: int = 3) -> Reading:
        """The dice in a picture, (H, W, 3) uint8 BGR; dice 0: any number."""


class WatchParams(NamedTuple):
    """How patient the watcher is. Seconds are those of the frames.

    still_frames, still_for_s: nothing moves for both before a reading; more is slower, less reads dice that totter.
    agree: readings in a row that must be the same for a `throw`; each costs one frame and one reading.
    readings: at most so many for one stir, then it is `unsure`.
    loose_most: more loose things than this are no dice but a shaken or flickering picture, and for shaken_for_s after
    it nothing counts as loose.
    loose_frames, loose_sides: how long and how far (sides of a die) something must travel alone to have been thrown.
    gone_below: sameness of a die's place under which the die is gone; 1 is unchanged, bare felt 0 or less.
    same_within: sides of a die that two readings of the same die may differ.
    patience_s: an arm that lies still so long is a thing; the dice are read beside it.
    arm_away_s: without an arm for so long, the next one is a new `hand`.
    dark_level: mean grey under which nothing is judged, of 255.
    gap_s: frames missing for so long: watching begins anew, as nobody knows what happened.
    strayed_px: of the luma; the camera's aim may differ so much before it is `camera_moved`.
    aim_every_s: how often the aim is checked while nothing happens.
    """

    still_frames: int = 2
    still_for_s: float = 0.05
    agree: int = 3
    readings: int = 4
    loose_most: int = 8
    shaken_for_s: float = 0.15
    loose_frames: int = 3
    loose_sides: float = 1.5
    gone_below: float = 0.7
    same_within: float = 0.35
    patience_s: float = 3.0
    arm_away_s: float = 0.3
    dark_level: float = 5.0
    gap_s: float = 2.0
    strayed_px: float = 1.5
    aim_every_s: float = 60.0


class TrayEvent(NamedTuple):
    """Something that happened in the tray, by CONTRACT section 4.

    t: seconds and frame: number, of the frame that showed it. dice: in pixels of `image`, the (H, W, 3) BGR picture
    that was read; None where nothing was. reason: for `unsure`, and for `moved` where the new dice are only a guess.
    """

    t: float
    frame: int
    event: str
    values: tuple[int, ...] = ()
    dice: tuple[Die, ...] = ()
    reason: str | None = None
    image: NDArray[np.uint8] | None = None

    def to_json(self) -> dict[str, Any]:
        """The line of `pitjesbak watch`; `reason` only where there is one."""
        line: dict[str, Any] = {
            "t": round(self.t, 3),
            "frame": self.frame,
            "event": self.event,
            "values": list(self.values),
            "dice": [die.to_json() for die in self.dice],
        }
        if self.reason is not None:
            line["reason"] = self.reason
        return line


class _Track(NamedTuple):
    """A loose thing over the frames: where it was first seen and where it is."""

    from_x: float
    from_y: float
    x: float
    y: float
    frames: int
    missed: int


class _Stir:
    """What was observed since the tray last lay still."""

    def __init__(self, lying: int) -> None:
        self.moving = 0  # frames; a single one is a cut between two pictures
        self.arm_frames = 0
        self.loose = False
        self.told = False  # `rolling` was said
        self.still = 0
        self.aimed = False  # the camera was found to look where it did
        self.moved_s = 0.0
        self.shaken_s = -math.inf
        self.not_before_s = 0.0
        self.readings: list[Reading] = []
        self._missing = [0] * lying
        self._tracks: list[_Track] = []

    @property
    def arm(self) -> bool:
        """No arm comes in and lies still within a single frame."""
        return self.arm_frames >= 2

    @property
    def all_gone(self) -> bool:
        """Every die that lay there was away; two frames each, for one may be a flash."""
        return all(count >= 2 for count in self._missing)

    @property
    def any_gone(self) -> bool:
        """Some die that lay there was away."""
        return any(count >= 2 for count in self._missing)

    def miss(self, number: int, gone: bool) -> None:
        """Die `number` of those that lay there is seen to be gone, or to be there; who was gone stays so."""
        if self._missing[number] < 2:
            self._missing[number] = self._missing[number] + 1 if gone else 0

    def follow(self, blobs: tuple[Blob, ...], die_px: float, params: WatchParams) -> None:
        """Links what is loose in this frame with what was loose before."""
        tracks, left = [], list(self._tracks)
        for blob in blobs:
            near = min(left, key=lambda old: math.hypot(old.x - blob.x, old.y - blob.y), default=None)
            if near is None or math.hypot(near.x - blob.x, near.y - blob.y) > 5 * die_px:
                tracks.append(_Track(blob.x, blob.y, blob.x, blob.y, 1, 0))
                continue
            left.remove(near)
            track = _Track(near.from_x, near.from_y, blob.x, blob.y, near.frames + 1, 0)
            tracks.append(track)
            far = math.hypot(track.x - track.from_x, track.y - track.from_y) > params.loose_sides * die_px
            if far and track.frames >= params.loose_frames:
                self.loose = True
        tracks += [old._replace(missed=old.missed + 1) for old in left if old.missed < 1]
        self._tracks = tracks


class Watcher:
    """Watches one tray. Give it every frame of one camera in order; it answers with what has happened.

    expect: how many dice the game asks for now (3 or 1; 0 any number); may be set between two frames.
    """

    def __init__(self, reader: Reads, params: WatchParams = WatchParams()) -> None:  # noqa: B008  immutable
        self.expect = 3
        self._reader = reader
        self.calibrated = reader.calibration is not None
        self._params = params
        self._gate: Gate | None = None
        self._wh = (0, 0)
        self._scale = 1.0  # pixels of the luma a pixel of the picture
        self._lying: Reading | None = None  # None: nobody knows
        self._placed: tuple[Die, ...] = ()  # of these, the ones that must be gone before anybody can have thrown them
        self._full = False  # something lies there, though perhaps nobody knows what
        self._kept = True  # the gate's scene is the one that `_lying` was read from
        self._stir: _Stir | None = None
        self._last_s = 0.0
        self._arm_s: float | None = None  # when an arm was last seen, None: not in this visit
        self._arm_frames = 0
        self._aim_at_s = 0.0

    @property
    def lying(self) -> Reading | None:
        """What lies in the tray as far as is known: noted with the first frame, and renewed with every event."""
        return self._lying

    @property
    def calm(self) -> bool:
        """Whether nothing happens: no stir to be judged, and no arm in the tray or just gone."""
        return self._gate is not None and self._stir is None and self._arm_s is None

    def see(self, frame: Frame) -> tuple[TrayEvent, ...]:
        """What this frame shows to have happened; most often nothing."""
        wh = (frame.luma.shape[1], frame.luma.shape[0])
        if self._gate is None or wh != self._wh or frame.t_s - self._last_s > self._params.gap_s:
            self._begin(frame, wh)
            return ()
        self._last_s = frame.t_s
        motion = self._gate.look(frame.luma)
        events = self._greet(frame, motion)
        if motion.moving:
            return events + self._stirring(frame, motion)
        if self._stir is None:
            return events + self._idle(frame, motion)
        return events + self._calming(frame, motion)

    def _begin(self, frame: Frame, wh: tuple[int, int]) -> None:
        """Watching begins: what lies there is noted."""
        self._wh = wh
        self._gate = Gate(felt_of(self._reader.calibration, wh))
        self._gate.look(frame.luma)
        self._gate.aim(frame.luma)
        image = frame.image()
        self._scale = wh[0] / image.shape[1]
        self._stir, self._placed, self._arm_s, self._arm_frames = None, (), None, 0
        self._last_s = frame.t_s
        self._aim_at_s = frame.t_s + self._params.aim_every_s
        self._note(self._reader.read(image, 0))
        self._full = bool(self._lying and self._lying.dice)

    def _note(self, reading: Reading) -> None:
        """This lies there now; a doubt without a single die says nothing about what does."""
        assert self._gate is not None
        self._placed = reading.dice if reading.status == "read" else self._real(reading)
        self._lying = reading if reading.dice or reading.status == "empty" else None
        self._full = reading.status != "empty"
        self._kept = True
        self._gate.keep()
        if reading.dice:
            self._gate.know_die(float(np.median([die.size for die in reading.dice])) * self._scale)

    def _real(self, reading: Reading) -> tuple[Die, ...]:
        """Of the guesses of a reading in doubt those that came or lay here before.

        A suit on the felt that a doubtful reading took for a die would else never be gone, and no throw would count.
        """
        assert self._gate is not None
        gate, near = self._gate, self._params.same_within * self._gate.die_px / self._scale

        def real(die: Die) -> bool:
            if any(math.hypot(old.x - die.x, old.y - die.y) < near for old in self._placed):
                return True
            same = gate.sameness(die.x * self._scale, die.y * self._scale)
            return same is not None and same < self._params.gone_below

        return tuple(die for die in reading.dice if real(die))

    def _greet(self, frame: Frame, motion: Motion) -> tuple[TrayEvent, ...]:
        """`hand`, once for each visit."""
        if not motion.arm:
            self._arm_frames = 0
            if self._arm_s is not None and frame.t_s - self._arm_s > self._params.arm_away_s:
                self._arm_s = None
            return ()
        if self._arm_s is not None:
            self._arm_s = frame.t_s
            return ()
        self._arm_frames += motion.reaching and not motion.everywhere
        if self._arm_frames < 2:
            return ()
        self._arm_s = frame.t_s
        return (_event(frame, "hand"),)

    def _stirring(self, frame: Frame, motion: Motion) -> tuple[TrayEvent, ...]:
        """Something moves: observe."""
        assert self._gate is not None
        if self._stir is None:
            self._stir = _Stir(len(self._placed))
        stir = self._stir
        if stir.readings and not motion.arm:
            stir.readings.clear()  # a die fell over by itself: what was read before it did counts no more
        stir.still, stir.aimed, stir.moved_s = 0, False, frame.t_s
        stir.moving += 1
        if motion.everywhere or len(motion.loose) > self._params.loose_most:
            stir.shaken_s = frame.t_s
        if frame.t_s - stir.shaken_s < self._params.shaken_for_s:
            stir.follow((), self._gate.die_px, self._params)
            return ()
        stir.arm_frames += motion.reaching
        self._look_for_gone(stir)
        places = [(die.x * self._scale, die.y * self._scale) for die in self._placed]
        near = 0.6 * self._gate.die_px
        # The empty place of a die that was taken looks like a new thing; it is none.
        loose = tuple(b for b in motion.loose if all(math.hypot(b.x - x, b.y - y) > near for x, y in places))
        stir.follow(loose, self._gate.die_px, self._params)
        if stir.told or not (stir.loose and stir.all_gone):
            return ()
        stir.told = True
        return (_event(frame, "rolling"),)

    def _look_for_gone(self, stir: _Stir) -> None:
        assert self._gate is not None
        for number, die in enumerate(self._placed):
            same = self._gate.sameness(die.x * self._scale, die.y * self._scale)
            if same is not None:
                stir.miss(number, same < self._params.gone_below)

    def _idle(self, frame: Frame, motion: Motion) -> tuple[TrayEvent, ...]:
        """Nothing moves and nothing did: follow the slow light, and check the camera's aim now and then."""
        assert self._gate is not None
        # What looks like an arm and never moved is a lamp's light on felt and rim: it belongs to the scene at once.
        if self._kept and (motion.arm or frame.seq % 16 == 0):
            self._gate.keep()
        if frame.t_s < self._aim_at_s:
            return ()
        self._aim_at_s = frame.t_s + self._params.aim_every_s
        if self._gate.strayed_px(frame.luma) <= self._params.strayed_px:
            return ()
        # Too slow to be seen as motion. The next stir end, at once, confirms it or not.
        self._stir = _Stir(len(self._placed))
        self._stir.moved_s = frame.t_s
        return ()

    def _calming(self, frame: Frame, motion: Motion) -> tuple[TrayEvent, ...]:
        """Nothing moves any more: read, until it is clear what lies there."""
        assert self._gate is not None and self._stir is not None
        stir, params = self._stir, self._params
        stir.still += 1
        waited_s = frame.t_s - stir.moved_s
        self._look_for_gone(stir)
        if stir.still < params.still_frames or waited_s < params.still_for_s or frame.t_s < stir.not_before_s:
            return ()
        patient = waited_s < params.patience_s
        if (motion.arm and stir.arm and patient) or (motion.level < params.dark_level and not stir.told):
            return ()
        if not stir.aimed and not stir.told and self._gate.strayed_px(frame.luma) > params.strayed_px:
            # Not judged now: either the table swings back, or the camera looks elsewhere and positions mean nothing.
            return () if waited_s < 0.5 else self._camera_moved(frame)
        stir.aimed = True
        reading = self._reader.read(frame.image(), self.expect)
        if reading.reason == "hand" and patient and stir.moving > 1:
            stir.not_before_s = frame.t_s + 0.1
            return ()
        if not stir.readings and not stir.loose and self._lying and self._same(reading, self._lying):
            self._stir = None
            self._note(reading)
            return ()
        stir.readings.append(reading)
        agreed = consensus(stir.readings, params, self._gate.die_px / self._scale)
        return () if agreed is None else self._judge(frame, agreed)

    def _camera_moved(self, frame: Frame) -> tuple[TrayEvent, ...]:
        assert self._gate is not None
        self._gate.aim(frame.luma)
        self._stir = None
        self._note(self._reader.read(frame.image(), 0))
        return (_event(frame, "camera_moved"),)

    def _judge(self, frame: Frame, reading: Reading) -> tuple[TrayEvent, ...]:
        """The stir is over: the table on top of this file."""
        assert self._stir is not None
        stir, before = self._stir, self._lying
        known = before is not None and (before.status == "empty" or bool(self._placed))
        came_unseen = known and not stir.arm and stir.all_gone and bool(reading.dice)
        rolled = stir.told or (stir.loose and stir.all_gone) or came_unseen
        if reading.status == "empty" and stir.told and known and self._something_new():
            reading = reading._replace(status="unsure", reason="disagree")
        if not rolled and not self._believable(reading):
            # Dark, dazzled, covered, or only seen otherwise in another light: nothing is known to have changed.
            self._stir, self._kept = None, False
            return ()
        events: list[TrayEvent] = []
        if reading.status == "empty":
            if stir.told:
                events.append(_event(frame, "unsure", reading._replace(reason="hand" if stir.arm else "count")))
            if stir.told or self._full:
                events.append(_event(frame, "emptied"))
        elif rolled:
            if not stir.told:
                events.append(_event(frame, "rolling"))
            events.append(_event(frame, "throw" if reading.status == "read" else "unsure", reading))
        elif before is not None and not self._same(reading, before):
            events.append(_event(frame, "moved", reading))
        self._stir = None
        self._note(reading)
        return tuple(events)

    def _something_new(self) -> bool:
        """Does the gate see things of the size of dice where none lay before the roll? Then the tray is not empty."""
        assert self._gate is not None
        old, near = [(die.x * self._scale, die.y * self._scale) for die in self._placed], self._gate.die_px
        return any(all(math.dist(place, other) > near for other in old) for place in self._gate.new_at)

    def _believable(self, reading: Reading) -> bool:
        """May this reading stand for a change that nobody saw roll?

        The eye says so and so does the gate: no die comes, goes or turns without an arm or a change at its place.
        """
        assert self._stir is not None
        stir, before = self._stir, self._lying
        if before is None or self._same(reading, before) or (before.status == "unsure" and not self._placed):
            return True
        if reading.status == "empty":
            return stir.arm or stir.any_gone
        if reading.status == "read" or (reading.dice and len(reading.dice) != len(before.dice)):
            return stir.arm or stir.any_gone
        return bool(reading.dice) and stir.any_gone

    def _same(self, one: Reading, other: Reading) -> bool:
        """The same dice at the same places, in any order; an empty tray is the same as an empty tray."""
        assert self._gate is not None
        if not one.dice and not other.dice:
            return one.status == other.status
        return same_dice(one.dice, other.dice, self._params.same_within * self._gate.die_px / self._scale)


def _event(frame: Frame, event: str, reading: Reading | None = None) -> TrayEvent:
    if reading is None:
        return TrayEvent(frame.t_s, frame.seq, event)
    return TrayEvent(frame.t_s, frame.seq, event, reading.values, reading.dice, reading.reason, frame.image())


def same_dice(some: tuple[Die, ...], others: tuple[Die, ...], within_px: float) -> bool:
    """Each of `some` has one of `others` with its value within `within_px`, and none is left over."""
    left = list(others)
    for die in some:
        near = min(left, key=lambda one: math.hypot(one.x - die.x, one.y - die.y), default=None)
        if near is None or near.value != die.value or math.hypot(near.x - die.x, near.y - die.y) > within_px:
            return False
        left.remove(near)
    return not left


def consensus(readings: list[Reading], params: WatchParams, die_px: float) -> Reading | None:
    """What the readings of one rest say together; None: one more is needed.

    `read` needs the last `agree` to be `read` alike and no `read` before them to differ. die_px: of the picture.
    """
    latest = readings[-1]
    read = [one for one in readings if one.status == "read"]
    if any(one.values != read[0].values for one in read):
        return _doubtful(readings, "disagree")
    last = readings[-params.agree :]
    if len(last) == params.agree and all(one.status == "read" for one in last):
        if all(same_dice(one.dice, latest.dice, params.same_within * die_px) for one in last):
            return latest
        return _doubtful(readings, "disagree")
    if len(readings) >= 2 and all(one.status == "empty" for one in readings[-2:]):
        return latest
    if len(readings) >= params.readings:
        reasons = Counter(one.reason for one in readings if one.status == "unsure" and one.reason)
        return _doubtful(readings, reasons.most_common(1)[0][0] if reasons else "disagree")
    return None


def _doubtful(readings: list[Reading], reason: str) -> Reading:
    """An `unsure` with the guess that most readings share, the latest of them."""
    guess = Counter(one.values for one in readings if one.dice).most_common(1)
    shown = next((one for one in reversed(readings) if guess and one.values == guess[0][0]), readings[-1])
    return shown._replace(status="unsure", reason=reason)


def watch_source(
    frames: Iterable[Frame],
    reader: Reads,
    expect: int = 3,
    params: WatchParams = WatchParams(),  # noqa: B008  immutable
) -> Iterator[dict[str, Any]]:
    """The events of a camera as the lines of `pitjesbak watch`.

    A camera that fails (`OSError`, as `hw.ports.CameraLost` is) ends them with `camera_lost`.
    """
    watcher = Watcher(reader, params)
    watcher.expect = expect
    t_s, seq = 0.0, 0
    try:
        for frame in frames:
            t_s, seq = frame.t_s, frame.seq
            for event in watcher.see(frame):
                yield event.to_json()
    except OSError as error:
        yield TrayEvent(t_s, seq, "camera_lost", reason=str(error)).to_json()
