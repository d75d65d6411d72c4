"""A stand-in for the compiled `libcamera`, on which the real picamera2 runs: for tests, and to try a table without a
Pi.

The fake sits at the very bottom, so that everything above it is the code that runs on the Pi: picamera2's event
thread, its counting of requests, its mapping of buffers and its delivery of controls. It plays one camera (an imx708)
whose frames come from a function, whose automatic exposure moves slowly to its aim, and which can fall silent as if
its cable had come loose. It follows picamera2 0.3.38; strides are those of a Pi 5, and the bytes between rows are
rubbish on purpose.
"""

# ruff: noqa: N802  the names here are libcamera's

from __future__ import annotations

import contextlib
import enum
import importlib
import os
import queue
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from terminal.frame import Image

Source = Callable[[int, Mapping[str, Any]], Image]
"""(frame number, controls in force) -> (H, W, 3) uint8 RGB picture of the size of the main stream."""

PADDING = 0xA5


# Only told apart; their numbers mean nothing here.
ControlType = enum.Enum("ControlType", "Null Bool Byte Integer32 Integer64 Float String Rectangle Size")
StreamRole = enum.Enum("StreamRole", "Raw StillCapture VideoRecording Viewfinder")
Orientation = enum.Enum(
    "Orientation",
    "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90Mirror Rotate270 Rotate270Mirror Rotate90",
)


class Size:
    def __init__(self, width: int = 0, height: int = 0) -> None:
        self.width, self.height = int(width), int(height)


class Rectangle:
    def __init__(self, x: int = 0, y: int = 0, width: int = 0, height: int = 0) -> None:
        self.x, self.y, self.width, self.height = x, y, width, height


class Transform:
    def __init__(self, other: Transform | None = None, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        self.hflip: bool = other.hflip if other else bool(hflip)
        self.vflip: bool = other.vflip if other else bool(vflip)
        self.transpose: bool = other.transpose if other else bool(transpose)

    def __str__(self) -> str:
        return f"<Transform {self.hflip} {self.vflip} {self.transpose}>"

    def __hash__(self) -> int:
        return id(self)  # as the binding's: picamera2 gives the class an __eq__ and still uses it as a key


class ColorSpace:
    class YcbcrEncoding(enum.Enum):
        Null = 0
        Rec601 = 1
        Rec709 = 2

    class Range(enum.Enum):
        Full = 0
        Limited = 1

    def __init__(self, other: ColorSpace | None = None) -> None:
        self.primaries: str = other.primaries if other else ""
        self.transferFunction: str = other.transferFunction if other else ""
        self.ycbcrEncoding: ColorSpace.YcbcrEncoding = other.ycbcrEncoding if other else self.YcbcrEncoding.Null
        self.range: ColorSpace.Range = other.range if other else self.Range.Full

    def __str__(self) -> str:
        return f"<ColorSpace {self.primaries} {self.transferFunction}>"

    def __hash__(self) -> int:
        return id(self)

    @classmethod
    def _named(cls, primaries: str, transfer: str, encoding: YcbcrEncoding, range_: Range) -> ColorSpace:
        space = cls()
        space.primaries, space.transferFunction = primaries, transfer
        space.ycbcrEncoding, space.range = encoding, range_
        return space

    @classmethod
    def Sycc(cls) -> ColorSpace:
        return cls._named("709", "srgb", cls.YcbcrEncoding.Rec601, cls.Range.Full)

    @classmethod
    def Rec709(cls) -> ColorSpace:
        return cls._named("709", "709", cls.YcbcrEncoding.Rec709, cls.Range.Limited)

    @classmethod
    def Smpte170m(cls) -> ColorSpace:
        return cls._named("170", "709", cls.YcbcrEncoding.Rec601, cls.Range.Limited)

    @classmethod
    def Raw(cls) -> ColorSpace:
        return cls._named("raw", "linear", cls.YcbcrEncoding.Null, cls.Range.Full)


class PixelFormat:
    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return self._name


class ControlId:
    def __init__(self, name: str, type_: ControlType = ControlType.Float) -> None:
        self.name, self.type = name, type_


class ControlInfo:
    def __init__(self, lowest: object, highest: object, default: object) -> None:
        self.min, self.max, self.default = lowest, highest, default


_WHOLE = Rectangle(0, 0, 4608, 2592)
# Camera Module 3: size of a mode -> what it sees of the sensor, microseconds of its shortest frame.
_MODES = {
    (1536, 864): (Rectangle(768, 432, 3072, 1728), 8_333),
    (2304, 1296): (_WHOLE, 17_849),
    (4608, 2592): (_WHOLE, 69_669),
}
_CONTROLS: dict[ControlId, ControlInfo] = {
    ControlId(name, type_): ControlInfo(*limits)
    for name, type_, *limits in (
        ("AeEnable", ControlType.Bool, False, True, True),
        ("AeFlickerMode", ControlType.Integer32, 0, 2, 0),
        ("AeFlickerPeriod", ControlType.Integer32, 100, 1_000_000, None),
        ("AfMode", ControlType.Integer32, 0, 2, 0),
        ("AnalogueGain", ControlType.Float, 1.0, 16.0, 1.0),
        ("AnalogueGainMode", ControlType.Integer32, 0, 1, 0),
        ("AwbEnable", ControlType.Bool, False, True, True),
        ("ColourGains", ControlType.Float, 0.0, 32.0, None),
        ("ExposureTime", ControlType.Integer32, 1, 66_666, 20_000),
        ("ExposureTimeMode", ControlType.Integer32, 0, 1, 0),
        ("FrameDurationLimits", ControlType.Integer64, 8_333, 1_000_000, None),
        ("LensPosition", ControlType.Float, 0.0, 32.0, 1.0),
        ("NoiseReductionMode", ControlType.Integer32, 0, 4, 0),
        ("ScalerCrop", ControlType.Rectangle, Rectangle(0, 0, 64, 64), _WHOLE, _WHOLE),
        ("ScalerCrops", ControlType.Rectangle, Rectangle(0, 0, 64, 64), _WHOLE, _WHOLE),
    )
}


class FrameMetadata:
    Status = enum.Enum("Status", "Success Error Cancelled Startup")


class FrameBuffer:
    class Plane:
        fd = -1
        offset = 0
        length = 0

    def __init__(self, planes: list[Plane]) -> None:
        self.planes = planes
        self.metadata = types.SimpleNamespace(status=FrameMetadata.Status.Success)


class Stream:
    def __init__(self, configuration: StreamConfiguration) -> None:
        self.configuration = configuration


class _Formats:
    pixel_formats = (PixelFormat("SRGGB10_CSI2P"),)

    @staticmethod
    def sizes(_: PixelFormat) -> list[Size]:
        return [Size(*size) for size in _MODES]


class StreamConfiguration:
    def __init__(self, alignment: int) -> None:
        self._alignment = alignment
        self.size = Size(640, 480)
        self.pixel_format = PixelFormat("XBGR8888")
        self.buffer_count = 4
        self.stride = self.frame_size = 0
        self.color_space: ColorSpace | None = None
        self.stream = Stream(self)
        self.formats = _Formats()

    def pad(self) -> None:
        """Strides as the hardware makes them: rows of a multiple of so many bytes, chroma rows too."""

        def padded(row_bytes: int) -> int:
            return -(-row_bytes // self._alignment) * self._alignment

        width, height = self.size.width, self.size.height
        match str(self.pixel_format):
            case "YUV420":
                self.stride = 2 * padded(width // 2)
                self.frame_size = self.stride * height * 3 // 2
            case form:
                self.stride = padded(width * 3 if form == "RGB888" else width * 10 // 8)  # else raw, packed
                self.frame_size = self.stride * height

    def encode(self, picture: Image) -> bytes:
        """`picture` (RGB, of any size) as the bytes of this stream's buffer."""
        width, height = self.size.width, self.size.height
        rgb = picture
        if picture.shape[:2] != (height, width):
            rows = np.arange(height) * picture.shape[0] // height
            columns = np.arange(width) * picture.shape[1] // width
            rgb = picture[rows[:, None], columns]
        buffer = np.full(self.frame_size, PADDING, np.uint8)
        match str(self.pixel_format):
            case "YUV420":
                luma = rgb @ np.array([0.299, 0.587, 0.114])
                blue, red = 128 + 0.564 * (rgb[..., 2] - luma), 128 + 0.713 * (rgb[..., 0] - luma)
                area = self.stride * height
                buffer[:area].reshape(height, self.stride)[:, :width] = np.rint(luma)
                for number, chroma in enumerate((blue, red)):
                    plane = buffer[area + number * area // 4 : area + (number + 1) * area // 4]
                    plane.reshape(height // 2, self.stride // 2)[:, : width // 2] = chroma[::2, ::2]
            case "RGB888":  # B, G, R in memory
                buffer.reshape(height, self.stride)[:, : width * 3] = rgb[..., ::-1].reshape(height, width * 3)
            case _:
                pass
        return buffer.tobytes()


class SensorConfiguration:
    bit_depth = 0
    output_size: Size | None = None


class CameraConfiguration:
    Status = enum.Enum("Status", "Valid Adjusted Invalid")

    def __init__(self, roles: list[StreamRole], alignment: int) -> None:
        self._streams = [StreamConfiguration(alignment) for _ in roles]
        self.orientation = Orientation.Rotate0
        self.sensor_config: SensorConfiguration | None = None

    def at(self, index: int) -> StreamConfiguration:
        return self._streams[index]

    def __iter__(self) -> Iterator[StreamConfiguration]:
        return iter(self._streams)

    def validate(self) -> Status:
        for stream in self._streams:
            stream.pad()
        return self.Status.Valid


class Request:
    Status = enum.Enum("Status", "Pending Complete Cancelled")

    def __init__(self, cookie: int) -> None:
        self.cookie = cookie
        self.buffers: dict[Stream, FrameBuffer] = {}
        self.reuse()

    def reuse(self) -> None:
        self.status = self.Status.Pending
        self.metadata: dict[ControlId, object] = {}
        self.controls: dict[str, Any] = {}

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: object) -> None:
        self.controls[control.name] = value


class Camera:
    """The camera, with what a test wants to turn (`dead_for`, `aim`, …) and to know (`starts`, `mode`, …)."""

    id = "/base/soc/i2c0mux/i2c@1/imx708@1a"

    def __init__(self, manager: CameraManager, source: Source, fps: float) -> None:
        self._manager, self._source, self._fps = manager, source, fps
        self._queued: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._running = threading.Event()
        self._thread: threading.Thread | None = None
        self._seq = 0
        self._measured = {"ExposureTime": 3_000.0, "AnalogueGain": 1.0, "red": 1.0, "blue": 1.0}
        self.aim = {"ExposureTime": 24_300.0, "AnalogueGain": 2.0, "red": 1.7, "blue": 2.1}
        """Where automatic exposure and white balance are going."""
        self.alignment = 64
        """Rows of a buffer are padded to a multiple of so many bytes: 64 on a Pi 5."""
        self.dead_for = 0
        """How many more starts it takes until frames are completed."""
        self.missing: set[str] = set()
        """Controls that this camera does not have."""
        self.starts = 0
        self.acquired = False
        self.mode = (4608, 2592)
        self.controls_in_force: dict[str, Any] = {}

    @property
    def properties(self) -> dict[ControlId, object]:
        return {
            ControlId("Model", ControlType.String): "imx708",
            ControlId("Location", ControlType.Integer32): 2,
            ControlId("Rotation", ControlType.Integer32): 180,
            ControlId("ColorFilterArrangement", ControlType.Integer32): 0,  # tells a Pi's camera from others
        }

    @property
    def controls(self) -> dict[ControlId, ControlInfo]:
        """Those that there are; how fast and how much the sensor sees depends on the mode that is configured."""
        sees, shortest_us = _MODES[self.mode]
        of_mode = {
            "FrameDurationLimits": ControlInfo(shortest_us, 1_000_000, None),
            "ScalerCrop": ControlInfo(Rectangle(0, 0, 64, 64), sees, sees),
        }
        return {
            control: of_mode.get(control.name, info)
            for control, info in _CONTROLS.items()
            if control.name not in self.missing
        }

    def acquire(self) -> None:
        if self.acquired:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.acquired = True

    def release(self) -> None:
        self.acquired = False

    def generate_configuration(self, roles: list[StreamRole]) -> CameraConfiguration:
        return CameraConfiguration(roles, self.alignment)

    def configure(self, configuration: CameraConfiguration) -> int:
        sensor = configuration.sensor_config
        if sensor is not None and sensor.output_size is not None:
            self.mode = (sensor.output_size.width, sensor.output_size.height)
        return 0

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def queue_request(self, request: Request) -> None:
        self._queued.put(request)

    def start(self, controls: Mapping[ControlId, Any]) -> None:
        self.controls_in_force = {control.name: value for control, value in controls.items()}  # those before are gone
        self.starts += 1
        self.dead_for = max(0, self.dead_for - 1)
        self._running.set()
        self._thread = threading.Thread(target=self._run, name="fake sensor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._running.clear()
        if self._thread is not None:
            self._thread.join()
        while not self._queued.empty():
            self._queued.get().status = Request.Status.Cancelled

    def _run(self) -> None:
        while self._running.is_set():
            time.sleep(1.0 / self._fps)
            self._seq += 1
            if self.dead_for:
                continue
            try:
                request = self._queued.get_nowait()
            except queue.Empty:
                continue  # all buffers are out: the frame is lost
            self.controls_in_force.update(request.controls)
            picture = self._source(self._seq, self.controls_in_force)
            for stream, buffer in request.buffers.items():
                os.pwrite(buffer.planes[0].fd, stream.configuration.encode(picture), 0)
            request.metadata = {ControlId(name): value for name, value in self._metadata().items()}
            request.status = Request.Status.Complete
            self._manager.complete(request)

    def _metadata(self) -> dict[str, object]:
        for name, aim in self.aim.items():
            self._measured[name] += 0.4 * (aim - self._measured[name])
        force = self.controls_in_force
        locked = {
            name: force[name]
            for name in ("ExposureTime", "AnalogueGain")
            if force.get(f"{name}Mode") == 1 and not force.get("AeEnable")
        }
        colours = (self._measured["red"], self._measured["blue"])
        return {
            "SensorTimestamp": time.monotonic_ns() - 20_000_000,
            "ExposureTime": round(locked.get("ExposureTime", self._measured["ExposureTime"])),
            "AnalogueGain": locked.get("AnalogueGain", self._measured["AnalogueGain"]),
            "ColourGains": colours if force.get("AwbEnable", True) else force["ColourGains"],
            "LensPosition": force.get("LensPosition", 1.0),
        }


class CameraManager:
    """libcamera's singleton, with one camera or none."""

    _one: CameraManager

    def __init__(self, source: Source | None, fps: float) -> None:
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self._ready: list[Request] = []
        self._lock = threading.Lock()
        self.cameras = [Camera(self, source, fps)] if source else []

    @classmethod
    def singleton(cls) -> CameraManager:
        return cls._one

    def complete(self, request: Request) -> None:
        with self._lock:
            self._ready.append(request)
        os.eventfd_write(self.event_fd, 1)

    def get_ready_requests(self) -> list[Request]:
        with self._lock, contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.event_fd)
        with self._lock:
            ready, self._ready = self._ready, []
        return ready


class _MemoryHeap:
    """Buffers in memory files, where the Pi has a DMA heap."""

    def alloc(self, name: str, size: int) -> object:
        fd = os.memfd_create(name)
        os.ftruncate(fd, size)
        return importlib.import_module("picamera2.dma_heap").UniqueFD(fd)

    def close(self) -> None:
        pass


def _modules() -> dict[str, types.ModuleType]:
    """libcamera's three modules, and the four that picamera2 imports and only needs on a screen or for raw files."""
    controls = types.ModuleType("libcamera.controls")
    for control in _CONTROLS:
        setattr(controls, control.name, control)
    vars(controls).update(
        AeFlickerModeEnum=enum.IntEnum("AeFlickerModeEnum", "Off Manual Auto", start=0),
        AfModeEnum=enum.IntEnum("AfModeEnum", "Manual Auto Continuous", start=0),
        draft=types.SimpleNamespace(
            NoiseReductionModeEnum=enum.IntEnum("NoiseReductionModeEnum", "Off Fast HighQuality Minimal ZSL", start=0)
        ),
    )
    properties = types.ModuleType("libcamera.properties")
    libcamera = types.ModuleType("libcamera")
    vars(libcamera).update({name: value for name, value in globals().items() if isinstance(value, type)})
    vars(libcamera).update(controls=controls, properties=properties, _libcamera=libcamera)

    kms = types.ModuleType("pykms")
    names = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "ABGR8888")
    vars(kms).update(PixelFormat=types.SimpleNamespace(**{name: name for name in names}))
    raw_files = types.ModuleType("pidng"), types.ModuleType("pidng.camdefs"), types.ModuleType("pidng.core")
    vars(raw_files[1]).update(Picamera2Camera=object)
    vars(raw_files[2]).update(PICAM2DNG=object)
    made = (libcamera, controls, properties, kms, types.ModuleType("prctl"), *raw_files)
    return {module.__name__: module for module in made}


@contextlib.contextmanager
def installed(source: Source | None, fps: float = 30.0) -> Iterator[CameraManager]:
    """Lets `import picamera2` find this libcamera, with a camera that shows `source` or none; then all is as before."""
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] in ("libcamera", "picamera2")}
    for name in before:
        del sys.modules[name]
    made = _modules()
    hidden = {name: sys.modules.get(name) for name in made}
    sys.modules.update(made)
    manager = CameraManager(source, fps)
    CameraManager._one = manager
    try:
        allocator = vars(importlib.import_module("picamera2.allocators.dmaallocator"))
        allocator.update(DmaHeap=_MemoryHeap, fcntl=types.SimpleNamespace(ioctl=lambda *_: 0))
        yield manager
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] in ("libcamera", "picamera2")]:
            del sys.modules[name]
        for name, module in hidden.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module
        sys.modules.update(before)
        os.close(manager.event_fd)
