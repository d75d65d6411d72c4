"""Who sits where: both ways of dividing side by side, swaps by hand, publishing, and who met whom."""

from __future__ import annotations

import functools
from typing import NamedTuple

import sqlalchemy as sa
from starlette.responses import Response

from central import evenings, tables
from central.audit import note
from central.evenings import Evening, Sitting
from central.organise import HOME, Mistake, Section, Visit
from central.schema import seat
from central.store import touch
from terminal.rules import seating
from terminal.rules.seating import Tables

PAGE = HOME + "/verdeling"


class Proposal(NamedTuple):
    """One way to divide the next seating. repeats: with those before; in_the_end: when all seatings go on like this."""

    system: str
    tables: Tables
    repeats: int
    in_the_end: int


class Laid(NamedTuple):
    """A seating that is drafted or published."""

    seating: int
    published: bool
    tables: list[Sitting]
    done: int  # tables that have played all their games


def _seatings(visit: Visit, night: Evening) -> list[Laid]:
    known = evenings.entrants(visit.connection, night.id)
    games = tables.played(visit.connection, night.id)
    laid: dict[int, list[Sitting]] = {}
    for one in evenings.sittings(visit.connection, night.id):
        if one.kind == "seating":
            laid.setdefault(one.seating, []).append(one)
    return [
        Laid(
            number,
            sittings[0].published,
            sittings,
            sum(stage.done for stage in tables.progress(night, sittings, games, known)),
        )
        for number, sittings in sorted(laid.items())
    ]


def page(visit: Visit) -> Response:
    """The seating that is next, or being laid, and all before it."""
    night = visit.night()
    laid = _seatings(visit, night)
    known = evenings.entrants(visit.connection, night.id)
    present = tuple(number for number, one in known.items() if one.present)
    draft = next((one for one in laid if not one.published), None)
    following = len(laid) + 1
    proposals: list[Proposal] = []
    if draft is None and following <= night.seatings and len(present) >= 2 and night.system != "given":
        proposals = propose(present, following, night.seatings, _as_tables(laid))
    met = seating.meetings(_as_tables(laid))
    seat_of = _seat_of(draft or (laid[-1] if laid else None))
    return visit.page(
        "seating.html",
        "seating",
        laid=laid,
        draft=draft,
        following=following,
        proposals=proposals,
        known=known,
        present=present,
        met={
            number: {other: met.get((min(number, other), max(number, other)), 0) for other in known} for number in known
        },
        repeats=seating.repeats(_as_tables(laid)),
        seat_of=seat_of,
        by_name=sorted(seat_of, key=lambda number: known[number].name.casefold()),
    )


def _seat_of(laid: Laid | None) -> dict[int, tuple[str, int]]:
    """Where each sits in it: number -> table, seat counted from 1."""
    if laid is None:
        return {}
    return {number: (one.table, place) for one in laid.tables for place, number in enumerate(one.numbers, 1)}


def _as_tables(laid: list[Laid]) -> tuple[Tables, ...]:
    return tuple(tuple(one.numbers for one in each.tables) for each in laid)


@functools.lru_cache(maxsize=32)
def _spread(present: tuple[int, ...], seatings: int, played: tuple[Tables, ...]) -> tuple[Tables, ...]:
    return seating.spread(present, seatings, played)


def propose(present: tuple[int, ...], following: int, seatings: int, played: tuple[Tables, ...]) -> list[Proposal]:
    """Both systems for the next seating (K50, K53), as far as they reach."""
    left = seatings - following + 1
    made = []
    if following <= len(seating.STEPS):
        to_come = [seating.primes(present, each) for each in range(following, min(seatings, len(seating.STEPS)) + 1)]
        made.append(_proposal("primes", to_come, played))
    made.append(_proposal("spread", list(_spread(present, left, played)), played))
    return made


def _proposal(system: str, to_come: list[Tables], played: tuple[Tables, ...]) -> Proposal:
    return Proposal(system, to_come[0], seating.repeats([*played, to_come[0]]), seating.repeats([*played, *to_come]))


def choose(visit: Visit) -> str:
    """Lay a proposal down as a draft."""
    night = visit.night()
    laid = _seatings(visit, night)
    if any(not one.published for one in laid):
        raise Mistake("Er ligt al een verdeling klaar; publiceer of verwerp die eerst.")
    following = len(laid) + 1
    if following > night.seatings or night.system == "given":
        raise Mistake("Alle tafelverdelingen van deze avond zijn er al.")
    present = tuple(n for n, one in evenings.entrants(visit.connection, night.id).items() if one.present)
    if len(present) < 2:
        raise Mistake("Voor een tafel zijn er minstens twee spelers nodig (K51).")
    system = visit.form.raw("system")
    proposal = next(
        (one for one in propose(present, following, night.seatings, _as_tables(laid)) if one.system == system), None
    )
    if proposal is None:
        raise Mistake("Kies een van de twee verdelingen.")
    for place, numbers in enumerate(proposal.tables, 1):
        evenings.put_sitting(visit.connection, night.id, Sitting("seating", following, str(place), numbers, False))
    note(visit.connection, night.id, "verdeling gekozen", seating=following, system=system)
    return PAGE


def _draft(visit: Visit, night: Evening) -> Laid:
    draft = next((one for one in _seatings(visit, night) if not one.published), None)
    if draft is None:
        raise Mistake("Er ligt geen verdeling klaar; na publiceren verandert niemand ze nog (K50).")
    return draft


def swap(visit: Visit) -> str:
    """Two players of the draft change places."""
    night = visit.night()
    draft = _draft(visit, night)
    a = visit.form.whole("a", "het eerste nummer", 1, 9_999)
    b = visit.form.whole("b", "het tweede nummer", 1, 9_999)
    places = _seat_of(draft)
    if a == b or a not in places or b not in places:
        raise Mistake("Kies twee verschillende spelers van deze verdeling.")
    turned = [
        one._replace(numbers=tuple({a: b, b: a}.get(number, number) for number in one.numbers)) for one in draft.tables
    ]
    _clear(visit.connection, night, draft.seating)
    for one in turned:
        evenings.put_sitting(visit.connection, night.id, one)
    note(visit.connection, night.id, "van plaats gewisseld", seating=draft.seating, numbers=[a, b])
    return PAGE


def discard(visit: Visit) -> str:
    """Throw the draft away."""
    night = visit.night()
    draft = _draft(visit, night)
    _clear(visit.connection, night, draft.seating)
    note(visit.connection, night.id, "verdeling verworpen", seating=draft.seating)
    return PAGE


def publish(visit: Visit) -> str:
    """From now on the tables get it, and nobody changes it (K50)."""
    night = visit.night()
    draft = _draft(visit, night)
    here = (seat.c.evening_id == night.id) & (seat.c.kind == "seating") & (seat.c.seating == draft.seating)
    visit.connection.execute(seat.update().where(here).values(published=True))
    note(visit.connection, night.id, "verdeling gepubliceerd", seating=draft.seating)
    touch(visit.connection, "evening", "tables", "standings")
    return PAGE


def _clear(connection: sa.Connection, night: Evening, number: int) -> None:
    connection.execute(
        seat.delete().where(
            seat.c.evening_id == night.id, seat.c.kind == "seating", seat.c.seating == number, ~seat.c.published
        )
    )
    touch(connection, "evening", "tables")


SECTIONS = (Section(PAGE, page, {"/kies": choose, "/wissel": swap, "/verwerp": discard, "/publiceer": publish}),)
