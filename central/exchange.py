"""A whole evening or season as one file, and an evening made again from the tables' own journals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from central import evenings, ingest
from central.evenings import Evening, Sitting
from central.schema import KINDS, entrant, evening, game, now, person, refused, season
from central.store import touch

FORMAT = 1


class BadFile(ValueError):  # named for what happened
    """A file that cannot be read as an evening or a season; the message is for the organiser."""


# -- out ------------------------------------------------------------------------------------------------------------


def exported(connection: sa.Connection, nights: Iterable[Evening], season_name: str | None = None) -> dict[str, Any]:
    """These evenings with their players, seats and results; journals whole. No passwords, no tokens."""
    return {
        "format": FORMAT,
        "made": now(),
        "season": season_name,
        "evenings": [_evening(connection, night) for night in nights],
    }


def _evening(connection: sa.Connection, night: Evening) -> dict[str, Any]:
    rows = connection.execute(
        sa.select(entrant, person.c.name.label("person_name"), person.c.nickname, person.c.only_number)
        .join(person)
        .where(entrant.c.evening_id == night.id)
        .order_by(entrant.c.number)
    )
    games = connection.execute(
        sa.select(game).where(game.c.evening_id == night.id).order_by(game.c.seating, game.c.table_name, game.c.number)
    )
    return {
        "evening": {key: value for key, value in night._asdict().items() if key not in ("id", "season_id")},
        "players": [
            {
                "number": row.number,
                "name": row.name,
                "person": row.person_id,
                "person_name": row.person_name,
                "nickname": row.nickname,
                "only_number": row.only_number,
                "paid": row.paid,
                "present": row.present,
            }
            for row in rows
        ],
        "sittings": [_sitting(one) for one in evenings.sittings(connection, night.id)],
        "games": [
            {
                "id": row.id,
                "kind": row.kind,
                "seating": row.seating,
                "table": row.table_name,
                "number": row.number,
                "numbers": row.numbers,
                "journal": None if row.journal is None else [json.loads(line) for line in row.journal.splitlines()],
                "state": row.state,
                "places": row.places,
                "losers": row.losers,
                "leavers": row.leavers,
                "flags": row.flags,
                "received": row.received,
                "changed": row.changed,
            }
            for row in games
        ],
    }


def _sitting(one: Sitting) -> dict[str, Any]:
    """As it is; `called` only where there is any, so that an older central reads the others."""
    fields = one._asdict()
    called = fields.pop("called")
    return fields | ({"called": {str(number): name for number, name in called.items()}} if called else {})


# -- in -------------------------------------------------------------------------------------------------------------


def imported(connection: sa.Connection, text: str) -> list[str]:
    """Store what a file holds, in the caller's transaction; gives the keys of its evenings. Raises BadFile.

    Journals are folded again: what the file says about points counts only for results that were typed in.
    """
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise BadFile(f"Dit bestand heeft vorm {content['format']}, deze centraal kent vorm {FORMAT}.")
        season_id = None if content["season"] is None else _season(connection, str(content["season"]))
        persons: dict[int, int] = {}
        keys = [_import_evening(connection, one, season_id, persons) for one in content["evenings"]]
    except BadFile:
        raise
    except ingest.Refusal as refusal:
        raise BadFile(f"Een spel in het bestand klopt niet: {refusal.message}") from refusal
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadFile("Dit is geen bestand van centraal, of het is beschadigd.") from error
    except sa.exc.SQLAlchemyError as error:
        raise BadFile("Het bestand spreekt zichzelf tegen.") from error
    touch(connection, "evening", "tables", "standings")
    return keys


def _season(connection: sa.Connection, name: str) -> int:
    known = connection.scalar(sa.select(season.c.id).where(season.c.name == name))
    return known if known is not None else evenings.made_id(connection.execute(season.insert().values(name=name)))


def _import_evening(
    connection: sa.Connection, content: Mapping[str, Any], season_id: int | None, persons: dict[int, int]
) -> str:
    """One evening. persons: of the file -> here, the same over all evenings of the file."""
    fields = dict(content["evening"])
    key = str(fields["key"])
    if evenings.by_key(connection, key) is not None:
        raise BadFile(f"De avond {key} is hier al.")
    if season_id is None:
        fields |= {"season_place": None, "season_final": False}
    wanted = set(Evening._fields) - {"id", "season_id"}
    if set(fields) != wanted:
        raise BadFile("De avond in het bestand heeft andere velden dan deze centraal kent.")
    night = evenings.made_id(connection.execute(evening.insert().values(season_id=season_id, **fields)))
    for one in content["players"]:
        _import_player(connection, night, one, persons)
    for one in content["sittings"]:
        called = {int(number): str(name) for number, name in one.get("called", {}).items()}
        evenings.put_sitting(connection, night, Sitting(**{**one, "numbers": tuple(one["numbers"]), "called": called}))
    for one in content["games"]:
        _import_game(connection, key, night, one)
    return key


def _import_player(connection: sa.Connection, night: int, one: Mapping[str, Any], persons: dict[int, int]) -> None:
    if one["person"] not in persons:
        name = one["person_name"]
        known = None
        if name is not None:
            taken = set(persons.values())
            rows = connection.scalars(sa.select(person.c.id).where(person.c.name == name).order_by(person.c.id))
            known = next((each for each in rows if each not in taken), None)
        if known is None:
            values = {"name": name, "nickname": one["nickname"], "only_number": one["only_number"]}
            known = evenings.made_id(connection.execute(person.insert().values(**values)))
        persons[one["person"]] = known
    connection.execute(
        entrant.insert().values(
            evening_id=night,
            number=one["number"],
            person_id=persons[one["person"]],
            name=one["name"],
            paid=one["paid"],
            present=one["present"],
        )
    )


def _import_game(connection: sa.Connection, key: str, night: int, one: Mapping[str, Any]) -> None:
    if one["journal"] is not None:
        result = ingest.folded(one["journal"])
        message = ingest.understand(
            {
                **{name: one[name] for name in ("kind", "table", "seating", "number", "numbers", "journal")},
                "evening": key,
                "game": one["id"],
                "reglement": one["journal"][0]["reglement"],
                "ranking": result.state["ranking"],
                "points": result.state["points"],
            }
        )
        ingest.take(connection, message, forced=ingest.FORCED in one["flags"])
        flags = [flag for flag in one["flags"] if flag in ingest.FLAGS]  # what he has seen, he has seen
        connection.execute(game.update().where(game.c.id == one["id"]).values(flags=flags))
        return
    connection.execute(
        game.insert().values(
            evening_id=night,
            table_name=one["table"],
            lines=0,
            **{name: one[name] for name in ("id", "kind", "seating", "number", "numbers", "journal", "state")},
            **{name: one[name] for name in ("places", "losers", "leavers", "flags", "received", "changed")},
        )
    )


# -- from the tables' journals --------------------------------------------------------------------------------------


def lost_evenings(connection: sa.Connection) -> dict[str, int]:
    """Evenings that tables send results of and that are not here: key -> how many messages wait."""
    found: dict[str, int] = {}
    for body in _waiting_for_evening(connection):
        key = json.loads(body)["evening"]
        if evenings.by_key(connection, key) is None:
            found[key] = found.get(key, 0) + 1
    return found


def _waiting_for_evening(connection: sa.Connection) -> list[str]:
    """The messages that were refused because their evening is not here."""
    query = sa.select(refused.c.body).where(refused.c.code == "evening", refused.c.handled.is_(None))
    return list(connection.scalars(query))


def rebuilt(connection: sa.Connection, key: str) -> tuple[int, int]:
    """Make an evening again from the results that its tables still have; gives how many were taken, and how many not.

    Numbers, names, tables, reglement and seats follow from the journals; who paid, and seats of tables that have sent
    nothing, do not.
    """
    messages = []
    for body in _waiting_for_evening(connection):
        message = ingest.understand(json.loads(body))
        if message.evening == key:
            messages.append(message)
    if not messages or evenings.by_key(connection, key) is not None:
        raise BadFile("Van die avond wachten er geen resultaten.")
    try:
        folded = [(message, ingest.folded(message.journal)) for message in messages]
    except ingest.Refusal as refusal:
        raise BadFile(f"Een van de spellen klopt niet: {refusal.message}") from refusal
    night = _make_lost_evening(connection, key, folded)
    names: dict[int, str] = {}  # as they were called last
    seats: dict[tuple[str, int, str], dict[int, str]] = {}  # with the names that the table was told
    folded.sort(key=lambda pair: (KINDS.index(pair[0].kind), pair[0].seating, pair[0].number))
    for message, result in folded:
        here = dict(zip(message.numbers, result.players, strict=True))
        names |= here
        place = (message.kind, message.seating, message.table)
        if len(here) > len(seats.get(place, ())):
            seats[place] = here
    for number, name in sorted(names.items()):
        person_id = evenings.find_or_make_person(connection, name, night)
        connection.execute(
            entrant.insert().values(
                evening_id=night, number=number, person_id=person_id, name=name, paid=False, present=True
            )
        )
    for (kind, seating, table), told in seats.items():
        called = {number: name for number, name in told.items() if name != names[number]}
        evenings.put_sitting(connection, night, Sitting(kind, seating, table, tuple(told), True, called))
    taken = 0
    for message, _ in folded:
        try:
            with connection.begin_nested():
                ingest.take(connection, message)
            taken += 1
        except ingest.Refusal as refusal:
            fields = {**message._asdict(), "numbers": list(message.numbers)}
            ingest.keep_refused(connection, json.dumps(fields), fields, refusal)
    return taken, len(messages) - taken


def _make_lost_evening(connection: sa.Connection, key: str, folded: list[tuple[ingest.Message, ingest.Folded]]) -> int:
    reglement = next((result.reglement for message, result in folded if message.kind == "seating"), None)
    if reglement is None:
        raise BadFile("Er is nog geen spel van een tafelverdeling bij.")
    made = connection.execute(
        evening.insert().values(
            key=key,
            date=key[:10] if _is_date(key[:10]) else now()[:10],
            cafe="(teruggehaald)",
            reglement=dict(reglement),
            entry_cents=0,
            seatings=max(message.seating for message, _ in folded if message.kind == "seating"),
            games=max(3, *(message.number for message, _ in folded)),
            system="primes",
            has_final=any(message.kind in ("final", "playoff") for message, _ in folded),
            pot=False,
            pairing=True,
            closed=False,
            season_final=False,
        )
    )
    evenings.make_current(connection, key)
    return evenings.made_id(made)


def _is_date(text: str) -> bool:
    parts = text.split("-")
    return [len(part) for part in parts] == [4, 2, 2] and all(part.isascii() and part.isdecimal() for part in parts)
