"""The loop of one table: the only place that wires, and the only one that writes.

All arrows from the world (eye, buttons, window, sync) end in one queue. The loop takes a message, lets `step` say what
it means, makes the lines durable, and only then takes the new table and shows it: apply, append, show. It starts by
folding what is on the card, so a pulled plug costs nothing.
"""

from __future__ import annotations

import hashlib
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from calibration import model
from terminal import card as cards
from terminal import health
from terminal.booking import Stamp
from terminal.calibrating import asked
from terminal.card import Card, GameDamaged
from terminal.config import CALIBRATION, Config
from terminal.config import Buttons as ButtonSettings
from terminal.display.texts import text
from terminal.display.theme import DisplayError
from terminal.display.view import Intent, Lamp, Picture, View
from terminal.display.window import Window
from terminal.evidence import Evidence, picture_of
from terminal.exchange import evening_of, seating_of, sendable
from terminal.eye import Eye, caretaker_of
from terminal.frame import Image
from terminal.hw.gpio_buttons import GpioButtons, Wiring
from terminal.hw.ports import BadHardware, Button, Buttons, ButtonsMissing, Camera
from terminal.hw.sources import Wanted, camera_of
from terminal.journal import JournalError, JournalUnwritable
from terminal.overlays import Surroundings
from terminal.pictures import Pictures
from terminal.present import present
from terminal.resume import remembered, settings_of
from terminal.rules import fold as rules
from terminal.rules.fold import Fold
from terminal.rules.reglement import BadReglement, load, to_mapping
from terminal.step import step, unwritten
from terminal.sync import (
    CentralStatus,
    Paired,
    PairingAsked,
    SeatingArrived,
    Sync,
    SyncStatus,
    find_central,
)
from terminal.table import (
    Append,
    Begin,
    Effect,
    Fitted,
    Message,
    Seated,
    Table,
    Tended,
    Wish,
    allowed,
    finished,
)
from terminal.vision.params import Calibration
from terminal.vision.reader import Reader
from terminal.wishes import dice_of

log = logging.getLogger(__name__)

HEALTH_S = 2.0  # as often as the heartbeat
CENTRAL = "central.json"  # address and token, kept over a restart
DICE = "dice.json"  # the side of the café's dice, learnt with one calibration
NOWHERE = "http://central.invalid"  # until central is found
POLL_S = 0.03  # how long a finger may wait; the screen is polled as often


class Eyes(Protocol):
    """What the loop needs of the eye."""

    expect: int
    asked: tuple[str, int]
    made: Calibration | None

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def jpeg(self, key: str) -> bytes | None: ...
    def around(self, key: str) -> tuple[int, int, int, int] | None: ...
    def counted(self, name: str, key: str, values: tuple[int, ...], sure: bool) -> None: ...
    def corrected(self, name: str, values: tuple[int, ...] | None) -> None: ...
    def use(self, calibration: Calibration) -> None: ...


class Screen(Protocol):
    """What the loop needs of the window."""

    def show(self, view: View) -> None: ...
    def poll(self) -> tuple[Intent, ...]: ...
    def close(self) -> None: ...


News = Message | Button | SeatingArrived | CentralStatus | PairingAsked | Paired | tuple[str, Button, bool]


class App:
    """One table's terminal, from its parts. `run` is the evening; `stop` ends it from any thread.

    folder: where games, records and pictures are kept. `after` is called by the loop after every round: the demo
    plays by it.
    """

    def __init__(
        self,
        table: Table,
        folder: Path,
        screen: Screen,
        evidence: Evidence | None = None,
        calibration: Calibration | None = None,
        calibration_file: Path | None = None,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        self.inbox: queue.SimpleQueue[News] = queue.SimpleQueue()
        self.card = Card(folder)
        self.folder = folder
        self.screen = screen
        self.evidence = evidence
        self.eye: Eyes | None = None
        self.buttons: Buttons | None = None
        self.sync: Sync | None = None
        self.table = remembered(table, self.card, folder)
        self.view: View | None = None
        self._now = now
        self.after: Callable[[App], None] | None = None
        self.calibration_mark = ""  # tells one calibration from another
        self._calibration_file = calibration_file or folder / CALIBRATION
        self._evening = evening_of(self.card)
        """Of the newest game: its pictures go when a game of another evening begins."""
        self._pictures = Pictures(self._frame, self._dice_in, calibration)
        self._saved = settings_of(self.table)
        self._status = SyncStatus()
        self._pairing: str | None = None
        self._stuck: frozenset[Button] = frozenset()
        self._sounds: tuple[int, tuple[str, ...]] = (0, ())
        self._shown: tuple[object, ...] = ()
        self._written_s = time.monotonic()
        self._health_due_s = 0.0
        self._to_keep: list[tuple[str, str]] = []  # frames to keep as evidence: key, file name
        self._running = True
        self._death: BaseException | None = None

    # -- the loop -------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Start the parts and go round until `stop`, then close everything.

        Raises what the eye's thread raised: a table whose eye is dead would wait for throws for ever, one that ends is
        started again and goes on where it was.
        """
        before, threading.excepthook = threading.excepthook, self._died
        try:
            if self.sync is not None:
                self.sync.start()
            if self.eye is not None:
                self.eye.start()
            if self.buttons is not None:
                self.buttons.start(self.inbox.put, lambda button, stuck: self.inbox.put(("stuck", button, stuck)))
            self._refresh()
            while self._running:
                self.round()
        finally:
            threading.excepthook = before
            self.close()
        if self._death is not None:
            raise self._death

    def _died(self, ended: threading.ExceptHookArgs) -> None:
        """A thread ended as no thread should; play can go on without any but the eye's."""
        name = ended.thread.name if ended.thread is not None else "a thread"
        log.error("%s ended", name, exc_info=ended.exc_value)
        if name == "eye":
            self._death = ended.exc_value or RuntimeError(f"{name} ended")
            self.stop()

    def round(self) -> None:
        """Take what came in, show what changed."""
        try:
            self.take(self.inbox.get(timeout=POLL_S))
            while True:
                self.take(self.inbox.get_nowait())
        except queue.Empty:
            pass
        for intent in self.screen.poll():
            if intent.name == "quit":
                self.stop()
            else:
                self.take(Wish(intent.name, intent.value))
        self._refresh()
        self._keep_pictures()
        if self.evidence is not None:
            self.evidence.tidy()
        if self.sync is not None and time.monotonic() >= self._health_due_s:
            self._health_due_s = time.monotonic() + HEALTH_S
            self.sync.health(self.health())
        if self.after is not None:
            self.after(self)

    def stop(self) -> None:
        """End after this round; from any thread."""
        self._running = False

    def close(self) -> None:
        """Give everything back; may be called twice."""
        for part in (self.eye, self.sync):
            if part is not None:
                part.stop()
        if self.buttons is not None:
            self.buttons.close()
        self.card.close()
        self.screen.close()

    def take(self, news: News) -> None:
        """One thing that came in."""
        match news:
            case Button():
                self._step(Wish(news.value))
            case SeatingArrived():
                seating = seating_of(news)
                if seating is not None:
                    self._step(Seated(seating))
            case CentralStatus(status):
                self._status = status
                if status.reachable and self.sync is not None:
                    self._keep_central(url=self.sync.url)
            case PairingAsked(code):
                self._pairing = code
            case Paired(token):
                self._pairing = None
                self._keep_central(token=token)
            case Wish("calibrate", ("keep", int() as serial)) if asked(self.table) == ("passed", serial):
                self._step(Fitted(serial, "kept" if self._keep_calibration() else "unkept"))
            case Tended("dice", side_mm):
                self._keep_dice(side_mm)
                self._step(news)
            case ("stuck", Button() as button, bool() as stuck):
                self._stuck = self._stuck | {button} if stuck else self._stuck - {button}
            case _:
                self._step(news)  # type: ignore[arg-type]  # what is left is a message of the table

    def _keep_central(self, **known: str) -> None:
        """Remember where central is and by which token it knows this table."""
        before = cards.kept(self.folder / CENTRAL)
        if before | known != before:
            try:
                cards.keep(self.folder / CENTRAL, before | known)
            except OSError as failure:
                log.warning("Central's address was not kept: %s", failure)

    def _keep_calibration(self) -> bool:
        """Put what the eye made in the place of the calibration before; whether that could be written."""
        made = self.eye.made if self.eye is not None else None
        if self.eye is None or made is None:
            return False
        try:
            model.save(self._calibration_file, made)
            self.calibration_mark = _mark(self._calibration_file)
        except OSError as failure:
            log.error("The calibration was not kept: %s", failure)
            return False
        self._pictures = Pictures(self._frame, self._dice_in, made)
        self.eye.use(made)
        return True

    def _keep_dice(self, side_mm: float) -> None:
        """Remember how large the dice are, for this calibration only."""
        try:
            cards.keep(self.folder / DICE, {"calibration": self.calibration_mark, "die_mm": side_mm})
        except OSError as failure:
            log.warning("The size of the dice was not kept: %s", failure)

    def _step(self, message: Message) -> None:
        before = self.table
        done = step(before, message, Stamp(secrets.token_hex(8), self._now().isoformat(timespec="seconds")))
        try:
            for effect in done.effects:
                self._write(effect)
        except JournalUnwritable as failure:
            log.error("Nothing more can be written: %s", failure)
            self.table = unwritten(self._refolded(before), message)
            return
        self.table = done.table
        for effect in done.effects:
            self._tell(effect)

    def _write(self, effect: Effect) -> None:
        """Make one effect durable."""
        if isinstance(effect, Begin):
            self.card.begin(effect.line)
        else:
            self.card.append(effect.game, effect.line)
        self._written_s = time.monotonic()

    def _refolded(self, table: Table) -> Table:
        """The table with its games as they stand on the card, after a step of which only some lines were written."""
        games = []
        for game in table.games:
            written = cards.fold_of(self.card.path(game.game_id))
            if written is not None:
                games.append(written)
        return table._replace(games=tuple(games))

    def _tell(self, effect: Effect) -> None:
        """What follows a durable line: central and the sound; the picture is kept once the line is shown."""
        game_id = str(effect.line["game"]) if isinstance(effect, Begin) else effect.game
        game = next((game for game in self.table.games if game.game_id == game_id), None)
        if isinstance(effect, Append):
            if effect.picture is not None:
                self._to_keep.append((effect.picture, str(effect.line["image"])))
            if self.eye is not None:
                teach(self.eye, effect)
        elif self.evidence is not None and effect.line["evening"] != self._evening:
            self._evening = str(effect.line["evening"])
            self.evidence.clear()
        if game is None:
            return
        if self.sync is not None and self.table.seating is not None and self.table.seating.evening:
            self.sync.live(game_id, game.seq, effect.line)
            if finished(game):
                self.sync.wake()
        if self.table.before is not None and self.table.before.game_id == game_id:
            names = sounds_of(self.table.before, game)
            if names:
                self._sounds = (self._sounds[0] + 1, names)

    # -- the screen -----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Show the table if anything on the screen changed, and tell the parts what they need to know."""
        shown = (self.table, self._status, self._pairing, self._stuck, self._sounds)
        if shown == self._shown:
            return
        self._shown = shown
        if self.eye is not None:
            self.eye.expect = self.table.dice_wanted
            self.eye.asked = asked(self.table)
        self.view = present(self.table, self._surroundings())
        self.screen.show(self.view)
        if self.buttons is not None:
            for button in Button:
                self.buttons.light(button, allowed(self.table, button.value))
        settings = settings_of(self.table)
        if settings != self._saved:
            self._saved = settings
            try:
                cards.keep(self.folder / "settings.json", settings)
            except OSError as failure:
                log.warning("Settings were not kept: %s", failure)

    def _keep_pictures(self) -> None:
        """Keep the pictures of what was written; a missing one never blocks play."""
        for key, name in self._to_keep:
            encoded = self._jpeg(key)
            if encoded is not None and self.evidence is not None:
                self.evidence.keep_jpeg(name, encoded)
        self._to_keep.clear()

    def _surroundings(self) -> Surroundings:
        return Surroundings(
            lamps=tuple(self._lamps()),
            picture=self._picture,
            pairing=self._pairing,
            central=self.sync is not None,
            sounds=self._sounds,
        )

    def _lamps(self) -> Iterable[Lamp]:
        say = self.table.language
        camera = self.table.camera
        if camera != "none":
            yield Lamp("camera", camera == "ok", "" if camera == "ok" else text(say, f"lamp_camera_{camera}"))
        if self.sync is not None:
            well = self._status.reachable and not self._status.refused
            yield Lamp("central", well, "" if well else text(say, "lamp_central", count=self._status.queue))
        if self.buttons is not None:
            names = ", ".join(sorted(button.value.upper() for button in self._stuck))
            yield Lamp("buttons", not self._stuck, text(say, "lamp_buttons", names=names) if names else "")

    def health(self) -> Mapping[str, object]:
        """What central shows of this table: false is trouble."""
        told = health.of_machine(self.folder, self._now())
        if self.table.question is not None:
            told["question"] = True
        if self.table.camera != "none":
            told["camera"] = self.table.camera == "ok"
        if self.buttons is not None:
            told["buttons"] = not self._stuck
        if self.evidence is not None:
            told["pictures"] = self.evidence.working
        return told

    def _jpeg(self, key: str) -> bytes | None:
        """A frame by its key: of the eye, or kept as evidence under a file name."""
        encoded = self.eye.jpeg(key) if self.eye is not None else None
        return self.evidence.jpeg(key) if encoded is None and self.evidence is not None else encoded

    def _frame(self, key: str) -> Image | None:
        return picture_of(self._jpeg(key))

    def _dice_in(self, key: str) -> tuple[int, int, int, int] | None:
        return self.eye.around(key) if self.eye is not None else None

    def _picture(self, key: str) -> Picture | None:
        return self._pictures.picture(key)

    @property
    def at_central(self) -> bool:
        """Whether central has everything that is on the card."""
        complete_s = self.sync.status.complete_s if self.sync is not None else None
        return complete_s is not None and complete_s > self._written_s


class NotStarted(Exception):  # says what is the matter
    """The table cannot start as configured; the message says what to change."""


def build(settings: Config, camera: Camera | None = None, headless: bool = False) -> App:
    """The terminal of one table, wired by its settings. Nothing is started yet.

    camera: instead of the configured one, for the demo. headless: no window. Raises NotStarted; buttons that are
    missing are no reason to, touch does the same.
    """
    try:
        calibration, mark = calibrated(settings)
        reglement = load(settings.table.reglement)
        evidence = Evidence(
            settings.table.data / "pictures", settings.evidence.pictures, settings.evidence.megabytes * 1_000_000
        )
        if camera is None and settings.camera.source != "none":
            wanted = Wanted(
                settings.camera.size, settings.camera.fps, settings.camera.distance_m, paced=True, loop=True
            )
            camera = camera_of(settings.camera.source, wanted)
        screen = Window(
            settings.screen.size, settings.screen.fullscreen, sounds_folder=settings.sound_folder, headless=headless
        )
        table = Table(
            settings.table.name,
            language=settings.table.language,
            volume=settings.sound.volume,
            reglement=to_mapping(reglement),
        )
        app = App(table, settings.table.data, screen, evidence, calibration, settings.calibration)
        app.calibration_mark = mark
    except (model.BadCalibration, BadReglement, BadHardware, DisplayError, JournalError, GameDamaged, OSError) as error:
        raise NotStarted(str(error)) from error
    if camera is not None:
        app.eye = Eye(camera, Reader(calibration), app.inbox.put, caretaker_of(calibration, camera))
    if settings.buttons.enabled:
        app.buttons = _buttons(settings.buttons)
    if settings.central.url:
        app.sync = _sync(settings, app)
    return app


def calibrated(settings: Config) -> tuple[Calibration | None, str]:
    """The table's calibration, if there is one, with what was learnt by it, and what tells it from another one."""
    path = settings.calibration
    if not path.exists():
        return None, ""  # it can be made on the screen
    calibration = model.load(path)
    mark = _mark(path)
    learnt = cards.kept(settings.table.data / DICE)
    if learnt.get("calibration") == mark and isinstance(learnt.get("die_mm"), float):
        calibration = replace(calibration, die_mm=learnt["die_mm"])
    return calibration, mark


def _mark(path: Path) -> str:
    """What tells a calibration from another one."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _sync(settings: Config, app: App) -> Sync:
    """The messages to central: at the address that is given, or where it announces itself and was found before."""
    known = cards.kept(app.folder / CENTRAL)
    find = None
    url = settings.central.url
    if url == "auto":
        find, url = find_central, str(known.get("url", NOWHERE))
    token = settings.central.token or known.get("token")
    picture = app.evidence.jpeg if app.evidence is not None else None
    return Sync(url, settings.table.name, token, app.card.offered, sendable, app.inbox.put, find=find, picture=picture)


def _buttons(wired: ButtonSettings) -> Buttons | None:
    """The buttons, or None with a word in the log where this machine has none."""
    wiring = Wiring.named(wired.button_pins, wired.lamp_pins, wired.settle_ms / 1000, wired.stuck_after_s)
    try:
        return GpioButtons(wiring)
    except ButtonsMissing as missing:
        log.warning("No buttons: %s; everything works by touch.", missing)
        return None


def teach(eye: Eyes, effect: Append) -> None:
    """Tell the eye what its pictures count for in the end, so that it learns the café's dice."""
    line = effect.line
    kind = line["type"]
    if kind in ("throw", "start_die"):
        if effect.picture is not None:
            eye.counted(str(line["image"]), effect.picture, dice_of(line), line["source"] == "camera")
    elif kind in ("correction", "undo"):
        eye.corrected(f"{effect.game}-{line['of']}.jpg", None if kind == "undo" else dice_of(line))


def sounds_of(before: Fold, after: Fold) -> tuple[str, ...]:
    """Names of the sounds for what the last line did, as a folder of sounds names its files."""
    return tuple(happening.kind for happening in rules.explain(before, after))
