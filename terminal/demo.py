"""`./run demo`: a central and two tables that play by themselves from pictures, with nothing faked in the middle.

The pictures go through the real camera port, eye, rules, screen and sync, each table in a process of its own. What is
played here are the people: a `Guest` throws (shows the camera a picture), presses the buttons and answers questions by
putting a finger on the screen. What he does follows from the journal alone, so that an evening that was killed and
started again goes on with the same dice and ends the same.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from calibration import fit, model
from central import evenings, standings_view, tables
from central.store import Store
from terminal import config
from terminal.app import App, build
from terminal.display.window import Window
from terminal.guest import Guest, pictures_of
from terminal.hw.file_camera import ThrowFolder
from terminal.rules import fold as rules

LINGERS_S = 1.5  # over the end of a game, so that people see it
LIMIT_S = 600.0  # the whole demo; a picture that hangs must not hang the demo
PLAYERS = ("An", "Bo", "Cé", "Dré", "Els", "Fons", "Gust", "Hilde")


class DemoFailed(Exception):  # says what is the matter
    """The demo could not play to its end; the message says what happened."""


# -- one table ------------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """How one table of the demo plays; what `demo` hands to the process that it starts for it."""

    config: str  # TOML of the table
    pictures: str  # folder with truth.json
    seed: str
    fps: float | None = 60.0  # frames a second of the camera; None as fast as the eye can
    headless: bool = False
    screens: str | None = None  # folder for pictures of the screen
    stays: bool = False


def table(path: Path) -> App:
    """The terminal of one table of the demo, ready to run."""
    plan = Plan(**json.loads(path.read_text(encoding="utf-8")))
    pictures = Path(plan.pictures)
    truth = json.loads((pictures / "truth.json").read_text(encoding="utf-8"))
    camera = ThrowFolder(pictures, fps=plan.fps, empty_for=4)
    app = build(config.load(Path(plan.config)), camera=camera, headless=plan.headless)
    window = app.screen
    assert isinstance(window, Window)
    guest = Guest(camera, window, pictures_of(truth), plan.seed, plan.stays, 0.0 if plan.fps is None else LINGERS_S)
    album = Album(window, Path(plan.screens)) if plan.screens is not None else None

    def after(app: App) -> None:
        guest(app)
        if album is not None:
            album(app)

    app.after = after
    return app


class Album:
    """Keeps pictures of the screen: every question, barrage and end of a game, and one now and then."""

    EVERY = 12  # throws

    def __init__(self, window: Window, folder: Path) -> None:
        self._window = window
        self._folder = folder
        self._seen: set[object] = set()
        folder.mkdir(parents=True, exist_ok=True)
        self._count = len(list(folder.glob("*.png")))

    def __call__(self, app: App) -> None:
        table, game = app.table, app.table.game
        if game is None:
            return
        phase = rules.summary(game)["phase"]
        name, key = "", (game.game_id, phase)
        if table.question is not None:
            name, key = "vraag", (game.game_id, str(table.question.serial))
        elif phase in ("barrage_choice", "finished", "start_roll"):
            name = phase
        elif table.rolled % self.EVERY == 0 and table.shown is not None:
            name, key = "worp", ("", str(table.rolled))
        if name and key not in self._seen and not self._window.animating:
            self._seen.add(key)
            self._count += 1
            self._window.save(self._folder / f"{self._count:03}-{name}.png")


# -- the evening ----------------------------------------------------------------------------------------------------


class Evening:
    """A central and its tables in processes of their own, in one folder. `kill` and `start` may come in any order."""

    def __init__(
        self,
        folder: Path,
        pictures: Sequence[Path],
        *,
        seed: str = "demo",
        stripes: int = 2,
        players: int = 4,
        fps: float | None = 60.0,
        headless: bool = True,
        screens: bool = True,
        stays: bool = False,
    ) -> None:
        self.folder = folder
        self.tables = [str(number) for number in range(1, len(pictures) + 1)]
        self.database = f"sqlite:///{(folder / 'central.db').resolve()}"
        self._port = free_port()
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "evening.toml").write_text(evening_toml(len(pictures), players, stripes), encoding="utf-8")
        for name, source in zip(self.tables, pictures, strict=True):
            self._prepare(
                name, source, Plan("", str(source.resolve()), f"{seed} {name}", fps, headless, stays=stays), screens
            )

    def _prepare(self, name: str, source: Path, plan: Plan, screens: bool) -> None:
        calibration = calibrated(source, self.folder, name)
        settings = self.folder / f"table-{name}.toml"
        settings.write_text(
            f"""[table]
name = "{name}"
data = "{(self.folder / f"table-{name}").resolve()}"

[camera]
calibration = "{calibration}"

[central]
url = "{self.url}"

[screen]
size = [800, 480]
""",
            encoding="utf-8",
        )
        plan = plan._replace(
            config=str(settings.resolve()),
            screens=str((self.folder / f"screens-{name}").resolve()) if screens else None,
        )
        (self.folder / f"plan-{name}.json").write_text(json.dumps(plan._asdict()), encoding="utf-8")

    @property
    def url(self) -> str:
        """Where central's pages are."""
        return f"http://127.0.0.1:{self._port}"

    def start(self, name: str) -> None:
        """Start "central" or a table by its name."""
        if name == "central":
            arguments = ["central", "--database", self.database, "--evening", str(self.folder / "evening.toml")]
            arguments += ["--host", "127.0.0.1", "--port", str(self._port)]
        else:
            arguments = ["demo-table", str(self.folder / f"plan-{name}.json")]
        with (self.folder / f"log-{name}.txt").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "terminal.cli", *arguments],
                stdout=log,
                stderr=log,
                env=os.environ | {"SDL_AUDIODRIVER": "dummy", "SDL_VIDEO_WINDOW_POS": self._place(name)},
            )

    def _place(self, name: str) -> str:
        return f"{20 + 820 * self.tables.index(name) if name in self.tables else 0},40"

    def start_all(self) -> None:
        """Start central, wait until it answers, then the tables."""
        self.start("central")
        until = time.monotonic() + 20
        while not self._answers():
            if time.monotonic() > until:
                raise DemoFailed(f"central did not start; see {self.folder / 'log-central.txt'}")
            time.sleep(0.05)
        for name in self.tables:
            self.start(name)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1):
                return True
        except OSError:
            return False

    def ended(self, name: str) -> int | None:
        """Exit status of a process, None while it runs."""
        return self._running[name].poll()

    def kill(self, name: str) -> None:
        """Pull the plug of one process."""
        self._running[name].kill()
        self._running[name].wait()

    def stop(self) -> None:
        """Ask every process to end, and wait until it has."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def standings(self) -> list[str]:
        """The standing that central holds, a line a player: place, number, name, points, games."""
        store = Store(self.database)
        try:
            return store.reading(_standing_lines)
        finally:
            store.close()


def _standing_lines(connection: Any) -> list[str]:  # noqa: ANN401  # central's own connection
    night = evenings.current(connection)
    if night is None:
        return []
    known = evenings.entrants(connection, night.id)
    rows = standings_view.rows(known, tables.played(connection, night.id))
    return [f"{row.place:>3}. {row.shown:<10} {row.points:>3} punten, {row.games} spellen" for row in rows]


def calibrated(pictures: Path, folder: Path, name: str = "1") -> Path:
    """A calibration file for a folder of pictures, made from its empty tray."""
    made = folder / f"calibration-{name}.json"
    model.save(made, fit.from_empty(fit.pictures([pictures / "000.jpg"]), fit.read_pose(pictures / "truth.json")))
    return made.resolve()


def evening_toml(count: int, players: int, stripes: int) -> str:
    """An evening of one seating for so many tables."""
    lines = [
        "[evening]",
        'key = "demo"',
        "date = 2026-11-29",
        'cafe = "Demo"',
        'reglement = "kazerne"',
        f"stripes = {stripes}",
        "",
    ]
    for number in range(1, count * players + 1):
        name = PLAYERS[(number - 1) % len(PLAYERS)]
        lines += ["[[players]]", f"number = {number}", f'name = "{name}"', ""]
    for at in range(count):
        seats = [at + 1 + count * seat for seat in range(players)]
        lines += ["[[tables]]", "seating = 1", f'table = "{at + 1}"', f"seats = {seats}", ""]
    return "\n".join(lines)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def demo(out: Path, pictures: Path, *, headless: bool, stay: bool) -> Iterator[str]:
    """Play the demo; gives sentences for whoever watches. Raises DemoFailed."""
    sources = sorted(path.parent for path in pictures.glob("*/truth.json"))[:2]
    if len(sources) < 2:
        raise DemoFailed(f"{pictures}: two folders with pictures and truth.json are needed")
    headless = headless or not has_display()
    shutil.rmtree(out, ignore_errors=True)
    evening = Evening(out, sources, headless=headless, stays=stay)
    started = time.monotonic()
    try:
        evening.start_all()
        yield f"Two tables play a seating of three games. The organiser's page: {evening.url}/"
        yield from _watch(evening, stay, started)
        yield ""
        yield from evening.standings()
        yield ""
        yield f"Played in {time.monotonic() - started:.0f} s. Screens of the tables, journals and logs: {out.resolve()}"
    finally:
        evening.stop()


def _watch(evening: Evening, stay: bool, started: float) -> Iterator[str]:
    waiting = list(evening.tables)
    while waiting or stay:
        for name in list(waiting):
            status = evening.ended(name)
            if status is None:
                continue
            if status != 0 and not stay:
                raise DemoFailed(f"table {name} stopped with status {status}; see {evening.folder}/log-{name}.txt")
            waiting.remove(name)
            yield f"Table {name} has played its three games."
        if stay and len(waiting) < len(evening.tables):
            return  # a window was closed: enough looked around
        if evening.ended("central") is not None:
            raise DemoFailed(f"central stopped; see {evening.folder}/log-central.txt")
        if not stay and time.monotonic() - started > LIMIT_S:
            raise DemoFailed(f"not over after {LIMIT_S:.0f} s; see the logs in {evening.folder}")
        time.sleep(0.2)


def has_display() -> bool:
    """Whether there is a screen to open windows on."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
