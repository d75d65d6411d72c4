"""The view: everything that stands on the screen, as plain records.

`terminal.present` makes a view from the state of the table; `display.draw` draws it; a finger, the mouse or a key gives
back the `Intent` of the `Choice` it hit. All texts come ready in the language of the table. Records only, no behaviour.
"""

from __future__ import annotations

from typing import NamedTuple


class Intent(NamedTuple):
    """What a finger meant, in the imperative: the name of the wish and what it is about. Opaque to the display."""

    name: str
    value: object = None  # hashable


class Choice(NamedTuple):
    """One thing that can be tapped."""

    label: str
    intent: Intent
    enabled: bool = True  # False: drawn dim, a tap does nothing
    strong: bool = False  # the thing to do now: drawn bright
    key: str = ""  # keyboard key that does the same, as pygame names it ("s", "return", …)
    detail: str = ""  # small second line


class Picture(NamedTuple):
    """A photograph to show. `key` names it: the same key is the same picture, so that it is scaled only once."""

    key: str
    wh: tuple[int, int]  # pixels
    rgb: bytes  # width * height * 3, row by row from the top left


class Seat(NamedTuple):
    """One player at the tray, in seat order (clockwise)."""

    name: str
    marks: int  # chalk stripes
    turn: bool = False
    gone: bool = False  # out, or left the table: drawn dim
    note: str = ""  # "1ste · 5 punten", "gestopt", "begint"
    badges: tuple[str, ...] = ()  # "STOEF", "BARRAGE"
    throws: tuple[tuple[int, ...], ...] = ()  # of this round (or this barrage), each sorted
    best: int | None = None  # index into throws of the one that counts
    throws_allowed: int | None = None  # None: not known yet (up to three)
    intent: Intent | None = None  # a tap on the seat


class DiceShown(NamedTuple):
    """The last dice, large, with the name of who threw them; stays until the next roll."""

    values: tuple[int, ...]
    who: str
    word: str  # what they are called: "sois", "165 punten"
    sure: bool = True  # False: a guess that is being asked about
    picture: Picture | None = None
    intent: Intent | None = None  # a tap on the dice: correct them


class FaceRow(NamedTuple):
    """Six faces to choose one die's value from."""

    selected: int | None  # 1..6
    intents: tuple[Intent, ...]  # six, for face 1..6


class Question(NamedTuple):
    """Asked over the table until answered."""

    text: str
    detail: str = ""
    picture: Picture | None = None
    faces: tuple[FaceRow, ...] = ()  # one row a die, when dice are asked
    choices: tuple[Choice, ...] = ()


class Entry(NamedTuple):
    """Text being typed; the keyboard on the screen gives Intent("type", "a"), Intent("erase") and Intent("enter")."""

    prompt: str
    text: str
    suggestions: tuple[Choice, ...] = ()
    choices: tuple[Choice, ...] = ()
    error: str = ""


class Page(NamedTuple):
    """A page of text or a table over the whole screen: rules, statistics, standings, menu, next tables."""

    heading: str
    lines: tuple[str, ...] = ()  # paragraphs, wrapped by the display; one that begins with a tab is an aside
    rows: tuple[tuple[str, ...], ...] = ()  # a table; the first row is its head
    choices: tuple[Choice, ...] = ()


class Lamp(NamedTuple):
    """The health of one part: a small sign, with its word when it is not well."""

    name: str  # "camera", "central", "buttons", "disk"
    ok: bool
    text: str = ""


class View(NamedTuple):
    """The whole screen. Overlays come in this order, the first that is there has the fingers: question, entry, page."""

    title: str  # café, table, game
    prompt: str  # what to do next, one short sentence
    seats: tuple[Seat, ...] = ()
    facts: tuple[str, ...] = ()  # the round: "An begon · 2 worpen", "barrage op ogen"
    dice: DiceShown | None = None
    choices: tuple[Choice, ...] = ()  # the big buttons: STOEF, OGEN, PUNTEN, KLAAR and what the moment asks
    menu: tuple[Choice, ...] = ()  # small ones: undo, waarom?, pauze, menu
    notice: str = ""  # stays until the next throw: a correction, a refusal
    question: Question | None = None
    entry: Entry | None = None
    page: Page | None = None
    lamps: tuple[Lamp, ...] = ()
    sounds: tuple[int, tuple[str, ...]] = (0, ())  # a serial number and sound names; played once when the number grows
    volume: int = 0  # 0 (off) to 10
    language: str = "nl"
