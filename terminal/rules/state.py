"""The state of a game of pitjesbak: plain immutable records, players as seat numbers 0, 1, 2 … clockwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from terminal.rules.reglement import Reglement
from terminal.rules.throws import STRENGTHS, Dice

Seats = tuple[int, ...]


class Table(NamedTuple):
    """What stays the same for the whole game.

    stripes: what everybody began with, also what N3 compares with. strength: throw -> how it compares.
    counted: the throws of a turn -> the one that counts (best or last).
    """

    reglement: Reglement
    game: str
    players: tuple[str, ...]
    seats: Mapping[str, int]
    stripes: int
    strength: Mapping[Dice, int]
    counted: Callable[[tuple[Dice, ...]], Dice]


def _best(strength: Mapping[Dice, int]) -> Callable[[tuple[Dice, ...]], Dice]:
    return lambda throws: max(throws, key=strength.__getitem__)


def _last(strength: Mapping[Dice, int]) -> Callable[[tuple[Dice, ...]], Dice]:
    return lambda throws: throws[-1]


_COUNTS = {"best": _best, "last": _last}


def table_of(reglement: Reglement, game: str, players: tuple[str, ...], stripes: int) -> Table:
    """The table, with the behaviour behind the reglement's choices looked up once."""
    strength = STRENGTHS[reglement.zand]
    seats = {player: seat for seat, player in enumerate(players)}
    return Table(reglement, game, players, seats, stripes, strength, _COUNTS[reglement.counts](strength))


class StartRoll(NamedTuple):
    """One die each (K2). order: who throws, in seat order; values: what the first of them have thrown."""

    order: Seats
    values: tuple[int, ...] = ()


class Round(NamedTuple):
    """One turn for everybody still in.

    order: clockwise from the starter (K4). thrown: the turns begun so far, in that order. at: whose turn, as a place
    in `order`. allowed: throws in a turn, 0 until the starter has stood or thrown three times (K5).
    """

    order: Seats
    thrown: tuple[tuple[Dice, ...], ...] = ()
    at: int = 0
    allowed: int = 0
    stoef: Seats = ()


class Barrage(NamedTuple):
    """Throwing off a tie. order: throwing order, the chooser first where there is one; mode: None until chosen."""

    order: Seats
    mode: str | None
    thrown: tuple[Dice, ...] = ()


class RoundResult(NamedTuple):
    """What a finished round did: stripes really wiped, and what stoef added by seat.

    how: `highest` (K6), `barrage` (K33, N5), `azen` (K8) or `same` (K9). dice: the throw of the round that won.
    """

    winner: int
    wiped: int
    added: tuple[tuple[int, int], ...]
    how: str
    dice: Dice


class Ending(NamedTuple):
    """How the game ended, by seat. places: None for who has none; loser: None for an abandoned game."""

    why: str
    ranking: Seats
    points: tuple[int, ...]
    places: tuple[int | None, ...]
    loser: int | None


class State(NamedTuple):
    """One moment of a game. Until the ending exactly one of `start` and `round` is there."""

    table: Table
    stripes: tuple[int, ...]
    out: Seats = ()
    left: Seats = ()
    start: StartRoll | None = None
    round: Round | None = None
    barrage: Barrage | None = None
    last_round: RoundResult | None = None
    ending: Ending | None = None


def playing(state: State) -> Seats:
    """Who is still in, in seat order."""
    gone = state.out + state.left
    return tuple(seat for seat in range(len(state.stripes)) if seat not in gone)


def clockwise_from(seat: int, seats: Seats) -> Seats:
    """`seats` (ascending) in clockwise order, beginning with `seat` or the next one after it."""
    later = tuple(other for other in seats if other >= seat)
    return later + seats[: len(seats) - len(later)]


def phase(state: State) -> str:
    """`start_roll`, `throwing`, `barrage_choice`, `barrage` or `finished`."""
    if state.ending is not None:
        return "finished"
    if state.barrage is not None:
        return "barrage_choice" if state.barrage.mode is None else "barrage"
    return "throwing" if state.round is not None else "start_roll"


def turn(state: State) -> int | None:
    """The seat that must act next; None when finished."""
    if state.barrage is not None:
        return state.barrage.order[len(state.barrage.thrown)]
    if state.round is not None:
        return state.round.order[state.round.at]
    if state.start is not None:
        return state.start.order[len(state.start.values)]
    return None


def stoef_open_for(state: State) -> int | None:
    """Who may call stoef now (K20, K21): whoever threw last, unless he did already or is the last of the round."""
    round_ = state.round
    if round_ is None or state.barrage is not None or state.table.reglement.stoef != "called":
        return None
    threw_last = len(round_.thrown) - 1
    if threw_last < 0 or threw_last == len(round_.order) - 1:
        return None
    seat = round_.order[threw_last]
    return None if seat in round_.stoef else seat
