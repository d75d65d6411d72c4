"""What a reader gives back: the dice it saw, whether it is sure, and why not."""

from __future__ import annotations

from typing import Any, NamedTuple

STATUSES = ("read", "unsure", "empty", "error")
REASONS = ("cocked", "touching", "stacked", "hand", "blur", "dark", "overexposed", "count", "disagree")


class Die(NamedTuple):
    """One die as it lies: centre and side of its top face in pixels of the picture that was read.

    confidence: 0 to 1, the weaker of the looks at this die; it means nothing for a die in `Reading.rejected`.
    """

    value: int
    x: float
    y: float
    size: float
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """The die by CONTRACT section 3."""
        return {
            "value": self.value,
            "x": round(self.x, 1),
            "y": round(self.y, 1),
            "size": round(self.size, 1),
            "confidence": round(self.confidence, 3),
        }


class Rejected(NamedTuple):
    """Something that was looked at and is not counted as a die, with the reason in a few words."""

    x: float
    y: float
    size: float
    why: str


class Reading(NamedTuple):
    """One picture, read. `read` is a promise; `unsure` carries the best guess and one of REASONS.

    values: sorted. reason: None unless `unsure` (one of REASONS) or `error` (a sentence). ms: without decoding.
    """

    status: str
    values: tuple[int, ...]
    dice: tuple[Die, ...]
    reason: str | None
    ms: float
    rejected: tuple[Rejected, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The line of `pitjesbak read` without its `file` (CONTRACT section 3)."""
        return {
            "status": self.status,
            "values": list(self.values),
            "dice": [die.to_json() for die in self.dice],
            "reason": self.reason,
            "ms": round(self.ms, 2),
        }


def error(sentence: str) -> Reading:
    """A picture that could not be read at all."""
    return Reading("error", (), (), sentence, 0.0)
