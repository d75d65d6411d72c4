"""The real picamera2 on the fake libcamera.

What only a Pi could show: that focus, colours and the locked exposure are right under real lamps.
"""

import ast
import importlib
import inspect
import itertools
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from terminal.hw.fake_libcamera import installed
from terminal.hw.pi_camera import Light, LightKeeper, PiCamera, PiSettings, steady, whole_view
from terminal.hw.ports import CameraLost

pytestmark = pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")  # picamera2's preview thread

GAINS = (1.0, 16.0)
QUICK = PiSettings(main_wh=(650, 480))  # 650 pixels: rows that are padded
BRIEF = PiSettings(main_wh=(400, 300), light=Light(10_000, 2.0, 1.5, 1.5))
IMPATIENT = replace(BRIEF, timeout_s=0.3)


def slope(seq, controls):
    """Red is 200, green grows to the right, blue grows downwards."""
    picture = np.zeros((480, 650, 3), np.uint8)
    picture[..., 0] = 200
    picture[..., 1] = np.linspace(0, 255, 650)
    picture[..., 2] = np.linspace(0, 255, 480)[:, None]
    return picture


@pytest.fixture
def libcamera():
    with installed(slope, fps=300) as manager:
        yield manager


@pytest.fixture
def sensor(libcamera):
    return libcamera.cameras[0]


def take(camera, count):
    """The first frames, the camera given back afterwards."""
    frames = camera.frames()
    try:
        return list(itertools.islice(frames, count))
    finally:
        frames.close()


@pytest.mark.parametrize("alignment", [64, 256])
def test_padding_between_rows_is_no_part_of_the_pictures(sensor, alignment):
    sensor.alignment = alignment
    for frame in PiCamera(QUICK).frames():
        image = frame.image()
        break
    picture = slope(0, {})
    assert np.array_equal(image, picture[..., ::-1])  # BGR
    small = picture[np.arange(288)[:, None] * 480 // 288, np.arange(384) * 650 // 384]
    assert frame.luma.shape == (288, 384)
    assert np.abs(frame.luma - small @ [0.299, 0.587, 0.114]).max() <= 0.5


def test_the_light_is_locked_before_the_first_frame(sensor):
    camera = PiCamera(QUICK)
    take(camera, 1)
    assert camera.light.exposure_us == 20_000
    assert camera.light.gain == pytest.approx(2.0 * 24_300 / 20_000, rel=0.05)
    in_force = sensor.controls_in_force
    assert (in_force["AeEnable"], in_force["AwbEnable"], in_force["ExposureTime"]) == (False, False, 20_000)
    assert in_force["ColourGains"] == pytest.approx((1.7, 2.1), rel=0.05)
    assert in_force["AeFlickerPeriod"] == 10_000
    assert in_force["LensPosition"] == pytest.approx(1 / 0.7)


def test_a_light_locked_at_another_time_holds_from_the_start(sensor):
    known = Light(10_000, 3.0, 1.5, 1.6)
    camera = PiCamera(PiSettings(main_wh=(650, 480), light=known))
    take(camera, 1)
    assert camera.light == known
    assert sensor.controls_in_force["AnalogueGain"] == 3.0
    assert sensor.controls_in_force["ColourGains"] == (1.5, 1.6)


def test_after_the_lamp_was_changed_the_light_can_be_measured_again(sensor):
    camera = PiCamera(QUICK)
    before = None
    for frame in camera.frames():
        if before is None:
            before = camera.light
            sensor.aim.update(ExposureTime=12_000, red=1.2)
            camera.measure_light()
        elif camera.light != before:
            break
        assert frame.seq < 500
    assert camera.light.exposure_us == 10_000
    assert camera.light.red == pytest.approx(1.2, rel=0.05)


def test_times_rise_and_are_those_of_the_sensor(libcamera):
    frames = take(PiCamera(BRIEF), 20)
    assert [frame.seq for frame in frames] == list(range(20))
    assert all(np.diff([frame.t_s for frame in frames]) > 0)


def test_a_picture_can_be_had_only_until_the_next_frame(libcamera):
    frames = PiCamera(BRIEF).frames()
    early, late = next(frames), next(frames)
    with pytest.raises(RuntimeError, match="before asking for the next frame"):
        early.image()
    assert late.image().shape == (300, 400, 3)
    kept = late.image()
    next(frames)
    assert late.image() is kept
    frames.close()


def test_looking_long_at_every_frame_never_uses_up_the_buffers(sensor):
    for frame in PiCamera(BRIEF).frames():
        frame.image()
        if frame.seq == 40:  # there are six buffers
            break
    assert sensor.starts == 1


def test_a_capture_that_times_out_costs_picamera2_a_buffer(sensor):
    """Why our time-outs are long and end in a restart: four short ones, and the camera stood still for good."""
    from picamera2 import Picamera2

    device = Picamera2()
    device.configure(device.create_video_configuration(buffer_count=4, queue=False, display=None, encode=None))
    sensor.dead_for = 2
    device.start()
    for _ in range(4):
        with pytest.raises(TimeoutError):
            device.capture_request(wait=0.001)
    sensor.dead_for = 0
    with pytest.raises(TimeoutError):
        device.capture_request(wait=1.0)
    device.cancel_all_and_flush()
    device.stop()
    device.close()


def test_a_camera_that_falls_silent_is_restarted_with_all_its_buffers_and_its_light(sensor, caplog):
    camera = PiCamera(IMPATIENT)
    frames = camera.frames()
    next(frames)
    sensor.dead_for = 2
    for seq in range(1, 30):
        assert next(frames).seq == seq
    frames.close()
    assert sensor.starts >= 3
    assert sensor.controls_in_force["ExposureTime"] == BRIEF.light.exposure_us
    assert caplog.text.count("the camera is restarted") >= 2


def test_a_camera_that_falls_silent_now_and_then_all_evening_is_not_given_up(sensor):
    frames = PiCamera(IMPATIENT).frames()
    next(frames)
    for _ in range(IMPATIENT.restarts + 2):
        starts = sensor.starts
        sensor.dead_for = 1
        for _ in range(1_000):  # those under way, then those after the restart
            next(frames)
            if sensor.starts > starts:
                break
        assert sensor.starts > starts
    frames.close()


def test_a_camera_that_stays_silent_is_lost_and_can_be_tried_again(sensor):
    camera = PiCamera(IMPATIENT)
    frames = camera.frames()
    seq = next(frames).seq
    sensor.dead_for = 1_000
    with pytest.raises(CameraLost, match="is the cable in"):
        for frame in frames:  # those under way
            seq = frame.seq
    assert not sensor.acquired
    sensor.dead_for = 0
    assert [frame.seq for frame in take(camera, 2)] == [seq + 1, seq + 2]


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_camera_on_the_cable_is_said_and_trying_for_hours_leaves_no_files_open():
    with installed(None):
        camera = PiCamera()
        before = open_files()
        for _ in range(5):
            with pytest.raises(CameraLost, match="No camera number 0"):
                take(camera, 1)
        assert open_files() == before


def test_a_camera_that_another_program_holds_is_said_and_can_be_tried_again(sensor):
    sensor.acquired = True
    camera = PiCamera(BRIEF)
    before = open_files()
    with pytest.raises(CameraLost, match="does not start"):
        take(camera, 1)
    assert open_files() == before
    sensor.acquired = False
    assert len(take(camera, 1)) == 1


def test_without_picamera2_the_message_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraLost, match="python3-picamera2"):
        take(PiCamera(), 1)


def test_an_old_libcamera_without_flicker_and_focus_works_too(sensor):
    sensor.missing = {"AeFlickerMode", "AeFlickerPeriod", "AfMode", "LensPosition"}
    take(PiCamera(QUICK), 1)
    assert "AfMode" not in sensor.controls_in_force


def test_closing_from_another_thread_ends_the_frames(sensor):
    camera = PiCamera(BRIEF)
    running = threading.Event()

    def watch():
        for _ in camera.frames():
            running.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert running.wait(20)
    camera.close()
    camera.close()
    watcher.join(20)
    assert not watcher.is_alive()
    assert not sensor.acquired
    assert take(camera, 1) == []


def test_a_driver_that_hangs_does_not_take_the_table_with_it(sensor, monkeypatch):
    camera = PiCamera(replace(IMPATIENT, stops_within_s=0.3))
    frames = camera.frames()
    next(frames)
    freed = threading.Event()
    stop = sensor.stop
    monkeypatch.setattr(sensor, "stop", lambda: (freed.wait(20), stop()))
    sensor.dead_for = 1_000
    with pytest.raises(CameraLost, match="hangs"):
        list(frames)
    freed.set()
    for thread in threading.enumerate():
        if thread.name.startswith("camera "):
            thread.join(20)


def test_the_sensor_is_read_out_so_that_it_sees_the_whole_tray(sensor):
    """Left alone, picamera2 took 1536x864 for a picture of 1280x960, which sees two thirds of the width."""
    take(PiCamera(replace(BRIEF, main_wh=(1280, 960))), 1)
    assert sensor.mode == (2304, 1296)


MODULES = {  # (size, what it sees of the sensor, frames a second), as the modules report them
    "v1": [((640, 480), (2560, 1920), 58), ((1296, 972), (2592, 1944), 46), ((1920, 1080), (1928, 1080), 32)],
    "v2": [((640, 480), (1280, 960), 206), ((1640, 1232), (3280, 2464), 41), ((3280, 2464), (3280, 2464), 21)],
    "v3": [((1536, 864), (3072, 1728), 120), ((2304, 1296), (4608, 2592), 56), ((4608, 2592), (4608, 2592), 14)],
    "hq": [((1332, 990), (2664, 1980), 120), ((2028, 1520), (4056, 3040), 40), ((4056, 3040), (4056, 3040), 10)],
    "usb": [],
}


@pytest.mark.parametrize(
    ("module", "wh", "fps", "chosen"),
    [
        ("v1", (1280, 960), 30, (1296, 972)),
        ("v2", (1280, 960), 30, (1640, 1232)),
        ("v3", (1280, 960), 30, (2304, 1296)),
        ("hq", (1280, 960), 30, (2028, 1520)),
        ("v3", (640, 480), 30, (2304, 1296)),
        ("v3", (3000, 2000), 30, (2304, 1296)),  # large enough is too slow: the rate counts more
        ("v3", (3000, 2000), 10, (4608, 2592)),
        ("v3", (1280, 960), 100, (2304, 1296)),  # no mode that sees all is so fast
        ("usb", (1280, 960), 30, None),
    ],
)
def test_the_smallest_mode_that_sees_all_is_chosen(module, wh, fps, chosen):
    modes = [
        {"size": size, "crop_limits": (0, 0, *sees), "fps": rate, "bit_depth": 10}
        for size, sees, rate in MODULES[module]
    ]
    assert whole_view(modes, wh, fps) == ({"output_size": chosen, "bit_depth": 10} if chosen else {})


@pytest.mark.parametrize(
    ("measured", "exposure_us", "gain"),
    [
        ((24_300, 2.0), 20_000, 2.43),
        ((10_000, 1.0), 10_000, 1.0),
        ((66_000, 1.0), 30_000, 2.2),  # longer than a frame at 30 a second
        ((6_000, 4.0), 10_000, 2.4),
        ((6_000, 1.0), 6_000, 1.0),  # too bright: the gain cannot go below 1
        ((33_000, 15.9), 33_000, 15.9),  # too dark: the gain cannot go above 16
    ],
)
def test_an_exposure_of_whole_flickers_is_as_bright_as_the_measured_one(measured, exposure_us, gain):
    light = steady(Light(*measured, 1.0, 1.0), 33_333, GAINS)
    assert (light.exposure_us, light.gain) == (exposure_us, pytest.approx(gain))


def test_light_is_locked_once_it_rests_and_held_once_the_camera_shows_it():
    keeper = LightKeeper(33_333, GAINS, rest=3)
    for exposure_us in (5_000, 9_000, 18_000, 20_000, 20_100):
        assert keeper.see(Light(exposure_us, 1.0, 1.0, 1.0)) == {}
    sent = keeper.see(Light(20_000, 1.0, 1.5, 1.0))
    assert sent == {}  # the colour still moves
    keeper.see(Light(20_000, 1.0, 1.5, 1.0))
    sent = keeper.see(Light(20_000, 1.0, 1.5, 1.0))
    assert (sent["AeEnable"], sent["ExposureTime"], sent["ColourGains"]) == (False, 20_000, (1.5, 1.0))
    assert not keeper.held
    keeper.see(Light(16_000, 1.0, 1.5, 1.0))
    assert not keeper.held
    keeper.see(Light(19_990, 1.0, 1.5, 1.0))
    assert keeper.held


def test_a_candle_is_locked_all_the_same():
    keeper = LightKeeper(33_333, GAINS, rest=5, patience=20)
    sent = [keeper.see(Light(20_000 + 4_000 * (number % 2), 1.0, 1.0, 1.0)) for number in range(20)]
    assert sent[:-1] == [{}] * 19
    assert sent[-1]["ExposureTime"] == 20_000


def test_a_camera_that_does_not_obey_is_used_as_it_is(caplog):
    keeper = LightKeeper(33_333, GAINS, Light(20_000, 1.0, 1.0, 1.0), arrival=4)
    for _ in range(4):
        assert not keeper.held
        keeper.see(Light(8_000, 1.0, 1.0, 1.0))
    assert keeper.held
    assert "stays at" in caplog.text


def stub_signatures(name):
    """(class.method, parameter names) of a stub file, properties without any."""
    import terminal.hw

    stub = Path(terminal.hw.__file__).with_name("typings") / name
    for cls in ast.parse(stub.read_text()).body:
        if isinstance(cls, ast.ClassDef):
            for method in cls.body:
                if isinstance(method, ast.FunctionDef):
                    yield cls.name, method.name, [argument.arg for argument in method.args.args]


def test_our_stubs_say_what_the_real_picamera2_has(libcamera):
    real = importlib.import_module("picamera2")
    stubs = list(stub_signatures("picamera2/__init__.pyi"))
    assert len(stubs) > 15
    for cls, method, parameters in stubs:
        found = inspect.getattr_static(getattr(real, cls), method)
        if isinstance(found, property):
            assert parameters == ["self"], f"{cls}.{method}"
        else:
            assert list(inspect.signature(found).parameters) == parameters, f"{cls}.{method}"
