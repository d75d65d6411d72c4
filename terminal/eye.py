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

from terminal.caretaker import Caretaker, Sample
from terminal.evidence import jpeg_of
from terminal.frame import Frame, Image
from terminal.hw.ports import BadHardware, Camera, MeasuresLight
from terminal.table import Camera as CameraHealth
from terminal.table import Emptied, Lying, Message, Moved, Read, Rolling
from terminal.vision.reader import Reader
from terminal.vision.reading import Die
from terminal.vision.watch import Reads, TrayEvent, Watcher, WatchParams

log = logging.getLogger(__name__)

PICTURES_KEPT = 16  # as JPEG, some 0.15 MB each: those of waiting rolls, until they are kept as evidence
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 15.0
GAP_S = WatchParams().gap_s  # after so long without a frame watching begins anew
RESTS_AFTER_S = 20.0  # without anything in the tray; then every second frame is enough until something stirs
SOON_S = 0.05  # a camera whose frames are farther apart has none to spare
SPARE_TIME = 10  # niceness of the caretaker's thread

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
        if self._caretaker is not None:
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
        care = self._caretaker
        assert care is not None
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SPARE_TIME)  # of this thread alone
        while (job := self._jobs.get()) is not None:
            before = care.calibration
            told = job()
            if care.calibration is not before:
                self._renewed = Reader(care.calibration)
            if told is not None:  # it was given, and not only noted
                for message in told:
                    self._post(message)
                self._tending = False

    def _give(self, job: Callable[[], tuple[Message, ...]]) -> None:
        """One piece of work for the caretaker, and no other before it is done."""

        self._tending = True
        self._jobs.put(job)

    def _tend(self, frame: Frame) -> None:
        """Nothing happens in the tray: take over what the caretaker made, or give him something to do."""
        care = self._caretaker
        if care is None or not self._watcher.calm:
            return
        renewed, self._renewed = self._renewed, None
        if renewed is not None:
            expect = self._watcher.expect
            self._watcher = Watcher(renewed)
            self._watcher.expect = expect
            self._watcher.see(frame)  # notes what lies there
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
        return care is None or (care.settled and not self._tending and self._renewed is None)

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        last_s = busy_s = 0.0
        while not self._stopping.is_set():
            try:
                for number, frame in enumerate(self._camera.frames()):
                    if self._stopping.is_set():
                        return
                    if number == 0 or not self._watcher.calm:
                        busy_s = frame.t_s
                    elif frame.t_s - busy_s > RESTS_AFTER_S and number % 2 and frame.t_s - last_s < SOON_S:
                        continue
                    events = self._watcher.see(frame)
                    if number == 0:
                        self._post(CameraHealth("ok"))
                        if self._caretaker is not None:
                            self._later(self._caretaker.anew)
                        retry_s = FIRST_RETRY_S
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
                trusted = self._caretaker is None or self._caretaker.trusted
                self._post(Read(event.values, None if trusted else "moved", key, confidence))
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
