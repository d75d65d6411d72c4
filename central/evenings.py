"""Evenings, their players and their seats: what the organiser decides, as functions of a connection."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import sqlalchemy as sa

from central.evening_file import BadEvening, EveningPlan
from central.schema import entrant, evening, game, person, picture, seat, setting
from central.store import touch

PLAYOFF_STRIPES = 6  # K43
DECIDING_STRIPES = 12  # K45


class Evening(NamedTuple):
    """One tournament night. Fields as in schema.evening."""

    id: int
    key: str
    date: str
    cafe: str
    reglement: Mapping[str, object]
    entry_cents: int
    seatings: int
    games: int
    system: str
    has_final: bool
    pot: bool
    pairing: bool
    closed: bool
    season_id: int | None
    season_place: int | None
    season_final: bool


class Entrant(NamedTuple):
    """A player of an evening, under his number."""

    number: int
    person_id: int
    name: str
    paid: bool
    present: bool
    shown: str  # what public pages call him: nickname, name, or nothing beside the number


class Sitting(NamedTuple):
    """Who sits together at one table: in one seating, or in a final, play-off or deciding game."""

    kind: str
    seating: int
    table: str
    numbers: tuple[int, ...]  # clockwise
    published: bool
    called: Mapping[int, str] = MappingProxyType(
        {}
    )  # whose name was corrected since: number -> what the table was told

    def names(self, known: Mapping[int, Entrant]) -> dict[int, str]:
        """What the table calls its players, by number."""
        return {number: self.called.get(number, known[number].name) for number in self.numbers}


def by_key(connection: sa.Connection, key: str) -> Evening | None:
    """The evening with this key."""
    row = connection.execute(sa.select(evening).where(evening.c.key == key)).one_or_none()
    return None if row is None else Evening(*row)


def current(connection: sa.Connection) -> Evening | None:
    """The evening that is being played: the one the organiser last made current."""
    chosen = get_setting(connection, "current_evening")
    return None if chosen is None else by_key(connection, chosen)


def make_current(connection: sa.Connection, key: str) -> None:
    """From now on the tables get this evening's seats and `/` shows it."""
    if get_setting(connection, "current_evening") != key:
        connection.execute(picture.delete())  # pictures go after the evening
    put_setting(connection, "current_evening", key)
    touch(connection, "evening", "tables", "standings")


def get_setting(connection: sa.Connection, key: str) -> str | None:
    """The kept value."""
    return connection.scalar(sa.select(setting.c.value).where(setting.c.key == key))


def put_setting(connection: sa.Connection, key: str, value: str) -> None:
    """Keep one value, in place of an older one."""
    connection.execute(setting.delete().where(setting.c.key == key))
    connection.execute(setting.insert().values(key=key, value=value))


def entrants(connection: sa.Connection, evening_id: int) -> dict[int, Entrant]:
    """Everybody who registered, by number, in that order; those who left too."""
    rows = connection.execute(
        sa.select(
            *(entrant.c.number, entrant.c.person_id, entrant.c.name, entrant.c.paid, entrant.c.present),
            *(person.c.nickname, person.c.only_number),
        )
        .join(person)
        .where(entrant.c.evening_id == evening_id)
        .order_by(entrant.c.number)
    )
    return {row.number: Entrant(*row[:5], "" if row.only_number else row.nickname or row.name) for row in rows}


def sittings(connection: sa.Connection, evening_id: int, *where: sa.ColumnElement[bool]) -> list[Sitting]:
    """All of them (those that fit `where`), seatings first, tables in the order in which people count them."""
    rows = connection.execute(sa.select(seat).where(seat.c.evening_id == evening_id, *where).order_by(seat.c.seat))
    found: dict[tuple[str, int, str], list[int]] = {}
    called: dict[tuple[str, int, str], dict[int, str]] = {}
    published = {}
    for row in rows:
        place = (row.kind, row.seating, row.table_name)
        found.setdefault(place, []).append(row.number)
        published[place] = row.published
        if row.called is not None:
            called.setdefault(place, {})[row.number] = row.called
    made = [
        Sitting(*place, tuple(numbers), published[place], called.get(place, {})) for place, numbers in found.items()
    ]
    return sorted(made, key=lambda one: (KIND_ORDER[one.kind], one.seating, table_order(one.table)))


KIND_ORDER = {"seating": 0, "playoff": 1, "final": 2, "deciding": 3}


def table_order(name: str) -> tuple[int, str]:
    """Sorts "2" before "10", and names of tables after their numbers."""
    return (int(name), "") if name.isascii() and name.isdecimal() and len(name) < 9 else (10**9, name)


def reglement_of(night: Evening, kind: str) -> dict[str, object]:
    """What this kind of game is played with: K1's stripes, six in a play-off (K43), twelve in a deciding game (K45)."""
    reglement = dict(night.reglement)
    if kind == "playoff":
        reglement["stripes"] = PLAYOFF_STRIPES
    elif kind == "deciding":
        reglement["stripes"] = DECIDING_STRIPES
    return reglement


def from_plan(connection: sa.Connection, plan: EveningPlan) -> Evening:
    """Store an evening from a file and make it current; every seating in it is published.

    The same file again changes nothing. A changed file replaces the evening until its first result is in; after that
    BadEvening is raised, because results cannot be moved to other players.
    """
    digest = hashlib.sha256(repr(plan).encode()).hexdigest()
    known = by_key(connection, plan.key)
    if known is None:
        _insert_plan(connection, plan)
    elif digest != get_setting(connection, f"plan:{plan.key}"):
        if connection.scalar(sa.select(sa.func.count()).select_from(game).where(game.c.evening_id == known.id)):
            raise BadEvening(f"evening.key: {plan.key} has results already and was another evening; give it a new key")
        delete(connection, known.id)
        _insert_plan(connection, plan)
    put_setting(connection, f"plan:{plan.key}", digest)
    make_current(connection, plan.key)
    stored = by_key(connection, plan.key)
    assert stored is not None
    return stored


def delete(connection: sa.Connection, evening_id: int) -> None:
    """Remove an evening that has no results, with its seats and entrants; the persons stay."""
    for part in (seat, entrant):
        connection.execute(part.delete().where(part.c.evening_id == evening_id))
    connection.execute(evening.delete().where(evening.c.id == evening_id))


def _insert_plan(connection: sa.Connection, plan: EveningPlan) -> None:
    made = connection.execute(
        evening.insert().values(
            key=plan.key,
            date=plan.date,
            cafe=plan.cafe,
            reglement=dict(plan.reglement),
            entry_cents=plan.entry_cents,
            seatings=plan.seatings,
            games=plan.games,
            system="given",
            has_final=plan.has_final,
            pot=plan.pot,
            pairing=plan.pairing,
            closed=False,
            season_final=False,
        )
    )
    evening_id = made_id(made)
    for number, name in plan.players:
        enter(connection, evening_id, find_or_make_person(connection, name, evening_id), number)
    for table in plan.tables:
        put_sitting(connection, evening_id, Sitting("seating", table.seating, table.table, table.seats, True))


def made_id(inserted: sa.CursorResult[tuple[int, ...]]) -> int:
    """The id that the database gave to an inserted row."""
    key = inserted.inserted_primary_key
    assert key is not None
    return int(key[0])


def find_or_make_person(connection: sa.Connection, name: str, evening_id: int) -> int:
    """The known player of this name who is not in the evening yet, else a new one."""
    taken = sa.select(entrant.c.person_id).where(entrant.c.evening_id == evening_id)
    known = connection.scalar(
        sa.select(person.c.id).where(person.c.name == name, person.c.id.not_in(taken)).order_by(person.c.id)
    )
    if known is not None:
        return int(known)
    made = connection.execute(person.insert().values(name=name, nickname=None, only_number=False))
    return made_id(made)


def enter(connection: sa.Connection, evening_id: int, person_id: int, number: int) -> str:
    """Give a person a number in the evening; gives the name that the tables will know him by."""
    wanted = connection.scalar(sa.select(person.c.name).where(person.c.id == person_id))
    taken = connection.scalars(sa.select(entrant.c.name).where(entrant.c.evening_id == evening_id))
    name = distinct_name(str(wanted), number, taken)
    connection.execute(
        entrant.insert().values(
            evening_id=evening_id, number=number, person_id=person_id, name=name, paid=False, present=True
        )
    )
    touch(connection, "evening", "standings")
    return name


def rename(connection: sa.Connection, evening_id: int, number: int, name: str) -> None:
    """A misspelt name, corrected here and on every other evening of this person.

    A table that was told the old one keeps it until its next seating: its journals name him so.
    """
    here = (entrant.c.evening_id == evening_id) & (entrant.c.number == number)
    old, person_id = connection.execute(sa.select(entrant.c.name, entrant.c.person_id).where(here)).one()
    told = (seat.c.evening_id == evening_id) & (seat.c.number == number) & seat.c.published & seat.c.called.is_(None)
    connection.execute(seat.update().where(told).values(called=old))
    others = sa.select(entrant.c.name).where(entrant.c.evening_id == evening_id, entrant.c.number != number)
    distinct = distinct_name(name, number, connection.scalars(others))
    connection.execute(entrant.update().where(here).values(name=distinct))
    connection.execute(person.update().where(person.c.id == person_id).values(name=name))
    touch(connection, "evening", "tables", "standings")


def distinct_name(name: str, number: int, taken: Iterable[str]) -> str:
    """The name, or "Jan (12)" where another player of the evening is called so already."""
    known = {_folded(other) for other in taken}
    while _folded(name) in known:
        name = f"{name} ({number})"
    return name


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def put_sitting(connection: sa.Connection, evening_id: int, one: Sitting) -> None:
    """Store who sits together, clockwise."""
    connection.execute(
        seat.insert(),
        [
            {
                "evening_id": evening_id,
                "kind": one.kind,
                "seating": one.seating,
                "table_name": one.table,
                "seat": place,
                "number": number,
                "published": one.published,
                "called": one.called.get(number),
            }
            for place, number in enumerate(one.numbers)
        ],
    )
    touch(connection, "evening", "tables")
