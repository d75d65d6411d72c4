"""An evening out of a TOML file: players with numbers, who sits where, reglement, stripes, entry fee.

For a café that prepares its evening in a file, and for the demo; docs/organiser.md describes every field.
"""

from __future__ import annotations

import datetime
import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from terminal.rules import reglement as reglements


class BadEvening(ValueError):  # named for what happened
    """An evening's file names something that cannot be; the message says which field, and what is allowed."""


class PlannedTable(NamedTuple):
    """One table of one seating: numbers in seat order, clockwise."""

    seating: int
    table: str
    seats: tuple[int, ...]


class EveningPlan(NamedTuple):
    """An evening as the organiser wants it, checked in itself."""

    key: str
    date: str
    cafe: str
    reglement: Mapping[str, object]  # whole, stripes filled in
    entry_cents: int = 0
    games: int = 3
    has_final: bool = False
    pot: bool = False
    pairing: bool = False
    players: tuple[tuple[int, str], ...] = ()
    tables: tuple[PlannedTable, ...] = ()

    @property
    def seatings(self) -> int:
        """How many seatings there are."""
        return max((table.seating for table in self.tables), default=1)


def load(path: Path) -> EveningPlan:
    """Read and check the file; raises BadEvening."""
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise BadEvening(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadEvening(f"{path}: {error}") from error
    try:
        return parse(content)
    except BadEvening as error:
        raise BadEvening(f"{path}: {error}") from error


def parse(content: Mapping[str, object]) -> EveningPlan:
    """Check the content of a file; raises BadEvening."""
    _only(content, "", ("evening", "players", "tables"))
    evening = content.get("evening")
    if not isinstance(evening, dict):
        raise BadEvening("[evening] is missing: a table with key, date, cafe, reglement")
    allowed = (
        *("key", "date", "cafe", "reglement", "stripes", "entry_cents", "games"),
        *("final", "pot", "pairing"),
    )
    _only(evening, "evening.", allowed)
    plan = EveningPlan(
        key=_text(evening, "evening.key"),
        date=_date(evening, "evening.date"),
        cafe=_text(evening, "evening.cafe"),
        reglement=_reglement(evening),
        entry_cents=_whole(evening, "evening.entry_cents", 0, 100_000, 0),
        games=_whole(evening, "evening.games", 1, 9, 3),
        has_final=_flag(evening, "evening.final"),
        pot=_flag(evening, "evening.pot"),
        pairing=_flag(evening, "evening.pairing"),
        players=_players(content.get("players")),
        tables=_tables(content.get("tables")),
    )
    _check_seats(plan)
    return plan


def _reglement(evening: Mapping[str, object]) -> Mapping[str, object]:
    given = evening.get("reglement")
    try:
        if isinstance(given, str):
            reglement = reglements.load(given)
        elif isinstance(given, dict):
            reglement = reglements.parse(given)
        else:
            raise BadEvening(f"evening.reglement: one of {', '.join(reglements.names())}, or a table with every field")
        whole = dict(reglements.to_mapping(reglement))
        if "stripes" in evening:
            whole["stripes"] = evening["stripes"]
            reglements.parse(whole)
    except reglements.BadReglement as error:
        raise BadEvening(f"evening.reglement: {error}") from error
    return whole


def _players(given: object) -> tuple[tuple[int, str], ...]:
    players: dict[int, str] = {}
    for place, entry in enumerate(_list_of_tables(given, "players")):
        where = f"players[{place}]."
        _only(entry, where, ("number", "name"))
        number = _whole(entry, where + "number", 1, 9_999)
        name = _text(entry, where + "name")
        if number in players:
            raise BadEvening(f"{where}number: {number} is {players[number]} already; every player has his own number")
        players[number] = name
    return tuple(sorted(players.items()))


def _tables(given: object) -> tuple[PlannedTable, ...]:
    tables = []
    for place, entry in enumerate(_list_of_tables(given, "tables")):
        where = f"tables[{place}]."
        _only(entry, where, ("seating", "table", "seats"))
        seats = entry.get("seats")
        if not isinstance(seats, list) or not all(type(number) is int for number in seats) or not 2 <= len(seats) <= 8:
            raise BadEvening(f"{where}seats: a list of two to eight players' numbers, clockwise")
        tables.append(
            PlannedTable(_whole(entry, where + "seating", 1, 99, 1), _text(entry, where + "table"), tuple(seats))
        )
    return tuple(sorted(tables))


def _check_seats(plan: EveningPlan) -> None:
    numbers = {number for number, _ in plan.players}
    seated: dict[tuple[int, object], str] = {}
    for seating, table, seats in plan.tables:
        if (seating, table) in seated:
            raise BadEvening(f"tables: table {table!r} is there twice in seating {seating}")
        seated[seating, table] = table
        for number in seats:
            if number not in numbers:
                raise BadEvening(f"tables: {number} at table {table!r} is no player's number")
            if (seating, number) in seated:
                raise BadEvening(
                    f"tables: {number} sits at {seated[seating, number]!r} and at {table!r} in seating {seating}"
                )
            seated[seating, number] = table
    present = sorted({table.seating for table in plan.tables})
    if present != list(range(1, len(present) + 1)):
        raise BadEvening(f"tables: seatings are counted 1, 2, 3, … without a gap, not {present}")


def _list_of_tables(given: object, field: str) -> list[dict[str, object]]:
    if not isinstance(given, list) or not given or not all(isinstance(entry, dict) for entry in given):
        raise BadEvening(f"[[{field}]] is missing: at least one")
    return given


def _only(entry: Mapping[str, object], where: str, allowed: tuple[str, ...]) -> None:
    for key in entry:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            hint = f", perhaps {where}{near[0]}?" if near else ""
            raise BadEvening(f"{where}{key} is not known{hint} (known: {', '.join(allowed)})")


def _value(entry: Mapping[str, object], field: str, default: object, allowed: str, fits: bool) -> None:
    """Raise for a field that does not fit, or is missing and has no default."""
    if default is None and field.rpartition(".")[2] not in entry:
        raise BadEvening(f"{field} is missing: {allowed}")
    if not fits:
        raise BadEvening(f"{field}: {allowed}")


def _text(entry: Mapping[str, object], field: str) -> str:
    given = entry.get(field.rpartition(".")[2])
    fits = isinstance(given, str) and bool(given.strip()) and len(given) <= 60
    _value(entry, field, None, "a text of 1 to 60 characters", fits)
    return str(given).strip()


def _date(entry: Mapping[str, object], field: str) -> str:
    given = entry.get(field.rpartition(".")[2])
    fits = isinstance(given, datetime.date) and not isinstance(given, datetime.datetime)
    _value(entry, field, None, "a date like 2026-11-29, without quotes", fits)
    return str(given)


def _whole(entry: Mapping[str, object], field: str, low: int, high: int, default: int | None = None) -> int:
    given = entry.get(field.rpartition(".")[2], default)
    fits = type(given) is int and low <= given <= high
    _value(entry, field, default, f"a whole number from {low} to {high}", fits)
    return int(str(given))


def _flag(entry: Mapping[str, object], field: str) -> bool:
    given = entry.get(field.rpartition(".")[2], False)
    _value(entry, field, False, "true or false", isinstance(given, bool))
    return bool(given)
