"""Folders, videos and the demo's tray behind the camera port."""

import itertools
import threading

import cv2
import numpy as np
import pytest

from terminal.frame import Frame
from terminal.hw.file_camera import FolderCamera, Pace, ThrowFolder, VideoCamera, luma_of
from terminal.hw.ports import CameraLost


def grey(value, height=96, width=128):
    return np.full((height, width, 3), value, np.uint8)


def shade(frame):
    return round(float(frame.image().mean()))


@pytest.fixture
def tray(tmp_path):
    """000 is empty (10), 001 to 003 are throws (shades 50, 100, 150)."""
    for name, value in (("000", 10), ("001", 50), ("002", 100), ("003", 150)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), grey(value))
    return tmp_path


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now_s = 100.0
        self.slept = []

    def __call__(self):
        return self.now_s

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now_s += seconds


def test_a_frame_makes_its_picture_once_and_only_when_asked():
    made = []
    frame = Frame(0, 0.0, grey(1)[..., 0], lambda: made.append(1) or grey(7))
    assert not made
    assert frame.image() is frame.image()
    assert made == [1]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((960, 1280), (288, 384)),
        ((480, 640), (288, 384)),
        ((1080, 1920), (216, 384)),
        ((1280, 720), (288, 162)),
        ((100, 90), (100, 90)),
    ],
)
def test_luma_keeps_the_shape_of_the_picture_and_is_never_enlarged(size, expected):
    assert luma_of(grey(9, *size)).shape == expected


def test_luma_averages_what_it_makes_smaller():
    checkered = np.kron(np.indices((480, 640)).sum(0) % 2 * 255, np.ones((2, 2))).astype(np.uint8)
    luma = luma_of(cv2.cvtColor(checkered, cv2.COLOR_GRAY2BGR)).astype(int)
    assert abs(luma.mean() - 127.5) < 2  # a luma that picks single pixels would have a stripe pattern here
    assert luma.std() < 40


def test_a_folder_comes_in_the_order_of_its_numbers(tmp_path):
    for number in (10, 9, 1, 2):
        cv2.imwrite(str(tmp_path / f"f{number}.png"), grey(number))
    (tmp_path / "truth.json").write_text("{}")
    frames = list(FolderCamera(tmp_path, fps=10).frames())
    assert [shade(frame) for frame in frames] == [1, 2, 9, 10]
    assert [(frame.seq, round(frame.t_s, 3)) for frame in frames] == [(0, 0.0), (1, 0.1), (2, 0.2), (3, 0.3)]


def test_a_folder_that_loops_goes_on_with_its_clock(tray):
    frames = list(itertools.islice(FolderCamera(tray, fps=10, loop=True).frames(), 6))
    assert [shade(frame) for frame in frames] == [10, 50, 100, 150, 10, 50]
    assert [frame.seq for frame in frames] == list(range(6))
    assert frames[-1].t_s == pytest.approx(0.5)


def test_an_unreadable_picture_is_named(tray):
    (tray / "002.png").write_bytes(b"beer")
    frames = FolderCamera(tray).frames()
    assert shade(next(frames)) == 10
    assert shade(next(frames)) == 50
    with pytest.raises(CameraLost, match=r"002\.png"):
        next(frames)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n"])
def test_an_empty_or_cut_picture_is_named_too(tray, content):
    (tray / "000.png").write_bytes(content)
    with pytest.raises(CameraLost, match=r"000\.png"):
        next(FolderCamera(tray).frames())


def test_a_folder_that_is_missing_or_empty_is_named(tmp_path):
    with pytest.raises(CameraLost, match="nowhere"):
        next(FolderCamera(tmp_path / "nowhere").frames())
    with pytest.raises(CameraLost, match="no pictures"):
        next(FolderCamera(tmp_path).frames())


def test_a_closed_folder_ends(tray):
    camera = FolderCamera(tray, loop=True)
    frames = camera.frames()
    next(frames)
    camera.close()
    camera.close()
    assert list(frames) == []


def test_a_pace_lets_frames_through_evenly():
    clock = Clock()
    pace = Pace(10, clock, clock.sleep)
    for _ in range(3):
        pace.wait()
    assert clock.slept == pytest.approx([0.1, 0.1, 0.1])


def test_after_a_late_frame_a_pace_does_not_hurry():
    clock = Clock()
    pace = Pace(10, clock, clock.sleep)
    pace.wait()
    clock.now_s += 5.0
    pace.wait()
    assert clock.slept == pytest.approx([0.1])  # the late one came at once
    pace.wait()
    pace.wait()
    assert clock.slept == pytest.approx([0.1, 0.1, 0.1])


@pytest.fixture
def film(tmp_path):
    """Twelve frames at 25 a second, each 20 lighter than the one before."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (128, 96))
    for number in range(12):
        writer.write(grey(20 * number))
    writer.release()
    return path


def test_a_video_gives_its_frames_with_their_times(film):
    frames = list(VideoCamera(film).frames())
    assert [frame.seq for frame in frames] == list(range(12))
    assert [frame.t_s for frame in frames] == pytest.approx([number / 25 for number in range(12)], abs=0.002)
    assert [shade(frame) for frame in frames] == pytest.approx([20 * number for number in range(12)], abs=3)


def test_a_video_that_loops_never_turns_its_clock_back(film):
    frames = list(itertools.islice(VideoCamera(film, loop=True).frames(), 30))
    times = [frame.t_s for frame in frames]
    assert np.diff(times) == pytest.approx(1 / 25, abs=0.002)
    assert shade(frames[12]) == pytest.approx(0, abs=3)


def test_a_cut_video_gives_what_is_whole(film):
    film.write_bytes(film.read_bytes()[: film.stat().st_size * 2 // 3])
    assert 0 < len(list(VideoCamera(film).frames())) < 12


@pytest.mark.parametrize("content", [None, b"", b"no video at all" * 100])
def test_a_file_that_is_no_video_is_named(tmp_path, content, capfd):
    path = tmp_path / "film.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CameraLost, match=r"film\.mp4"):
        next(VideoCamera(path).frames())
    capfd.readouterr()  # FFmpeg says so too, on stderr


def test_a_throw_shows_empty_tray_ten_frames_of_dice_empty_tray(tray):
    camera = ThrowFolder(tray, "000.png", fps=None, empty_for=3)
    camera.throw("002.png")
    frames = list(itertools.islice(camera.frames(), 16))
    assert [shade(frame) for frame in frames] == [10] * 3 + [100] * 10 + [10] * 3
    assert np.diff([frame.t_s for frame in frames]) == pytest.approx(1 / 30)


def test_throws_queue_up_and_each_is_shown_whole(tray):
    camera = ThrowFolder(tray, "000.png", fps=None, empty_for=1, held_for=2)
    for name in ("001.png", "003.png", "001.png"):
        camera.throw(name)
    shades = [shade(frame) for frame in itertools.islice(camera.frames(), 12)]
    assert shades == [10, 50, 50, 10, 10, 150, 150, 10, 10, 50, 50, 10]


def test_between_throws_the_tray_is_empty(tray):
    clock = Clock()
    camera = ThrowFolder(tray, "000.png", fps=30, empty_for=1, held_for=1, clock=clock, sleep=clock.sleep)
    frames = camera.frames()
    assert [shade(next(frames)) for _ in range(2)] == [10, 10]
    camera.throw("001.png")
    assert [shade(next(frames)) for _ in range(5)] == [10, 50, 10, 10, 10]
    assert clock.now_s == pytest.approx(100 + 7 / 30)


def test_an_idle_tray_without_pace_still_gives_frames(tray):
    frames = ThrowFolder(tray, "000.png", fps=None).frames()
    assert [shade(next(frames)) for _ in range(2)] == [10, 10]


def test_throwing_from_another_thread_wakes_an_idle_tray(tray):
    camera = ThrowFolder(tray, "000.png", fps=None)
    shown = threading.Event()

    def watch():
        for frame in camera.frames():
            if shade(frame) == 150:
                shown.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    camera.throw("003.png")
    assert shown.wait(10)
    camera.close()
    watcher.join(10)
    assert not watcher.is_alive()


def test_frames_of_a_throw_share_a_picture_that_nobody_can_draw_on(tray):
    camera = ThrowFolder(tray, "000.png", fps=None)
    image = next(camera.frames()).image()
    with pytest.raises(ValueError, match="read-only"):
        image[0, 0] = 255


def test_a_missing_picture_is_named(tray):
    with pytest.raises(CameraLost, match=r"empty\.png"):
        ThrowFolder(tray, "empty.png")
    camera = ThrowFolder(tray, "000.png", fps=None)
    camera.throw("099.png")
    with pytest.raises(CameraLost, match=r"099\.png"):
        next(camera.frames())
