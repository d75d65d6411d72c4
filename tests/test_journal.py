"""The journal of a game on the disk: what survives, what is cut, what is damage."""

import json
import os
import resource
import signal
from pathlib import Path

import pytest

from terminal.journal import Journal, JournalDamaged, JournalUnwritable, read

LINES = [{"type": "game_started", "players": ["An", "Cé"]}, {"type": "throw", "dice": [1, 2, 4]}, {"type": "abandon"}]


@pytest.fixture
def path(tmp_path):
    with Journal.open(tmp_path / "g1.jsonl") as journal:
        for line in LINES:
            journal.append(line)
    return tmp_path / "g1.jsonl"


def test_lines_come_back_in_order(path):
    assert read(path) == LINES
    with Journal.open(path) as journal:
        assert journal.lines == LINES
        journal.append({"type": "undo", "of": 2})
    assert read(path) == [*LINES, {"type": "undo", "of": 2}]


def test_one_line_of_the_file_each_in_utf8(path):
    raw = path.read_bytes()
    assert raw.count(b"\n") == 3
    assert raw.endswith(b"\n")
    assert "Cé".encode() in raw


def test_a_torn_last_line_is_cut_off_wherever_it_broke(path):
    whole = path.read_bytes()
    second = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for length in range(second, len(whole)):
        path.write_bytes(whole[:length])
        assert read(path) == LINES[:2]
        assert path.stat().st_size == length
        with Journal.open(path) as journal:
            assert journal.lines == LINES[:2]
            journal.append(LINES[2])
        assert path.read_bytes() == whole


def test_zero_bytes_at_the_end_are_a_torn_line(path):
    whole = path.read_bytes()
    for tail in (b"\0" * 4096, b"\0\0\0}\n"):
        path.write_bytes(whole + tail)
        assert Journal.open(path).lines == LINES
        assert path.read_bytes() == whole


def test_a_file_torn_in_its_first_line_is_empty(tmp_path):
    path = tmp_path / "g2.jsonl"
    path.write_bytes(b'{"type": "game_st')
    assert Journal.open(path).lines == []
    assert path.read_bytes() == b""


@pytest.mark.parametrize("bad", [b"{", b"[]", b"3", b"", b'{"a": "\xff"}', b"\0", b'{"a": ' + b"[" * 9999])
def test_any_other_damage_is_named_and_left_alone(path, bad):
    first, *rest = path.read_bytes().split(b"\n")
    damaged = b"\n".join([first, bad, *rest])
    path.write_bytes(damaged)
    for opening in (Journal.open, read):
        with pytest.raises(JournalDamaged, match=r"g1\.jsonl: line 2: ") as named:
            opening(path)
        assert (named.value.line, named.value.path) == (2, path)
    assert path.read_bytes() == damaged


def test_a_whole_last_line_that_is_no_json_is_damage(path):
    path.write_bytes(path.read_bytes() + b"{\n")
    with pytest.raises(JournalDamaged, match="line 4"):
        Journal.open(path)


@pytest.fixture
def file_size_limit():
    """A disk that is full after so many bytes: the kernel writes up to there, then refuses."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_is_said_and_the_file_is_as_it_was(path, file_size_limit):
    before = path.read_bytes()
    with Journal.open(path) as journal:
        file_size_limit(len(before) + 5)
        with pytest.raises(JournalUnwritable, match=r"g1\.jsonl: cannot be written"):
            journal.append({"type": "undo", "of": 2})
        assert path.read_bytes() == before
        assert journal.lines == LINES
        file_size_limit(resource.RLIM_INFINITY)
        journal.append({"type": "undo", "of": 2})
        assert read(path) == [*LINES, {"type": "undo", "of": 2}]


def test_a_line_is_on_the_disk_before_append_returns_and_the_folder_too(tmp_path, monkeypatch):
    synced = []
    fsync = os.fsync

    def recording(descriptor):
        synced.append((str(Path(f"/proc/self/fd/{descriptor}").readlink()), os.fstat(descriptor).st_size))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", recording)
    path = tmp_path / "g3.jsonl"
    with Journal.open(path) as journal:
        assert str(tmp_path) in [name for name, _ in synced]
        journal.append(LINES[0])
    assert synced[-1] == (str(path), path.stat().st_size)


def test_a_journal_that_cannot_be_made_is_said(tmp_path):
    with pytest.raises(JournalUnwritable, match="cannot be opened"):
        Journal.open(tmp_path / "nowhere" / "g1.jsonl")
    with pytest.raises(JournalUnwritable, match="cannot be opened"):
        Journal.open(tmp_path)


def test_nothing_is_written_after_close_and_close_may_be_called_twice(path):
    journal = Journal.open(path)
    journal.close()
    journal.close()
    with pytest.raises(JournalUnwritable, match="closed"):
        journal.append({"type": "abandon"})
    assert read(path) == LINES


def test_what_is_no_json_is_not_written(path):
    before = path.read_bytes()
    with Journal.open(path) as journal:
        for value in (float("nan"), "\ud800", object()):
            with pytest.raises((ValueError, TypeError)):
                journal.append({"x": value})
        assert journal.lines == LINES
    assert path.read_bytes() == before


def test_a_line_given_is_not_shared(tmp_path):
    line = {"type": "abandon"}
    with Journal.open(tmp_path / "g4.jsonl") as journal:
        journal.append(line)
        line["type"] = "throw"
        assert journal.lines == [{"type": "abandon"}]


def test_lines_are_compact(path):
    assert path.read_bytes().splitlines()[2] == json.dumps(LINES[2], separators=(",", ":")).encode()
