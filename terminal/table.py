"""The table: all that it knows, what may come in, what goes out, and what screen and buttons ask of it.

Records and pure functions; `terminal.step` says how a message changes them. No clock, no files, no pictures: a picture
is a key that the loop in `terminal.app` understands.

A *roll* is what the players did once with the dice, from the moment they began to move until the one answer that uses
it up: an event, "opnieuw", or dice entered by touch (6.2). Rolls wait in order; only the first one can be asked about,
and while it is, nothing else is booked (6.5). What lies in the tray after its answer is `spent`: a reading of it is
shown, never written, until dice roll again or the tray is emptied.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from terminal.rules import fold as rules
from terminal.rules.contract import Ask, Refused
from terminal.rules.fold import Fold

# -- what comes in --------------------------------------------------------------------------------------------------


class Rolling(NamedTuple):
    """Dice began to move."""


class Read(NamedTuple):
    """Dice at rest. `reason` None: sure; else why it has to be asked, with the best guess in `values`."""

    values: tuple[int, ...]
    reason: str | None
    picture: str | None  # key of the frame that was read
    confidence: float | None = None


class Lying(NamedTuple):
    """Dice that lay there when watching began: asked about, never counted by themselves (6.9)."""

    values: tuple[int, ...]
    picture: str | None


class Moved(NamedTuple):
    """Lying dice were shifted or turned by a hand; no throw."""

    values: tuple[int, ...]


class Emptied(NamedTuple):
    """The tray is empty and clear."""


class Camera(NamedTuple):
    """How the camera is: "none", "ok", "lost", "moved" (or the tray was), "light" (another one), "dirty", "hidden"."""

    health: str


class Tended(NamedTuple):
    """What the eye mended or learnt by itself: "shifted" by pixels, "light", or "dice" of so many millimetres."""

    what: str
    amount: float = 0.0


class Fitted(NamedTuple):
    """What came of a step of a calibration on the screen, by its serial number: what the camera sees ("seen", every
    second), "empty" (that was the empty tray), "passed", "kept" or "unkept"; or why it failed.
    """

    serial: int
    what: str
    picture: str | None = None


class Seated(NamedTuple):
    """A seating arrived, from central or from names typed in at the table."""

    seating: Seating


class Wish(NamedTuple):
    """What a button or a finger meant."""

    name: str
    value: object = None


Message = Rolling | Read | Lying | Moved | Emptied | Camera | Tended | Fitted | Seated | Wish

# -- what goes out --------------------------------------------------------------------------------------------------


class Begin(NamedTuple):
    """Open a journal for a new game with this first line."""

    line: Mapping[str, object]


class Append(NamedTuple):
    """Write this line to the journal of `game`; keep the picture under it, if there is one."""

    game: str
    line: Mapping[str, object]
    picture: str | None = None


Effect = Begin | Append

# -- the state ------------------------------------------------------------------------------------------------------


class Seating(NamedTuple):
    """Who plays here and how often, as central says it or as typed in."""

    evening: str
    seating: int
    kind: str  # seating, final, playoff, deciding
    table: str
    reglement: str | Mapping[str, object]
    stripes: int | None
    players: tuple[str, ...]  # distinct names, clockwise
    numbers: tuple[int | None, ...]
    games: int = 3
    number: int = 1  # the number of the first game that is played here
    starter: str | None = None  # of that first game; None: start roll
    next_tables: tuple[tuple[str, str], ...] = ()  # (player, table) after this seating, once central knows

    @property
    def key(self) -> tuple[str, int, str, str]:
        """What makes it this seating and no other."""
        return (self.evening, self.seating, self.kind, self.table)


class Roll(NamedTuple):
    """One roll that has not had its answer yet."""

    serial: int
    phase: str  # rolling, read, doubt, gone (picked up before it was read), lying
    values: tuple[int, ...] = ()
    reason: str | None = None
    picture: str | None = None
    confidence: float | None = None
    picked: tuple[int | None, ...] = ()  # faces chosen by touch, while it is asked about

    @property
    def asked(self) -> bool:
        """Whether players were asked about it."""
        return bool(self.picked)


class Shown(NamedTuple):
    """The dice on the screen: the last ones that were read or entered."""

    values: tuple[int, ...]
    who: str | None
    sure: bool
    picture: str | None
    booked: tuple[str, int] | None  # game and seq of the event, None when nothing was written
    why_not: str = ""  # key of the text that says why nothing was written


class Note(NamedTuple):
    """A sentence for the screen: the key of a text and its fields."""

    key: str
    fields: tuple[tuple[str, object], ...] = ()


class Overlay(NamedTuple):
    """What lies over the table on the screen: its kind and what it is about."""

    kind: str  # menu, rules, statistics, throws, leave, sure, enter, correct, names, why, back_to, calibrate
    about: tuple[object, ...] = ()


class Table(NamedTuple):
    """Everything the table knows."""

    name: str
    seating: Seating | None = None
    waiting: Seating | None = None  # arrived while a game was on
    games: tuple[Fold, ...] = ()  # of this seating, in order; only the last one, the current one, may be a false start
    rolls: tuple[Roll, ...] = ()
    spent: bool = False  # what lies in the tray has had its answer
    empty: bool = True  # the tray was seen empty, and nothing has rolled since
    rolled: int = 0  # serial number of the last roll
    shown: Shown | None = None
    paused: bool = False
    note: Note | None = None  # stays until the next roll
    next_note: Note | None = None  # of the eye's own affairs: waits until no other stands there
    overlay: Overlay | None = None
    camera: str = "none"
    calibrated: int = 0  # serial number of the last calibration that was begun here
    language: str = "nl"
    volume: int = 6
    remembered: tuple[str, ...] = ()  # names typed in before
    typed: int = 0  # how many seatings were typed in here
    reglement: str | Mapping[str, object] = "kazerne"  # for games with typed-in names
    stripes: int | None = None
    before: Fold | None = None  # the game before its last line, to tell what that line did

    @property
    def game(self) -> Fold | None:
        """The current game, finished or not."""
        return self.games[-1] if self.games else None

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self.game is not None and not finished(self.game)

    @property
    def question(self) -> Roll | None:
        """The roll that the players are asked about, if any."""
        return self.rolls[0] if self.rolls and self.rolls[0].asked else None

    @property
    def dice_wanted(self) -> int:
        """How many dice the game asks for now: 3, 1, or 0 (CONTRACT 6.1)."""
        ask = throw_ask(self.game)
        return ask.dice if ask is not None else 0


class Step(NamedTuple):
    """The table after a message, and what must be durable before it is shown."""

    table: Table
    effects: tuple[Effect, ...]


# -- questions about a game -----------------------------------------------------------------------------------------


def finished(game: Fold) -> bool:
    """Whether the game is over."""
    return rules.outcome(game) is not None


def false_start(game: Fold) -> bool:
    """Abandoned before its first throw: it never was, and its number is played again (K55a)."""
    end = rules.outcome(game)
    if end is None or end.why != "abandoned":
        return False
    return not any(line["type"] == "throw" for _, line in rules.in_force(game))


def loser(game: Fold) -> str | None:
    """Who lost and pays; nobody while the game is on or when it was abandoned (K11, K54, K55)."""
    end = rules.outcome(game)
    return end.loser if end is not None else None


def counted(games: tuple[Fold, ...]) -> tuple[Fold, ...]:
    """The games without false starts."""
    return tuple(game for game in games if not false_start(game))


def seated(seating: Seating, games: tuple[Fold, ...]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """Players, and their numbers, of the next game: all but those who left (K54)."""
    gone = {name for game in games for name in rules.summary(game)["left"]}
    kept = [(name, number) for name, number in zip(seating.players, seating.numbers, strict=True) if name not in gone]
    return tuple(name for name, _ in kept), tuple(number for _, number in kept)


def next_starter(seating: Seating, games: tuple[Fold, ...]) -> str | None:
    """Who begins the next game of the seating, None for a start roll (K2, K3)."""
    games = counted(games)
    if not games:
        return seating.starter
    last = loser(games[-1])
    if last is None:
        return None
    players, _ = seated(seating, games)
    # his left neighbour, if he has left (K3)
    at = seating.players.index(last)
    clockwise = seating.players[at:] + seating.players[:at]
    return next((name for name in clockwise if name in players), None)


def seating_over(table: Table) -> bool:
    """Whether all games of the seating are played, or too few players are left to go on (K54)."""
    if table.seating is None or table.playing:
        return False
    played = table.seating.number - 1 + len(counted(table.games))
    return played >= table.seating.games or len(seated(table.seating, table.games)[0]) < 2


def undoable(table: Table) -> tuple[str, int, Mapping[str, object]] | None:
    """Game, seq and line that an undo would take back now; reaches back into the game before a fresh one."""
    for game in reversed(table.games[-2:]):
        latest = rules.latest(game)
        if latest is not None:
            return game.game_id, latest[0], latest[1]
    return None


def stoefer(table: Table) -> str | None:
    """Who may call stoef now: whoever threw last, until the next player's dice start rolling (K20, CONTRACT 6.8)."""
    if table.game is None or not table.playing:
        return None
    name = next((ask.player for ask in rules.asks(table.game) if ask.event == "stoef"), None)
    if name is not None and table.rolls and rules.summary(table.game)["turn"] != name:
        return None
    return name


def was_of(table: Table) -> str | None:
    """Next player, whose throw the last one may have been: the starter's second or third (CONTRACT 6.4)."""
    game = table.game
    if game is None or table.question is not None or table.shown is None or table.shown.booked is None:
        return None
    latest = rules.latest(game)
    if latest is None or latest[1]["type"] != "throw" or table.shown.booked != (game.game_id, latest[0]):
        return None
    try:
        before = rules.apply(game, {"type": "undo", "of": latest[0]})
        starter = rules.summary(before)["turn"]
        before = rules.apply(before, {"type": "stand", "player": starter})
        other = str(rules.summary(before)["turn"])
        rules.apply(before, {"type": "throw", "player": other, "dice": latest[1]["dice"]})
    except Refused:
        return None
    return other


def allowed(table: Table, button: str) -> bool:
    """Whether a press on one of the four buttons would do something now; lights their lamps."""
    if table.question is not None or table.paused:
        return False
    if button == "stoef":
        return stoefer(table) is not None
    if button == "klaar":
        return asks_for(table, "stand") or can_go_on(table)
    return asks_for(table, "barrage_choice")


def asks_for(table: Table, event: str) -> bool:
    """Whether the game takes such an event now, from anybody."""
    return table.game is not None and any(ask.event == event for ask in rules.asks(table.game))


def can_go_on(table: Table) -> bool:
    """Whether KLAAR begins a game now: the next of the seating, or the first of the one that waits."""
    if table.playing:
        return False
    if table.waiting is not None and (table.seating is None or seating_over(table)):
        return True
    return table.seating is not None and not seating_over(table)


def throw_ask(game: Fold | None) -> Ask | None:
    """Who must throw now and with how many dice, if the game asks for dice."""
    if game is None:
        return None
    return next((ask for ask in rules.asks(game) if ask.dice), None)
