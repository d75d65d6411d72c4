"""Calibrating on the table's screen: every step by taps, the eye's pictures, what is kept, and what goes wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from calibration import model
from fixtures.printed import with_card
from terminal import config
from terminal.app import App
from terminal.app import calibrated as calibrated_by
from terminal.booking import Stamp
from terminal.display.texts import TEXTS
from terminal.eye import Eye, caretaker_of
from terminal.frame import Frame, Image
from terminal.hw.file_camera import luma_of
from terminal.hw.ports import CameraLost
from terminal.overlays import Overlays, Surroundings
from terminal.step import step
from terminal.table import Camera, Fitted, Message, Overlay, Read, Seated, Seating, Table, Wish
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader
from tests.calibration.test_check import calibrated
from tests.calibration.test_fit import TABLES, picture, truth
from tests.table.test_app import Screen

TABLE = TABLES[0]
READY = Table("1", camera="ok")


@cache
def card_lies() -> Image:
    return with_card(picture(TABLE), calibrated(TABLE))


def after(table: Table, *messages: Message) -> Table:
    for message in messages:
        table = step(table, message, Stamp("fresh", "2026-11-30T20:00:00")).table
    return table


def at(table: Table) -> tuple[object, ...]:
    """Step, serial, picture and why of the calibration that is on."""
    assert table.overlay is not None and table.overlay.kind == "calibrate"
    return table.overlay.about


# -- the steps


def test_the_steps_follow_each_other_and_the_picture_stays_until_there_is_another() -> None:
    table = after(READY, Wish("calibrate", ("begin", 0)))
    assert at(table) == ("empty", 1, None, "")
    table = after(table, Fitted(1, "seen", "live-4"))
    table = after(table, Wish("calibrate", ("shoot", 1)))
    assert at(table) == ("shoot_empty", 1, "live-4", "")
    table = after(table, Fitted(1, "empty"))
    assert at(table) == ("card", 1, "live-4", "")
    table = after(table, Wish("calibrate", ("shoot", 1)), Fitted(1, "passed", "felt-1"))
    assert at(table) == ("passed", 1, "felt-1", "")
    table = after(table, Fitted(1, "kept"))
    assert table.overlay is None
    assert table.note is not None and table.note.key == "calibration_kept"


def test_a_second_press_and_what_belongs_to_a_calibration_that_is_over_change_nothing() -> None:
    table = after(READY, Wish("calibrate", ("begin", 0)), Wish("calibrate", ("shoot", 1)))
    assert after(table, Wish("calibrate", ("shoot", 1)), Fitted(1, "seen", "live-9")) == table
    assert after(table, Wish("calibrate", ("without", 1)), Fitted(1, "passed", "felt-1")) == table
    again = after(table, Wish("close"), Wish("calibrate", ("begin", 0)))
    assert at(again) == ("empty", 2, None, "")
    assert after(again, Fitted(1, "empty"), Fitted(1, "moved"), Wish("calibrate", ("shoot", 1))) == again
    assert after(READY, Fitted(1, "empty"), Fitted(0, "tray"), Fitted(1, "kept")) == READY


def test_nobody_calibrates_while_a_game_is_on_or_without_a_camera() -> None:
    assert after(Table("1"), Wish("calibrate", ("begin", 0))).overlay is None
    seating = Seating("", 1, "seating", "1", "kazerne", 1, ("An", "Bo"), (None, None))
    playing = after(READY, Seated(seating), Wish("klaar"))
    assert playing.playing
    assert after(playing, Wish("calibrate", ("begin", 0))).overlay is None
    offered = [choice.intent.name for choice in menu(playing)]
    assert "calibrate" not in offered
    assert "calibrate" in [choice.intent.name for choice in menu(READY)]


def menu(table: Table):
    page = Overlays(table._replace(overlay=Overlay("menu")), Surroundings()).page()
    assert page is not None
    return page.choices


def test_a_game_that_begins_meanwhile_ends_it() -> None:
    seating = Seating("", 1, "seating", "1", "kazerne", 1, ("An", "Bo"), (None, None))
    table = after(READY, Wish("calibrate", ("begin", 0)), Seated(seating), Wish("klaar"))
    assert table.playing and table.overlay is None
    assert after(table, Fitted(1, "seen", "live-1")) == table


def test_a_camera_that_is_lost_is_said_but_what_was_made_stays() -> None:
    table = after(READY, Wish("calibrate", ("begin", 0)), Wish("calibrate", ("shoot", 1)))
    assert at(after(table, Camera("lost")))[::3] == ("failed", "lost")
    passed = after(table, Fitted(1, "empty"), Wish("calibrate", ("without", 1)), Fitted(1, "passed", "felt-1"))
    assert at(after(passed, Camera("lost")))[0] == "passed"
    assert after(READY, Camera("lost")).overlay is None


@pytest.mark.parametrize("why", ["tray", "card", "no_card", "moved", "dark", "bright", "unusable", "lost"])
def test_every_reason_has_its_sentence(why: str) -> None:
    table = after(READY, Wish("calibrate", ("begin", 0)), Wish("calibrate", ("shoot", 1)), Fitted(1, why))
    question = Overlays(table, Surroundings()).question()
    assert question is not None and question.detail == TEXTS[f"calibrate_why_{why}"][0]


# -- with the eye


class Hung:
    """A camera above a tray that shows `sees`, ten frames a second by its own clock; None: it is gone."""

    def __init__(self) -> None:
        self.sees: Image | None = picture(TABLE)
        self._seq = 0
        self._closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        while not self._closed.is_set():
            if self.sees is None:
                raise CameraLost("pulled out")
            yield Frame(self._seq, self._seq / 10, luma_of(self.sees), self.sees)
            self._seq += 1
            time.sleep(0.02)

    def close(self) -> None:
        self._closed.set()


class Calibrated:
    """A table with an eye, calibrated by taps."""

    def __init__(self, folder: Path, calibration: Calibration | None = None) -> None:
        self.camera = Hung()
        self.app = App(Table("1"), folder, Screen())
        caretaker = caretaker_of(calibration, self.camera)
        self.app.eye = self.eye = Eye(self.camera, Reader(calibration), self.app.inbox.put, caretaker)
        self.eye.start()
        self.until(lambda: self.app.table.camera == "ok")

    def until(self, so: Callable[[], bool], most_s: float = 400.0) -> None:
        ends = time.monotonic() + most_s
        while not so():
            assert time.monotonic() < ends, f"{self.app.table.overlay} {self.app.table.note}"
            self.app.round()

    def tap(self, what: str) -> None:
        """Tap a button that stands on the screen."""
        view = self.app.view
        assert view is not None
        shown = view.question or view.page
        assert shown is not None
        intent = next(
            one.intent for one in shown.choices if isinstance(one.intent.value, tuple) and what in one.intent.value
        )
        self.app.take(Wish(intent.name, intent.value))
        self.app.round()

    def step_is(self, *steps: str) -> Callable[[], bool]:
        return lambda: self.eye.asked[0] in steps

    def hears(self) -> list[Message]:
        """What comes in from now on."""
        told: list[Message] = []
        take = self.app.take
        self.app.take = lambda news: (told.append(news), take(news))[1]
        return told

    def begin(self) -> None:
        self.app.take(Wish("open", ("menu",)))
        self.app.round()
        self.tap("begin")

    def until_worked_out(self) -> None:
        self.until(self.step_is("passed", "failed"))

    def close(self) -> None:
        self.app.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Calibrated]:
    made = Calibrated(tmp_path)
    yield made
    made.close()


def test_a_tray_is_calibrated_by_taps_and_read_by_that_at_once(table: Calibrated, tmp_path: Path) -> None:
    table.begin()
    table.until(lambda: table.app.view.question.picture is not None)  # people see what the camera sees
    assert table.app.view.question.picture.wh == (640, 480)
    table.tap("shoot")
    table.until(table.step_is("card"))
    table.camera.sees = card_lies()
    table.tap("shoot")
    table.until_worked_out()
    question = table.app.view.question
    assert question.text == TEXTS["calibrate_passed"][0] and question.picture is not None
    assert not (tmp_path / "calibration.json").exists()
    table.camera.sees = picture(TABLE)
    table.tap("keep")
    assert table.app.table.note.key == "calibration_kept" and table.app.table.overlay is None
    kept = model.load(tmp_path / "calibration.json")
    true = calibrated(TABLE)
    assert np.linalg.norm(kept.shift_mm) == pytest.approx(np.linalg.norm(true.shift_mm), rel=0.2)

    easy = next(one for one in truth(TABLE)["pictures"] if one["kind"] == "easy")
    table.until(lambda: table.eye._watcher._reader.calibration is not None)
    told = table.hears()
    for _ in range(20):
        table.app.round()  # the empty tray is seen
    table.camera.sees = picture(TABLE, easy["file"])
    table.until(lambda: any(isinstance(one, Read) for one in told))
    read = next(one for one in told if isinstance(one, Read))
    assert (list(read.values), read.reason) == (easy["values"], None)


def test_what_was_kept_counts_at_the_next_start(table: Calibrated, tmp_path: Path) -> None:
    table.begin()
    table.tap("shoot")
    table.until(table.step_is("card"))
    table.tap("without")
    table.until_worked_out()
    table.tap("keep")
    toml = tmp_path / "terminal.toml"
    toml.write_text(f'[table]\ndata = "{tmp_path}"\n', encoding="utf-8")
    found, mark = calibrated_by(config.load(toml))
    assert found is not None and mark == table.app.calibration_mark != ""
    assert np.array_equal(found.floor_mm, table.eye.made.floor_mm)


def test_no_card_where_it_should_lie_is_said_and_nothing_changes(table: Calibrated, tmp_path: Path) -> None:
    table.begin()
    table.tap("shoot")
    table.until(table.step_is("card"))
    table.tap("shoot")
    table.until_worked_out()
    assert table.app.view.question.detail == TEXTS["calibrate_why_no_card"][0]
    assert table.eye.made is None
    table.tap("begin")  # again
    assert at(table.app.table)[:2] == ("empty", 2)
    table.app.take(Wish("close"))
    assert not list(tmp_path.glob("calibration*"))


def test_a_card_that_cannot_be_written_says_so_and_the_old_calibration_goes_on(tmp_path: Path) -> None:
    before = calibrated(TABLE)
    table = Calibrated(tmp_path, before)
    table.begin()
    table.tap("shoot")
    table.until(table.step_is("card"))
    table.tap("without")
    table.until_worked_out()
    (tmp_path / "calibration.json").mkdir()
    table.tap("keep")
    assert table.app.table.note.key == "calibration_unkept"
    assert table.eye._caretaker.calibration is before
    table.close()


def test_while_calibrating_nothing_is_a_throw(tmp_path: Path) -> None:
    table = Calibrated(tmp_path, calibrated(TABLE))
    table.begin()
    easy = next(one for one in truth(TABLE)["pictures"] if one["kind"] == "easy")
    told = table.hears()
    table.camera.sees = picture(TABLE, easy["file"])
    for _ in range(60):
        table.app.round()
    assert {type(one) for one in told} <= {Fitted, Camera}
    table.close()


def test_a_camera_that_goes_while_it_is_calibrated_is_said(table: Calibrated) -> None:
    table.begin()
    table.camera.sees = None
    table.until(table.step_is("failed"))
    assert table.app.view.question.detail == TEXTS["calibrate_why_lost"][0]
