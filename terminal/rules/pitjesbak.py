"""Pitjesbak as a game: every event of the contract, in every phase, under every reglement.

One function an event, in the table HANDLERS: it says no with the rule, or gives the next state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from terminal.rules import barrage, settle
from terminal.rules.contract import Ask, Happening, Line, Outcome, Refused
from terminal.rules.events import (
    Abandoned,
    BarrageChosen,
    DieFellOutside,
    PlayerLeft,
    StartDieThrown,
    StoefCalled,
    Stood,
    Thrown,
    integer,
    players_of,
    read,
    refuse_field,
    text,
)
from terminal.rules.explain import explain
from terminal.rules.reglement import BadReglement, Reglement, load, parse, quoted
from terminal.rules.state import Round, StartRoll, State, phase, playing, stoef_open_for, table_of, turn
from terminal.rules.throws import AZEN, FIETSKE, Dice

MOST_THROWS = 3


def _seat(state: State, player: str) -> int:
    seat = state.table.seats.get(player)
    if seat is None:
        raise Refused("unknown_player", f"{quoted(player)} zit niet aan deze tafel.")
    return seat


def _must_act(state: State, player: str) -> int:
    """The seat of the player whose turn it is; raises Refused for anybody else."""
    to_act = turn(state)
    if to_act is None:
        raise _finished()
    now = state.table.players[to_act]
    if now != player:
        _seat(state, player)
        round_ = state.round
        if round_ and not state.barrage and round_.at == 0 and round_.thrown:
            raise Refused("not_your_turn", f"{now} moet eerst KLAAR zeggen of nog eens gooien.", "K5")
        raise Refused("not_your_turn", f"Het is aan {now}.", "K4")
    return to_act


def _finished() -> Refused:
    return Refused("finished", "Het spel is gedaan.")


def _not_now(state: State, what: str) -> Refused:
    if state.ending is not None:
        return _finished()
    expected = " of ".join(sorted({ask.event for ask in asks(state)}))
    return Refused("not_now", f"{what} kan nu niet; nu komt {expected}.")


def _start_die(state: State, event: StartDieThrown) -> State:
    """K2: the highest begins; those tied for the highest throw again, among themselves only."""
    start = state.start
    if start is None:
        raise _not_now(state, "Een startworp")
    _must_act(state, event.player)
    values = (*start.values, event.value)
    if len(values) < len(start.order):
        return state._replace(start=StartRoll(start.order, values))
    highest = max(values)
    tied = tuple(seat for seat, value in zip(start.order, values, strict=True) if value == highest)
    if len(tied) > 1:
        return state._replace(start=StartRoll(tied))
    return settle.begin_round(state, tied[0])


def _throw(state: State, event: Thrown) -> State:
    round_ = state.round
    if round_ is None:
        raise _not_now(state, "Een worp")
    seat = _must_act(state, event.player)
    dice = event.dice
    if state.barrage is not None:
        if state.barrage.mode is None:
            raise Refused("not_now", f"{event.player} kiest eerst OGEN of PUNTEN.", "K30")
        if len(dice) != state.table.reglement.barrage_dice:
            raise _wrong_dice(state.table.reglement.barrage_dice)
        return barrage.throw(state, state.barrage, dice)
    if len(dice) != MOST_THROWS:
        raise _wrong_dice(MOST_THROWS)
    return _throw_in_round(state, round_, seat, dice)


def _wrong_dice(wanted: int) -> Refused:
    return Refused("wrong_dice", "Hier telt één teerling." if wanted == 1 else "Hier tellen drie teerlingen.")


def _throw_in_round(state: State, round_: Round, seat: int, dice: Dice) -> State:
    at = round_.at
    turn_so_far = round_.thrown[at] if at < len(round_.thrown) else ()
    throws = (*turn_so_far, dice)
    thrown = (*round_.thrown[:at], throws)
    table = state.table
    stripes = _after_fietske(state, seat) if dice == FIETSKE else state.stripes
    # A turn's own additions count before N3 looks at the stripes, so they come first.
    if len(throws) < (round_.allowed or MOST_THROWS):
        allowed = round_.allowed
        next_at = at
    else:
        allowed = len(throws)
        next_at = at + 1
    moved = State(
        table,
        stripes,
        state.out,
        state.left,
        None,
        Round(round_.order, thrown, next_at, allowed, round_.stoef),
        None,
        state.last_round,
    )
    if dice == AZEN:
        stopped = AZEN_THROWN[table.reglement.azen](moved, seat)
        if stopped is not None:
            return stopped
    if len(throws) == MOST_THROWS and _is_three_same(state, throws):
        return settle.sweep(moved, seat, "same", dice)
    if next_at == len(round_.order):
        return _end_of_turns(moved, thrown)
    return moved


def _lost_with_all_stripes(state: State, thrower: int) -> State | None:
    """N3: as many stripes as he began with, or more; with fewer it is a throw like another, the highest (N4)."""
    return settle.lose_by_azen(state, thrower) if state.stripes[thrower] >= state.table.stripes else None


AZEN_THROWN: Mapping[str, Callable[[State, int], State | None]] = {
    "out_at_once": lambda state, thrower: settle.sweep(state, thrower, "azen", AZEN),
    "best_or_lost": _lost_with_all_stripes,
    "best": lambda state, thrower: None,
}
"""Field `azen` -> what 1-1-1 in a round does at once, or None where the round goes on (K8, N3, N4)."""


def _after_fietske(state: State, thrower: int) -> tuple[int, ...]:
    """K10: each 2-2-3 adds a stripe at once, to whom the reglement says."""
    adds_to = settle.FIETSKE_ADDS_TO[state.table.reglement.fietske_adds](state, thrower)
    return tuple(n + (seat in adds_to) for seat, n in enumerate(state.stripes))


def _is_three_same(state: State, throws: tuple[Dice, ...]) -> bool:
    """K9; three times 2-2-3 is not this case, in any reglement (K9a)."""
    first = throws[0]
    return (
        state.table.reglement.three_same == "out_at_once"
        and first == throws[1] == throws[2]
        and first != FIETSKE
    )


def _end_of_turns(state: State, thrown: tuple[tuple[Dice, ...], ...]) -> State:
    """Everybody has thrown: the highest wins (K6), or a tie for the highest is a barrage (K7)."""
    table = state.table
    assert state.round is not None
    strengths = [table.strength[table.counted(throws)] for throws in thrown]
    highest = max(strengths)
    tied = tuple(seat for seat, strength in zip(state.round.order, strengths, strict=True) if strength == highest)
    if len(tied) == 1:
        return settle.win_round(state, tied[0])
    return barrage.begin(state, tied)


def _stand(state: State, event: Stood) -> State:
    round_ = state.round
    if round_ is None or state.barrage is not None:
        raise _not_now(state, "KLAAR")
    seat = _must_act(state, event.player)
    if round_.at != 0 or not round_.thrown:
        raise Refused("may_not_stand", "Alleen wie de ronde begint mag stoppen, na zijn eerste of tweede worp.", "K5")
    allowed = len(round_.thrown[0])
    # Field `stoef` = first_throw: standing after one throw is the call.
    called = allowed == 1 and state.table.reglement.stoef == "first_throw"
    stoef = (seat,) if called else round_.stoef
    return state._replace(round=Round(round_.order, round_.thrown, 1, allowed, stoef))


def _stoef(state: State, event: StoefCalled) -> State:
    seat = _seat(state, event.player)
    round_ = state.round
    if round_ is None or state.barrage is not None:
        raise _not_now(state, "Stoef")
    if state.table.reglement.stoef != "called":
        raise Refused("no_stoef", "In dit reglement wordt geen stoef geroepen.")
    if seat != stoef_open_for(state):
        raise _why_no_stoef(round_, seat, event.player)
    return state._replace(round=round_._replace(stoef=(*round_.stoef, seat)))


def _why_no_stoef(round_: Round, seat: int, player: str) -> Refused:
    if seat in round_.stoef:
        return Refused("stoef_twice", f"{player} heeft al gestoeft.", "K20")
    if seat == round_.order[-1]:
        return Refused("stoef_last", "De laatste speler van de ronde mag niet stoefen.", "K21")
    return Refused("stoef_closed", f"{player} kan nu niet stoefen.", "K20")


def _barrage_choice(state: State, event: BarrageChosen) -> State:
    if state.barrage is None or state.barrage.mode is not None:
        raise _not_now(state, "OGEN of PUNTEN")
    _must_act(state, event.player)
    return barrage.choose(state, state.barrage, event.mode)


def _die_outside(state: State, event: DieFellOutside) -> State:
    """K13: void, thrown again; it adds stripes in a round, none in a barrage, and closes nothing."""
    if state.round is None or (state.barrage is not None and state.barrage.mode is None):
        raise _not_now(state, "Een teerling buiten de bak")
    seat = _must_act(state, event.player)
    adds = state.table.reglement.outside_adds
    if state.barrage is not None or not adds:
        return state
    return state._replace(stripes=tuple(n + adds * (other == seat) for other, n in enumerate(state.stripes)))


def _leave(state: State, event: PlayerLeft) -> State:
    if state.ending is not None:
        raise _finished()
    seat = _seat(state, event.player)
    if seat not in playing(state):
        raise Refused("not_playing", f"{event.player} speelt niet meer mee.", "K54")
    return settle.leave(state, seat)


def _abandon(state: State, event: Abandoned) -> State:
    if state.ending is not None:
        raise _finished()
    return settle.abandon(state)


HANDLERS: Mapping[type, Callable[[State, Any], State]] = {
    StartDieThrown: _start_die,
    Thrown: _throw,
    Stood: _stand,
    StoefCalled: _stoef,
    BarrageChosen: _barrage_choice,
    DieFellOutside: _die_outside,
    PlayerLeft: _leave,
    Abandoned: _abandon,
}


def _reglement_of(line: Line) -> Reglement:
    given = line.get("reglement")
    if not isinstance(given, str | dict):
        refuse_field(line, "reglement", "een naam of een heel reglement")
    try:
        return load(given) if isinstance(given, str) else parse(given)
    except BadReglement as error:
        raise Refused("bad_reglement", f"Reglement: {error}") from error


def begin(line: Line) -> State:
    """The state after `game_started`: the start roll, or the first round where a starter is named (K2, K3)."""
    game = text(line, "game")
    players = players_of(line)
    reglement = _reglement_of(line)
    stripes = integer(line, "stripes", 1, 99) if "stripes" in line else reglement.stripes
    state = State(table_of(reglement, game, players, stripes), (stripes,) * len(players))
    starter = line.get("starter")
    if starter is None:
        return settle.begin_start_roll(state)
    if type(starter) is not str:
        refuse_field(line, "starter", "een speler")
    return settle.begin_round(state, _seat(state, starter))


def apply(state: State, line: Line) -> State:
    """The state after one event; raises Refused when it is not legal here."""
    event = read(line)
    return HANDLERS[type(event)](state, event)


def asks(state: State) -> tuple[Ask, ...]:
    """Who must or may do what now, what must be done first."""
    to_act = turn(state)
    if to_act is None:
        return ()
    player = state.table.players[to_act]
    match phase(state):
        case "start_roll":
            return (Ask("start_die", player, 1),)
        case "barrage_choice":
            return (Ask("barrage_choice", player, 0, {"mode": ("ogen", "punten")}),)
        case "barrage":
            return (Ask("throw", player, state.table.reglement.barrage_dice), Ask("die_outside", player))
    asked = [Ask("throw", player, MOST_THROWS), Ask("die_outside", player)]
    if state.round is not None and state.round.at == 0 and state.round.thrown:
        asked.append(Ask("stand", player))
    caller = stoef_open_for(state)
    if caller is not None:
        asked.append(Ask("stoef", state.table.players[caller]))
    return tuple(asked)


def summary(state: State) -> dict[str, Any]:
    """The contract's State, without `seq`."""
    names = state.table.players
    to_act = turn(state)
    ending = state.ending
    return {
        "phase": phase(state),
        "turn": None if to_act is None else names[to_act],
        "stripes": dict(zip(names, state.stripes, strict=True)),
        "out": [names[seat] for seat in state.out],
        "left": [names[seat] for seat in state.left],
        "round": _round_summary(state),
        "barrage": _barrage_summary(state),
        "last_round": _last_round_summary(state),
        "ranking": ending and [names[seat] for seat in ending.ranking],
        "points": ending and dict(zip(names, ending.points, strict=True)),
        "legal": sorted({ask.event for ask in asks(state)}),
    }


def _round_summary(state: State) -> dict[str, Any] | None:
    names, round_ = state.table.players, state.round
    if round_ is None:
        return None
    return {
        "starter": names[round_.order[0]],
        "throws_allowed": round_.allowed or None,
        "throws": {
            names[seat]: [list(dice) for dice in throws]
            for seat, throws in zip(round_.order, round_.thrown, strict=False)
        },
        "stoef": [names[seat] for seat in round_.stoef],
    }


def _barrage_summary(state: State) -> dict[str, Any] | None:
    names, now = state.table.players, state.barrage
    if now is None:
        return None
    return {
        "players": [names[seat] for seat in now.order],
        "mode": now.mode,
        "throws": {names[seat]: list(dice) for seat, dice in zip(now.order, now.thrown, strict=False)},
    }


def _last_round_summary(state: State) -> dict[str, Any] | None:
    names, last = state.table.players, state.last_round
    if last is None:
        return None
    return {
        "winner": names[last.winner],
        "wiped": last.wiped,
        "added": {names[seat]: amount for seat, amount in last.added},
    }


class Pitjesbak:
    """The game, as GAMES lists it."""

    name = "pitjesbak"
    corrects: Mapping[str, str] = {"throw": "dice", "start_die": "value"}

    begin = staticmethod(begin)
    apply = staticmethod(apply)
    summary = staticmethod(summary)
    asks = staticmethod(asks)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, by name."""
        names, ending = state.table.players, state.ending
        if ending is None:
            return None
        return Outcome(
            tuple(names[seat] for seat in ending.ranking),
            dict(zip(names, ending.points, strict=True)),
            dict(zip(names, ending.places, strict=True)),
            None if ending.loser is None else names[ending.loser],
            ending.why,
        )

    def explain(self, before: State, line: Line, after: State) -> tuple[Happening, ...]:
        """What the line did."""
        return explain(before, line, after)

    def reglement(self, state: State) -> Reglement:
        """The reglement in force."""
        return state.table.reglement
