"""Opens the camera that a configuration or a command line names.

| text | camera |
|---|---|
| `pi` or `camera` | the one on the Pi's ribbon cable |
| `usb:N` | /dev/videoN |
| `folder:PATH`, or the path of a folder | the pictures in it, in the order of their names |
| `video:PATH`, or any other path | a video file |
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from terminal.hw.ports import BadHardware, Camera

CHOICES = "pi, usb:N, folder:PATH or video:PATH"


class BadSource(BadHardware):
    """A text that names no camera."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a camera; files are as they are.

    size_wh, fps: of the pictures that are read. distance_m: from lens to felt. paced:
    files play at their own speed, not as fast as they are looked at. loop: files begin again at their end.
    """

    size_wh: tuple[int, int] = (1280, 960)
    fps: float = 30.0
    distance_m: float = 0.7
    paced: bool = False
    loop: bool = False


def is_camera(text: str) -> bool:
    """Whether a text on a command line means a camera, and not the path of one picture."""
    return text in ("pi", "camera") or text.partition(":")[0] in ("usb", "folder", "video") or Path(text).is_dir()


def camera_of(source: str, wanted: Wanted | None = None) -> Camera:
    """The camera that `source` names, not opened yet. `BadSource` says what is allowed."""
    wanted = wanted or Wanted()
    kind, colon, rest = source.partition(":")
    if source in ("pi", "camera"):
        from terminal.hw.pi_camera import PiCamera, PiSettings

        return PiCamera(PiSettings(wanted.size_wh, wanted.fps, wanted.distance_m))
    if kind == "usb" and colon:
        if not (rest.isascii() and rest.isdigit()):
            raise BadSource(f"{source!r}: after usb: comes the number of a camera, as in usb:0")
        from terminal.hw.usb_camera import UsbCamera, UsbSettings

        return UsbCamera(UsbSettings(int(rest), wanted.size_wh, wanted.fps))

    from terminal.hw.file_camera import FolderCamera, VideoCamera

    if kind in ("folder", "video") and colon:
        if not rest:
            raise BadSource(f"{source!r}: after {kind}: comes a path")
        path = Path(rest).expanduser()
    else:
        path = Path(source).expanduser()
        if not path.exists():
            raise BadSource(f"{source!r}: no such file or folder, and none of {CHOICES}")
        kind = "folder" if path.is_dir() else "video"
    if kind == "folder":
        return FolderCamera(path, wanted.fps, loop=wanted.loop, paced=wanted.paced)
    return VideoCamera(path, loop=wanted.loop, paced=wanted.paced)
