"""Results: those that came, those typed in for a table without terminal, and those that were refused."""

from __future__ import annotations

import json
import secrets
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from starlette.responses import Response

from central import evenings, ingest, pictures, standings_view, tables
from central.audit import note
from central.evenings import Evening, Sitting
from central.organise import HOME, Mistake, Section, Visit
from central.organise_tables import FLAGS
from central.pages import round_name
from central.schema import game, now, refused, seat
from central.store import touch
from terminal.rules import fold as folding

RESULTS = HOME + "/uitslagen"
REFUSED = HOME + "/geweigerd"
BY_PLACE = {1: 5, 2: 3, 3: 1}  # K40


class Line(NamedTuple):
    """One player's line of a result."""

    number: int
    name: str
    place: int | None
    points: int


class Shown(NamedTuple):
    """A result on the page."""

    id: str
    path: str
    where: str
    lines: list[Line]
    flags: list[str]
    typed: bool
    changed: str


class Missing(NamedTuple):
    """A game that has no result yet. key: what the form sends."""

    key: str
    where: str
    sitting: Sitting
    number: int


def results_page(visit: Visit) -> Response:
    """Every result of the evening, the latest on top, and the games that are still missing."""
    night = visit.night()
    known = evenings.entrants(visit.connection, night.id)
    games = tables.played(visit.connection, night.id)
    shown = [_shown(one, known) for one in sorted(games, key=lambda one: one.changed, reverse=True)]
    return visit.page("results.html", "results", results=shown, missing=missing(visit.connection, night), known=known)


def game_path(game_id: str) -> str:
    """The organiser's page of a game; a table may have called it anything."""
    return f"{HOME}/spel/{urllib.parse.quote(game_id)}"


def _shown(one: tables.Played, known: Mapping[int, evenings.Entrant]) -> Shown:
    points = standings_view.brings(one)
    lines = [
        Line(line["number"], known[line["number"]].name, line["place"], points[line["number"]]) for line in one.places
    ]
    where = f"Tafel {one.table}, {round_name(one)}, spel {one.number}"
    return Shown(
        one.id, game_path(one.id), where, lines, [FLAGS.get(flag, flag) for flag in one.flags], one.typed, one.changed
    )


def missing(connection: sa.Connection, night: Evening) -> list[Missing]:
    """The next game of each published sitting that is not done."""
    known = evenings.entrants(connection, night.id)
    games = tables.played(connection, night.id)
    found = []
    for stage in tables.progress(night, evenings.sittings(connection, night.id, seat.c.published), games, known):
        one = stage.sitting
        if not stage.done:
            key = json.dumps([one.kind, one.seating, one.table, stage.next_game])
            where = f"Tafel {one.table}, {round_name(one)}, spel {stage.next_game}"
            found.append(Missing(key, where, one._replace(numbers=stage.numbers), stage.next_game))
    return found


# -- typed in -------------------------------------------------------------------------------------------------------


def type_page(visit: Visit) -> Response:
    """The form for one game's result."""
    night = visit.night()
    slot = _slot(visit, night, visit.query.raw("spel") or visit.form.raw("slot"))
    return visit.page("type.html", "results", slot=slot, known=evenings.entrants(visit.connection, night.id))


def _slot(visit: Visit, night: Evening, key: str) -> Missing:
    slot = next((one for one in missing(visit.connection, night) if one.key == key), None)
    if slot is None:
        raise Mistake("Van dat spel is er al een uitslag, of het is nog niet aan de beurt.")
    return slot


def type_result(visit: Visit) -> str:
    """Store a result by its places (K40); the last place is the loser's, unless the game was given up."""
    night = visit.night()
    slot = _slot(visit, night, visit.form.raw("slot"))
    store_typed(visit, night, slot, read_places(visit, slot.sitting.numbers), "")
    return RESULTS


def read_places(visit: Visit, numbers: tuple[int, ...]) -> dict[int, int | None]:
    """The places in the form; None: stopped, or no place in a game that was given up. Raises Mistake."""
    places: dict[int, int | None] = {}
    for number in numbers:
        given = visit.form.raw(f"place-{number}")
        places[number] = None if given == "-" else visit.form.whole(f"place-{number}", "de plaats", 1, len(numbers))
    taken = sorted(place for place in places.values() if place is not None)
    if not taken or any(place != taken.index(place) + 1 for place in taken):
        raise Mistake("De plaatsen tellen 1, 2, 3, …; wie gelijk is deelt een plaats en de volgende vallen weg.")
    return places


def store_typed(visit: Visit, night: Evening, slot: Missing, places: Mapping[int, int | None], reason: str) -> None:
    """A result without a journal."""
    known = evenings.entrants(visit.connection, night.id)
    numbers = slot.sitting.numbers
    given_up = visit.form.flag("given_up")
    with_place = [number for number in numbers if places[number] is not None]
    loser = None if given_up else max(with_place, key=lambda number: places[number] or 0)
    points = {number: 0 if number == loser else BY_PLACE.get(places[number] or 0, 0) for number in numbers}
    ranking = sorted(numbers, key=lambda number: (places[number] or 99, numbers.index(number)))
    leavers = [] if given_up else [number for number in numbers if places[number] is None]
    one = slot.sitting
    visit.connection.execute(
        game.insert().values(
            id=f"ingevuld-{secrets.token_hex(8)}",
            evening_id=night.id,
            kind=one.kind,
            seating=one.seating,
            table_name=one.table,
            number=slot.number,
            numbers=list(numbers),
            lines=0,
            journal=None,
            state={
                "ranking": [known[number].name for number in ranking],
                "points": {known[number].name: points[number] for number in numbers},
            },
            places=[{"number": n, "points": points[n], "place": places[n]} for n in ranking],
            losers={"now": loser, "before": []},
            leavers=leavers,
            flags=[],
            received=now(),
            changed=now(),
        )
    )
    note(
        visit.connection,
        night.id,
        "uitslag ingevuld",
        reason,
        where=slot.where,
        places={str(number): place for number, place in places.items()},
    )
    touch(visit.connection, "tables", "standings")


# -- one game -------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """One line of a journal, for reading."""

    seq: int
    at: str
    player: str
    what: str
    dice: tuple[int, ...]
    by_hand: bool
    undone: bool
    image: str  # name of its picture, or empty


WHAT = {
    "game_started": "het spel begint",
    "start_die": "gooit om de start",
    "throw": "gooit",
    "stand": "klaar",
    "stoef": "STOEF",
    "barrage_choice": "kiest",
    "die_outside": "teerling buiten de bak",
    "leave": "stopt",
    "abandon": "spel gestopt",
    "correction": "verbeterd: regel",
    "undo": "ongedaan: regel",
}


def game_page(visit: Visit) -> Response:
    """One result with its whole journal."""
    night = visit.night()
    row = visit.connection.execute(
        sa.select(game).where(game.c.id == visit.path["id"], game.c.evening_id == night.id)
    ).one_or_none()
    if row is None:
        raise Mistake("Dat spel is er niet.")
    known = evenings.entrants(visit.connection, night.id)
    (one,) = tables.played(visit.connection, night.id, game.c.id == row.id)
    journal = [] if row.journal is None else [json.loads(line) for line in row.journal.splitlines()]
    return visit.page(
        "game.html",
        "results",
        result=_shown(one, known),
        told=_told(journal, {name: known[number].name for name, number in _players(journal, one.numbers)}),
        numbers=one.numbers,
        known=known,
        pictures=pictures.of_games(visit.connection, [one.id]),
    )


def _players(journal: list[dict[str, Any]], numbers: Sequence[int]) -> list[tuple[str, int]]:
    """The names of a journal, which may have been corrected since, with their numbers."""
    return list(zip(journal[0]["players"], numbers, strict=True)) if journal else []


def _told(journal: list[dict[str, Any]], names: Mapping[str, str]) -> list[Told]:
    if not journal:
        return []
    fold = folding.begin(journal[0])
    for line in journal[1:]:
        fold = folding.apply(fold, line)
    in_force = dict(folding.in_force(fold, with_start=True))
    told = []
    for seq, line in enumerate(journal):
        kind = str(line["type"])
        shown = in_force.get(seq, line)
        what = WHAT.get(kind, kind)
        if kind in ("correction", "undo"):
            what = f"{what} {line['of']}"
        elif kind == "barrage_choice":
            what = f"{what} {line['mode']}"
        dice = shown.get("dice") or ([shown["value"]] if "value" in shown else [])
        told.append(
            Told(
                seq,
                str(line.get("at") or ""),
                names.get(str(line.get("player")), ""),
                what,
                tuple(dice),
                line.get("source") == "touch" and kind in ("throw", "start_die"),
                kind not in ("correction", "undo") and seq not in in_force,
                pictures.name_in(line) or "",
            )
        )
    return told


def ask_picture(visit: Visit) -> str:
    """Ask the table for the picture of a line."""
    row = visit.connection.execute(sa.select(game).where(game.c.id == visit.path["id"])).one_or_none()
    seq = visit.form.whole("seq", "de regel", 0, ingest.MOST_LINES)
    lines = [] if row is None or row.journal is None else row.journal.splitlines()
    name = pictures.name_in(json.loads(lines[seq])) if seq < len(lines) else None
    if row is None or name is None:
        raise Mistake("Van die regel is er geen foto.")
    pictures.want(visit.connection, row.table_name, row.id, [name])
    return game_path(row.id)


def seen(visit: Visit) -> str:
    """The organiser has looked at what was flagged."""
    row = visit.connection.execute(sa.select(game).where(game.c.id == visit.path["id"])).one_or_none()
    if row is None:
        raise Mistake("Dat spel is er niet.")
    left = [flag for flag in row.flags if flag == ingest.FORCED]
    visit.connection.execute(game.update().where(game.c.id == row.id).values(flags=left))
    note(visit.connection, row.evening_id, "bekeken", game=row.id, flags=row.flags)
    touch(visit.connection, "tables")
    return HOME if visit.form.flag("overview") else game_path(row.id)


def picture_page(visit: Visit) -> Response:
    """One picture."""
    jpeg = pictures.jpeg(visit.connection, visit.path["name"])
    if jpeg is None:
        raise Mistake("Die foto is er niet.")
    # the overview is made anew every second: the browser keeps its pictures for a while
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=600"})


def replace(visit: Visit) -> str:
    """The organiser puts another result in the place of a stored one, with his reason; the old one is kept."""
    night = visit.night()
    reason = visit.form.text("reason", "de reden", 300)
    found = tables.played(visit.connection, night.id, game.c.id == visit.path["id"])
    if not found:
        raise Mistake("Dat spel is er niet.")
    one = found[0]
    places = read_places(visit, one.numbers)
    ingest.set_aside(visit.connection, one.id, "replaced", f"Door de organisator vervangen: {reason}", "dismissed")
    where = f"Tafel {one.table}, {round_name(one)}, spel {one.number}"
    sitting = Sitting(one.kind, one.seating, one.table, one.numbers, True)
    store_typed(visit, night, Missing("", where, sitting, one.number), places, reason)
    return RESULTS


# -- refused --------------------------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """A refused message on the page."""

    id: int
    received: str
    table: str
    game: str
    lines: int
    code: str
    message: str
    handled: str | None
    may_count: bool


def refused_page(visit: Visit) -> Response:
    """What was refused, the open ones first."""
    rows = visit.connection.execute(
        sa.select(refused).order_by(refused.c.handled.is_not(None), refused.c.id.desc()).limit(200)
    )
    kept = [
        Kept(
            row.id,
            row.received,
            row.table_name or "?",
            row.game or "?",
            row.lines,
            row.code,
            row.message,
            row.handled,
            row.code in ingest.MAY_COUNT and row.lines > 0,
        )
        for row in rows
    ]
    never = sum(not (one.handled or one.may_count) for one in kept)
    return visit.page("refused.html", "results", kept=kept, never=never)


def _refused(visit: Visit) -> sa.Row[tuple[object, ...]]:
    row = visit.connection.execute(
        sa.select(refused).where(refused.c.id == visit.form.whole("id", "het bericht", 1, 10**9 - 1))
    ).one_or_none()
    if row is None:
        raise Mistake("Dat bericht is er niet.")
    return row


def let_count(visit: Visit) -> str:
    """A refused result counts after all, with the organiser's reason."""
    row = _refused(visit)
    reason = visit.form.text("reason", "de reden", 300)
    if row.code not in ingest.MAY_COUNT:
        raise Mistake("Dat bericht kan niet tellen: het past bij geen spel van een avond hier.")
    try:
        message = ingest.understand(json.loads(row.body))
        ingest.take(visit.connection, message, forced=True)
    except ingest.Refusal as refusal:
        raise Mistake(f"Het kan niet tellen: {refusal.message}") from refusal
    _handled(visit, row.id, "accepted")
    note(visit.connection, None, "geweigerd resultaat telt toch", reason, game=row.game, code=row.code)
    return REFUSED


def dismiss(visit: Visit) -> str:
    """Seen; it does not count."""
    row = _refused(visit)
    _handled(visit, row.id, "dismissed")
    note(visit.connection, None, "geweigerd resultaat opzij gelegd", game=row.game, code=row.code)
    return REFUSED


def dismiss_the_rest(visit: Visit) -> str:
    """Everything that could not count anyway is put aside at once."""
    never = refused.c.code.not_in(ingest.MAY_COUNT) & refused.c.handled.is_(None) & (refused.c.code != "evening")
    done = visit.connection.execute(refused.update().where(never).values(handled="dismissed"))
    note(visit.connection, None, "geweigerde berichten opzij gelegd", games=done.rowcount)
    touch(visit.connection, "refused")
    return REFUSED


def _handled(visit: Visit, refused_id: int, how: str) -> None:
    visit.connection.execute(refused.update().where(refused.c.id == refused_id).values(handled=how))
    touch(visit.connection, "refused")


SECTIONS = (
    Section(HOME + "/foto/{name}", picture_page),
    Section(RESULTS, results_page),
    Section(RESULTS + "/invullen", type_page, {"": type_result}),
    Section(HOME + "/spel/{id:path}", game_page, {"/vervang": replace, "/foto": ask_picture, "/gezien": seen}),
    Section(REFUSED, refused_page, {"/telt": let_count, "/opzij": dismiss, "/rest": dismiss_the_rest}),
)
