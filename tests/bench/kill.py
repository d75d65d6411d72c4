"""`kill -9` of tables and central at random moments of evenings that run at full speed.

    python -m tests.bench.kill [KILLS]          200 by default

An evening is played undisturbed, then again and again with the same pictures while processes are killed and started
anew at random. Every evening must end with the standing of the undisturbed one, and with journals that fold.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from terminal.demo import Evening
from terminal.exchange import message_of

PICTURES = Path(__file__).parents[2] / "fixtures" / "images"
LONGEST_S = 600.0  # one evening; far above what a loaded machine needs
GAP_S = (0.05, 3.0)  # between two kills


def sources() -> list[Path]:
    """The folders of pictures that the tables play from."""
    return sorted(path.parent for path in PICTURES.glob("*/truth.json"))[:2]


def undisturbed(folder: Path, players: int, stripes: int) -> list[str]:
    """The standing of an evening that nobody disturbs."""
    return evening(folder, players, stripes, lambda running: None)


def disturbed(folder: Path, players: int, stripes: int, kills: int, seed: int) -> tuple[list[str], int]:
    """The standing of an evening with at most so many kills, and how many there were before it was over."""
    chance = random.Random(seed)
    killed = 0
    due_s = time.monotonic() + chance.uniform(*GAP_S)

    def disturb(running: Evening) -> None:
        nonlocal killed, due_s
        if killed >= kills or time.monotonic() < due_s:
            return
        victim = chance.choice(["central", *running.tables])
        if running.ended(victim) is None:
            running.kill(victim)
            killed += 1
            time.sleep(chance.uniform(0.0, 0.3))
            running.start(victim)
        due_s = time.monotonic() + chance.uniform(*GAP_S)

    return evening(folder, players, stripes, disturb), killed


def evening(folder: Path, players: int, stripes: int, disturb: Callable[[Evening], None]) -> list[str]:
    """Play one evening to its end; gives central's standing."""
    running = Evening(folder, sources(), seed="kill", players=players, stripes=stripes, fps=None, screens=False)
    until = time.monotonic() + LONGEST_S
    try:
        running.start_all()
        while any(running.ended(name) != 0 for name in running.tables):
            if time.monotonic() > until:
                raise TimeoutError(f"the evening in {folder} is not over after {LONGEST_S:.0f} s")
            for name in running.tables:
                if running.ended(name) not in (None, 0):
                    raise RuntimeError(f"table {name} stopped: see {folder}/log-{name}.txt")
            disturb(running)
            time.sleep(0.02)
        for name in running.tables:
            for journal in sorted((folder / f"table-{name}" / "games").glob("*.jsonl")):
                message_of(journal)  # raises where a line would not fold
        return running.standings()
    finally:
        running.stop()


def main(arguments: Sequence[str]) -> int:
    """Run it and print a line an evening."""
    kills = int(arguments[0]) if arguments else 200
    with tempfile.TemporaryDirectory(prefix="pitjesbak-kill-") as name:
        folder = Path(name)
        wanted = undisturbed(folder / "undisturbed", 4, 2)
        print(*wanted, sep="\n")
        done, number = 0, 0
        while done < kills:
            number += 1
            found, killed = disturbed(folder / f"evening-{number}", 4, 2, kills - done, number)
            done += killed
            print(f"evening {number}: {killed} kills, {'same standing' if found == wanted else 'ANOTHER STANDING'}")
            if found != wanted:
                print(*found, sep="\n")
                return 1
    print(f"{done} kills in {number} evenings, no standing changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
