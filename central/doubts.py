"""What the organiser looks at twice: dice that a finger entered where a camera looks, and throws corrected later.

A table without a camera has nothing to look at: there every throw is entered by hand.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from central import pictures
from terminal.rules import fold as folding
from terminal.rules.fold import Fold


class Doubt(NamedTuple):
    """One throw. seq: its line. player: as the table calls him. before: the dice before they were corrected."""

    seq: int
    player: str
    dice: tuple[int, ...]
    before: tuple[int, ...]  # empty: not corrected
    by_hand: bool
    image: str  # name of its picture, or empty


def of(fold: Fold) -> tuple[Doubt, ...]:
    """Those of a game, in order; what was undone is no longer among them."""
    lines = fold.lines
    seen = any(line.get("source") == "camera" or "image" in line for line in lines)
    found = []
    for seq, line in folding.in_force(fold):
        if line["type"] not in ("throw", "start_die"):
            continue
        dice, before = _dice(line), _dice(lines[seq])
        by_hand = seen and line.get("source") == "touch"
        if by_hand or dice != before:
            image = pictures.name_in(line) or ""
            found.append(Doubt(seq, str(line["player"]), dice, before if before != dice else (), by_hand, image))
    return tuple(found)


def _dice(line: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(sorted(line["dice"])) if "dice" in line else (line["value"],)


@functools.lru_cache(maxsize=300)
def of_journal(journal: str) -> tuple[Doubt, ...]:
    """Those of a stored journal, which the overview asks for again and again."""
    lines = [json.loads(line) for line in journal.splitlines()]
    fold = folding.begin(lines[0])
    for line in lines[1:]:
        fold = folding.apply(fold, line)
    return of(fold)


def counted(doubts: tuple[Doubt, ...]) -> str:
    """How many of each, as people say it: "3 worpen met de hand, 1 verbeterd"."""
    by_hand, corrected = sum(one.by_hand for one in doubts), sum(bool(one.before) for one in doubts)
    parts = []
    if by_hand:
        parts.append(f"{by_hand} {'worp' if by_hand == 1 else 'worpen'} met de hand")
    if corrected:
        parts.append(f"{corrected} verbeterd")
    return ", ".join(parts)
