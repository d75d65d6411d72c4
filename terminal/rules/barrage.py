"""Barrage: those tied for the highest throw of a round throw it off (K30 to K33, N5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from terminal.rules.settle import win_round
from terminal.rules.state import Barrage, Seats, State
from terminal.rules.throws import Dice


class Kind(NamedTuple):
    """One way of throwing off.

    first: the tied in the play order of the round -> throwing order. again: those tied once more in the throwing order
    of the barrage just ended -> the new throwing order. mode: what counts, None where the chooser says.
    """

    first: Callable[[Seats], Seats]
    again: Callable[[Seats], Seats]
    mode: str | None


def _against_the_clock(tied: Seats) -> Seats:
    """The last of the tied chooses and begins (K30, K31)."""
    return tied[::-1]


def _from_the_last_thrower(tied: Seats) -> Seats:
    """Who threw last of them chooses; against the clock from him come the others as they threw before (K32)."""
    return tied[-1:] + tied[:-1]


def _as_they_sit(tied: Seats) -> Seats:
    return tied


KINDS: Mapping[int, Kind] = {
    3: Kind(_against_the_clock, _from_the_last_thrower, None),
    1: Kind(_as_they_sit, _as_they_sit, "ogen"),
}
"""Field `barrage_dice` -> the way of throwing off."""


def begin(state: State, tied: Seats) -> State:
    """Those tied for the highest throw of the round, in play order, go into a barrage (K7)."""
    kind = KINDS[state.table.reglement.barrage_dice]
    return state._replace(barrage=Barrage(kind.first(tied), kind.mode))


def choose(state: State, barrage: Barrage, mode: str) -> State:
    """The chooser has said OGEN or PUNTEN."""
    return state._replace(barrage=Barrage(barrage.order, mode))


def throw(state: State, barrage: Barrage, dice: Dice) -> State:
    """One throw of a barrage; the last one decides, or makes a new barrage among those tied (K32)."""
    thrown = (*barrage.thrown, dice)
    if len(thrown) < len(barrage.order):
        return state._replace(barrage=Barrage(barrage.order, barrage.mode, thrown))
    values = [sum(dice) if barrage.mode == "ogen" else state.table.strength[dice] for dice in thrown]
    highest = max(values)
    tied = tuple(seat for seat, value in zip(barrage.order, values, strict=True) if value == highest)
    if len(tied) == 1:
        return win_round(state, tied[0], by_barrage=True)
    kind = KINDS[state.table.reglement.barrage_dice]
    return state._replace(barrage=Barrage(kind.again(tied), kind.mode))
