"""Random tapping, pressing and throwing, as at the end of a long evening.

    python -m tests.bench.monkey [INPUTS] [SEED]          100,000 by default

Every view must offer something to tap, every line that is written must be legal, no throw may be booked twice for one
roll, and the card must fold back to what is on the screen.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence

from terminal.display.view import Choice, View
from terminal.overlays import Surroundings
from terminal.present import present
from terminal.rules import fold as rules
from terminal.step import Stamp, step
from terminal.table import (
    Append,
    Begin,
    Camera,
    Emptied,
    Fitted,
    Lying,
    Message,
    Moved,
    Read,
    Rolling,
    Seated,
    Seating,
    Table,
    Tended,
    Wish,
)

NAMES = ("An", "Bo", "Cé", "Dré", "Els", "Fons", "Gust", "Hilde")
TROUBLES = ("lost", "moved", "light", "dirty", "hidden")
REASONS = (None, None, None, "cocked", "touching", "count", "hand", "disagree", "moved", "uncalibrated")


class Monkey:
    """A table in the hands of nobody in particular. `once` does one thing and checks the table after it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.table = Table("1", camera="ok", reglement=self.chance.choice(("kazerne", "negen")), stripes=2)
        self.central = self.chance.random() < 0.5
        self.games: dict[str, list[dict]] = {}
        self.inputs = 0
        self.answered_rolls: set[int] = set()

    def once(self) -> None:
        self.inputs += 1
        view = present(self.table, Surroundings(central=self.central))
        message = self._touch(view) if self.chance.random() < 0.6 else self._world()
        before = self.table
        done = step(before, message, Stamp(f"g{self.inputs}", "2026-11-29T20:00:00"))
        self.table = done.table
        for effect in done.effects:
            if isinstance(effect, Begin):
                self.games[str(effect.line["game"])] = [dict(effect.line)]
            else:
                self.games[effect.game].append(dict(effect.line))
        self._check(before, done.effects)

    def _touch(self, view: View) -> Message:
        choices = [choice for choice in choices_of(view) if choice.enabled]
        assert choices, f"a dead screen: {view}"
        rows = view.question.faces if view.question is not None else ()
        if rows and self.chance.random() < 0.6:
            intent = self.chance.choice(self.chance.choice(rows).intents)
        elif view.entry is not None and self.chance.random() < 0.6:
            return Wish(self.chance.choice(("type", "type", "erase", "enter")), self.chance.choice("abé "))
        else:
            intent = self.chance.choice(choices).intent
        return Wish(intent.name, intent.value)

    def _world(self) -> Message:
        chance = self.chance
        count = chance.choice((self.table.dice_wanted, self.table.dice_wanted, 0, 1, 2, 3, 4))
        faces = chance.choice((range(1, 7), (1,), (2, 2, 3), (4, 5, 6), (6,)))
        dice = tuple(chance.choice(faces) for _ in range(count))
        kind = chance.random()
        if kind < 0.30:
            return Rolling()
        if kind < 0.60:
            return Read(dice, chance.choice(REASONS), "frame-1", 0.99)
        if kind < 0.80:
            return Emptied()
        if kind < 0.84:
            return Moved(dice)
        if kind < 0.88:
            return Lying(dice, "frame-1")
        if kind < 0.92:
            return chance.choice((Camera("ok"), *map(Camera, TROUBLES), Tended("shifted", 2.5), Tended("dice", 16.1)))
        if kind < 0.94:
            what = chance.choice(("seen", "empty", "passed", "passed", "kept", "unkept", "tray"))
            return Fitted(self.table.calibrated, what, "frame-1")
        if kind < 0.97:
            return Wish(chance.choice(("stoef", "ogen", "punten", "klaar", "klaar")))
        players = NAMES[: chance.randint(2, 8)]
        numbers = tuple(range(1, len(players) + 1))
        kinds = chance.choice(("seating", "seating", "final"))
        games = 3 if kinds == "seating" else 1
        evening = "2026-11-29" if self.central else ""
        return Seated(
            Seating(evening, chance.randint(1, 4), kinds, "1", "kazerne", 1, players, numbers, games, 1, None)
        )

    def _check(self, before: Table, effects: Sequence[object]) -> None:
        throws = [
            effect
            for effect in effects
            if isinstance(effect, Append) and effect.line["type"] in ("throw", "start_die", "die_outside")
        ]
        moved = any(isinstance(effect, Append) and effect.line["type"] == "stand" for effect in effects)
        assert len(throws) <= max(1, len(before.rolls) + 1) or moved
        for game in self.table.games:
            assert [dict(line) for line in game.lines] == self.games[game.game_id]
        if self.inputs % 200 == 0:
            for game in self.table.games:
                again = rules.begin(self.games[game.game_id][0])
                for line in self.games[game.game_id][1:]:
                    again = rules.apply(again, line)
                assert rules.summary(again) == rules.summary(game)


def choices_of(view: View) -> tuple[Choice, ...]:
    """What can be tapped now: the first overlay that is there has the fingers."""
    if view.question is not None:
        return view.question.choices
    if view.entry is not None:
        return (*view.entry.choices, *view.entry.suggestions)
    if view.page is not None:
        return view.page.choices
    return (*view.choices, *view.menu)


def main(arguments: Sequence[str]) -> int:
    """Run it and say how it went."""
    inputs = int(arguments[0]) if arguments else 100_000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    done, games, lines = 0, 0, 0
    while done < inputs:
        monkey = Monkey(seed)
        for _ in range(min(2_000, inputs - done)):
            monkey.once()
        done += monkey.inputs
        games += len(monkey.games)
        lines += sum(len(one) for one in monkey.games.values())
        seed += 1
    print(f"{done} inputs, {games} games, {lines} lines, no dead screen, no illegal line")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
