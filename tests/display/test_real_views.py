"""The views of a real table, reached by random fingers and dice: every one fits the screen, none is a dead end."""

from __future__ import annotations

import itertools
import random

import pygame
import pytest

from terminal.display import layout
from terminal.display.paging import leaves
from terminal.display.texts import LANGUAGES
from terminal.display.view import Lamp, View
from terminal.overlays import Surroundings
from terminal.present import present
from terminal.step import Stamp, step
from terminal.table import Camera, Emptied, Read, Rolling, Seated, Seating, Table, Wish
from tests.display.gallery import SIZES
from tests.display.recorder import Recorder, painted
from tests.display.table_moments import LONG, photograph

NAMES = ("An", "Bo", "Cé", "Dré", "Els", "Christophe", "Loïc", LONG)
REASONS = ("cocked", "touching", "stacked", "hand", "blur", "dark", "overexposed", "count", "disagree", "outside")
INPUTS = 40


def faults(view: View, wh: tuple[int, int]) -> list[str]:
    """What is wrong with this view on this screen."""
    found = []
    cut = leaves(view.page, wh, Recorder()) if view.page else (layout.Leaf(),)
    for leaf in cut[:2]:
        _, recorder = painted(view, wh, leaf)
        found += [f"cut: {text}" for text in recorder.cut if LONG not in text]
        found += [f"off the screen: {w.text}" for w in recorder.written if not pygame.Rect(0, 0, *wh).contains(w.rect)]
        found += [
            f"covered: {one.text} / {other.text}"
            for one, other in itertools.combinations(recorder.written, 2)
            if one.rect.colliderect(other.rect) and "?" not in (one.text, other.text)
        ]
    if not layout.hits(view, wh, cut[0]):
        found.append("nothing to tap")
    return found


@pytest.mark.parametrize("wh", SIZES, ids=lambda wh: f"{wh[0]}x{wh[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_fingers_and_dice_do_the_screen_fits_and_goes_on(language: str, wh: tuple[int, int]) -> None:
    chance = random.Random(f"{language}{wh}")
    players = chance.randint(2, 8)
    seated = tuple(chance.sample(NAMES, players))
    following = tuple((name, "2") for name in seated)
    numbers = tuple(range(1, players + 1))
    seating = Seating("2026-01-15", 1, "seating", "3", "kazerne", 3, seated, numbers, next_tables=following)
    table = step(Table("3", language=language, camera="ok"), Seated(seating), Stamp("g", "now")).table
    picture = photograph((1, 4, 6))
    around = Surroundings((Lamp("camera", True),), lambda key: picture, None, True)
    for number in range(INPUTS):
        view = present(table, around)
        assert faults(view, wh) == [], (number, table.overlay, table.note, view.prompt)
        if chance.random() < 0.45:
            dice = tuple(chance.randint(1, 6) for _ in range(table.dice_wanted or 3))
            reason = chance.choice(REASONS) if chance.random() < 0.15 else None
            messages = [Rolling(), Read(dice, reason, "p"), Emptied()]
        elif chance.random() < 0.05:
            messages = [Camera(chance.choice(("lost", "ok", "moved")))]
        else:
            hit = chance.choice(layout.hits(view, wh, layout.Leaf()) or (None,))
            messages = [Wish(*hit.intent)] if hit and hit.intent.name not in ("language", layout.TURN_PAGE) else []
        for message in messages:
            table = step(table, message, Stamp(f"g{number}", "now")).table
