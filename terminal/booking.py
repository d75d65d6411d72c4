"""Booking: how rolls, lines and games change the table within one step (CONTRACT section 6).

A `Booking` gathers the new table and the lines to write; nothing outside sees it. `terminal.wishes` works on it for
buttons and fingers, `terminal.step` for everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from terminal.rules import fold as rules
from terminal.rules.fold import Fold
from terminal.table import (
    Append,
    Begin,
    Effect,
    Note,
    Overlay,
    Roll,
    Seating,
    Shown,
    Table,
    counted,
    next_starter,
    seated,
    seating_over,
    throw_ask,
)


class Stamp(NamedTuple):
    """What the outside hands in with every message: a random game id to use if a game begins, and the wall time.

    The time only stands in the journal for people to read; a clock without a battery may be wrong.
    """

    fresh: str
    at: str


class Booking:
    """One step under way: the table so far and the effects so far. Made and dropped inside `step.step`."""

    def __init__(self, table: Table, stamp: Stamp) -> None:
        self.table = table
        self.stamp = stamp
        self.effects: list[Effect] = []

    def set(self, **changes: object) -> None:
        """Change fields of the table."""
        self.table = self.table._replace(**changes)  # type: ignore[arg-type]  # NamedTuple checks the names

    def say(self, key: str, **fields: object) -> None:
        """Put a sentence on the screen, until the next roll."""
        self.set(note=Note(key, tuple(sorted(fields.items()))))

    def mention(self, key: str, **fields: object) -> None:
        """The same for what the eye has to say of itself: it gives way to what the players did, and comes after it."""
        note = Note(key, tuple(sorted(fields.items())))
        self.set(**{"note" if self.table.note is None else "next_note": note})

    def write(self, line: Mapping[str, object], game_id: str | None = None, picture: str | None = None) -> Fold:
        """Apply the line to a game (the current one by default), which may refuse it, and ask for it to be written."""
        games = self.table.games
        at = len(games) - 1
        if game_id is not None:
            at = next(i for i, game in enumerate(games) if game.game_id == game_id)
        before = games[at]
        whole = {**line, "at": self.stamp.at}
        if picture is not None:
            whole["image"] = f"{before.game_id}-{before.seq + 1}.jpg"
        after = rules.apply(before, whole)
        self.set(games=(*games[:at], after, *games[at + 1 :]), before=before)
        self.effects.append(Append(after.game_id, whole, picture))
        return after

    # the tray

    def rolling(self) -> None:
        """Dice began to move: a new roll, unless it is still the last one."""
        if self.table.rolls and self.table.rolls[-1].phase == "rolling":
            return
        self.new_roll(Roll(self.table.rolled + 1, "rolling"))
        if self.table.question is None:
            self.set(note=None, shown=None)

    def new_roll(self, roll: Roll) -> None:
        """Put a roll at the end of those that wait."""
        self.set(rolls=(*self.table.rolls, roll), rolled=roll.serial, spent=False, empty=False)

    def gone(self) -> None:
        """Dice that were still to be read are gone: picked up, or the camera is (6.6)."""
        rolls = self.table.rolls
        if rolls and rolls[-1].phase == "rolling":
            self.set(rolls=(*rolls[:-1], rolls[-1]._replace(phase="gone", reason="gone")))

    def read(self, values: tuple[int, ...], reason: str | None, picture: str | None, confidence: float | None) -> None:
        """Dice at rest: the reading of the roll that moved last."""
        if not (self.table.rolls and self.table.rolls[-1].phase == "rolling"):
            if self.table.spent:  # it had its answer (6.2): shown, not written
                if self.table.shown is None:
                    self.set(shown=Shown(values, None, reason is None, picture, None, "spent"))
                return
            self.new_roll(Roll(self.table.rolled + 1, "rolling"))
        phase = "read" if reason is None else "doubt"
        roll = self.table.rolls[-1]._replace(
            phase=phase, values=tuple(sorted(values)), reason=reason, picture=picture, confidence=confidence
        )
        self.set(rolls=(*self.table.rolls[:-1], roll))

    def settle_rolls(self) -> None:
        """Book, show or ask about the rolls at the head of the queue, until one waits."""
        while self.table.rolls:
            roll = self.table.rolls[0]
            if roll.asked or roll.phase == "rolling":
                return
            wanted = 0 if self.table.paused else self.table.dice_wanted
            if wanted == 0:  # 6.1
                self.answered(roll)
                if roll.values:
                    why = "paused" if self.table.paused else "no_dice_wanted"
                    self.set(shown=Shown(roll.values, None, roll.reason is None, roll.picture, None, why))
            elif roll.phase == "read" and len(roll.values) == wanted:
                self.book(roll.values, roll, "camera")
            else:
                guess = roll.values if len(roll.values) == wanted else (None,) * wanted
                asked = roll._replace(reason=roll.reason or "count", picked=guess)
                self.set(
                    rolls=(asked, *self.table.rolls[1:]),
                    overlay=None,
                    shown=Shown(roll.values, None, False, roll.picture, None),
                )

    def answered(self, roll: Roll) -> None:
        """The roll has had its answer; what still lies there is spent, unless it is a later roll's."""
        rest = tuple(other for other in self.table.rolls if other.serial != roll.serial)
        self.set(rolls=rest, spent=not rest and not self.table.empty)

    def book(self, values: tuple[int, ...], roll: Roll | None, source: str) -> None:
        """Write the dice for whoever must throw now."""
        game = self.table.game
        ask = throw_ask(game)
        if game is None or ask is None:
            self.say("no_dice_wanted")
            return
        line: dict[str, object] = {"type": ask.event, "player": ask.player}
        if ask.event == "start_die":
            line["value"] = values[0]
        else:
            line["dice"] = sorted(values)
        line["source"] = source
        picture = roll.picture if roll is not None else None
        if roll is not None and roll.confidence is not None and source == "camera":
            line["confidence"] = round(roll.confidence, 4)
        after = self.write(line, picture=picture)
        if roll is not None:
            self.answered(roll)
        else:
            self.set(spent=not self.table.empty)
        booked = (after.game_id, after.seq)
        self.set(shown=Shown(tuple(sorted(values)), ask.player, True, picture, booked), overlay=None)
        self.set(note=self.table.next_note, next_note=None)

    # seatings and games

    def arrived(self, seating: Seating) -> None:
        """A seating came: take it, or let it wait until the games of this one are played."""
        old = self.table.seating
        if old is not None and old.key == seating.key:
            if self.table.games:  # under way: only the outlook may change
                seating = old._replace(next_tables=seating.next_tables)
            news = bool(seating.next_tables) and seating.next_tables != old.next_tables
            self.set(seating=seating)
            if news and seating_over(self.table):
                self.set(overlay=Overlay("next"))
        elif old is None or (not self.table.playing and (not counted(self.table.games) or seating_over(self.table))):
            self.set(waiting=seating)
            self.take_waiting()
        else:
            self.set(waiting=seating)

    def take_waiting(self) -> None:
        """Go over to the seating that waits."""
        self.set(seating=self.table.waiting, waiting=None, games=(), shown=None, note=None, overlay=None, before=None)

    def begin(self) -> None:
        """Start the next game of the seating, or the first of the seating that waits."""
        if self.table.waiting is not None and (self.table.seating is None or seating_over(self.table)):
            self.take_waiting()
        seating = self.table.seating
        if seating is None:
            return
        games = counted(self.table.games)
        players, numbers = seated(seating, self.table.games)
        line: dict[str, object] = {
            "type": "game_started",
            "game": self.stamp.fresh,
            "reglement": seating.reglement,
            "players": list(players),
            "starter": next_starter(seating, games),
            "evening": seating.evening,
            "seating": seating.seating,
            "number": seating.number + len(games),
            "kind": seating.kind,
            "table": seating.table,
            "numbers": list(numbers),
            "at": self.stamp.at,
        }
        if seating.stripes is not None:
            line["stripes"] = seating.stripes
        game = rules.begin(line)
        self.set(games=(*games, game), shown=None, note=None, overlay=None, before=None)
        self.effects.append(Begin(line))

    def free(self) -> bool:
        """Whether something may be booked: not while a reading is asked about (6.5)."""
        if self.table.question is not None:
            self.say("answer_first")
            return False
        return True
