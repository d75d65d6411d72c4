"""The loop: apply, append, show; and a plug that is pulled at any moment."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from calibration import model
from terminal import config, journal
from terminal.app import App, build
from terminal.app import calibrated as calibrated_by
from terminal.card import RECENT, Card
from terminal.config import Config
from terminal.display.view import Intent, View
from terminal.evidence import Evidence, jpeg_of
from terminal.exchange import message_of, seating_of
from terminal.eye import Eye
from terminal.hw.file_camera import ThrowFolder
from terminal.rules import fold as rules
from terminal.sync import CentralStatus, Paired, SeatingArrived, SyncStatus
from terminal.table import Camera, Emptied, Lying, Read, Rolling, Table, Tended, Wish
from terminal.vision.params import Calibration
from tests.calibration.test_check import calibrated
from tests.calibration.test_fit import IMAGES, TABLES


class Screen:
    """A screen that remembers what it was shown, and says so."""

    def __init__(self, saw: Callable[[View], None] = lambda view: None) -> None:
        self.views: list[View] = []
        self.intents: list[Intent] = []
        self._saw = saw

    def show(self, view: View) -> None:
        self.views.append(view)
        self._saw(view)

    def poll(self) -> tuple[Intent, ...]:
        intents, self.intents = tuple(self.intents), []
        return intents

    def close(self) -> None:
        pass


SEATING = {
    "evening": "2026-11-29",
    "cafe": "De Kroon",
    "kind": "seating",
    "table": "1",
    "seating": 1,
    "number": 1,
    "games": 3,
    "done": False,
    "players": [{"number": 7, "name": "Bo", "seat": 1}, {"number": 4, "name": "An", "seat": 0}],
    "reglement": "kazerne",
    "starter": "An",
}


def app_in(folder: Path, screen: Screen | None = None) -> App:
    return App(Table("1"), folder, screen or Screen(), now=lambda: datetime(2026, 11, 29, 20))


def arrive(app: App, **changes: object) -> None:
    app.take(SeatingArrived({**SEATING, **changes}, [{"number": 4, "name": "An", "table": "3", "seat": 1}]))


def throw(app: App, *dice: int) -> None:
    for message in (Rolling(), Read(dice, None, None), Emptied()):
        app.take(message)


def play_game(app: App) -> None:
    """An wins every round, so the games are short; ends with the game."""
    while app.table.playing:
        state = rules.summary(app.table.game)
        if state["phase"] == "start_roll":
            throw(app, 6 if state["turn"] == "An" else 1)
            continue
        throw(app, *((6, 6, 1) if state["turn"] == "An" else (2, 3, 3)))
        if "stand" in rules.summary(app.table.game)["legal"]:
            app.take(Wish("klaar"))


def test_a_line_is_on_the_disk_before_it_is_on_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        happened.append("fsync")

    app = app_in(tmp_path, Screen(lambda view: happened.append(f"show {view.dice.values if view.dice else ''}")))
    arrive(app)
    app.take(Wish("klaar"))
    app.round()
    happened.clear()
    monkeypatch.setattr(journal.os, "fsync", fsync)
    app.inbox.put(Rolling())
    app.inbox.put(Read((6, 6, 1), None, None))
    app.round()
    assert happened == ["fsync", "show (1, 6, 6)"]


def test_a_pulled_plug_costs_nothing(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    throw(app, 6, 6, 1)
    app.take(Wish("klaar"))
    app.round()
    again = app_in(tmp_path)
    assert again.table.seating == app.table.seating
    assert rules.summary(again.table.game) == rules.summary(app.table.game)


def test_the_card_alone_puts_the_table_back(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    play_game(app)
    app.take(Wish("klaar"))
    throw(app, 2, 2, 4)
    app.round()
    (tmp_path / "settings.json").unlink()
    again = app_in(tmp_path)
    assert again.table.seating.key == app.table.seating.key
    assert [rules.summary(game) for game in again.table.games] == [rules.summary(game) for game in app.table.games]
    assert again.table.seating.players == ("An", "Bo")
    assert again.table.seating.numbers == (4, 7)


def test_settings_that_are_a_moment_older_than_the_card_do_not_bring_an_old_seating_back(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app, games=1)
    app.take(Wish("klaar"))
    play_game(app)
    app.round()
    old = (tmp_path / "settings.json").read_bytes()
    arrive(app, seating=2)
    app.take(Wish("klaar"))
    app.round()
    (tmp_path / "settings.json").write_bytes(old)  # the plug was pulled between the journal and the settings
    again = app_in(tmp_path)
    assert again.table.seating.seating == 2
    assert again.table.playing


def test_a_seating_that_was_taken_but_not_yet_played_is_still_there(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app, games=1)
    app.take(Wish("klaar"))
    play_game(app)
    arrive(app, seating=2)
    app.round()
    again = app_in(tmp_path)
    assert again.table.seating.seating == 2
    assert again.table.games == ()


def test_an_undo_into_the_game_before_survives_a_pulled_plug(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    play_game(app)
    app.take(Wish("klaar"))
    before = app.table.games[0]
    app.take(Wish("undo", (before.game_id, before.seq)))
    assert app.table.playing
    again = app_in(tmp_path)
    assert len(again.table.games) == 1
    assert rules.summary(again.table.game) == rules.summary(app.table.game)


def test_a_torn_last_line_is_cut_off_and_the_throw_is_asked_again(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    throw(app, 6, 6, 1)
    app.close()
    path = app.card.paths()[0]
    path.write_bytes(path.read_bytes()[:-5])
    again = app_in(tmp_path)
    assert rules.summary(again.table.game)["round"]["throws"] == {}
    again.take(Lying((6, 6, 1), None))
    assert again.table.question is not None
    again.take(Wish("answer", again.table.question.serial))
    assert rules.summary(again.table.game)["round"]["throws"] == {"An": [[1, 6, 6]]}
    assert len(journal.read(path)) == 2


def test_a_full_card_books_nothing_and_the_throw_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    app.round()

    def full(descriptor: int, data: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(journal.os, "pwrite", full)
        throw(app, 6, 6, 1)
        app.round()
        assert rules.summary(app.table.game)["round"]["throws"] == {}
        assert app.table.question is not None
    app.take(Wish("answer", app.table.question.serial))
    assert rules.summary(app.table.game)["round"]["throws"] == {"An": [[1, 6, 6]]}
    assert rules.summary(app_in(tmp_path).table.game) == rules.summary(app.table.game)


def test_of_several_lines_those_that_reached_the_card_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`was van Bo` writes three lines; the card fills after the first."""
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    throw(app, 6, 6, 1)
    throw(app, 2, 3, 3)
    real, written = os.pwrite, []

    def nearly_full(descriptor: int, data: bytes, offset: int) -> int:
        written.append(data)
        if len(written) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data, offset)

    monkeypatch.setattr(journal.os, "pwrite", nearly_full)
    app.take(Wish("was_of", (2, "Bo")))
    assert rules.summary(app.table.game) == rules.summary(app_in(tmp_path).table.game)
    assert rules.summary(app.table.game)["round"]["throws"] == {"An": [[1, 6, 6]]}
    assert app.table.note is not None and app.table.note.key == "unwritable"


def test_a_game_that_was_never_begun_on_the_disk_is_no_game(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    app.round()
    app.close()
    app.card.paths()[0].write_bytes(b'{"type":"game_st')
    again = app_in(tmp_path)
    assert again.table.games == ()
    again.take(Wish("klaar"))
    assert again.table.playing
    assert len(again.card.paths()) == 2


def test_only_finished_games_of_an_evening_are_sent(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    app.take(Wish("open", ("sure", "abandon", "")))
    app.take(Wish("sure", ("abandon", "")))  # a false start (K55a)
    app.take(Wish("klaar"))
    play_game(app)
    app.take(Wish("klaar"))
    false_start, played, going_on = app.card.paths()
    assert message_of(false_start) is None
    assert message_of(going_on) is None
    message = message_of(played)
    assert message is not None
    assert (message["number"], message["numbers"], message["ranking"]) == (1, [4, 7], ["An", "Bo"])
    assert message["points"] == {"An": 5, "Bo": 0}
    assert message["journal"] == journal.read(played)


def test_centrals_seating_keeps_seats_numbers_and_where_players_go_next() -> None:
    seating = seating_of(SeatingArrived(SEATING, [{"number": 4, "name": "An", "table": "3", "seat": 1}]))
    assert seating is not None
    assert (seating.players, seating.numbers, seating.starter) == (("An", "Bo"), (4, 7), "An")
    assert seating.next_tables == (("An", "3"),)


def test_what_the_table_remembers_is_plain_json(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("language", "fr"))
    app.round()
    kept = json.loads((tmp_path / "settings.json").read_text(encoding="utf-8"))
    assert kept["language"] == "fr"
    assert app_in(tmp_path).table.language == "fr"


def test_where_central_is_and_its_token_are_remembered_together(tmp_path: Path) -> None:
    class Found:
        url = "http://192.168.1.10:8080"

        def stop(self) -> None: ...

    app = app_in(tmp_path)
    app.sync = Found()  # type: ignore[assignment]  # only its address is asked for
    app.take(Paired("secret"))
    app.take(CentralStatus(SyncStatus(reachable=True)))
    kept = json.loads((tmp_path / "central.json").read_text(encoding="utf-8"))
    assert kept == {"token": "secret", "url": "http://192.168.1.10:8080"}


def test_a_damaged_journal_of_an_older_game_does_not_keep_the_table_from_starting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    play_game(app)
    app.take(Wish("klaar"))
    app.round()
    app.close()
    older, _ = app.card.paths()
    older.write_bytes(b"{damaged}\n" + older.read_bytes())
    again = app_in(tmp_path)
    assert [game.started["number"] for game in again.table.games] == [2]
    assert older.name in caplog.text


def test_a_damaged_journal_of_the_game_that_is_on_stops_the_table_and_is_named(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    throw(app, 6, 6, 1)
    throw(app, 6, 6, 2)
    app.close()
    path = app.card.paths()[0]
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{damaged}\n" + lines[2])
    with pytest.raises(journal.JournalDamaged, match=path.name):
        app_in(tmp_path)


def test_the_recent_games_are_offered_at_once_and_the_old_ones_in_time(tmp_path: Path) -> None:
    card = Card(tmp_path)
    for number in range(RECENT + 10):
        (tmp_path / "games" / f"{number + 1:06}-g{number}.jsonl").touch()
    first = card.offered()
    assert first[-1].name.startswith(f"{RECENT + 10:06}")
    assert len(first) < RECENT + 10
    for _ in range(10):
        last = card.offered()
    assert last == card.paths()


class Taught:
    """An eye that remembers what it was told of its throws."""

    expect = 0
    asked = ("", 0)
    made: Calibration | None = None

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def jpeg(self, key: str) -> bytes | None:
        return jpeg_of(np.zeros((20, 20, 3), np.uint8))

    def around(self, key: str) -> None: ...

    def counted(self, name: str, key: str, values: tuple[int, ...], sure: bool) -> None:
        self.told.append((name, key, values, sure))

    def corrected(self, name: str, values: tuple[int, ...] | None) -> None:
        self.told.append((name, values))

    def use(self, calibration: Calibration) -> None:
        self.told.append(("use", calibration))


def test_the_eye_is_told_what_its_pictures_count_for_in_the_end(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    app.eye = eye = Taught()
    arrive(app)
    app.take(Wish("klaar"))
    game = app.table.game.game_id
    for message in (Rolling(), Read((6, 6, 1), None, "frame-1"), Emptied()):
        app.take(message)
    app.take(Rolling())
    app.take(Read((2, 3, 4), "touching", "frame-2"))
    app.take(Wish("answer", app.table.question.serial))
    app.take(Wish("correct", (game, 2, (2, 3, 5))))
    app.take(Wish("undo", (game, 3)))
    app.take(Wish("undo", (game, 2)))
    assert eye.told == [
        (f"{game}-1.jpg", "frame-1", (1, 6, 6), True),
        (f"{game}-2.jpg", "frame-2", (2, 3, 4), False),
        (f"{game}-2.jpg", (2, 3, 5)),
        (f"{game}-3.jpg", None),
        (f"{game}-2.jpg", None),
    ]


def test_the_pictures_of_an_evening_go_when_the_next_one_begins(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    app.eye, app.evidence = Taught(), Evidence(tmp_path / "pictures")
    arrive(app, games=1)
    app.take(Wish("klaar"))
    for message in (Rolling(), Read((6, 6, 1), None, "frame-1"), Emptied()):
        app.take(message)
    app.round()
    name = f"{app.table.game.game_id}-1.jpg"
    assert app.evidence.jpeg(name) is not None
    play_game(app)
    arrive(app, seating=2, games=1)
    app.take(Wish("klaar"))
    assert app.evidence.jpeg(name) is not None  # the same evening
    play_game(app)
    app.round()
    again = app_in(tmp_path)
    again.evidence = Evidence(tmp_path / "pictures")
    arrive(again, evening="2026-12-06")
    assert again.evidence.jpeg(name) is not None  # not before it is played
    again.take(Wish("klaar"))
    assert again.evidence.jpeg(name) is None


def test_learnt_dice_are_kept_for_the_calibration_that_they_were_learnt_with(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    model.save(file, replace(calibrated(TABLES[0]), die_mm=None))
    settings = load_settings(tmp_path, calibration=file)
    assert calibrated_by(settings)[0].die_mm is None
    app = app_in(settings.table.data)
    app.calibration_mark = calibrated_by(settings)[1]
    app.take(Tended("dice", 15.8))
    assert app.table.note is not None and app.table.note.key == "tended_dice"
    assert calibrated_by(settings)[0].die_mm == 15.8
    model.save(file, replace(calibrated(TABLES[1]), die_mm=None))  # another tray, perhaps with other dice
    assert calibrated_by(settings)[0].die_mm is None


def load_settings(folder: Path, calibration: Path) -> Config:
    toml = folder / "terminal.toml"
    toml.write_text(f'[table]\ndata = "data"\n[camera]\ncalibration = "{calibration}"\n', encoding="utf-8")
    return config.load(toml)


def test_what_the_eye_says_of_itself_gives_way_to_what_the_players_did(tmp_path: Path) -> None:
    app = app_in(tmp_path)
    arrive(app)
    app.take(Wish("klaar"))
    throw(app, 6, 6, 1)
    app.take(Wish("correct", (app.table.game.game_id, 1, (6, 6, 2))))
    app.take(Camera("dirty"))
    assert app.table.note.key == "corrected"  # stays until the next throw
    assert app.table.camera == "dirty"
    throw(app, 6, 6, 1)
    assert app.table.note.key == "camera_dirty"
    throw(app, 6, 6, 1)
    assert app.table.note is None
    app.take(Camera("dirty"))
    assert app.table.note is None  # said once


@pytest.mark.parametrize("known", [True, False])
def test_a_table_that_was_calibrated_looks_after_its_calibration(tmp_path: Path, known: bool) -> None:
    file = tmp_path / "calibration.json"
    model.save(file, calibrated(TABLES[0]))
    settings = load_settings(tmp_path, file)
    if not known:
        settings = replace(settings, camera=replace(settings.camera, calibration=None))
    app = build(settings, camera=ThrowFolder(IMAGES / TABLES[0]), headless=True)
    assert isinstance(app.eye, Eye)
    assert (app.eye._caretaker is not None) == known
    assert bool(app.calibration_mark) == known
    app.close()


def test_a_table_whose_eye_dies_ends_to_be_started_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It went on with a dead eye, and nobody knew why the dice were not read any more."""

    app = app_in(tmp_path)
    app.eye = Dying("eye")
    before = threading.excepthook
    with pytest.raises(ZeroDivisionError, match="a bug"):
        app.run()
    assert "eye ended" in caplog.text
    assert threading.excepthook is before


def test_a_table_plays_on_when_another_thread_dies(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    app = app_in(tmp_path)
    app.eye = dying = Dying("sync")
    app.after = lambda app: app.stop() if not dying.thread.is_alive() else None
    app.run()
    assert "sync ended" in caplog.text


class Dying(Taught):
    """An eye with a thread of this name that ends by a bug."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.thread = threading.Thread(target=self._see, name=name)

    def start(self) -> None:
        self.thread.start()

    def _see(self) -> None:
        raise ZeroDivisionError("a bug")
