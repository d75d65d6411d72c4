"""A table to play at in tests: dice, buttons and fingers as short words, with no clock, camera or screen."""

from __future__ import annotations

from itertools import count

from terminal.overlays import Surroundings
from terminal.present import present
from terminal.rules import fold as rules
from terminal.step import Stamp, step
from terminal.table import Append, Begin, Effect, Emptied, Message, Read, Rolling, Seated, Seating, Table, Wish


class Play:
    """One table in the hands of a test; every message also makes the view, which must always be possible."""

    def __init__(
        self,
        *players: str,
        stripes: int | None = None,
        starter: str | None = None,
        reglement: object = "kazerne",
        games: int = 3,
    ) -> None:
        self.table = Table("1", camera="ok")
        self.effects: list[Effect] = []
        self._ids = (f"g{n}" for n in count(1))
        self._serial = 0
        if players:
            numbers = tuple(range(1, len(players) + 1))
            seating = Seating(
                "2026-11-29", 1, "seating", "1", reglement, stripes, players, numbers, games=games, starter=starter
            )
            self.say(Seated(seating))
            self.press("klaar")

    def say(self, message: Message) -> None:
        done = step(self.table, message, Stamp(next(self._ids), "2026-11-29T20:00:00"))
        self.table = done.table
        self.effects.extend(done.effects)
        present(self.table, Surroundings())

    def press(self, name: str, value: object = None) -> None:
        self.say(Wish(name, value))

    def roll(self) -> None:
        self.say(Rolling())

    def lie(self, *dice: int, reason: str | None = None) -> None:
        self._serial += 1
        self.say(Read(tuple(dice), reason, f"frame-{self._serial}", 0.99))

    def throw(self, *dice: int, reason: str | None = None) -> None:
        """Dice rolled, read, and picked up again."""
        self.roll()
        self.lie(*dice, reason=reason)
        self.say(Emptied())

    @property
    def state(self) -> dict:
        assert self.table.game is not None
        return rules.summary(self.table.game)

    @property
    def lines(self) -> list[dict]:
        """Everything that was written, in order."""
        return [dict(effect.line) for effect in self.effects if isinstance(effect, Append | Begin)]

    @property
    def types(self) -> list[str]:
        return [line["type"] for line in self.lines]

    @property
    def note(self) -> str:
        return self.table.note.key if self.table.note else ""

    def undo(self) -> None:
        """Press undo as the screen shows it."""
        self.wish("undo")

    def wish(self, name: str) -> None:
        """Tap whatever choice of the screen has this wish."""
        view = present(self.table, Surroundings())
        overlays = [view.question, view.entry, view.page]
        shown = next((over.choices for over in overlays if over is not None), (*view.choices, *view.menu))
        choice = next(choice for choice in shown if choice.intent.name == name)
        assert choice.enabled
        self.say(Wish(choice.intent.name, choice.intent.value))
