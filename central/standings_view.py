"""Standings of an evening and of a season, ready for a page, with the reason why one stands above another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from central import evenings, tables
from central.evenings import Entrant, Evening
from central.schema import evening, person
from central.tables import Played
from terminal.rules import standings
from terminal.rules.standings import GameResult, Prizes, Reason, Tally


class Row(NamedTuple):
    """One player's line. place: shared by equals. above: why he stands above the next one."""

    place: int
    number: int
    shown: str  # public name
    points: int
    firsts: int
    seconds: int
    thirds: int
    games: int
    present: bool
    above: str


class Totals(NamedTuple):
    """Everything that follows from an evening's results."""

    rows: list[Row]
    end: standings.EveningEnd
    results: list[GameResult]


def brings(one: Played) -> Mapping[int, int]:
    """What a game brings each of its players: K40, in a final K44, in other games nothing (K43, K45)."""
    if one.kind == "seating":
        return one.result.points
    return standings.points_of_final(one.result) if one.kind == "final" else dict.fromkeys(one.result.points, 0)


def in_order(games: Sequence[Played]) -> list[GameResult]:
    """Results in the order in which they decide: seatings, play-offs, the final, deciding games."""
    ordered = sorted(games, key=lambda one: (evenings.KIND_ORDER[one.kind], one.seating, one.number))
    return [one.result for one in ordered]


def totals(connection: sa.Connection, night: Evening) -> Totals:
    """The standing of an evening as it is now (K41; after a final K44, K45)."""
    known = evenings.entrants(connection, night.id)
    games = tables.played(connection, night.id)
    results = in_order(games)
    final = any(one.kind == "final" for one in results)  # only then do evenings played decide (K45)
    played = evenings_played(connection, night, known, results) if final else {}
    end = standings.evening_end(known, results, played)
    return Totals(rows(known, games, end), end, results)


def rows(known: Mapping[int, Entrant], games: Sequence[Played], end: standings.EveningEnd | None = None) -> list[Row]:
    """The lines of a standing."""
    if end is None:
        end = standings.evening_end(known, in_order(games), {})
    sat = Counter(number for one in games if one.kind == "seating" for number in one.numbers)
    return [
        Row(
            row.place,
            row.player,
            known[row.player].shown,
            row.tally.points,
            row.tally.firsts,
            row.tally.seconds,
            row.tally.thirds,
            sat[row.player],
            known[row.player].present,
            reason(row.above_next),
        )
        for row in end.rows
    ]


WORDS = {
    "points": "punten",
    "evenings": "avonden gespeeld",
    "firsts": "keer eerste",
    "seconds": "keer tweede",
    "thirds": "keer derde",
}


def reason(why: Reason | None) -> str:
    """Why he stands above the next one: "3 keer eerste tegen 2 (K41)"; nothing where the points say it."""
    if why is None or why.what == "points":
        return ""
    if why.what == "deciding":
        return f"won het beslissingsspel ({why.rule})"
    return f"{why.mine} {WORDS[why.what]} tegen {why.theirs} ({why.rule})"


# -- seasons --------------------------------------------------------------------------------------------------------


def season_evenings(connection: sa.Connection, season_id: int) -> list[Evening]:
    """The organiser's list, in his order, the final evening last (K48)."""
    order = (evening.c.season_final, evening.c.season_place, evening.c.date, evening.c.id)
    rows = connection.execute(sa.select(evening).where(evening.c.season_id == season_id).order_by(*order))
    return [Evening(*row) for row in rows]


def of_persons(connection: sa.Connection, night: Evening) -> standings.Evening:
    """An evening under what stays the same for a person, as a season takes it."""
    known = evenings.entrants(connection, night.id)
    results = in_order(tables.played(connection, night.id))
    person_of = {number: one.person_id for number, one in known.items()}
    return standings.Evening(
        tuple(person_of.values()),
        tuple(
            GameResult(
                one.kind,
                {person_of[number]: place for number, place in one.places.items()},
                {person_of[number]: points for number, points in one.points.items()},
            )
            for one in results
        ),
    )


def evenings_played(
    connection: sa.Connection, night: Evening, known: Mapping[int, Entrant], results: Sequence[GameResult]
) -> dict[int, int]:
    """How many evenings of its season each has played, up to and with this one (K45, K47)."""
    before: list[Evening] = []
    if night.season_id is not None:
        listed = season_evenings(connection, night.season_id)
        before = listed[: [one.id for one in listed].index(night.id)]
    count = standings.evenings_played(of_persons(connection, one) for one in before)
    here = standings.evenings_played([standings.Evening(tuple(known), tuple(results))])
    return {number: count.get(one.person_id, 0) + here.get(number, 0) for number, one in known.items()}


class SeasonRow(NamedTuple):
    """One person's line in a season."""

    place: int
    person_id: int
    name: str
    tally: Tally
    above: str


def season_rows(connection: sa.Connection, season_id: int, public: bool = True) -> list[SeasonRow]:
    """The standing of a season (K48). public: under the names that guests may see."""
    nights = [of_persons(connection, one) for one in season_evenings(connection, season_id)]
    names = {row.id: row for row in connection.execute(sa.select(person))}
    return [
        SeasonRow(row.place, row.player, _name(names[row.player], public), row.tally, reason(row.above_next))
        for row in standings.season_standing(nights)
    ]


def _name(row: sa.Row[tuple[object, ...]], public: bool) -> str:
    """What a person is called across evenings, where he has no number."""
    if row.name is None or (public and row.only_number):
        return f"speler {row.id}"
    return str((public and row.nickname) or row.name)


def prizes_of(connection: sa.Connection, night: Evening, paid: int | None = None) -> Prizes:
    """The pot of an evening and how it is shared (K46), with what its season carried up to it."""
    nights = [night] if night.season_id is None else season_evenings(connection, night.season_id)
    upto = nights[: [one.id for one in nights].index(night.id) + 1]
    pots, places = [], []
    for one in upto:
        known = evenings.entrants(connection, one.id)
        payers = sum(each.paid for each in known.values())
        pots.append(payers * one.entry_cents if one.pot else 0)
        places.append(len(known))
    shared = standings.season_prizes(pots, places, night.season_final)
    return shared[-1]
