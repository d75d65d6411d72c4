"""What the screen costs: `python -m tests.bench.screen [--real]`.

Prints milliseconds for a whole redraw, a step of an animation and a poll, the share of a core at rest and the memory,
at each size. Without --real on SDL's dummy driver: drawing only. With --real in a window (needs a display, or Xvfb).
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from terminal.display.view import View
from terminal.display.window import Window
from tests.display.gallery import SIZES
from tests.display.moments import moments

POLLS_A_SECOND = 50
REST_S = 4.0


def median_ms(do: Callable[[], object], times: int = 25) -> float:
    took = []
    for _ in range(times):
        began = time.process_time()  # of a core, for the machine may be busy with others
        do()
        took.append(time.process_time() - began)
    return 1000 * statistics.median(took)


def share_at_rest(window: Window) -> float:
    """Part of a core while nothing happens: 50 polls a second, the same view shown each time."""
    view = moments("nl")["play"]()
    same = moments("nl")["play"]()
    window.show(view)
    window.poll()
    drawn, cpu, began = window.frames_drawn, time.process_time(), time.perf_counter()
    while time.perf_counter() - began < REST_S:
        window.show(same)
        window.poll()
        time.sleep(1 / POLLS_A_SECOND)
    if window.frames_drawn != drawn:
        raise SystemExit("the screen was drawn although nothing changed")
    return (time.process_time() - cpu) / (time.perf_counter() - began)


class Clock:
    """Time that passes only when told."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def measure(wh: tuple[int, int], real: bool) -> str:
    """One line of the table."""
    clock, made = Clock(), moments("nl")
    began = time.perf_counter()
    window = Window(wh, headless=not real, clock=clock)
    opened = time.perf_counter()
    views = [made[name]() for name in ("play", "eight", "statistics_page")]
    first = time.perf_counter()
    window.show(views[0])
    shown = time.perf_counter()
    serial = iter(range(1_000_000))
    redraws = []
    for view in views:
        window.show(view)
        redraws.append(median_ms(partial(show_changed, window, view, serial)))
    window.show(views[0])
    window.show(views[0]._replace(seats=tuple(seat._replace(marks=seat.marks + 2) for seat in views[0].seats)))

    def step() -> None:
        clock.now_s += 0.035
        window.poll()

    animation = median_ms(step, 20)
    clock.now_s += 10
    window.poll()
    poll_us = 1000 * median_ms(window.poll, 500)
    rest = share_at_rest(window)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    window.close()
    return (
        f"{wh[0]}x{wh[1]:<6}{1000 * (opened - began):9.0f}{1000 * (shown - first):10.0f}"
        f"{' '.join(f'{ms:7.1f}' for ms in redraws):>28}{animation:14.1f}{poll_us:9.0f}{100 * rest:14.2f}"
        f"{memory_mb:9.0f}"
    )


def show_changed(window: Window, view: View, serial: Iterator[int]) -> None:
    window.show(view._replace(title=f"{next(serial)}"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--real", action="store_true", help="a real window")
    real = parser.parse_args().real
    print("size       open ms  first ms   redraw ms: play eight page  animation ms  poll us  at rest, %   RSS MB")
    for wh in SIZES:
        print(measure(wh, real))


if __name__ == "__main__":
    main()
