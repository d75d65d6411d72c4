"""Lines of a journal as events: each refuses to exist when a field of it is missing, mistyped or out of range.

Only what a line says is judged here; whether it is legal at this moment is the game's business. Further fields
(`at`, `source`, `confidence`, `image`, `table` …) may be present and change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

from terminal.rules.contract import Line, Refused
from terminal.rules.reglement import is_text, quoted
from terminal.rules.throws import SORTED, Dice

BEYOND = 10**30
"""Stands for an integer too long to convert: outside every range, as the number itself would be."""


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _any_integer(digits: str) -> int:
    return int(digits) if len(digits) < 30 else BEYOND


_decode = json.JSONDecoder(parse_constant=_no_constant).decode
_decode_long = json.JSONDecoder(parse_constant=_no_constant, parse_int=_any_integer).decode


def read_line(raw: bytes) -> dict[str, Any]:
    """The JSON object of one line; raises Refused when it is none.

    Strict: UTF-8 without byte order mark, no NaN or Infinity. What is nested too deep for the interpreter is refused.
    """
    try:
        text = raw.decode("utf-8")
        try:
            line = _decode(text)
        except json.JSONDecodeError:
            raise
        except ValueError:  # more digits than int() takes; or NaN, which is refused again
            line = _decode_long(text)
    except (ValueError, RecursionError) as error:
        raise Refused("not_json", f"Deze regel is geen JSON: {error}") from error
    if type(line) is not dict:
        raise Refused("not_json", "Deze regel is geen JSON-object.")
    return line


def refuse_field(line: Line, field: str, allowed: str) -> NoReturn:
    """Raise Refused for a field that is missing or does not fit."""
    if field not in line:
        raise Refused("bad_field", f"`{field}` ontbreekt: {allowed}.")
    raise Refused("bad_field", f"`{field}` moet {allowed} zijn, niet {quoted(line[field])}.")


def text(line: Line, field: str) -> str:
    """A text of the contract: a string, not blank, without lone surrogates."""
    value = line.get(field)
    if not is_text(value):
        refuse_field(line, field, "een tekst")
    return str(value)


def integer(line: Line, field: str, low: int, high: int) -> int:
    """A JSON integer within bounds; 1.0, true and "1" are none."""
    value = line.get(field)
    if type(value) is not int or not low <= value <= high:
        refuse_field(line, field, f"een geheel getal van {low} tot {high}")
    return value


def seq_of(line: Line) -> int:
    """Field `of`: the seq of an earlier line."""
    value = line.get("of")
    if type(value) is not int:
        refuse_field(line, "of", "het volgnummer van een regel")
    return value


def players_of(line: Line) -> tuple[str, ...]:
    """Field `players`: 2 to 8 distinct texts, in clockwise seat order."""
    players = line.get("players")
    if not isinstance(players, list | tuple) or not 2 <= len(players) <= 8:
        raise Refused("bad_players", "Een spel heeft 2 tot 8 spelers.")
    if not all(is_text(player) for player in players):
        raise Refused("bad_players", "Elke speler heeft een naam nodig.")
    if len(set(players)) < len(players):
        raise Refused("bad_players", "Twee spelers hebben dezelfde naam.")
    return tuple(players)


def dice_of(line: Line) -> Dice:
    """Field `dice`: a list of one or three values 1 to 6, given back sorted."""
    dice = line.get("dice")
    if isinstance(dice, list | tuple):
        for die in dice:
            if type(die) is not int:  # True and 1.0 would pass for 1 in the table below
                break
        else:
            thrown = SORTED.get(tuple(dice))
            if thrown is not None:
                return thrown
    refuse_field(line, "dice", "een lijst van drie (of één) waarden van 1 tot 6")


class StartDieThrown(NamedTuple):
    """One die of the start roll (K2)."""

    player: str
    value: int


class Thrown(NamedTuple):
    """A throw in a round or a barrage; dice sorted."""

    player: str
    dice: Dice


class Stood(NamedTuple):
    """The starter keeps to the throws he has (K5)."""

    player: str


class StoefCalled(NamedTuple):
    """Stoef (K20)."""

    player: str


class BarrageChosen(NamedTuple):
    """OGEN or PUNTEN (K30)."""

    player: str
    mode: str


class DieFellOutside(NamedTuple):
    """A void throw (K13)."""

    player: str


class PlayerLeft(NamedTuple):
    """A player stops during the game (K54)."""

    player: str


class Abandoned(NamedTuple):
    """The game is stopped (K55)."""


Event = StartDieThrown | Thrown | Stood | StoefCalled | BarrageChosen | DieFellOutside | PlayerLeft | Abandoned


def _player(line: Line) -> str:
    player = line.get("player")
    if type(player) is not str:
        refuse_field(line, "player", "een speler")
    return player


def _thrown(line: Line) -> Thrown:
    return Thrown(_player(line), dice_of(line))


def _start_die(line: Line) -> StartDieThrown:
    return StartDieThrown(_player(line), integer(line, "value", 1, 6))


def _barrage_choice(line: Line) -> BarrageChosen:
    mode = line.get("mode")
    if mode not in ("ogen", "punten"):
        refuse_field(line, "mode", "ogen of punten")
    return BarrageChosen(_player(line), mode)


READERS: Mapping[str, Callable[[Line], Event]] = {
    "throw": _thrown,
    "start_die": _start_die,
    "stand": lambda line: Stood(_player(line)),
    "stoef": lambda line: StoefCalled(_player(line)),
    "barrage_choice": _barrage_choice,
    "die_outside": lambda line: DieFellOutside(_player(line)),
    "leave": lambda line: PlayerLeft(_player(line)),
    "abandon": lambda line: Abandoned(),
}
"""Event type -> how it is read."""


def read(line: Line) -> Event:
    """The event of a line; raises Refused when the type is unknown or a field does not fit."""
    kind = line.get("type")
    reader = READERS.get(kind) if type(kind) is str else None
    if reader is None:
        raise Refused("unknown_type", f"Onbekende gebeurtenis: {quoted(kind)}.")
    return reader(line)
