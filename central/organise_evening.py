"""Before the evening: making one, and registering its players."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa
from starlette.responses import Response

from central import evenings, forecast, removal
from central.audit import note
from central.evenings import Evening
from central.organise import HOME, Mistake, Section, Visit
from central.schema import entrant, evening, game, person, seat
from central.store import touch
from terminal.rules import reglement as reglements
from terminal.rules.seating import STEPS

SYSTEMS = {"primes": "priemgetallen van het reglement", "spread": "zo weinig mogelijk dezelfde spelers"}
MOST_PLAYERS = 400
LONGEST_REGLEMENT = 20_000


# -- evenings -------------------------------------------------------------------------------------------------------


class Known(NamedTuple):
    """An evening in the list."""

    evening: Evening
    players: int
    games: int


def evenings_page(visit: Visit) -> Response:
    """All evenings, and a form for a new one."""
    connection = visit.connection
    players = _counts(connection, entrant)
    games = _counts(connection, game)
    rows = connection.execute(sa.select(evening).order_by(evening.c.date.desc(), evening.c.id.desc()))
    known = [Known(Evening(*row), players.get(row.id, 0), games.get(row.id, 0)) for row in rows]
    return visit.page(
        "evenings.html",
        "evenings",
        known=known,
        reglementen=[*reglements.names(), *own_reglementen(connection)],
        systems=SYSTEMS,
        today=datetime.date.today().isoformat(),
        last=known[0].evening if known else None,
        most_seatings=9,
    )


def _counts(connection: sa.Connection, table: sa.Table) -> dict[int, int]:
    """How many rows each evening has."""
    query = sa.select(table.c.evening_id, sa.func.count()).group_by(table.c.evening_id)
    return {row[0]: row[1] for row in connection.execute(query)}


def own_reglementen(connection: sa.Connection) -> dict[str, Mapping[str, object]]:
    """Reglementen that came from a file: name -> the one that was played with last under that name."""
    rows = connection.execute(sa.select(evening.c.reglement).order_by(evening.c.date, evening.c.id))
    return {str(row[0]["name"]): row[0] for row in rows if row[0]["name"] not in reglements.names()}


def _reglement(visit: Visit) -> dict[str, object]:
    """The one of the list, or that of the organiser's own file; raises Mistake."""
    text = visit.form.raw("own")
    if text.strip():
        if len(text) > LONGEST_REGLEMENT:
            raise Mistake("Dat bestand is te groot voor een reglement.")
        try:
            own = dict(reglements.to_mapping(reglements.parse_toml(text, "Het bestand")))
        except reglements.BadReglement as error:
            raise Mistake(f"Dat reglement klopt niet: {error}") from error
        if own["name"] in reglements.names():
            raise Mistake(f"Geef het een eigen naam (name): {own['name']} is er al.")
        return own
    own_ones = own_reglementen(visit.connection)
    name = visit.form.one_of("reglement", "een reglement", [*reglements.names(), *own_ones])
    chosen = own_ones[name] if name in own_ones else reglements.to_mapping(reglements.load(name))
    return dict(chosen) | {"stripes": visit.form.whole("stripes", "strepen", 1, 99)}


def _fields(visit: Visit) -> dict[str, object]:
    """What the form of an evening says; raises Mistake."""
    form, reglement = visit.form, _reglement(visit)
    system = form.one_of("system", "hoe de tafels verdeeld worden", tuple(SYSTEMS))
    seatings = form.whole("seatings", "tafelverdelingen", 1, 9)
    if system == "primes" and seatings > len(STEPS):
        raise Mistake(f"Met de priemgetallen zijn er ten hoogste {len(STEPS)} tafelverdelingen (K50).")
    return {
        "date": _date(form.raw("date")),
        "cafe": form.text("cafe", "het café"),
        "reglement": reglement,
        "entry_cents": _cents(form.raw("entry")),
        "seatings": seatings,
        "games": form.whole("games", "spellen per tafelverdeling", 1, 9),
        "system": system,
        "has_final": form.flag("has_final"),
        "pot": form.flag("pot"),
    }


def _date(given: str) -> str:
    try:
        return datetime.date.fromisoformat(given).isoformat()
    except ValueError as error:
        raise Mistake("Kies een datum.") from error


def _cents(given: str) -> int:
    """5, 2,50 or 2.50 euro, in cents."""
    whole, _, rest = given.strip().replace(".", ",").partition(",")
    digits = (whole or "0") + (rest + "00")[:2]
    if len(rest) > 2 or len(digits) > 7 or not (digits.isascii() and digits.isdecimal()):
        raise Mistake("De inleg: een bedrag als 5 of 2,50.")
    return int(digits)


def make_evening(visit: Visit) -> str:
    """A new evening, which becomes the current one."""
    fields = _fields(visit)
    key, count = str(fields["date"]), 1
    while evenings.by_key(visit.connection, key) is not None:
        count += 1
        key = f"{fields['date']}-{count}"
    made = visit.connection.execute(
        evening.insert().values(key=key, pairing=True, closed=False, season_final=False, **fields)
    )
    evenings.make_current(visit.connection, key)
    note(visit.connection, evenings.made_id(made), "avond gemaakt", key=key, cafe=fields["cafe"])
    return HOME + "/spelers"


def change_evening(visit: Visit) -> str:
    """Change the current evening; what results rest on only before the first seating is published."""
    night, fields = visit.night(), _fields(visit)
    published = visit.connection.scalar(
        sa.select(sa.func.count()).select_from(seat).where(seat.c.evening_id == night.id, seat.c.published)
    )
    fixed = ("reglement", "games", "has_final")
    if published and any(fields[key] != getattr(night, key) for key in fixed):
        raise Mistake("Er wordt al gespeeld: reglement, strepen, spellen en finale liggen vast (K42, K50).")
    visit.connection.execute(evening.update().where(evening.c.id == night.id).values(**fields))
    changed = {key: value for key, value in fields.items() if value != getattr(night, key) and key != "reglement"}
    note(visit.connection, night.id, "avond gewijzigd", changed=changed)
    touch(visit.connection, "evening", "tables", "standings")
    return HOME + "/avonden"


def choose_evening(visit: Visit) -> str:
    """Make another evening the current one."""
    night = evenings.by_key(visit.connection, visit.form.raw("key"))
    if night is None:
        raise Mistake("Die avond is er niet.")
    evenings.make_current(visit.connection, night.key)
    note(visit.connection, night.id, "avond gekozen", key=night.key)
    return HOME


def strike_evening(visit: Visit) -> str:
    """Made by mistake: away, with who was registered, as long as nothing was played."""
    night = evenings.by_key(visit.connection, visit.form.raw("key"))
    if night is None:
        raise Mistake("Die avond is er niet.")
    played = sa.select(sa.func.count()).select_from(game).where(game.c.evening_id == night.id)
    if visit.connection.scalar(played):
        raise Mistake("Er zijn al uitslagen van die avond; ze blijft.")
    if visit.evening is not None and visit.evening.id == night.id:
        raise Mistake("Kies eerst een andere avond.")
    evenings.delete(visit.connection, night.id)
    note(visit.connection, None, "avond geschrapt", key=night.key)
    touch(visit.connection, "evening", "standings")
    return HOME + "/avonden"


# -- players --------------------------------------------------------------------------------------------------------


class Listed(NamedTuple):
    """One player on the page. seated: at a table, so he cannot be struck out any more; before: on other evenings."""

    number: int
    name: str
    nickname: str
    only_number: bool
    paid: bool
    present: bool
    seated: bool
    before: bool
    person_id: int


def players_page(visit: Visit) -> Response:
    """Everybody who is registered; the form on top has the focus, Enter is enough."""
    night = visit.night()
    known = evenings.entrants(visit.connection, night.id)
    seated = set(visit.connection.scalars(sa.select(seat.c.number).where(seat.c.evening_id == night.id)))
    persons = {row.id: row for row in visit.connection.execute(sa.select(person))}
    elsewhere = set(visit.connection.scalars(sa.select(entrant.c.person_id).where(entrant.c.evening_id != night.id)))
    listed = [
        Listed(
            one.number,
            one.name,
            persons[one.person_id].nickname or "",
            persons[one.person_id].only_number,
            one.paid,
            one.present,
            one.number in seated,
            one.person_id in elsewhere,
            one.person_id,
        )
        for one in known.values()
    ]
    here = {one.person_id for one in known.values()}
    others = sorted({row.name for row in persons.values() if row.name and row.id not in here}, key=str.casefold)
    return visit.page(
        "players.html",
        "players",
        players=listed,
        others=others,
        next_number=next_number(visit.connection, night.id),
        paid=sum(one.paid for one in listed),
        present=sum(one.present for one in listed),
        **_forecasts(visit.connection, night, sum(one.present for one in listed)),
    )


def _forecasts(connection: sa.Connection, night: Evening, present: int) -> dict[str, object]:
    """How long it will take, and what would fit in four hours."""
    learnt = forecast.pace(connection)
    stripes = int(str(night.reglement["stripes"]))
    made = forecast.forecast(learnt, present, stripes, night.seatings, night.games, night.has_final)
    fit = None
    if made is not None and made.total_min > LONG_EVENING_MIN:
        fit = forecast.stripes_that_fit(learnt, present, night.seatings, night.games, night.has_final, LONG_EVENING_MIN)
    return {"forecast": made, "pace": learnt, "fit": fit, "long_min": LONG_EVENING_MIN, "stripes": stripes}


LONG_EVENING_MIN = 240


def next_number(connection: sa.Connection, evening_id: int) -> int:
    """Numbers are given once and never again (K50, K52)."""
    highest = connection.scalar(sa.select(sa.func.max(entrant.c.number)).where(entrant.c.evening_id == evening_id))
    return (highest or 0) + 1


def register(visit: Visit) -> str:
    """One more player: a known one by his name, else a new one."""
    night = visit.night()
    name = visit.form.text("name", "de naam", 40)
    number = next_number(visit.connection, night.id)
    if number > MOST_PLAYERS:
        raise Mistake(f"Meer dan {MOST_PLAYERS} spelers gaat niet.")
    if visit.form.flag("new"):
        made = visit.connection.execute(person.insert().values(name=name, nickname=None, only_number=False))
        person_id = evenings.made_id(made)
    else:
        person_id = evenings.find_or_make_person(visit.connection, name, night.id)
    evenings.enter(visit.connection, night.id, person_id, number)
    if visit.form.flag("paid"):
        _set(visit, number, paid=True)
    note(visit.connection, night.id, "speler ingeschreven", number=number)  # no name: it could not be wiped
    return HOME + "/spelers"


def _number(visit: Visit) -> int:
    number = visit.form.whole("number", "het nummer", 1, 9_999)
    if number not in evenings.entrants(visit.connection, visit.night().id):
        raise Mistake("Dat nummer is er niet.")
    return number


def _set(visit: Visit, number: int, **values: object) -> None:
    here = (entrant.c.evening_id == visit.night().id) & (entrant.c.number == number)
    visit.connection.execute(entrant.update().where(here).values(**values))
    touch(visit.connection, "evening", "tables", "standings")


def set_paid(visit: Visit) -> str:
    """Paid, or not after all."""
    number, paid = _number(visit), visit.form.flag("paid")
    _set(visit, number, paid=paid)
    note(visit.connection, visit.night().id, "betaald" if paid else "toch niet betaald", number=number)
    return HOME + "/spelers"


def set_present(visit: Visit) -> str:
    """Gone home, or back: his number is skipped from now on (K52)."""
    number, present = _number(visit), visit.form.flag("present")
    _set(visit, number, present=present)
    note(visit.connection, visit.night().id, "terug" if present else "vertrokken", number=number)
    return HOME + "/spelers"


def strike(visit: Visit) -> str:
    """Registered by mistake: away, as long as he sits nowhere."""
    night, number = visit.night(), _number(visit)
    here = (seat.c.evening_id == night.id) & (seat.c.number == number)
    if visit.connection.scalar(sa.select(sa.func.count()).select_from(seat).where(here)):
        raise Mistake("Hij zit al aan een tafel; zet hem op vertrokken.")
    visit.connection.execute(entrant.delete().where(entrant.c.evening_id == night.id, entrant.c.number == number))
    note(visit.connection, night.id, "inschrijving geschrapt", number=number)
    touch(visit.connection, "evening", "standings")
    return HOME + "/spelers"


def set_public(visit: Visit) -> str:
    """His name, and what public pages call him: that, a nickname, or just the number."""
    night, number = visit.night(), _number(visit)
    _rename(visit, night, number)
    nickname = visit.form.text("nickname", "de bijnaam", 40, may_be_empty=True) or None
    only_number = visit.form.flag("only_number")
    here = person.c.id == evenings.entrants(visit.connection, night.id)[number].person_id
    before = visit.connection.execute(sa.select(person.c.nickname, person.c.only_number).where(here)).one()
    if tuple(before) != (nickname, only_number):
        values = {"nickname": nickname, "only_number": only_number}
        visit.connection.execute(person.update().where(here).values(**values))
        note(visit.connection, night.id, "publieke naam gewijzigd", number=number)
    touch(visit.connection, "tables", "standings")
    return HOME + "/spelers"


def _rename(visit: Visit, night: Evening, number: int) -> None:
    """A name that was misspelt, at any time; or it was somebody else than the known player of that name."""
    known = evenings.entrants(visit.connection, night.id)[number]
    name = visit.form.text("name", "de naam", 40)
    if visit.form.flag("other"):
        made = visit.connection.execute(person.insert().values(name=name, nickname=None, only_number=False))
        _set(visit, number, person_id=evenings.made_id(made))
        note(visit.connection, night.id, "was iemand anders dan een speler van vorige avonden", number=number)
    if name != known.name:
        evenings.rename(visit.connection, night.id, number, name)
        note(visit.connection, night.id, "naam verbeterd", number=number)  # no name: it could not be wiped


def remove(visit: Visit) -> str:
    """Somebody asks to be removed: his name goes, everywhere and on every evening; results stay under his numbers."""
    night, number = visit.night(), _number(visit)
    if not visit.form.flag("sure"):
        raise Mistake("Vink eerst aan dat de naam overal gewist wordt; dat kan niet ongedaan gemaakt worden.")
    person_id = evenings.entrants(visit.connection, night.id)[number].person_id
    removal.remove(visit.connection, person_id)
    note(visit.connection, night.id, "naam verwijderd op verzoek", number=number)
    return HOME + "/spelers"


SECTIONS = (
    Section(
        HOME + "/avonden",
        evenings_page,
        {"": make_evening, "/wijzig": change_evening, "/kies": choose_evening, "/schrap": strike_evening},
    ),
    Section(
        HOME + "/spelers",
        players_page,
        {
            "": register,
            "/betaald": set_paid,
            "/aanwezig": set_present,
            "/schrap": strike,
            "/publiek": set_public,
            "/verwijder": remove,
        },
    ),
)
