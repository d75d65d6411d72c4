"""The pictures of accepted throws, for disputes: JPEG files in a folder, bounded by count and by bytes.

A picture that is missing never blocks play: a full or broken card costs pictures, not throws. It is said once in the
log and shows in `working`. What a picture is of stands in the journal, where an event's `image` is the name of a file
here. Pictures go after the evening: when nothing was thrown for half a day, or before when another evening begins.
"""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from terminal.frame import Image

log = logging.getLogger(__name__)

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}\.jpg")
UNFINISHED = ".unfinished"
EVENING_S = 12 * 3600.0  # so long after the last picture nobody disputes a throw any more


def jpeg_of(image: Image, quality: int = 85) -> bytes:
    """`image`, (H, W, 3) uint8 BGR, as JPEG; at 85 a picture of 1280x960 takes about 150 KB and 5 ms."""
    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return encoded.tobytes()


def picture_of(encoded: bytes | None) -> Image | None:
    """The picture in a JPEG, (H, W, 3) uint8 BGR; None when there is none."""
    image = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR) if encoded else None
    return None if image is None else np.asarray(image, np.uint8)


class Evidence:
    """Pictures in `folder`, at most `pictures` of them and `max_bytes` together; the oldest goes first.

    quality: of the JPEG, 1 to 100. At 85 a picture of 1280x960 takes about 150 KB. clock: seconds, monotonic;
    wall: seconds of the files' times, which is asked only at the start, for it may jump when the network comes.
    """

    def __init__(
        self,
        folder: Path,
        pictures: int = 1000,
        max_bytes: int = 200_000_000,
        quality: int = 85,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._pictures = pictures
        self._max_bytes = max_bytes
        self._quality = quality
        self._clock = clock
        self._newest_s = clock()
        self.working = True
        """Whether the last picture could be kept."""
        self._sizes: OrderedDict[str, int] = OrderedDict()  # oldest first
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._sizes.update(self._found())
            if self._sizes:
                age_s = wall() - (folder / next(reversed(self._sizes))).stat().st_mtime
                self._newest_s -= max(0.0, age_s)
            self._make_room(0, 0)
        except OSError as error:
            self._failed(error)

    def _found(self) -> list[tuple[str, int]]:
        found: list[tuple[int, str, int]] = []
        for path in self._folder.iterdir():
            if path.name.endswith(UNFINISHED):
                path.unlink()
            elif SAFE_NAME.fullmatch(path.name):
                status = path.stat()
                found.append((status.st_mtime_ns, path.name, status.st_size))
        return [(name, size) for _, name, size in sorted(found)]

    def keep(self, name: str, image: Image) -> str | None:
        """Keeps `image`, (H, W, 3) uint8 BGR, in the file `name`; gives the name, or None when it could not be kept."""
        return self.keep_jpeg(name, jpeg_of(image, self._quality))

    def keep_jpeg(self, name: str, encoded: bytes) -> str | None:
        """Keeps a picture that is a JPEG already; gives the name, or None when it could not be kept.

        The picture of an earlier use of the name is replaced: its line never reached the journal.
        """
        if not SAFE_NAME.fullmatch(name):
            log.warning("%r is no name for a picture", name)
            return None
        size = len(encoded)
        if self._pictures < 1 or size > self._max_bytes:
            return None
        unfinished = self._folder / (name + UNFINISHED)
        try:
            self._forget(name)
            self._make_room(1, size)
            # Not forced to the card: that takes as long as the whole throw, and the journal is what counts. A power
            # cut may leave an empty or torn file, which `jpeg` does not give out.
            unfinished.write_bytes(encoded)
            unfinished.replace(self._folder / name)
        except OSError as error:
            self._failed(error)
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)
            return None
        self._sizes[name] = size
        self._newest_s = self._clock()
        if not self.working:
            self.working = True
            log.info("pictures are kept again")
        return name

    def jpeg(self, name: str) -> bytes | None:
        """The file of a picture; None when there is none, or no whole one."""
        if not SAFE_NAME.fullmatch(name):
            return None
        try:
            data = (self._folder / name).read_bytes()
        except OSError:
            return None
        return data if data.endswith(b"\xff\xd9") else None

    def picture(self, name: str) -> Image | None:
        """A picture, (H, W, 3) uint8 BGR; None when there is none."""
        return picture_of(self.jpeg(name))

    def tidy(self) -> None:
        """Deletes all pictures when the evening has been over for long; cheap enough for every round of a loop."""
        if self._sizes and self._clock() - self._newest_s > EVENING_S:
            self.clear()

    def clear(self) -> None:
        """Deletes all pictures, after the evening."""
        try:
            for name in list(self._sizes):
                self._forget(name)
        except OSError as error:
            self._failed(error)

    def _make_room(self, pictures: int, size: int) -> None:
        """Drops the oldest until so many more pictures of so many bytes together have their place."""
        while self._sizes and (
            len(self._sizes) + pictures > self._pictures or sum(self._sizes.values()) + size > self._max_bytes
        ):
            self._forget(next(iter(self._sizes)))

    def _forget(self, name: str) -> None:
        if name in self._sizes:
            (self._folder / name).unlink(missing_ok=True)
            del self._sizes[name]

    def _failed(self, error: OSError) -> None:
        if self.working:
            log.warning("pictures of throws are not kept: %s; play goes on", error)
        self.working = False
