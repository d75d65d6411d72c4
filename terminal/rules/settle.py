"""What a round does to the stripes, who begins the next, how a game ends (K6 to K12, K22 to K25, K40, K54, K55, N3).

Stripes change here and in `pitjesbak` (fietske, die outside) and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from terminal.rules.state import Ending, Round, RoundResult, Seats, StartRoll, State, clockwise_from, playing
from terminal.rules.throws import AZEN, WORTH, Dice

POINTS_OF_PLACE: Mapping[int, int] = {1: 5, 2: 3, 3: 1}
"""First out 5, second 3, third 1, everybody else 0 (K40)."""

SWEEPS = frozenset({"azen", "same"})
"""Ways of winning a round that stop it at once (K8, K9)."""

FIETSKE_ADDS_TO: Mapping[str, Callable[[State, int], Seats]] = {
    "nobody": lambda state, thrower: (),
    "thrower": lambda state, thrower: (thrower,),
    "everybody": lambda state, thrower: playing(state),
}
"""Field `fietske_adds` -> who gets a stripe (K10)."""


def begin_start_roll(state: State) -> State:
    """One die each, all who are still in, in seat order (K2, K54)."""
    return state._replace(start=StartRoll(playing(state)), round=None, barrage=None)


def begin_round(state: State, starter: int) -> State:
    """A fresh round from `starter`, or from his left neighbour when he is no longer in."""
    order = clockwise_from(starter, playing(state))
    return State(state.table, state.stripes, state.out, state.left, None, Round(order), None, state.last_round)


def _winner(state: State, winner: int) -> int:
    return winner


def _left_of_starter(state: State, winner: int) -> int:
    assert state.round is not None
    return state.round.order[0] + 1


_NEXT_STARTER: Mapping[str, Callable[[State, int], int]] = {"winner": _winner, "left_of_starter": _left_of_starter}
"""Field `next_starter` -> the seat from which the next starter is sought clockwise (K12)."""


def counted_throw(state: State, seat: int) -> Dice:
    """The throw of this round that counts for a player who has thrown."""
    assert state.round is not None
    return state.table.counted(state.round.thrown[state.round.order.index(seat)])


def _wiped_by(state: State, winner: int, by_barrage: bool) -> int:
    """Stripes that the winner may wipe: K6, K33 or N5, azen all (N4), doubled by stoef (K22)."""
    assert state.round is not None
    throw = counted_throw(state, winner)
    if by_barrage and state.table.reglement.barrage_wipes == "one":
        amount = 1
    elif throw == AZEN:
        return state.stripes[winner]
    else:
        amount = WORTH[throw]
    if winner in state.round.stoef:
        amount *= 2
    return min(amount, state.stripes[winner])


def win_round(state: State, winner: int, by_barrage: bool = False) -> State:
    """The round is won: the winner wipes, whoever called stoef and did not win adds (K6, K22 to K24, K33)."""
    wiped = _wiped_by(state, winner, by_barrage)
    sought = _NEXT_STARTER[state.table.reglement.next_starter](state, winner)
    how = "barrage" if by_barrage else "highest"
    return _finish_round(state, winner, wiped, how, counted_throw(state, winner), sought)


def sweep(state: State, thrower: int, how: str, dice: Dice) -> State:
    """K8, K9: the thrower wipes all and is out, the round stops, his left neighbour begins; stoef pays by K25.

    how: `azen` or `same`.
    """
    return _finish_round(state, thrower, state.stripes[thrower], how, dice, thrower)


def _finish_round(state: State, winner: int, wiped: int, how: str, dice: Dice, next_from: int) -> State:
    assert state.round is not None
    stoef_pays = how not in SWEEPS or state.table.reglement.stoef_on_sweep == "pays"
    stripes = list(state.stripes)
    stripes[winner] -= wiped
    added: tuple[tuple[int, int], ...] = ()
    if stoef_pays:
        losers = (seat for seat in state.round.stoef if seat != winner)
        added = tuple((seat, WORTH[counted_throw(state, seat)]) for seat in losers)
        for seat, amount in added:
            stripes[seat] += amount
    out = state.out if stripes[winner] else (*state.out, winner)
    settled = state._replace(stripes=tuple(stripes), out=out, last_round=RoundResult(winner, wiped, added, how, dice))
    still_in = playing(settled)
    if len(still_in) == 1:
        return _end(settled, "played", [*out, *still_in], loser=still_in[0])
    return begin_round(settled, next_from)


def lose_by_azen(state: State, loser: int) -> State:
    """N3: the thrower has lost at once; the others are placed by going out, then by fewest stripes, ties sharing."""
    rest = sorted((seat for seat in playing(state) if seat != loser), key=lambda seat: state.stripes[seat])
    shared = {seat: state.stripes[seat] for seat in rest}
    return _end(state, "lost_by_azen", [*state.out, *rest, loser], loser, shared)


def leave(state: State, leaver: int) -> State:
    """K54: the round is void and begins anew, or the start roll does; the last one left alone takes the next place."""
    gone = state._replace(left=(*state.left, leaver))
    still_in = playing(gone)
    if len(still_in) == 1:
        return _end(gone, "left", [*gone.out, *still_in], loser=leaver)
    if state.round is None:
        return begin_start_roll(gone)
    return begin_round(gone, state.round.order[0])


def abandon(state: State) -> State:
    """K55: those out keep place and points, the others have none, nobody pays."""
    ending = _end(state, "abandoned", list(state.out), loser=None)
    assert ending.ending is not None
    ranking = state.out + playing(state) + state.left[::-1]
    return ending._replace(ending=ending.ending._replace(ranking=ranking))


def _end(
    state: State, why: str, placed: list[int], loser: int | None, shared: Mapping[int, int] = MappingProxyType({})
) -> State:
    """The game is over. placed: who has a place, best first; shared: equal values of it share the better place."""
    places: list[int | None] = [None] * len(state.stripes)
    points = [0] * len(state.stripes)
    place = 0
    value_before: int | None = None
    for index, seat in enumerate(placed):
        value = shared.get(seat)
        if value is None or value != value_before:
            place = index + 1
        value_before = value
        places[seat] = place
        if seat != loser:
            points[seat] = POINTS_OF_PLACE.get(place, 0)
    ranking: Seats = (*placed, *state.left[::-1])
    ending = Ending(why, ranking, tuple(points), tuple(places), loser)
    return state._replace(start=None, round=None, barrage=None, ending=ending)
