"""The USB camera on a stand-in for OpenCV's device.

What only a real camera could show: that its lock holds under real lamps.
"""

import itertools

import cv2
import numpy as np
import pytest

from terminal.hw.fakes import FakeUsbDevice
from terminal.hw.ports import CameraLost
from terminal.hw.usb_camera import UsbCamera, UsbSettings


class Usb:
    """A socket with a camera in it, whose clock moves a thirtieth of a second a frame or by sleeping."""

    def __init__(self, brightness):
        self.brightness = brightness
        self.now_s = 50.0
        self.opened = []
        self.plugged = True

    def picture(self, number, settings):
        self.now_s += 1 / 30
        return np.full((480, 640, 3), self.brightness(number, settings), np.uint8)

    def open(self, number):
        if not self.plugged:
            raise CameraLost(f"no camera usb:{number}")
        self.opened.append(FakeUsbDevice(self.picture))
        return self.opened[-1]

    def sleep(self, seconds):
        self.now_s += seconds

    def camera(self, **settings):
        return UsbCamera(UsbSettings(**settings), self.open, lambda: self.now_s, self.sleep)

    @property
    def device(self):
        return self.opened[-1]


def rising(number, settings):
    """Brightness that comes to rest at 120 with the twentieth picture."""
    return 20 + 5 * min(number, 20)


def test_frames_come_with_their_time_and_their_picture():
    usb = Usb(lambda number, settings: 90)
    frames = list(itertools.islice(usb.camera(lock=False).frames(), 3))
    assert [frame.seq for frame in frames] == [0, 1, 2]
    assert [frame.t_s for frame in frames] == pytest.approx([50 + 1 / 30, 50 + 2 / 30, 50 + 3 / 30])
    assert frames[0].luma.shape == (288, 384)
    assert frames[0].image().shape == (480, 640, 3)


def test_a_large_compressed_picture_is_asked_for():
    usb = Usb(lambda number, settings: 90)
    next(usb.camera(wh=(1920, 1080), fps=25, lock=False).frames())
    asked = usb.device.settings
    assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1920, 1080)
    assert asked[cv2.CAP_PROP_FPS] == 25
    assert asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")


def test_the_light_is_locked_when_the_picture_has_come_to_rest():
    usb = Usb(rising)
    frames = usb.camera(rest=5).frames()
    frame = next(frames)
    assert frame.image()[0, 0, 0] == 120
    asked = usb.device.settings
    assert asked[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert asked[cv2.CAP_PROP_AUTO_WB] == 0
    assert asked[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert usb.device.reads == 20 + 4 + 4 + 1  # at rest, seen at rest, seen locked, the frame


def test_light_that_never_rests_is_locked_all_the_same():
    usb = Usb(lambda number, settings: 100 + 10 * (number % 2))
    next(usb.camera(rest=5, patience=30).frames())
    assert usb.device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert usb.device.reads == 30 + 4 + 1


def test_a_camera_that_goes_dark_by_locking_stays_automatic(caplog):
    def dark_when_locked(number, settings):
        return 20 if settings.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1 else 120

    usb = Usb(dark_when_locked)
    assert next(usb.camera(rest=5).frames()).image()[0, 0, 0] == 120
    assert usb.device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert "stays automatic" in caplog.text


def test_a_missing_frame_is_no_loss():
    usb = Usb(lambda number, settings: 90)

    def replug(seconds):
        usb.sleep(seconds)
        usb.device.plugged = usb.now_s > 51.0

    camera = UsbCamera(UsbSettings(lock=False), usb.open, lambda: usb.now_s, replug)
    frames = camera.frames()
    next(frames)
    usb.device.plugged = False
    assert next(frames).seq == 1
    assert len(usb.opened) == 1


def test_an_unplugged_camera_is_lost_and_can_be_tried_again():
    usb = Usb(lambda number, settings: 90)
    camera = usb.camera(lock=False, silent_for_s=2.0)
    frames = camera.frames()
    assert [next(frames).seq for _ in range(60)] == list(range(60))  # two seconds
    usb.device.plugged = usb.plugged = False
    before_s = usb.now_s
    with pytest.raises(CameraLost, match="usb:0 gives no frames"):
        next(frames)
    assert usb.now_s - before_s == pytest.approx(2.0, abs=0.06)
    assert not usb.device.open
    with pytest.raises(CameraLost, match="no camera usb:0"):
        next(camera.frames())
    usb.plugged = True
    late = next(camera.frames())
    assert late.seq == 60
    assert late.t_s > before_s


def test_a_camera_in_use_elsewhere_is_said():
    usb = Usb(lambda number, settings: 90)
    busy = FakeUsbDevice(usb.picture)
    busy.open = False
    with pytest.raises(CameraLost, match="another program"):
        next(UsbCamera(opener=lambda number: busy).frames())


def test_a_machine_without_this_camera_says_so():
    with pytest.raises(CameraLost, match="/dev/video97"):
        next(UsbCamera(UsbSettings(number=97)).frames())


@pytest.mark.parametrize("lock", [False, True])
def test_closing_ends_the_frames_and_gives_the_device_back(lock):
    usb = Usb(lambda number, settings: 90)
    camera = usb.camera(lock=lock, rest=2)
    frames = camera.frames()
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []
    assert not usb.device.open
    assert list(camera.frames()) == []


def test_closing_while_the_light_is_measured_ends_too():
    usb = Usb(lambda number, settings: camera.close() or 90)
    camera = usb.camera()
    assert list(camera.frames()) == []
    assert not usb.device.open


def test_the_light_is_measured_again_when_it_is_asked_for():
    usb = Usb(lambda number, settings: 120 if number < 30 else 60)
    camera = usb.camera(rest=5)
    frames = camera.frames()
    next(frames)
    assert usb.device.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    before = len(usb.device.asked)
    camera.measure_light()
    next(frames)
    asked = [value for name, value in usb.device.asked[before:] if name == cv2.CAP_PROP_AUTO_EXPOSURE]
    assert asked == [3.0, 1.0]  # let go, and held again


def test_a_camera_that_is_not_locked_has_nothing_to_measure_again():
    usb = Usb(lambda number, settings: 120)
    camera = usb.camera(lock=False)
    frames = camera.frames()
    next(frames)
    before = len(usb.device.asked)
    camera.measure_light()
    assert [next(frames).seq for _ in range(3)] == [1, 2, 3]
    assert len(usb.device.asked) == before
