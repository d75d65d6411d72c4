"""The eye at work: a thread that takes frames from the camera, lets the watcher see them and posts what happened.

It only posts messages; the loop decides what they mean. A camera that is lost is tried again, for as long as it takes,
while the players go on by touch.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable

from terminal.evidence import jpeg_of
from terminal.frame import Frame, Image
from terminal.hw.ports import BadHardware, Camera
from terminal.table import Camera as CameraHealth
from terminal.table import Emptied, Lying, Message, Moved, Read, Rolling
from terminal.vision.reading import Die
from terminal.vision.watch import Reads, TrayEvent, Watcher

log = logging.getLogger(__name__)

PICTURES_KEPT = 32  # as JPEG, some 0.15 MB each: those of waiting rolls, and a few for the screen
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 15.0

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

    post: called from the thread with each message. expect: how many dice the game asks for; set by the loop.
    """

    def __init__(self, camera: Camera, reader: Reads, post: Callable[[Message], None]) -> None:
        self._camera = camera
        self._reader = reader
        self._watcher = Watcher(reader)
        self._post = post
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._around: dict[str, Box] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Close the camera and end; may be called twice."""
        self._stopping.set()
        self._camera.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

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

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        while not self._stopping.is_set():
            try:
                for number, frame in enumerate(self._camera.frames()):
                    if self._stopping.is_set():
                        return
                    events = self._watcher.see(frame)
                    if number == 0:
                        self._post(CameraHealth("ok"))
                        self._tell_what_lies(frame)
                        retry_s = FIRST_RETRY_S
                    for event in events:
                        self._tell(event)
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
                self._post(Read(event.values, None, key, confidence))
            case "unsure":
                self._post(Read(event.values, event.reason or "disagree", key))
            case "moved":
                self._post(Moved(event.values))
            case "emptied":
                self._post(Emptied())
            case "camera_moved":
                self._post(CameraHealth("moved"))
            case "camera_lost":
                self._post(CameraHealth("lost"))
