"""What every game gives, and how it says no: the contract that fold, screen and central rely on.

Nothing here assumes dice, a turn or a camera: a game without them keeps the same contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

Line = Mapping[str, Any]
"""One line of a journal, parsed: the wire names and values of the contract."""


class Refused(ValueError):
    """An event that is not legal here; the state is unchanged.

    code: stable, listed in CODES. message: a Dutch sentence for the players. rule: the number it rests on, or None.
    """

    def __init__(self, code: str, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule


class Contradicted(Refused):
    """A correction under which a later line of the journal would be illegal.

    seq: the first line that contradicts it. because: the refusal of that line.
    """

    def __init__(self, seq: int, because: Refused) -> None:
        super().__init__("contradicted", f"Deze verbetering past niet bij regel {seq}: {because.message}", because.rule)
        self.seq = seq
        self.because = because


CODES: Mapping[str, str] = {
    "not_json": "the line is no JSON object in UTF-8",
    "no_game": "no game has begun yet",
    "unknown_type": "`type` is missing or names no event of this game",
    "bad_field": "a field is missing, of the wrong type or out of range",
    "bad_players": "not 2 to 8 distinct, non-blank players",
    "bad_reglement": "an unknown reglement, or a field of it that is unknown, missing or makes no sense",
    "unknown_player": "the player does not sit at this table",
    "not_playing": "the player is out or has left",
    "finished": "the game is over; only `correction` and `undo` can follow",
    "not_now": "this event does not belong to the present phase",
    "not_your_turn": "another player must act",
    "wrong_dice": "not the number of dice that is asked for",
    "may_not_stand": "only the round's starter stands, after his first or second throw (K5)",
    "no_stoef": "stoef is not called in this reglement",
    "stoef_last": "the last player of a round may not call stoef (K21)",
    "stoef_twice": "once a round (K20)",
    "stoef_closed": "not after one of his own throws, or the next player has thrown (K20)",
    "not_in_force": "a correction of what is no throw or start die in force",
    "contradicted": "a correction under which a later line would be illegal (K26)",
    "not_latest": "an undo of another line than the latest in force",
    "nothing_to_undo": "nothing but the start of the game is in force",
}
"""Every code of a refusal, with what it means; README.md shows the same table."""


class Ask(NamedTuple):
    """Something that a player must or may do now; the screen makes its buttons from these.

    dice: how many dice the event carries (0, 1 or 3). fields: further fields with the values to choose from.
    """

    event: str
    player: str
    dice: int = 0
    fields: Mapping[str, tuple[str, ...]] = {}


class Happening(NamedTuple):
    """One thing that the last line did, for the screen and for "waarom?".

    amount: stripes, where it is about stripes. dice: the throw it is about. others: further players concerned.
    """

    kind: str
    rule: str | None = None
    player: str | None = None
    amount: int = 0
    dice: tuple[int, ...] = ()
    others: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """How a finished game ended.

    ranking: everybody, best first. points: what the places bring (K40). places: a leaver or the unplaced of an
    abandoned game has None, the loser has his (K44 needs it). loser: who pays, or None (K55).
    why: `played`, `lost_by_azen` (N3), `left` (K54) or `abandoned` (K55).
    """

    ranking: tuple[str, ...]
    points: Mapping[str, int]
    places: Mapping[str, int | None]
    loser: str | None
    why: str


S = TypeVar("S")


class Game(Protocol[S]):
    """One kind of game. States are immutable; `apply` gives a new one or raises Refused."""

    name: str
    corrects: Mapping[str, str]
    """Event type -> its field that a `correction` may replace."""

    def begin(self, line: Line) -> S:
        """The state after `game_started`."""

    def apply(self, state: S, line: Line) -> S:
        """The state after one event of the game."""

    def summary(self, state: S) -> dict[str, Any]:
        """The state as the contract's JSON object, without `seq`."""

    def asks(self, state: S) -> tuple[Ask, ...]:
        """Who must or may do what now; nothing when finished."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def explain(self, before: S, line: Line, after: S) -> tuple[Happening, ...]:
        """What `line` did between the two states."""

    def reglement(self, state: S) -> Any:  # noqa: ANN401  # each game has its own record
        """The reglement in force."""
