"""From the text in the configuration to a camera."""

import itertools
import sys

import cv2
import numpy as np
import pytest

from terminal.hw.file_camera import FolderCamera, VideoCamera
from terminal.hw.pi_camera import PiCamera
from terminal.hw.ports import CameraLost
from terminal.hw.sources import BadSource, Wanted, camera_of
from terminal.hw.usb_camera import UsbCamera


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("pi", PiCamera),
        ("camera", PiCamera),
        ("usb:0", UsbCamera),
        ("folder:nowhere", FolderCamera),
        ("video:film.mp4", VideoCamera),
    ],
)
def test_each_text_names_its_camera_and_opens_nothing(source, kind):
    opened = camera_of(source)
    assert type(opened) is kind
    opened.close()


def test_a_path_alone_is_a_folder_or_a_video(tmp_path):
    film = tmp_path / "film.avi"
    film.touch()
    assert type(camera_of(str(tmp_path))) is FolderCamera
    assert type(camera_of(str(film))) is VideoCamera


@pytest.mark.parametrize("source", ["usb", "usb:", "usb:x", "usb:²", "folder:", "video:", "beer", "PI", "pi:0", "none"])
def test_anything_else_is_refused_with_what_is_allowed(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadSource, match=r"usb:|comes a path"):
        camera_of(source)


def test_what_is_wanted_reaches_the_camera_of(tmp_path):
    for name in ("a", "b"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((6, 8, 3), np.uint8))
    looped = camera_of(f"folder:{tmp_path}", Wanted(fps=10, loop=True))
    assert [frame.t_s for frame in itertools.islice(looped.frames(), 3)] == pytest.approx([0.0, 0.1, 0.2])
    with pytest.raises(CameraLost, match="/dev/video97"):
        next(camera_of("usb:97", Wanted()).frames())


def test_naming_a_file_loads_no_camera_library(tmp_path, monkeypatch):
    for library in ("picamera2", "libcamera"):
        monkeypatch.setitem(sys.modules, library, None)
    assert camera_of(str(tmp_path)) is not None
    assert camera_of("pi") is not None
