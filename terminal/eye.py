"""The eye at work: a thread that takes frames from the camera, lets the watcher see them and posts what happened.

It only posts messages; the loop decides what they mean. A camera that is lost is tried again, for as long as it takes,
while the players go on by touch. While nothing happens the caretaker looks after the calibration, in a second thread
with less of a right to the processor.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from calibration.fit import CalibrationFailed
from calibration.shots import Shots, fitted
from terminal.caretaker import Caretaker, Sample
from terminal.evidence import jpeg_of
from terminal.frame import Frame, Image
from terminal.hw.ports import BadHardware, Camera, MeasuresLight
from terminal.table import Camera as CameraHealth
from terminal.table import Emptied, Fitted, Lying, Message, Moved, Read, Rolling
from terminal.vision import overlay
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader
from terminal.vision.reading import Die
from terminal.vision.tray import Table
from terminal.vision.watch import Reads, TrayEvent, Watcher, WatchParams

log = logging.getLogger(__name__)

PICTURES_KEPT = 16  # as JPEG, some 0.15 MB each: those of waiting rolls, until they are kept as evidence
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 15.0
GAP_S = WatchParams().gap_s  # after so long without a frame watching begins anew
RESTS_AFTER_S = 20.0  # without anything in the tray; then every second frame is enough until something stirs
SOON_S = 0.05  # a camera whose frames are farther apart has none to spare
SPARE_TIME = 10  # niceness of the caretaker's thread

AIMING_S = 1.0  # between two pictures while people look what the camera sees
MEASURES_S = 2.0  # that a camera needs to measure its light
MARGIN = 2.0  # sides of a die left free around the dice, so that people see how they lie

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""


def box_of(dice: tuple[Die, ...]) -> Box:
    """The part of a picture that holds these dice, with a margin; may reach over the picture's edge."""
    side = max(die.size for die in dice) * (0.7 + MARGIN)
    xs, ys = [die.x for die in dice], [die.y for die in dice]
    wide, high = max(xs) - min(xs) + 2 * side, max(ys) - min(ys) + 2 * side
    wide, high = max(wide, high), max(high, 0.6 * wide)  # a shape that fills its place on the screen
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return round(x - wide / 2), round(y - high / 2), round(x + wide / 2), round(y + high / 2)


class Eye:
    """Watches one camera from a thread of its own.

    post: called from its threads with each message. expect: how many dice the game asks for; set by the loop.
    asked: the step of a calibration that the screen is at, and its serial number; set by the loop. While there is one
    nothing is watched. made: the calibration that was worked out last.
    caretaker: of the calibration that `reader` has; None where there is none, or nobody to look after it.
    """

    def __init__(
        self, camera: Camera, reader: Reads, post: Callable[[Message], None], caretaker: Caretaker | None = None
    ) -> None:
        self._camera = camera
        self._watcher = Watcher(reader)
        self._caretaker = caretaker
        self._renewed: Reader | None = None  # with what the caretaker mended or learnt
        self._jobs: queue.SimpleQueue[Callable[[], tuple[Message, ...] | None] | None] = queue.SimpleQueue()
        self._tending = False  # the caretaker has a piece of work
        self._unknown = False  # what lies in the tray is still to be told
        self.asked: tuple[str, int] = ("", 0)
        self.made: Calibration | None = None
        self._at: tuple[str, int] = ("", 0)  # the step that was begun
        self._shots = Shots()
        self._empty: list[Image] = []
        self._shown_s = 0.0
        self._live = ""  # key of the picture that shows what the camera sees
        self._post = post
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._around: dict[str, Box] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)
        self._spare = threading.Thread(target=self._work, name="caretaker", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()
        self._spare.start()

    def stop(self) -> None:
        """Close the camera and end; may be called twice."""
        self._stopping.set()
        self._camera.close()
        self._jobs.put(None)
        for thread in (self._thread, self._spare):
            if thread.is_alive():
                thread.join(5.0)

    @property
    def expect(self) -> int:
        """How many dice the game asks for: 3, 1 or 0 (any number)."""
        return self._watcher.expect

    @expect.setter
    def expect(self, dice: int) -> None:
        self._watcher.expect = dice

    def jpeg(self, key: str) -> bytes | None:
        """A frame that was read, as JPEG, while it is still kept."""
        with self._lock:
            return self._pictures.get(key)

    def around(self, key: str) -> Box | None:
        """Where all the dice lie in that frame; None when not as many were found as the game asks for."""
        with self._lock:
            return self._around.get(key)

    def counted(self, name: str, key: str, values: tuple[int, ...], sure: bool) -> None:
        """A throw that counts, by its picture: the dice can be learnt from it. name: `image` of its line."""
        encoded = self.jpeg(key)
        if self._caretaker is not None and encoded is not None:
            sample = Sample(encoded, tuple(sorted(values)), sure)
            self._later(partial(self._caretaker.counted, name, sample))

    def corrected(self, name: str, values: tuple[int, ...] | None) -> None:
        """The same throw shows other dice, or (None) counts no more."""
        if self._caretaker is None:
            return
        if values is None:
            self._later(partial(self._caretaker.undone, name))
        else:
            self._later(partial(self._caretaker.corrected, name, values))

    def _later(self, note: Callable[[], None]) -> None:
        """Let the caretaker take note in his own thread."""
        self._jobs.put(note)

    def _work(self) -> None:
        """The caretaker's thread: one job after another."""
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SPARE_TIME)  # of this thread alone
        while (job := self._jobs.get()) is not None:
            before = self._calibration
            told = job()
            after = self._calibration
            if after is not before:
                self._renewed = Reader(after)
            if told is not None:  # it was given, and not only noted
                for message in told:
                    self._post(message)
                self._tending = False

    @property
    def _calibration(self) -> Calibration | None:
        """The one that the caretaker looks after, as he has mended it."""
        return self._caretaker.calibration if self._caretaker is not None else None

    def use(self, calibration: Calibration) -> None:
        """Read by another calibration from the next calm moment on, and look after that."""
        self._later(partial(self._take_over, calibration))

    def _take_over(self, calibration: Calibration) -> None:
        self._caretaker = caretaker_of(calibration, self._camera)
        self._post(CameraHealth("ok"))

    def _calibrate(self, frame: Frame) -> None:
        """What the step of the calibration wants of a frame."""
        step, serial = asked = self.asked
        begins, self._at = asked != self._at, asked
        if step in ("empty", "card"):
            if begins or frame.t_s - self._shown_s > AIMING_S:
                self._shown_s = frame.t_s
                self._post(Fitted(serial, "seen", self._show(f"live-{frame.seq}", frame.image())))
            return
        if begins and step == "shoot_empty":
            from_s = frame.t_s
            if isinstance(self._camera, MeasuresLight):
                self._camera.measure_light()
                from_s += MEASURES_S
            self._shots = Shots(from_s)
        elif begins and step == "shoot_card":
            self._empty, self._shots = self._shots.taken, Shots(frame.t_s)
        elif begins and step == "shoot_none":
            self._give(partial(self._fit, serial, self._shots.taken, []))
        if step not in ("shoot_empty", "shoot_card") or self._shots.complete or not self._shots.see(frame):
            return
        if step == "shoot_empty":
            self._post(Fitted(serial, "empty"))
        else:
            self._give(partial(self._fit, serial, self._empty, self._shots.taken))

    def _over(self) -> None:
        """Nothing is calibrated any more: the pictures of it go."""
        if self._at[0]:
            self._at, self._empty, self._shots = ("", 0), [], Shots()

    def _fit(self, serial: int, empty: list[Image], lying: list[Image]) -> tuple[Message, ...]:
        """Work out a calibration; in the caretaker's thread."""
        try:
            made = fitted(empty, lying)
        except CalibrationFailed as failed:
            log.warning("Not calibrated: %s", failed)
            return (Fitted(serial, failed.code),)
        self.made = made
        seen = overlay.from_above(empty[0], Table(made, made.image_wh))
        return (Fitted(serial, "passed", self._show(f"felt-{serial}", seen)),)

    def _show(self, key: str, image: Image) -> str:
        """Keep a picture for the screen, all of it, in the place of the one before."""
        encoded = jpeg_of(image)
        with self._lock:
            self._pictures.pop(self._live, None)
            self._around.pop(self._live, None)
            self._live = key
            self._pictures[key] = encoded
            self._around[key] = (0, 0, image.shape[1], image.shape[0])
        return key

    def _give(self, job: Callable[[], tuple[Message, ...]]) -> None:
        """One piece of work for the caretaker, and no other before it is done."""

        self._tending = True
        self._jobs.put(job)

    def _tend(self, frame: Frame) -> None:
        """Nothing happens in the tray: take over what the caretaker made, or give him something to do."""
        if not self._watcher.calm:
            return
        care, (renewed, self._renewed) = self._caretaker, (self._renewed, None)
        if renewed is not None:
            expect = self._watcher.expect
            self._watcher = Watcher(renewed)
            self._watcher.expect = expect
            self._watcher.see(frame)  # notes what lies there
        elif care is None:
            pass
        elif care.wants_light and isinstance(self._camera, MeasuresLight):
            care.wants_light = False
            self._camera.measure_light()
        elif self._tending:
            pass
        elif care.due(frame.t_s):
            self._give(partial(care.look, frame.image(), frame.t_s))
        elif care.busy:
            self._give(care.learn)

    @property
    def _settled(self) -> bool:
        """Whether what is read is read by a calibration that was looked at, where there is one."""
        care = self._caretaker
        return self._renewed is None and (care is None or (care.settled and not self._tending))

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        last_s = busy_s = 0.0
        while not self._stopping.is_set():
            try:
                for number, frame in enumerate(self._camera.frames()):
                    if self._stopping.is_set():
                        return
                    if number == 0:
                        self._post(CameraHealth("ok"))
                        if self._caretaker is not None:
                            self._later(self._caretaker.anew)
                        retry_s = FIRST_RETRY_S
                    if self.asked[0]:
                        self._calibrate(frame)
                        continue
                    self._over()
                    if number == 0 or not self._watcher.calm:
                        busy_s = frame.t_s
                    elif frame.t_s - busy_s > RESTS_AFTER_S and number % 2 and frame.t_s - last_s < SOON_S:
                        continue
                    events = self._watcher.see(frame)
                    self._unknown |= number == 0 or frame.t_s - last_s > GAP_S
                    last_s = frame.t_s
                    for event in events:
                        self._unknown = False
                        self._tell(event)
                    self._tend(frame)
                    if self._unknown and self._settled:
                        self._unknown = False
                        self._tell_what_lies(frame)
                if self._stopping.is_set():
                    return
                log.warning("The camera's frames have ended.")
            except BadHardware as lost:
                log.warning("Camera lost: %s; dice are entered by touch until it is back.", lost)
            self._post(CameraHealth("lost"))
            self._stopping.wait(retry_s)
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    @property
    def _why_asked(self) -> str | None:
        """Why even dice that are read are asked about; None where they count.

        Without a calibration nothing tells a die that leans, or lies beside the tray.
        """
        if self._caretaker is not None and not self._caretaker.trusted:
            return "moved"
        return None if self._watcher.calibrated else "uncalibrated"

    def _tell_what_lies(self, frame: Frame) -> None:
        """Dice that lie there when watching begins are asked about (CONTRACT 6.9)."""
        lying = self._watcher.lying
        if lying is not None and lying.dice:
            self._post(Lying(lying.values, self._keep(frame.seq, frame.image(), lying.dice)))

    def _keep(self, number: int, image: Image, dice: tuple[Die, ...] = ()) -> str:
        key = f"frame-{number}"
        encoded = jpeg_of(image)
        with self._lock:
            self._pictures[key] = encoded
            if dice and len(dice) == self.expect:
                self._around[key] = box_of(dice)
            while len(self._pictures) > PICTURES_KEPT:
                gone, _ = self._pictures.popitem(last=False)
                self._around.pop(gone, None)
        return key

    def _tell(self, event: TrayEvent) -> None:
        key = self._keep(event.frame, event.image, event.dice) if event.image is not None else None
        match event.event:
            case "rolling":
                self._post(Rolling())
            case "throw":
                confidence = min((die.confidence for die in event.dice), default=None)
                self._post(Read(event.values, self._why_asked, key, confidence))
            case "unsure":
                self._post(Read(event.values, event.reason or "disagree", key))
            case "moved":
                self._post(Moved(event.values))
            case "emptied":
                self._post(Emptied())
            case "camera_moved":
                if self._caretaker is not None:  # without a calibration it may hang as it likes
                    self._caretaker.alarm()
                    self._post(CameraHealth("moved"))
            case "camera_lost":
                self._post(CameraHealth("lost"))


def caretaker_of(calibration: Calibration | None, camera: Camera) -> Caretaker | None:
    """Who looks after a calibration; None where there is nothing to compare with."""
    if calibration is None or calibration.felt_bgr is None:
        return None
    return Caretaker(calibration, isinstance(camera, MeasuresLight))
