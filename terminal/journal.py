"""The journal of one game: lines that survive a power cut, with no idea what they mean.

One JSON object a line. A line counts once `append` has returned: it is then on the disk. Only accepted lines are ever
appended, so anything but one torn last line is damage, and named. It never repairs, skips or reorders.

    JournalError
    +-- JournalDamaged     the file holds what no power cut can have left
    +-- JournalUnwritable  the disk took no line; the file is as it was before
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

Line = dict[str, Any]


class JournalError(Exception):
    """Something is wrong with a journal file. path: which one."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class JournalDamaged(JournalError):  # says what is the matter
    """A line that is not the torn last one cannot be read. line: its number, counted from 1."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(path, f"line {line}: {message}")
        self.line = line


class JournalUnwritable(JournalError):  # says what is the matter
    """A line could not be put on the disk; stop loudly, the game on the screen must not run ahead of the paper."""


def parse(path: Path, content: bytes) -> tuple[list[Line], int]:
    """The lines of a file's bytes, and how many bytes of it are whole.

    A last line without its line feed was being written when the power went, and so was one that holds zero bytes: a
    file system may have grown the file before it wrote the block. Neither was ever acknowledged.
    """
    *whole, torn = content.split(b"\n")
    if whole and not torn and b"\0" in whole[-1]:
        whole.pop()
    lines = []
    for number, raw in enumerate(whole, start=1):
        try:
            line = json.loads(raw.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise JournalDamaged(path, number, f"no JSON: {error}") from error
        if not isinstance(line, dict):
            raise JournalDamaged(path, number, "no JSON object")
        lines.append(line)
    return lines, sum(len(raw) + 1 for raw in whole)


def read(path: Path | str) -> list[Line]:
    """The whole lines of a journal, without touching the file; a torn last line is left out.

    Raises JournalDamaged, or OSError when the file cannot be read.
    """
    path = Path(path)
    return parse(path, path.read_bytes())[0]


def _sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Journal:
    """An open journal. lines: what is in it; append adds one line durably; close may be called twice."""

    def __init__(self, path: Path, descriptor: int, lines: list[Line], size: int) -> None:
        self.path = path
        self.lines = lines
        self._descriptor: int | None = descriptor
        self._size = size

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open a journal, or make an empty one; cuts off a torn last line.

        Raises JournalDamaged for any other damage, JournalUnwritable when the file cannot be made or cut.
        """
        path = Path(path)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                content = path.read_bytes()
                lines, size = parse(path, content)
                if size < len(content):
                    os.ftruncate(descriptor, size)
                    os.fsync(descriptor)
                _sync_folder(path.parent)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError as error:
            raise JournalUnwritable(path, f"cannot be opened: {error.strerror}") from error
        return cls(path, descriptor, lines, size)

    def append(self, line: Mapping[str, Any]) -> None:
        """Write a line and wait until it is on the disk.

        Raises JournalUnwritable, and the file is then as it was; if even that fails the journal closes itself, for
        nobody knows what is in the file until it is opened again.
        """
        raw = json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8") + b"\n"
        if self._descriptor is None:
            raise JournalUnwritable(self.path, "is closed")
        try:
            written = 0
            while written < len(raw):
                written += os.pwrite(self._descriptor, raw[written:], self._size + written)
            os.fsync(self._descriptor)
        except OSError as error:
            self._cut_back()
            raise JournalUnwritable(self.path, f"cannot be written: {error.strerror}") from error
        self._size += len(raw)
        self.lines.append(dict(line))

    def _cut_back(self) -> None:
        assert self._descriptor is not None
        try:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
        except OSError:
            self.close()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
