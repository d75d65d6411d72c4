"""A whole evening at one table, as players live it: a seating of three games, a break, a play-off and the final.

`play` tells the evening; whose hands play it is handed in: buttons on mock pins (`test_pins`), or a mouse in a real
window, for which this file is run by itself under Xvfb (`test_real_window`). The readings are those of no camera: what
the eye does with pictures has its own tests, and `clicked_game` plays with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from terminal.app import App
from terminal.display.view import Choice, Intent
from terminal.display.window import Window
from terminal.hw.ports import Button
from terminal.rules import fold as rules
from terminal.rules.fold import Fold
from terminal.rules.reglement import load, to_mapping
from terminal.sync import SeatingArrived
from terminal.table import Emptied, Read, Rolling, Table, false_start

PLAYERS = ("An", "Bo", "Cé")
BUTTONS = ("stoef", "ogen", "punten", "klaar")
PATIENCE_S = 20.0


class Hands(Protocol):
    """What presses the four buttons and touches the screen, and lets the loop go round until that has arrived."""

    def press(self, button: str) -> None: ...
    def touch(self, intent: Intent) -> None: ...


class Evening:
    """One table, what is thrown on it and what its players want. `seen` gathers what stood on the screen."""

    def __init__(self, app: App, hands: Hands) -> None:
        self.app = app
        self.hands = hands
        self.seen: dict[str, str] = {}

    # -- what the players do

    def press(self, button: str) -> None:
        self.hands.press(button)

    def tap(self, name: str, label: str = "") -> None:
        """Touch what has this wish, and this label where there are several."""
        found = [choice for choice in self.choices() if choice.intent.name == name and label in choice.label]
        assert found and found[0].enabled, (name, label, self.choices())
        self.hands.touch(found[0].intent)

    def face(self, die: int, value: int) -> None:
        """Touch a face for a die of the question."""
        assert self.view.question is not None
        self.hands.touch(self.view.question.faces[die].intents[value - 1])

    def throw(self, *dice: int, doubt: str | None = None) -> None:
        """Dice rolled and were read; they are picked up unless somebody is asked about them first."""
        for message in (Rolling(), Read(tuple(sorted(dice)), doubt, None, 0.99)):
            self.app.inbox.put(message)
        if doubt is None:
            self.app.inbox.put(Emptied())
        self.app.round()

    def arrive(self, kind: str, players: tuple[str, ...], stripes: int, games: int, **more: object) -> None:
        """A seating comes from central."""
        seating = {
            "evening": "2026-11-29",
            "cafe": "De Kroon",
            "kind": kind,
            "table": "1",
            "seating": 1,
            "number": 1,
            "games": games,
            "done": False,
            "players": [{"number": seat + 1, "name": name, "seat": seat} for seat, name in enumerate(players)],
            "reglement": {**to_mapping(load("kazerne")), "stripes": stripes},
            "starter": None,
        }
        following = more.get("next", ())
        assert isinstance(following, tuple)
        self.app.inbox.put(SeatingArrived(seating, list(following)))
        self.app.round()

    # -- what they see

    @property
    def view(self) -> Any:
        assert self.app.view is not None
        return self.app.view

    @property
    def state(self) -> Mapping[str, Any]:
        assert self.app.table.game is not None
        return rules.summary(self.app.table.game)

    def choices(self) -> tuple[Choice, ...]:
        view = self.view
        for over in (view.question, view.entry, view.page):
            if over is not None:
                return tuple(over.choices)
        return (*view.choices, *view.menu)

    def note(self) -> str:
        return self.app.table.note.key if self.app.table.note is not None else ""

    def expect(self, **stripes: int) -> None:
        """So many stripes stand on the screen."""
        shown = {seat.name: seat.marks for seat in self.view.seats}
        assert {name: shown[name] for name in stripes} == stripes, shown

    # -- the evening

    def finish(self, *best_first: str) -> None:
        """Play the game to its end: each round the first of these who is still in wins with a sois."""
        while self.app.table.playing:
            state = self.state
            turn = state["turn"]
            still_in = [name for name in best_first if name not in (*state["out"], *state["left"])]
            if state["phase"] == "start_roll":
                self.throw(6 if turn == still_in[0] else 1)
            else:
                self.throw(*((4, 5, 6) if turn == still_in[0] else (2, 3, 4)))
            if self.app.table.playing and "stand" in self.state["legal"]:
                self.press("klaar")

    def first_game(self) -> None:
        """Start roll with a tie, stoef accepted and refused, barrage, correction, undo, a die outside, doubt, pause."""
        self.press("klaar")
        for value in (6, 6, 2, 3, 5):  # An and Bo are tied, Bo begins
            self.throw(value)
        assert self.state["turn"] == "Bo"
        self.throw(1, 6, 6)
        self.press("stoef")
        assert self.state["round"]["stoef"] == ["Bo"]
        self.press("klaar")
        self.throw(2, 3, 4)
        self.throw(1, 6, 6)
        assert self.state["phase"] == "barrage_choice"
        for button, note in (("stoef", "stoef_not_now"), ("klaar", "klaar_not_now")):  # K21: An is the last
            before = self.app.table.game
            self.press(button)
            assert (self.note(), self.app.table.game) == (note, before)
        self.press("punten")
        self.throw(4, 5, 6)
        self.throw(1, 2, 3)
        self.expect(An=2, Bo=4, Cé=3)  # K33, K24
        self.throw(2, 2, 3)
        self.expect(An=3)
        assert self.view.dice is not None
        self.hands.touch(self.view.dice.intent)
        self.face(1, 3)
        self.expect(An=2)  # it was no fietske
        assert self.note() == "corrected"
        self.tap("undo")
        self.expect(An=3)
        self.hands.touch(self.view.dice.intent if self.view.dice is not None else self.last_throw())
        self.face(1, 3)
        self.expect(An=2)
        self.press("klaar")
        self.tap("outside")
        assert self.state["turn"] == "Bo"
        self.throw(1, 1, 5, doubt="touching")
        self.face(2, 6)
        self.tap("answer")
        self.app.inbox.put(Emptied())
        self.tap("pause")
        self.throw(6, 6, 6)
        assert self.state["turn"] == "Cé"
        self.tap("pause")
        self.throw(1, 1, 2)
        self.expect(An=2, Bo=3, Cé=3)  # 260 beats 202
        self.seen["why"] = self.read_page("why")
        self.finish("An", "Bo", "Cé")
        assert self.state["points"] == {"An": 5, "Bo": 3, "Cé": 0}

    def last_throw(self) -> Intent:
        """The newest throw in the list of all throws."""
        self.tap("open", "menu")
        self.tap("open", "Alle worpen")
        return next(choice.intent for choice in self.choices() if choice.intent.name == "edit")

    def read_page(self, what: str) -> str:
        """Open a page from the table, read it and close it."""
        self.hands.touch(Intent("open", (what,)))
        lines = " ".join(
            (self.view.page.heading, *self.view.page.lines, *(" ".join(row) for row in self.view.page.rows))
        )
        self.tap("close")
        return lines

    def second_game(self) -> None:
        """The loser begins (K3), throws three aces and is out at once (K8)."""
        self.press("klaar")
        assert self.state["turn"] == "Cé"
        self.throw(1, 1, 1)
        assert self.state["out"] == ["Cé"]
        self.finish("Bo", "An")
        assert self.state["points"] == {"An": 0, "Bo": 3, "Cé": 5}

    def third_game(self) -> None:
        """Bo goes home in the middle of a round, in two steps (K54)."""
        self.press("klaar")
        self.throw(2, 3, 3)
        self.tap("open", "menu")
        self.tap("open", "Speler stopt")
        self.tap("open", "Bo")
        self.tap("sure")
        assert self.state["left"] == ["Bo"]
        self.finish("Cé", "An")
        assert self.state["points"] == {"An": 0, "Bo": 0, "Cé": 5}

    def play(self) -> None:
        """From the first KLAAR to the end of the final."""
        self.first_game()
        self.second_game()
        self.third_game()
        self.seen["break"] = self.view.prompt
        self.arrive("seating", PLAYERS, 3, 3, next=({"number": 3, "name": "Cé", "table": "4", "seat": 0},))
        assert self.view.page is not None
        self.seen["next"] = " ".join(" ".join(row) for row in self.view.page.rows)
        self.tap("close")
        self.arrive("playoff", ("An", "Cé"), 6, 1)
        self.press("klaar")
        self.tap("open", "menu")
        self.tap("open", "Spel stoppen")
        self.tap("sure")
        self.press("klaar")  # a false start: played again (K55a)
        self.seen["playoff"] = self.view.title
        self.finish("An", "Cé")
        self.arrive("final", PLAYERS, 12, 1)
        self.press("klaar")
        self.seen["final"] = self.view.title
        self.finish("Cé", "An", "Bo")
        assert self.state["ranking"] == ["Cé", "An", "Bo"]


def check(lines: Iterable[Mapping[str, Any]], seen: Mapping[str, str]) -> None:
    """Whether the journals tell this evening, folded anew, and the screen showed its moments."""
    games: list[Fold] = []
    for line in lines:
        if line["type"] == "game_started":
            games.append(rules.begin(line))
        else:
            games[-1] = rules.apply(games[-1], line)
    played = [(game.started["kind"], rules.summary(game)["points"]) for game in games if not false_start(game)]
    assert played == [
        ("seating", {"An": 5, "Bo": 3, "Cé": 0}),
        ("seating", {"An": 0, "Bo": 3, "Cé": 5}),
        ("seating", {"An": 0, "Bo": 0, "Cé": 5}),
        ("playoff", {"An": 5, "Cé": 0}),
        ("final", {"An": 3, "Bo": 0, "Cé": 5}),
    ]
    written = {str(line["type"]) for game in games for line in game.lines}
    assert written == {
        *("game_started", "start_die", "throw", "stand", "stoef", "barrage_choice", "die_outside", "leave", "abandon"),
        *("correction", "undo"),
    }
    assert [len(game.lines) for game in games if false_start(game)][-1] == 2
    assert "An wint" in seen["why"] or "Bo wint" in seen["why"]
    assert "K6" in seen["why"]
    assert "Gedaan" in seen["break"]
    assert "Cé 4" in seen["next"]
    assert "finaleplaats" in seen["playoff"]
    assert seen["final"].startswith("Finale")


# -- in a real window, with a real mouse


class Mouse:
    """A mouse on the X server that clicks where the screen shows what is wanted."""

    def __init__(self, app: App, window: Window) -> None:
        self.app = app
        self.window = window
        self.clicks = 0
        self._arrived: list[Intent] = []
        poll = window.poll

        def polled() -> tuple[Intent, ...]:
            intents = poll()
            self._arrived.extend(intents)
            return intents

        app.screen = _Watched(window, polled)

    def press(self, button: str) -> None:
        self.touch(Intent(button))

    def touch(self, intent: Intent) -> None:
        xy = self.window.where(intent)
        assert xy is not None or intent.name in BUTTONS, intent
        if xy is None:  # a button that does nothing now is dark, and a finger on it means nothing
            self.app.inbox.put(Button(intent.name))  # from the pins: they can be pressed at any time
            self.app.round()
            return
        give_up_s = time.monotonic() + PATIENCE_S
        while intent not in self._arrived:
            assert time.monotonic() < give_up_s, intent
            self.clicks += 1
            command = ["xdotool", "mousemove", str(xy[0]), str(xy[1]), "click", "1"]
            subprocess.run(command, check=True)
            for _ in range(20):  # a click that comes too soon after something moved is not looked at
                self.app.round()
                if intent in self._arrived:
                    break
        self._arrived.clear()
        self.app.round()


class _Watched:
    """The window, with an ear at what was meant."""

    def __init__(self, window: Window, poll: Callable[[], tuple[Intent, ...]]) -> None:
        self.show, self.close, self.poll = window.show, window.close, poll


def type_names(evening: Evening) -> None:
    """Without central the names are typed, key by key."""
    evening.tap("open", "NAMEN")
    for name in PLAYERS:
        for number, letter in enumerate(name):
            evening.hands.touch(Intent("type", letter.upper() if number == 0 else letter))
        evening.hands.touch(Intent("enter"))
    evening.tap("seat")


def main(folder: Path) -> None:
    """The evening by a mouse; prints the journals' lines, then what was seen."""
    window = Window()
    app = App(Table("1", reglement={**to_mapping(load("kazerne")), "stripes": 3}), folder, window)
    evening = Evening(app, Mouse(app, window))
    app.round()
    type_names(evening)
    evening.seen["typed"] = evening.view.prompt
    evening.tap("open", "menu")
    evening.tap("open", "Spel stoppen")
    evening.tap("sure")
    evening.arrive("seating", PLAYERS, 3, 3)  # central is there after all: the false start gives way to it
    evening.play()
    for path in app.card.paths():
        print(path.read_text(encoding="utf-8"), end="")
    mouse = evening.hands
    assert isinstance(mouse, Mouse)
    print(json.dumps({"type": "seen", "clicks": mouse.clicks, **evening.seen}))
    app.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
