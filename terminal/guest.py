"""The people at a table of the demo: a guest throws, presses and answers, and is no part of what he tries out.

What he does follows from the journal alone, so that an evening that was killed and started again goes on with the same
dice and ends the same.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from terminal.app import App
from terminal.display.view import Intent, View
from terminal.table import Table, asks_for, can_go_on, seating_over, stoefer

UNREAD_S = 30.0  # so long after a throw without a word from the eye, the guest enters the dice by touch


class Pictured(NamedTuple):
    """A picture that can be thrown: its file, what lies in the tray, and whether a person would let it count."""

    file: str
    values: tuple[int, ...]
    counts: bool  # False: cocked, or a die outside: thrown again


class Throwing(Protocol):
    """The camera that shows what is thrown."""

    def throw(self, name: str) -> None: ...


class Touching(Protocol):
    """The screen, from a finger's side."""

    def where(self, intent: Intent) -> tuple[int, int] | None: ...
    def tap(self, xy: tuple[int, int]) -> None: ...


def pictures_of(truth: Mapping[str, Any]) -> tuple[Pictured, ...]:
    """The pictures that can be thrown, from a folder's truth.json: all but the empty tray and covered dice."""
    found = []
    for picture in truth["pictures"]:
        values, expected = tuple(picture["values"]), picture["expected"]
        if len(values) in (1, 3) and expected.get("reason") != "hand" and picture["kind"] != "empty":
            found.append(Pictured(picture["file"], values, expected.get("reason") != "cocked"))
    return tuple(found)


class Guest:
    """Plays one table; called by its loop after every round.

    seed: another one, another evening. lingers_s: how long he looks at the end of a game. Counts what he had to do:
    `answered` questions, `entered` throws.
    """

    def __init__(
        self,
        camera: Throwing,
        screen: Touching,
        pictures: Sequence[Pictured],
        seed: str,
        stays: bool = False,
        lingers_s: float = 0.0,
    ) -> None:
        self._camera = camera
        self._screen = screen
        self._threes = [picture for picture in pictures if len(picture.values) == 3]
        self._ones = [picture for picture in pictures if len(picture.values) == 1]
        self._seed = seed
        self._stays = stays
        self._lingers_s = lingers_s
        self._over_s = 0.0  # since when a game is over
        self._thrown: Pictured | None = None
        self._rolled = 0
        self._at_s = 0.0
        self._again: dict[tuple[int, int], int] = {}
        self.threw = 0
        self.answered = 0
        self.entered = 0

    def __call__(self, app: App) -> None:
        table, view = app.table, app.view
        if view is None:
            return
        if table.question is not None or (view.question is not None and self._thrown is not None):
            self._answer(table, view)
        elif self._thrown is not None:
            self._wait(table)
        elif table.playing:
            self._play(table)
        elif can_go_on(table):
            self._over_s = self._over_s or time.monotonic()
            if time.monotonic() - self._over_s >= self._lingers_s:
                self._over_s = 0.0
                self._touch(Intent("klaar"))
        elif seating_over(table) and app.at_central and not self._stays:
            app.stop()

    @property
    def waiting(self) -> bool:
        """Whether something that he threw still lies there, or is still to be read."""
        return self._thrown is not None

    def _play(self, table: Table) -> None:
        """One thing that the players do now: call, choose, stop, or throw."""
        assert table.game is not None
        here = (len(table.games), table.game.seq)
        if asks_for(table, "barrage_choice"):
            self._touch(Intent("ogen" if self._chance("choice", here) < 0.5 else "punten"))
        elif stoefer(table) is not None and self._chance("stoef", here) < 0.08:
            self._touch(Intent("stoef"))
        elif asks_for(table, "stand") and self._chance("stand", here) < 0.6:
            self._touch(Intent("klaar"))
        elif table.empty:
            attempt = self._again.get(here, 0)
            pictures = self._threes if table.dice_wanted == 3 else self._ones
            self._thrown = pictures[int(self._chance(f"throw {attempt}", here) * len(pictures))]
            self._again[here] = attempt + 1
            self._rolled = table.rolled
            self._at_s = time.monotonic()
            self.threw += 1
            self._camera.throw(self._thrown.file)

    def _wait(self, table: Table) -> None:
        """The picture is in the tray until the eye has said something about it and the tray is empty again."""
        if table.rolled > self._rolled and not table.rolls and table.empty:
            self._thrown = None
        elif table.rolled == self._rolled and time.monotonic() - self._at_s > UNREAD_S:
            self._touch(Intent("enter_dice"))

    def _answer(self, table: Table, view: View) -> None:
        """Touch the right faces one by one, then the answer."""
        question, dice = view.question, self._thrown
        if question is None or self._again_tapped():
            return
        names = [choice.intent.name for choice in question.choices]
        if dice is None or not dice.counts or len(dice.values) != len(question.faces):
            if "again" in names:
                self.answered += 1
                self._touch(next(choice.intent for choice in question.choices if choice.intent.name == "again"))
            return
        for row, value in zip(question.faces, dice.values, strict=True):
            if row.selected != value:
                self._touch(row.intents[value - 1])
                return
        if table.question is not None:
            self.answered += 1
        else:
            self.entered += 1
            self._thrown = None
        self._touch(question.choices[0].intent)

    def _again_tapped(self) -> bool:
        """Whether the last tap may still be under way; one finger, one thing at a time."""
        return time.monotonic() - self._tapped_s < 0.06

    _tapped_s = 0.0

    def _touch(self, intent: Intent) -> None:
        if self._again_tapped():
            return
        xy = self._screen.where(intent)
        if xy is not None:
            self._tapped_s = time.monotonic()
            self._screen.tap(xy)

    def _chance(self, what: str, here: tuple[int, int]) -> float:
        """A number from 0 to 1 that follows from the place in the journal and nothing else."""
        digest = hashlib.sha256(f"{self._seed} {what} {here}".encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48
