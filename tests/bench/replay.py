"""How fast a season is folded: `python -m tests.bench.replay [EVENTS]`.

Plays random games of five with both reglementen, undos and corrections among them, and times `replay --final` over
their journal, and the same lines parsed only, in turns; prints events a second of one core and the ratio of the best
of each. Processor time, so that what else runs on the machine counts less.
"""

import io
import json
import sys
import time
from random import Random

from terminal.rules.events import read_line
from terminal.rules.replay import ACCEPTED, replay
from tests.rules.play import random_game, started

GOAL = 50_000
PAIRS = 5
ONE_IN = 40  # lines followed by an undo, or by a correction


def journal(events: int, seed: int = 1) -> list[bytes]:
    """Lines of games played one after another."""
    random = Random(seed)
    lines: list[bytes] = []
    while len(lines) < events:
        start = started("An Bo Cé Dré Els", random.choice(("kazerne", "negen")), starter=None)
        seq = 0
        for line in random_game(random, start, rare=0.0):
            line = {**line, "at": "2026-11-29T20:14:03.250Z", "source": "camera", "confidence": 0.998}
            repeats = [line]
            if line["type"] == "throw" and random.randrange(ONE_IN) == 0:
                repeats += [{"type": "undo", "of": seq}, line]
            if line["type"] == "throw" and random.randrange(ONE_IN) == 0:
                of = seq + len(repeats) - 1
                repeats += [{"type": "correction", "of": of, "dice": line["dice"][::-1]}]
            seq += len(repeats)
            lines += [json.dumps(each).encode() + b"\n" for each in repeats]
    return lines


def _seconds(work) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _fold(lines) -> None:
    assert replay(lines, io.BytesIO(), final=True) == ACCEPTED


def _parse(lines) -> None:
    for line in lines:
        read_line(line)


def main() -> None:
    """Print the table."""
    lines = journal(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    pairs = [(_seconds(lambda: _fold(lines)), _seconds(lambda: _parse(lines))) for _ in range(PAIRS)]
    fold, parse = (min(column) for column in zip(*pairs, strict=True))
    print(f"{len(lines)} events, best of {PAIRS}")
    print(f"replay --final   {len(lines) / fold:10,.0f} events/s   (goal {GOAL:,})")
    print(f"parsing alone    {len(lines) / parse:10,.0f} events/s")
    print(f"ratio            {fold / parse:10.2f}")


if __name__ == "__main__":
    main()
