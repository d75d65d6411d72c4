"""The eye at work: what the watcher sees becomes messages, a lost camera is tried again, pictures are cut to dice."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import numpy as np

from terminal.caretaker import Caretaker
from terminal.evidence import jpeg_of
from terminal.eye import PICTURES_KEPT, RESTS_AFTER_S, Eye, box_of
from terminal.frame import Frame, Image
from terminal.hw.file_camera import luma_of
from terminal.hw.ports import CameraLost
from terminal.table import Camera, Emptied, Lying, Message, Read, Rolling, Tended
from terminal.vision.reader import Reader as RealReader
from terminal.vision.reading import Die, Reading
from terminal.vision.watch import TrayEvent
from tests.calibration.test_check import calibrated, moved
from tests.calibration.test_fit import TABLES, picture

DICE = (Die(1, 60.0, 60.0, 20.0, 0.99), Die(6, 160.0, 80.0, 20.0, 0.98), Die(6, 100.0, 140.0, 20.0, 0.97))
EMPTY, THROWN = np.full((240, 320, 3), 40, np.uint8), np.full((240, 320, 3), 40, np.uint8)
for die in DICE:
    THROWN[int(die.y) - 10 : int(die.y) + 10, int(die.x) - 10 : int(die.x) + 10] = 230


class Reader:
    """Reads the two pictures of this test."""

    calibration = None

    def read(self, image: Image, dice: int = 3) -> Reading:
        if image.max() < 100:
            return Reading("empty", (), (), None, 0.1)
        return Reading("read", (1, 6, 6), DICE, None, 0.1)


class Pictures:
    """A camera that shows these pictures, and is lost where one is None."""

    def __init__(self, *pictures: Image | None) -> None:
        self._left = list(pictures)
        self._seq = 0
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        while self._left:
            picture = self._left.pop(0)
            if picture is None:
                raise CameraLost("pulled out")
            yield Frame(self._seq, self._seq / 30, picture[:, :, 1].copy(), picture)
            self._seq += 1
        self.closed.wait(10)

    def close(self) -> None:
        self.closed.set()


def seen(*pictures: Image | None, until: type) -> tuple[Eye, list[Message]]:
    """What the eye posts until a message of this kind, and the eye, stopped."""
    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    eye = Eye(Pictures(*pictures), Reader(), posted.put)
    eye.start()
    found: list[Message] = []
    while not found or not isinstance(found[-1], until):
        found.append(posted.get(timeout=10))
    eye.stop()
    return eye, found


def test_a_throw_becomes_rolling_a_reading_and_an_empty_tray() -> None:
    eye, found = seen(*[EMPTY] * 8, *[THROWN] * 12, *[EMPTY] * 12, until=Emptied)
    assert [type(message) for message in found] == [Camera, Rolling, Read, Emptied]
    read = found[2]
    assert isinstance(read, Read)
    # Without a calibration nothing tells a die that leans: even what is read is asked about.
    assert (read.values, read.reason, read.confidence) == ((1, 6, 6), "uncalibrated", 0.97)
    assert read.picture is not None
    assert eye.jpeg(read.picture) is not None
    assert eye.around(read.picture) == box_of(DICE)


def test_dice_that_lie_there_at_the_start_are_told_apart() -> None:
    _, found = seen(*[THROWN] * 8, until=Lying)
    assert isinstance(found[-1], Lying)
    assert found[-1].values == (1, 6, 6)


def test_a_lost_camera_is_told_and_tried_again() -> None:
    _, found = seen(EMPTY, None, *[EMPTY] * 3, until=Camera)
    assert found == [Camera("ok")]
    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    eye = Eye(Pictures(EMPTY, None, *[EMPTY] * 3), Reader(), posted.put)
    eye.start()
    assert [posted.get(timeout=10) for _ in range(3)] == [Camera("ok"), Camera("lost"), Camera("ok")]
    eye.stop()


def test_only_so_many_pictures_are_kept() -> None:
    eye = Eye(Pictures(), Reader(), lambda message: None)
    keys = [eye._keep(number, EMPTY) for number in range(PICTURES_KEPT + 3)]
    assert eye.jpeg(keys[0]) is None
    assert eye.jpeg(keys[-1]) is not None


def test_the_part_with_the_dice_holds_them_all_and_is_never_a_strip() -> None:
    in_a_row = tuple(die._replace(x=100.0, y=40.0 * number) for number, die in enumerate(DICE))
    for dice in (DICE, in_a_row):
        left, top, right, bottom = box_of(dice)
        assert all(left < die.x - die.size and die.x + die.size < right for die in dice)
        assert all(top < die.y - die.size and die.y + die.size < bottom for die in dice)
        assert 0.99 <= (right - left) / (bottom - top) <= 1.7


def test_at_rest_every_second_frame_is_enough_and_a_throw_is_seen_as_ever() -> None:
    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    long = round(30 * RESTS_AFTER_S)
    eye = Eye(Pictures(*[EMPTY] * (long + 100), *[THROWN] * 12, *[EMPTY] * 12), Reader(), posted.put)
    seen_of: list[int] = []
    see = eye._watcher.see

    def seeing(frame: Frame) -> tuple[TrayEvent, ...]:
        seen_of.append(frame.seq)
        return see(frame)

    eye._watcher.see = seeing  # type: ignore[method-assign]
    eye.start()
    told = [posted.get(timeout=30) for _ in range(4)]
    eye.stop()
    assert [type(message) for message in told] == [Camera, Rolling, Read, Emptied]
    assert len([seq for seq in seen_of if seq <= long]) == long + 1
    assert 49 <= len([seq for seq in seen_of if long < seq <= long + 100]) <= 51


# -- with a caretaker


class Tray:
    """A camera over a rendered tray: shows what `shows` is, as long as anybody looks; counts how often it measured."""

    def __init__(self, image: Image) -> None:
        self.shows = image
        self.measured = threading.Event()
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        seq = 0
        while not self._closed.is_set():
            yield Frame(seq, seq / 30, luma_of(self.shows), self.shows)
            seq += 1

    def measure_light(self) -> None:
        self.measured.set()

    def close(self) -> None:
        self._closed.set()


def watching(tray: Tray) -> tuple[Eye, queue.SimpleQueue[Message]]:
    """A started eye with a caretaker, and what it posts."""
    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    calibration = calibrated(TABLES[0])
    eye = Eye(tray, RealReader(calibration), posted.put, Caretaker(calibration, measures=True))
    eye.start()
    assert posted.get(timeout=10) == Camera("ok")
    return eye, posted


def test_at_the_start_a_small_shift_is_mended_and_the_dice_are_read_by_what_was_mended() -> None:
    tray = Tray(moved(picture(TABLES[0]), 4.0, -2.0))
    eye, posted = watching(tray)
    told = posted.get(timeout=30)
    assert isinstance(told, Tended) and told.what == "shifted"
    eye.stop()


def test_a_lamp_that_was_changed_lets_the_camera_measure_again() -> None:
    tray = Tray((picture(TABLES[0]) * 0.4).astype(np.uint8))
    eye, posted = watching(tray)
    assert posted.get(timeout=30) == Tended("light")
    assert tray.measured.wait(30)
    eye.stop()


def test_while_the_camera_is_known_to_have_moved_every_throw_is_asked_about() -> None:
    """A knock in the middle of a game: what is read by the old calibration must not count by itself."""

    class Knocked(Caretaker):
        trusted = False

    posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
    caretaker = Knocked(calibrated(TABLES[0]))
    caretaker.trusted = False
    eye = Eye(Pictures(*[EMPTY] * 8, *[THROWN] * 12, *[EMPTY] * 12), Reader(), posted.put, caretaker)
    eye._caretaker = caretaker
    eye._tend = lambda frame: None  # type: ignore[method-assign]  # nobody finds out that it hangs right
    eye.start()
    while not isinstance(told := posted.get(timeout=10), Read):
        pass
    eye.stop()
    assert (told.values, told.reason) == ((1, 6, 6), "moved")


def test_the_caretaker_learns_from_what_counts_in_the_end() -> None:
    caretaker = Caretaker(calibrated(TABLES[0]))
    eye = Eye(Pictures(), Reader(), lambda message: None, caretaker)
    key = eye._keep(1, THROWN)
    eye.counted("g-1.jpg", key, (6, 1, 6), True)
    eye.counted("g-2.jpg", "frame-77", (1, 1, 1), True)  # a picture that is gone
    eye.corrected("g-1.jpg", (6, 2, 6))
    eye.start()
    eye.stop()  # ends when all that came before is done
    assert [(name, one.values, one.sure) for name, one in caretaker._samples.items()] == [("g-1.jpg", (2, 6, 6), True)]
    assert caretaker._samples["g-1.jpg"].jpeg == jpeg_of(THROWN)
