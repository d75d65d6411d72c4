"""The fakes keep to the ports, so that what is tested on them is true of the devices."""

import inspect

import numpy as np
import pytest

from terminal.frame import Frame
from terminal.hw import ports
from terminal.hw.fakes import FakeButtons, FakeCamera
from terminal.hw.file_camera import FolderCamera, ThrowFolder, VideoCamera
from terminal.hw.gpio_buttons import GpioButtons
from terminal.hw.pi_camera import PiCamera
from terminal.hw.ports import Button, CameraLost
from terminal.hw.usb_camera import UsbCamera


@pytest.mark.parametrize(
    ("port", "device"),
    [
        *[
            (ports.Camera, camera)
            for camera in (FakeCamera, FolderCamera, VideoCamera, ThrowFolder, PiCamera, UsbCamera)
        ],
        *[(ports.Buttons, buttons) for buttons in (FakeButtons, GpioButtons)],
    ],
)
def test_every_device_has_what_its_port_promises(port, device):
    promised = [name for name in vars(port) if not name.startswith("_")]
    assert promised
    for name in promised:
        expected, found = inspect.signature(getattr(port, name)), inspect.signature(getattr(device, name))
        assert list(found.parameters) == list(expected.parameters), name


def test_a_fake_camera_is_lost_and_goes_on():
    shown = [
        Frame(number, number / 30, np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3), np.uint8)) for number in range(3)
    ]
    camera = FakeCamera([shown[0], CameraLost("gone"), shown[1], shown[2]])
    frames = camera.frames()
    assert next(frames) is shown[0]
    with pytest.raises(CameraLost, match="gone"):
        next(frames)
    assert next(camera.frames()) is shown[1]
    camera.close()
    assert list(camera.frames()) == []


def test_fake_buttons_press_glow_and_stick():
    buttons = FakeButtons()
    heard = []
    buttons.press(Button.STOEF)
    buttons.start(heard.append, lambda button, stuck: heard.append((button, stuck)))
    buttons.press(Button.STOEF)
    buttons.stick(Button.OGEN)
    buttons.light(Button.KLAAR, True)
    assert heard == [Button.STOEF, (Button.OGEN, True)]
    assert buttons.lit == {Button.KLAAR}
    buttons.close()
    buttons.press(Button.STOEF)
    assert len(heard) == 2
    assert not buttons.lit
