"""The eye at work: what the watcher sees becomes messages, a lost camera is tried again, pictures are cut to dice."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import numpy as np

from terminal.eye import PICTURES_KEPT, Eye, box_of
from terminal.frame import Frame, Image
from terminal.hw.ports import CameraLost
from terminal.table import Camera, Emptied, Lying, Message, Read, Rolling
from terminal.vision.reading import Die, Reading

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
    assert (read.values, read.reason, read.confidence) == ((1, 6, 6), None, 0.97)
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
