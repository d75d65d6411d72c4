"""Pictures of throws: bounded, whole or not there, and never in the way of play."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from terminal import evidence
from terminal.evidence import Evidence


def picture(value, height=60, width=80):
    return np.full((height, width, 3), value, np.uint8)


def names_in(folder):
    return {path.name for path in folder.iterdir()}


def shade(kept, name):
    found = kept.picture(name)
    return None if found is None else round(float(found.mean()))


def test_a_kept_picture_can_be_seen_again_and_after_a_restart(tmp_path):
    kept = Evidence(tmp_path / "pictures")
    assert kept.keep("game-7.jpg", picture(120)) == "game-7.jpg"
    assert shade(kept, "game-7.jpg") == 120
    again = Evidence(tmp_path / "pictures")
    assert shade(again, "game-7.jpg") == 120
    assert again.jpeg("game-7.jpg")[:2] == b"\xff\xd8"
    assert names_in(tmp_path / "pictures") == {"game-7.jpg"}


def test_the_oldest_goes_when_there_are_too_many(tmp_path):
    kept = Evidence(tmp_path, pictures=3)
    for seq in range(5):
        kept.keep(f"game-{seq}.jpg", picture(seq))
    assert names_in(tmp_path) == {"game-2.jpg", "game-3.jpg", "game-4.jpg"}
    assert kept.picture("game-1.jpg") is None


def test_the_oldest_go_when_they_are_too_many_bytes(tmp_path):
    noise = np.random.default_rng(1).integers(0, 255, (60, 80, 3)).astype(np.uint8)
    Evidence(tmp_path / "one").keep("a.jpg", noise)
    size = (tmp_path / "one" / "a.jpg").stat().st_size
    kept = Evidence(tmp_path / "few", max_bytes=3 * size)
    for seq in range(6):
        kept.keep(f"game-{seq}.jpg", noise)
        assert sum(path.stat().st_size for path in (tmp_path / "few").iterdir()) <= 3 * size
    assert names_in(tmp_path / "few") == {"game-3.jpg", "game-4.jpg", "game-5.jpg"}


def test_a_restart_knows_which_are_the_oldest_and_keeps_to_new_bounds(tmp_path):
    kept = Evidence(tmp_path)
    ages = dict(zip("gcafbehd", range(8), strict=True))
    for letter, age in ages.items():
        kept.keep(f"{letter}.jpg", picture(age))
        os.utime(tmp_path / f"{letter}.jpg", (1_000_000 - age, 1_000_000 - age))
    for bound in range(7, 0, -1):
        Evidence(tmp_path, pictures=bound)
        assert names_in(tmp_path) == {f"{letter}.jpg" for letter, age in ages.items() if age < bound}


def test_a_picture_larger_than_all_may_be_is_not_kept_and_costs_no_other(tmp_path):
    kept = Evidence(tmp_path, max_bytes=2_000)
    assert kept.keep("small.jpg", picture(5)) is not None
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3)).astype(np.uint8)
    assert kept.keep("large.jpg", noise) is None
    assert names_in(tmp_path) == {"small.jpg"}


def test_no_pictures_at_all_may_be_wanted(tmp_path):
    kept = Evidence(tmp_path, pictures=0)
    assert kept.keep("game-0.jpg", picture(5)) is None
    assert kept.working


def test_a_seq_that_is_used_again_has_the_newer_picture(tmp_path):
    kept = Evidence(tmp_path, pictures=2)
    kept.keep("game-1.jpg", picture(10))
    kept.keep("game-2.jpg", picture(20))
    kept.keep("game-2.jpg", picture(30))
    assert shade(kept, "game-2.jpg") == 30
    assert shade(kept, "game-1.jpg") == 10  # it took no room
    kept.keep("game-1.jpg", picture(50))
    kept.keep("game-3.jpg", picture(40))
    assert names_in(tmp_path) == {"game-1.jpg", "game-3.jpg"}


@pytest.mark.parametrize("name", ["../escape.jpg", "/tmp/escape.jpg", ".hidden.jpg", "", "a.png", "a.jpg\n", "a b.jpg"])
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path, name):
    kept = Evidence(tmp_path / "pictures")
    assert kept.keep(name, picture(5)) is None
    assert kept.jpeg(name) is None
    assert kept.picture(name) is None
    assert names_in(tmp_path) == {"pictures"}
    assert not names_in(tmp_path / "pictures")


def test_a_full_card_costs_pictures_and_says_so_once(tmp_path, monkeypatch, caplog):
    kept = Evidence(tmp_path)
    kept.keep("game-0.jpg", picture(5))
    write = Path.write_bytes

    def full(path, data):
        write(path, data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(evidence.Path, "write_bytes", full)
    assert kept.keep("game-1.jpg", picture(5)) is None
    assert kept.keep("game-2.jpg", picture(5)) is None
    assert not kept.working
    assert caplog.text.count("not kept") == 1
    assert names_in(tmp_path) == {"game-0.jpg"}
    monkeypatch.undo()
    assert kept.keep("game-3.jpg", picture(5)) == "game-3.jpg"
    assert kept.working


def test_a_folder_that_cannot_be_made_never_blocks_play(tmp_path, caplog):
    """A file where the folder should be: as root, the tests could write into a read-only folder."""
    (tmp_path / "taken").write_text("beer")
    kept = Evidence(tmp_path / "taken")
    assert not kept.working
    assert kept.keep("game-0.jpg", picture(5)) is None
    assert kept.picture("game-0.jpg") is None
    assert caplog.text.count("not kept") == 1


def test_what_a_power_cut_left_is_not_shown_as_a_picture(tmp_path):
    kept = Evidence(tmp_path)
    kept.keep("torn.jpg", picture(5))
    kept.keep("empty.jpg", picture(5))
    (tmp_path / "torn.jpg").write_bytes((tmp_path / "torn.jpg").read_bytes()[:-40])
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "half.jpg.unfinished").write_bytes(b"\xff\xd8")
    again = Evidence(tmp_path)
    assert again.picture("torn.jpg") is None
    assert again.jpeg("empty.jpg") is None
    assert names_in(tmp_path) == {"torn.jpg", "empty.jpg"}


def test_after_the_evening_they_can_all_go_and_strangers_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("keep me")
    kept = Evidence(tmp_path)
    kept.keep("game-0.jpg", picture(5))
    kept.clear()
    assert names_in(tmp_path) == {"notes.txt"}


def test_the_pictures_go_when_nothing_was_thrown_for_half_a_day(tmp_path):
    now = 0.0
    kept = Evidence(tmp_path, clock=lambda: now)
    kept.keep("game-1.jpg", picture(1))
    now = evidence.EVENING_S - 1
    kept.keep("game-2.jpg", picture(2))
    now = 2 * evidence.EVENING_S - 2
    kept.tidy()
    assert names_in(tmp_path) == {"game-1.jpg", "game-2.jpg"}
    now = 2 * evidence.EVENING_S
    kept.tidy()
    assert names_in(tmp_path) == set()


def test_a_table_that_starts_the_next_day_drops_the_pictures_of_the_day_before(tmp_path):
    Evidence(tmp_path).keep("game-1.jpg", picture(1))
    written_s = (tmp_path / "game-1.jpg").stat().st_mtime
    soon = Evidence(tmp_path, wall=lambda: written_s + 600)
    soon.tidy()
    assert names_in(tmp_path) == {"game-1.jpg"}
    next_day = Evidence(tmp_path, wall=lambda: written_s + 24 * 3600)
    next_day.tidy()
    assert names_in(tmp_path) == set()


def test_a_clock_that_goes_back_at_the_start_drops_nothing(tmp_path):
    Evidence(tmp_path).keep("game-1.jpg", picture(1))
    again = Evidence(tmp_path, wall=lambda: 0.0)
    again.tidy()
    assert names_in(tmp_path) == {"game-1.jpg"}


def test_a_card_that_cannot_be_cleared_is_said_and_stops_nothing(tmp_path, monkeypatch, caplog):
    kept = Evidence(tmp_path)
    kept.keep("game-1.jpg", picture(1))

    def refuse(path, missing_ok=False):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(Path, "unlink", refuse)
    kept.clear()
    assert not kept.working
    assert "Read-only" in caplog.text
