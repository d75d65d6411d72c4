"""A table's budget over a long evening: start, memory, growth, and what it costs at rest.

    python -m tests.bench.evening [THROWS] [--size 1280x720] [--central [URL]] [--rest SECONDS]

One table plays with the real eye, rules, screen (dummy driver), card and evidence, as fast as it can; 2,000 throws are
about eight hours at a café's pace. --central: also looks for central in the network, or talks to the one at URL. Memory
is the resident set of the process, pictures of the last throws included; at most: since the line before. At rest counts
processor time, a press the wall's.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

STARTED_S = time.monotonic()

from terminal.thrift import be_thrifty, forget_loading  # noqa: E402

be_thrifty()  # as the command does

from calibration import fit, model  # noqa: E402
from terminal import config  # noqa: E402  # the start is timed with its imports
from terminal.app import App, build  # noqa: E402
from terminal.display.view import Intent  # noqa: E402
from terminal.display.window import Window  # noqa: E402
from terminal.eye import RESTS_AFTER_S  # noqa: E402
from terminal.guest import Guest, pictures_of  # noqa: E402
from terminal.hw.file_camera import ThrowFolder  # noqa: E402
from terminal.table import Seated, Seating, seating_over  # noqa: E402

PICTURES = Path(__file__).parents[2] / "fixtures" / "images"
REPORTS = 8
PRESSES = 20


def resident_mb() -> float:
    """Megabytes of this process in memory."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(arguments: Sequence[str]) -> int:
    """Play and print a line now and then."""
    parser = argparse.ArgumentParser(prog="evening")
    parser.add_argument("throws", type=int, nargs="?", default=1_200)
    parser.add_argument("--size", default="800x480")
    parser.add_argument("--central", metavar="URL", nargs="?", const="auto", default="")
    parser.add_argument("--rest", type=int, default=30, metavar="SECONDS")
    chosen = parser.parse_args(arguments)
    throws, rest_s = chosen.throws, chosen.rest
    source = sorted(path.parent for path in PICTURES.glob("*/truth.json"))[0]
    truth = json.loads((source / "truth.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="pitjesbak-evening-") as name:
        folder = Path(name)
        file = folder / "table.toml"
        calibration = folder / "calibration.json"
        model.save(
            calibration, fit.from_empty(fit.pictures([source / "000.jpg"]), fit.read_pose(source / "truth.json"))
        )
        settings = {
            "table": 'data = "data"',
            "camera": f'calibration = "{calibration}"',
            "screen": f"size = [{chosen.size.replace('x', ', ')}]",
            "central": f'url = "{chosen.central}"',
        }
        file.write_text("".join(f"[{section}]\n{line}\n" for section, line in settings.items()), encoding="utf-8")
        begun_s = time.monotonic()
        camera = ThrowFolder(source, fps=None, empty_for=4)
        app = build(config.load(file), camera=camera, headless=True)
        forget_loading()  # as the command does
        assert isinstance(app.screen, Window)
        guest = Guest(camera, app.screen, pictures_of(truth), "evening")
        seatings = 0
        reported = 0
        most = 0.0

        def after(app: App) -> None:
            nonlocal seatings, reported, most
            if seating_over(app.table) or app.table.seating is None:
                seatings += 1
                players = ("An", "Bo", "Cé", "Dré", "Els")
                app.inbox.put(Seated(Seating("e", seatings, "seating", "1", "kazerne", 12, players, (1, 2, 3, 4, 5))))
            guest(app)
            assert isinstance(app.screen, Window)
            now = resident_mb()
            most = max(most, now)
            if guest.threw >= reported * throws // REPORTS:
                games = len(app.card.paths())
                print(f"{guest.threw:>6} throws, {games:>3} games: {now:6.1f} MB, {most:6.1f} at most", flush=True)
                reported += 1
                most = 0.0
            if guest.threw >= throws and not guest.waiting and app.screen.where(Intent("pause")) is not None:
                app.after = None
                rest(app)

        def rest(app: App) -> None:
            settled_s = time.monotonic() + RESTS_AFTER_S + 5
            while time.monotonic() < settled_s:  # the last throw is over, and the caretaker has done what there was
                app.round()
            began, cpu = time.monotonic(), time.process_time()
            while time.monotonic() - began < rest_s:
                app.round()
            share = (time.process_time() - cpu) / (time.monotonic() - began)
            print(f"at rest, {rest_s} s, the camera's frames included: {100 * share:.2f} % of a core", flush=True)
            took = presses(app)
            print(f"a press is shown after {took[len(took) // 2]:.0f} ms (median), {took[-1]:.0f} at most")
            app.stop()

        def presses(app: App) -> list[float]:
            """Milliseconds from a finger on "pauze" to the screen drawn with what it did, sorted."""
            assert isinstance(app.screen, Window)
            took = []
            for _ in range(PRESSES):
                xy = app.screen.where(Intent("pause"))
                assert xy is not None
                paused, began_s = app.table.paused, time.monotonic()
                app.screen.tap(xy)
                while app.table.paused == paused:
                    app.round()
                took.append(1000 * (time.monotonic() - began_s))
            return sorted(took)

        app.after = after
        print(
            f"imports {begun_s - STARTED_S:.2f} s (a calibration made included), "
            f"from settings to a table that can be played {time.monotonic() - begun_s:.2f} s"
        )
        app.run()
    print(f"asked {guest.answered} times, entered {guest.entered}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
