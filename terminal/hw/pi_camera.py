"""The Raspberry Pi's camera, by picamera2: a small grey stream to watch and a large one to read, in the same moment.

The thread that asks for frames is the one that captures: it holds one of the camera's buffers while it looks at a
frame and gives it back when it asks for the next. Before the first frame comes out, exposure and colour are measured
and locked, so that the eye never sees the light change because a white hand came in. Only this file knows picamera2.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from terminal.frame import LUMA_WH, Frame, Image
from terminal.hw.ports import CameraLost

if TYPE_CHECKING:
    from picamera2 import CompletedRequest, Picamera2

log = logging.getLogger(__name__)
T = TypeVar("T")

MAINS_US = 10_000
"""Lamps on 50 Hz mains are brightest a hundred times a second; an exposure of whole such times sees no flicker."""


class Light(NamedTuple):
    """How the camera looks at the tray: what is measured once and then held."""

    exposure_us: int
    gain: float
    red: float
    blue: float

    def close_to(self, other: Light, part: float = 0.03) -> bool:
        """Whether no number differs by more than `part`."""
        return all(
            abs(mine - theirs) <= part * max(abs(theirs), 1e-6) for mine, theirs in zip(self, other, strict=True)
        )


@dataclass(frozen=True, slots=True)
class PiSettings:
    """What may differ between two cafés.

    main_wh: size of the picture that is read, even numbers. fps: frames a second.
    distance_m: from lens to felt, for cameras that can focus. light: as locked at another time; None measures it anew.
    timeout_s: seconds without a frame before the camera counts as dead. Never short: every capture that times out
    costs the camera one of its buffers until it is restarted. restarts: how often in a row to try that.
    stops_within_s: what the driver may take to stop, before it counts as hanging.
    """

    main_wh: tuple[int, int] = (1280, 960)
    fps: float = 30.0
    distance_m: float = 0.7
    light: Light | None = None
    timeout_s: float = 5.0
    restarts: int = 2
    stops_within_s: float = 10.0


def steady(light: Light, longest_us: int, gains: tuple[float, float]) -> Light:
    """The same brightness without flicker: exposure a multiple of `MAINS_US`, the rest made up by the gain.

    longest_us: what the frame rate allows. gains: lowest and highest that the sensor has. Where the light is too
    bright for that (a lowest gain reached) the light stays as measured: no exposure under a hundredth of a second can
    avoid flicker.
    """
    times = max(1, min(light.exposure_us, longest_us) // MAINS_US)
    exposure_us = times * MAINS_US
    gain = light.gain * light.exposure_us / exposure_us
    if not gains[0] <= gain <= gains[1]:
        return light
    return light._replace(exposure_us=exposure_us, gain=gain)


def whole_view(modes: Sequence[Mapping[str, Any]], wh: tuple[int, int], fps: float) -> Mapping[str, object]:
    """The sensor mode to read out, as picamera2's `sensor` setting: of those that see all, the smallest that will do.

    modes: as `Picamera2.sensor_modes` lists them. Left alone, picamera2 takes the mode nearest in size, and on Camera
    Module 3 and the HQ camera that one sees only the middle of the tray. `wh` and `fps` give way, in this order, when
    no mode has all. Nothing for a camera without modes (USB by way of libcamera).
    """

    def area(mode: Mapping[str, Any]) -> int:
        _, _, width, height = mode["crop_limits"]
        return int(width * height)

    known = [mode for mode in modes if {"crop_limits", "fps", "size", "bit_depth"} <= mode.keys()]
    seen = max(map(area, known), default=0)
    whole = [mode for mode in known if area(mode) >= 0.99 * seen]
    fast = [mode for mode in whole if mode["fps"] >= fps] or whole
    large = [mode for mode in fast if mode["size"][0] >= wh[0] and mode["size"][1] >= wh[1]]
    chosen = min(large, key=lambda mode: mode["size"], default=None) or max(
        fast, key=lambda mode: mode["size"], default=None
    )
    return {} if chosen is None else {"output_size": chosen["size"], "bit_depth": chosen["bit_depth"]}


class LightKeeper:
    """Measures the light, has it locked, and waits until the camera has done so.

    It only says which controls to send. Numbers of frames: `rest` alike end the measuring, `patience` end it whatever
    they were (a candle), and after `arrival` it no longer waits for the metadata to show what was asked for. Controls
    land some seven frames after they are sent, so `rest` has to be longer than that, or a measurement would be of the
    light locked before.
    """

    def __init__(
        self,
        longest_us: int,
        gains: tuple[float, float],
        light: Light | None = None,
        *,
        rest: int = 15,
        patience: int = 120,
        arrival: int = 60,
    ) -> None:
        self._limits = longest_us, gains
        self._frames = rest, patience, arrival
        self.wanted = light
        """What the camera was asked to hold; None while it measures."""
        self.held = False
        """Whether the camera holds it."""
        self._begin()

    def _begin(self) -> None:
        self._seen = 0
        self._alike = 0
        self._first: Light | None = None  # of the frames that are alike

    def anew(self) -> Mapping[str, object]:
        """Forgets what was locked; the controls that let the camera measure by itself."""
        self.wanted, self.held = None, False
        self._begin()
        return {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0}

    def see(self, light: Light) -> Mapping[str, object]:
        """Takes the light of the newest frame; the controls to send now, mostly none."""
        if self.held:
            return {}
        rest, patience, arrival = self._frames
        self._seen += 1
        if self.wanted is None:
            if self._first is not None and light.close_to(self._first):
                self._alike += 1
            else:
                self._first, self._alike = light, 1
            if self._alike < rest and self._seen < patience:
                return {}
            self.wanted = steady(light, *self._limits)
            self._begin()
            return self.locking()
        if light.close_to(self.wanted, 0.1):
            self.held = True
            log.info("light locked: %s", self.wanted)
        elif self._seen >= arrival:
            self.held = True
            log.warning("the camera was asked for %s and stays at %s", self.wanted, light)
        return {}

    def locking(self) -> Mapping[str, object]:
        """The controls that lock what is wanted; none while measuring."""
        if self.wanted is None:
            return {}
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.wanted.exposure_us,
            "AnalogueGain": self.wanted.gain,
            "ColourGains": (self.wanted.red, self.wanted.blue),
        }


class _Full:
    """The large picture of a frame, copied out of the camera's buffer when somebody asks in time."""

    __slots__ = ("_request",)

    def __init__(self, request: CompletedRequest) -> None:
        self._request: CompletedRequest | None = request

    def __call__(self) -> Image:
        if self._request is None:
            raise RuntimeError("the camera has this picture back: call image() before asking for the next frame")
        return self._request.make_array("main")  # "RGB888" is B, G, R in memory

    def expire(self) -> None:
        self._request = None


class PiCamera:
    """A camera on the Pi's ribbon cable. See `Camera`."""

    def __init__(self, settings: PiSettings | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings or PiSettings()
        self._clock = clock
        self._closed = False
        self._device: Picamera2 | None = None
        self._one_reader = threading.Lock()
        self._anew = threading.Event()
        self._seq = 0
        self.light = self._settings.light
        """The light as locked; None until it was measured. Locked again when the camera had to be opened again."""

    def frames(self) -> Iterator[Frame]:
        """See `Camera.frames`. Nothing comes out while the light is being measured, about a second."""
        with self._one_reader:
            if self._closed:
                return
            device = _open()
            try:
                keeper = _translated(lambda: self._start(device))
                self._device = device
                yield from self._captured(device, keeper)
            finally:
                self._device = None
                _within(self._settings.stops_within_s, device.close, "close")

    def measure_light(self) -> None:
        """Measures and locks exposure and colour again, because the lamp was changed; from any thread."""
        self._anew.set()

    def close(self) -> None:
        """See `Camera.close`: the reading thread gives the device back before its next frame."""
        self._closed = True
        device = self._device
        if device is not None:
            device.cancel_all_and_flush()

    def _start(self, device: Picamera2) -> LightKeeper:
        from libcamera import controls

        wanted: dict[str, Callable[[], object]] = {
            "AeFlickerMode": lambda: controls.AeFlickerModeEnum.Manual,
            "AeFlickerPeriod": lambda: MAINS_US,
            "AfMode": lambda: controls.AfModeEnum.Manual,
            "LensPosition": lambda: 1.0 / self._settings.distance_m,
        }
        # Old libcamera has no flicker mode and most cameras no focus, and picamera2 refuses a control that is not
        # there.
        chosen = {name: value() for name, value in wanted.items() if name in device.camera_controls}
        device.configure(
            device.create_video_configuration(
                main={"size": self._settings.main_wh, "format": "RGB888"},
                lores={"size": LUMA_WH, "format": "YUV420"},
                raw=None,
                sensor=whole_view(device.sensor_modes, self._settings.main_wh, self._settings.fps),
                buffer_count=6,
                queue=False,  # else a frame from before the call may be handed over
                display=None,
                encode=None,
                controls={"FrameRate": self._settings.fps, **chosen},
            )
        )
        lowest, highest, _ = device.camera_controls["AnalogueGain"]
        keeper = LightKeeper(round(1_000_000 / self._settings.fps), (float(lowest), float(highest)), self.light)
        device.set_controls(keeper.locking())
        device.start()
        return keeper

    def _captured(self, device: Picamera2, keeper: LightKeeper) -> Iterator[Frame]:
        silences = 0
        while not self._closed:
            try:
                request = device.capture_request(wait=self._settings.timeout_s)
            except TimeoutError as error:
                silences += 1
                if silences > self._settings.restarts:
                    raise CameraLost("the camera on the ribbon cable gives no frames; is the cable in?") from error
                log.warning("no frame for %.0f s, the camera is restarted", self._settings.timeout_s)
                self._restart(device, keeper)
                continue
            except CancelledError:
                return  # closed
            silences = 0
            full = _Full(request)
            try:
                metadata = request.get_metadata()
                if self._anew.is_set():
                    self._anew.clear()
                    device.set_controls(keeper.anew())
                else:
                    device.set_controls(keeper.see(_light(metadata)))
                if keeper.held:
                    self.light = keeper.wanted
                    yield Frame(self._seq, self._time_s(metadata), self._luma(device, request), full)
                    self._seq += 1
            finally:
                full.expire()
                request.release()

    def _time_s(self, metadata: Mapping[str, Any]) -> float:
        stamp_ns = metadata.get("SensorTimestamp")
        return stamp_ns / 1e9 if stamp_ns else self._clock()

    @staticmethod
    def _luma(device: Picamera2, request: CompletedRequest) -> Image:
        from picamera2 import MappedArray

        width, height = device.camera_configuration()["lores"]["size"]
        with MappedArray(request, "lores", write=False) as mapped:
            # All planes in one array, rows padded as the hardware likes it: luma is the first `height` rows.
            return mapped.array[:height, :width].copy()

    def _restart(self, device: Picamera2, keeper: LightKeeper) -> None:
        """Brings a silent camera back: only stopping returns the buffers that timed-out captures hold."""

        def restart() -> None:
            device.cancel_all_and_flush()
            device.stop()
            device.set_controls(keeper.locking())
            device.start()

        _within(self._settings.stops_within_s, restart, "restart")


def _open() -> Picamera2:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraLost("picamera2 is not on this machine: sudo apt install python3-picamera2") from error
    device = Picamera2.__new__(Picamera2)
    try:
        _translated(lambda: Picamera2.__init__(device))
    except CameraLost:
        # A failed __init__ leaves its pipe open, and a table may try for hours whether the camera is back.
        device.notifymeread.close()
        os.close(device.notifyme_w)
        raise
    return device


def _translated(call: Callable[[], T]) -> T:
    """What `call` gives; picamera2's errors (a RuntimeError each, old ones an IndexError) become `CameraLost`."""
    try:
        return call()
    except (RuntimeError, IndexError) as error:
        raise CameraLost(f"the camera on the ribbon cable does not start: {error}") from error


def _within(seconds: float, action: Callable[[], object], what: str) -> None:
    """Does `action`, but waits no longer than `seconds`: a driver that hangs must not take the table with it."""
    failed: list[Exception] = []

    def run() -> None:
        try:
            action()
        except RuntimeError as error:  # the one class picamera2 raises
            failed.append(error)

    thread = threading.Thread(target=run, name=f"camera {what}", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise CameraLost(f"the camera's driver hangs at {what}; restart the terminal")
    if failed:
        raise CameraLost(f"the camera does not {what}: {failed[0]}") from failed[0]


def _light(metadata: Mapping[str, Any]) -> Light:
    red, blue = metadata.get("ColourGains", (1.0, 1.0))
    return Light(
        int(metadata.get("ExposureTime", 0)), float(metadata.get("AnalogueGain", 1.0)), float(red), float(blue)
    )
