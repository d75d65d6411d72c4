"""The moments between two views: stripes that are being drawn or wiped. Knows the time only as it is told."""

from __future__ import annotations

from typing import Final, NamedTuple

from terminal.display.view import View

MARKS_S: Final = 1.0  # long enough to be seen from the bar, short enough not to be waited for
PRESSED_S: Final = 0.12


class Change(NamedTuple):
    """Stripes of one seat on their way."""

    old: int
    new: int
    since_s: float

    def progress(self, now_s: float) -> float:
        return max(0.0, min(1.0, (now_s - self.since_s) / MARKS_S))


class Motion:
    """What is moving, by player's name."""

    def __init__(self) -> None:
        self.changes: dict[str, Change] = {}

    def lead(self, before: View | None, after: View, now_s: float) -> None:
        """Start what leads from one view to the next. Another table, another game: nothing moves."""
        if before is None or [s.name for s in before.seats] != [s.name for s in after.seats]:
            self.changes = {}
            return
        for old, new in zip(before.seats, after.seats, strict=True):
            if old.marks != new.marks:
                self.changes[new.name] = Change(old.marks, new.marks, now_s)

    def sweep_up(self, now_s: float) -> bool:
        """Forget what has arrived; whether anything had."""
        done = [name for name, change in self.changes.items() if change.progress(now_s) >= 1]
        for name in done:
            del self.changes[name]
        return bool(done)

    @property
    def moving(self) -> bool:
        return bool(self.changes)
