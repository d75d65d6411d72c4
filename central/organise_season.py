"""Seasons: which evenings belong together, and the log of everything that was decided."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from starlette.responses import Response

from central import audit, evenings, removal, standings_view
from central.audit import note
from central.evenings import Evening
from central.organise import HOME, Mistake, Section, Visit
from central.schema import entrant, evening, person, season
from central.store import touch
from terminal.rules.standings import Prizes

PAGE = HOME + "/seizoen"


class Listed(NamedTuple):
    """An evening of a season, with its prizes."""

    evening: Evening
    prizes: Prizes


def page(visit: Visit) -> Response:
    """The season of the current evening (or the latest), its evenings and standing."""
    seasons = {row.id: row.name for row in visit.connection.execute(sa.select(season).order_by(season.c.id))}
    chosen = visit.evening.season_id if visit.evening is not None else None
    if chosen is None and seasons:
        chosen = max(seasons)
    listed: list[Listed] = []
    if chosen is not None:
        listed = [
            Listed(one, standings_view.prizes_of(visit.connection, one))
            for one in standings_view.season_evenings(visit.connection, chosen)
        ]
    free = visit.connection.execute(
        sa.select(evening).where(evening.c.season_id.is_(None)).order_by(evening.c.date, evening.c.id)
    )
    held = 0
    for one in listed:
        held = 0 if one.evening.season_final else held + one.prizes.carried
    return visit.page(
        "season.html",
        "season",
        seasons=seasons,
        chosen=chosen,
        listed=listed,
        held=held,
        free=[Evening(*row) for row in free],
        rows=[] if chosen is None else standings_view.season_rows(visit.connection, chosen, public=False),
    )


def make(visit: Visit) -> str:
    """A new season."""
    name = visit.form.text("name", "de naam van het seizoen")
    if visit.connection.scalar(sa.select(season.c.id).where(season.c.name == name)) is not None:
        raise Mistake("Er is al een seizoen met die naam.")
    made = visit.connection.execute(season.insert().values(name=name))
    if visit.evening is not None and visit.evening.season_id is None:
        _put(visit, visit.evening, evenings.made_id(made))
    note(visit.connection, None, "seizoen gemaakt", name=name)
    return PAGE


def _evening(visit: Visit) -> Evening:
    night = evenings.by_key(visit.connection, visit.form.raw("key"))
    if night is None:
        raise Mistake("Die avond is er niet.")
    return night


def _put(visit: Visit, night: Evening, season_id: int) -> None:
    last = visit.connection.scalar(
        sa.select(sa.func.max(evening.c.season_place)).where(evening.c.season_id == season_id)
    )
    visit.connection.execute(
        evening.update()
        .where(evening.c.id == night.id)
        .values(season_id=season_id, season_place=(last or 0) + 1, season_final=False)
    )
    touch(visit.connection, "standings", "evening")


def add(visit: Visit) -> str:
    """An evening joins a season, as the last of its list."""
    night = _evening(visit)
    season_id = visit.form.whole("season", "het seizoen", 1, 10**9 - 1)
    if visit.connection.scalar(sa.select(season.c.id).where(season.c.id == season_id)) is None:
        raise Mistake("Dat seizoen is er niet.")
    if night.season_id is not None:
        raise Mistake("Die avond hoort al bij een seizoen.")
    _put(visit, night, season_id)
    note(visit.connection, night.id, "avond bij het seizoen", key=night.key, season=season_id)
    return PAGE


def remove(visit: Visit) -> str:
    """An evening leaves its season."""
    night = _evening(visit)
    visit.connection.execute(
        evening.update().where(evening.c.id == night.id).values(season_id=None, season_place=None, season_final=False)
    )
    note(visit.connection, night.id, "avond uit het seizoen", key=night.key)
    touch(visit.connection, "standings", "evening")
    return PAGE


def final_evening(visit: Visit) -> str:
    """Make an evening the final one of its season, or no longer: what was carried is paid there (K46)."""
    night, wanted = _evening(visit), visit.form.flag("final")
    if night.season_id is None:
        raise Mistake("Die avond hoort bij geen seizoen.")
    same = evening.c.season_id == night.season_id
    visit.connection.execute(evening.update().where(same).values(season_final=False))
    if wanted:
        visit.connection.execute(evening.update().where(evening.c.id == night.id).values(season_final=True))
    note(visit.connection, night.id, "slotavond" if wanted else "toch geen slotavond", key=night.key)
    touch(visit.connection, "standings", "evening")
    return PAGE


class Past(NamedTuple):
    """One evening of a person."""

    evening: Evening
    number: int
    place: int
    points: int
    firsts: int


def person_page(visit: Visit) -> Response:
    """A player across his evenings, the latest first."""
    person_id = visit.path["id"]
    row = visit.connection.execute(sa.select(person).where(person.c.id == person_id)).one_or_none()
    if row is None:
        raise Mistake("Die speler is er niet.")
    past = []
    attended = sa.select(entrant.c.evening_id, entrant.c.number).where(entrant.c.person_id == person_id)
    for evening_id, number in visit.connection.execute(attended).all():
        night = Evening(*visit.connection.execute(sa.select(evening).where(evening.c.id == evening_id)).one())
        rows = standings_view.totals(visit.connection, night).rows
        mine = next(one for one in rows if one.number == number)
        past.append(Past(night, number, mine.place, mine.points, mine.firsts))
    past.sort(key=lambda one: (one.evening.date, one.evening.id), reverse=True)
    return visit.page("person.html", "season", id=row.id, name=row.name or f"speler {row.id}", past=past)


def remove_person(visit: Visit) -> str:
    """Somebody who does not play tonight asks to be removed."""
    person_id = visit.path["id"]
    if not visit.form.flag("sure"):
        raise Mistake("Vink eerst aan dat de naam overal gewist wordt; dat kan niet ongedaan gemaakt worden.")
    if visit.connection.scalar(sa.select(person.c.id).where(person.c.id == person_id)) is None:
        raise Mistake("Die speler is er niet.")
    removal.remove(visit.connection, int(person_id))
    note(visit.connection, None, "naam verwijderd op verzoek", person=int(person_id))
    return f"{HOME}/wie/{person_id}"


def log_page(visit: Visit) -> Response:
    """Who decided what, when and why; nothing can be changed here, nor in the database."""
    return visit.page("log.html", "log", entries=audit.entries(visit.connection))


SECTIONS = (
    Section(PAGE, page, {"": make, "/erbij": add, "/eruit": remove, "/slot": final_evening}),
    Section(HOME + "/wie/{id:int}", person_page, {"/verwijder": remove_person}),
    Section(HOME + "/logboek", log_page),
)
