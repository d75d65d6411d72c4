"""Everything on paper and as files, and back in."""

from __future__ import annotations

import json
from collections.abc import Callable

import sqlalchemy as sa
from starlette.responses import Response

from central import evenings, exchange, organise_final, paper, standings_view, tables
from central.audit import note
from central.evenings import Evening
from central.organise import HOME, Mistake, Section, Visit
from central.pages import day, euro, round_name
from central.paper import Sheet
from central.schema import season, seat

PAGE = HOME + "/uitvoer"


def _players(visit: Visit, night: Evening) -> list[Sheet]:
    known = evenings.entrants(visit.connection, night.id).values()
    rows = [(one.number, one.name, "ja" if one.paid else "nee", "ja" if one.present else "nee") for one in known]
    return [Sheet("Spelers", ("Nummer", "Naam", "Betaald", "Aanwezig"), rows, (15, 55, 15, 15), frozenset({0}))]


def _seatings(visit: Visit, night: Evening) -> list[Sheet]:
    known = evenings.entrants(visit.connection, night.id)
    laid: dict[str, list[tuple[object, ...]]] = {}
    sittings = evenings.sittings(visit.connection, night.id)
    for one in sorted(
        sittings, key=lambda one: -one.seating if one.kind == "seating" else 1
    ):  # what is printed now first
        rows = laid.setdefault(round_name(one).capitalize(), [])
        rows += [(one.table, place, number, known[number].name) for place, number in enumerate(one.numbers, 1)]
    head, widths, right = ("Tafel", "Stoel", "Nummer", "Naam"), (15, 15, 15, 55), frozenset({0, 1, 2})
    sheets = []
    for heading, rows in laid.items():
        by_name = sorted(rows, key=lambda row: str(row[3]).casefold())
        sheets.append(Sheet(f"{heading}, per tafel", head, rows, widths, right))
        sheets.append(Sheet(f"{heading}, op naam", head, by_name, widths, right))
    return sheets


def _standings(visit: Visit, night: Evening) -> list[Sheet]:
    known = evenings.entrants(visit.connection, night.id)
    rows = [
        (row.place, row.number, known[row.number].name, row.points, row.firsts, row.seconds, row.thirds, row.above)
        for row in standings_view.totals(visit.connection, night).rows
    ]
    head = ("Plaats", "Nr", "Naam", "Punten", "1ste", "2de", "3de", "Boven de volgende door")
    sheets = [Sheet("Stand", head, rows, (9, 7, 27, 10, 8, 8, 8, 28), frozenset({0, 1, 3, 4, 5, 6}))]
    if night.pot:
        sheets.append(_prizes(visit, night))
    return sheets


def _prizes(visit: Visit, night: Evening) -> Sheet:
    shared = standings_view.prizes_of(visit.connection, night)
    rows = [("Pot van de avond", euro(shared.pot))]
    if night.season_final:
        rows.append(("Overgedragen van de vorige avonden", euro(shared.carried_in)))
    else:
        rows.append(("Een vierde voor de slotavond, naar beneden afgerond", euro(shared.carried)))
    end = organise_final.situation(visit, night)
    known = evenings.entrants(visit.connection, night.id)
    rows.append(("Te verdelen", euro(shared.paid)))
    words = ("Eerste: de rest", "Tweede: 30 %, naar beneden afgerond", "Derde: 15 %, naar beneden afgerond")
    for place, (word, cents) in enumerate(zip(words, shared.prizes, strict=True), 1):
        names = [known[row.number].name for row in end.totals.rows if row.place == place] if end.finished else []
        rows.append((": ".join([word, *([", ".join(names)] if names else [])]), euro(cents)))
    return Sheet("Prijzen", ("Wat", "Bedrag"), rows, (75, 25), frozenset({1}))


def _season(visit: Visit, night: Evening) -> list[Sheet]:
    """The standing of the season, and what became of each pot."""
    if night.season_id is None:
        return []
    rows = [
        (row.place, row.name, *row.tally, row.above)
        for row in standings_view.season_rows(visit.connection, night.season_id, public=False)
    ]
    head = ("Plaats", "Naam", "Punten", "Avonden", "1ste", "2de", "3de", "Boven de volgende door")
    sheets = [Sheet("Stand van het seizoen", head, rows, (9, 29, 10, 11, 8, 8, 8, 28), frozenset({0, 2, 3, 4, 5, 6}))]
    nights = standings_view.season_evenings(visit.connection, night.season_id)
    if any(one.pot for one in nights):
        sheets.append(_pots(visit, nights))
    return sheets


def _pots(visit: Visit, nights: list[Evening]) -> Sheet:
    """What became of the pot of each evening (K46)."""
    rows = []
    for one in nights:
        shared = standings_view.prizes_of(visit.connection, one)
        cents = (shared.pot, shared.carried_in, shared.carried, shared.paid)
        rows.append((day(one.date), one.cafe, *map(euro, cents)))
    head = ("Avond", "Café", "Pot", "Erbij", "Overgedragen", "Uitbetaald")
    return Sheet("Potten", head, rows, (30, 22, 12, 12, 14, 12), frozenset({2, 3, 4, 5}))


def _score_sheets(visit: Visit, night: Evening) -> list[Sheet]:
    """The games that are still to be played, for tables without terminal: room for stripes, place and points."""
    known = evenings.entrants(visit.connection, night.id)
    games = tables.played(visit.connection, night.id)
    sheets = []
    sittings = evenings.sittings(visit.connection, night.id, seat.c.published)
    for stage in tables.progress(night, sittings, games, known):
        one = stage.sitting
        stripes = evenings.reglement_of(night, one.kind)["stripes"]
        to_play = range(stage.next_game, stage.games + 1) if not stage.done else ()
        for number in to_play:
            rows = [(place, n, known[n].name, "", "", "") for place, n in enumerate(stage.numbers, 1)]
            heading = f"Tafel {one.table}, {round_name(one)}, spel {number}: {stripes} strepen"
            below = ("Eerste 5, tweede 3, derde 1, verliezer 0 punten (K40); hij begint het volgende spel (K3).",)
            head = ("Stoel", "Nr", "Naam", "Strepen", "Plaats", "Punten")
            widths, new = (8, 8, 26, 38, 10, 10), number == stage.next_game
            sheets.append(Sheet(heading, head, rows, widths, frozenset({0, 1}), below, 10.0, new))
    return sheets


LISTS: dict[str, tuple[str, Callable[[Visit, Evening], list[Sheet]]]] = {
    "spelers": ("Spelerslijst", _players),
    "verdeling": ("Tafelverdeling", _seatings),
    "stand": ("Stand", _standings),
    "scorebladen": ("Scorebladen", _score_sheets),
    "seizoen": ("Seizoen", _season),
}


def page(visit: Visit) -> Response:
    """What can be taken out and put in."""
    return visit.page(
        "out.html",
        "out",
        lists={key: word for key, (word, _) in LISTS.items()},
        lost=exchange.lost_evenings(visit.connection),
    )


def list_file(visit: Visit) -> Response:
    """One list, as CSV or PDF."""
    night = visit.night()
    name, _, kind = visit.path["file"].rpartition(".")
    if name not in LISTS or kind not in ("csv", "pdf"):
        raise Mistake("Die lijst is er niet.")
    word, make = LISTS[name]
    sheets = make(visit, night)
    if not sheets:
        raise Mistake("Er is nog niets om af te drukken.")
    if kind == "csv":
        return _download(paper.as_csv(sheets), f"{name}-{night.key}.csv", "text/csv; charset=utf-8")
    title = f"{word} · {night.cafe}, {day(night.date)}"
    try:
        content = paper.as_pdf(title, sheets)
    except paper.NoFont as error:
        raise Mistake(f"Voor een PDF ontbreekt er een lettertype ({error}). De CSV gaat wel.") from error
    return _download(content, f"{name}-{night.key}.pdf", "application/pdf")


def evening_file(visit: Visit) -> Response:
    """The whole evening."""
    night = visit.night()
    content = exchange.exported(visit.connection, [night])
    return _download(json.dumps(content, indent=1).encode(), f"avond-{night.key}.json", "application/json")


def season_file(visit: Visit) -> Response:
    """The whole season of the current evening."""
    night = visit.night()
    if night.season_id is None:
        raise Mistake("Deze avond hoort bij geen seizoen.")
    name = visit.connection.scalar(sa.select(season.c.name).where(season.c.id == night.season_id))
    nights = standings_view.season_evenings(visit.connection, night.season_id)
    content = exchange.exported(visit.connection, nights, name)
    return _download(json.dumps(content, indent=1).encode(), "seizoen.json", "application/json")


def _download(content: bytes, name: str, kind: str) -> Response:
    safe = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-._") else "_" for letter in name)
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{safe}"'})


def read_in(visit: Visit) -> str:
    """An evening or a season out of a file."""
    try:
        keys = exchange.imported(visit.connection, visit.form.raw("file"))
    except exchange.BadFile as error:
        raise Mistake(str(error)) from error
    for key in keys:
        note(visit.connection, None, "avond ingelezen", key=key)
    if visit.evening is None and keys:
        evenings.make_current(visit.connection, keys[-1])
    return HOME + "/avonden"


def rebuild(visit: Visit) -> str:
    """An evening made again from what its tables still have."""
    key = visit.form.raw("key")
    try:
        taken, left = exchange.rebuilt(visit.connection, key)
    except exchange.BadFile as error:
        raise Mistake(str(error)) from error
    note(visit.connection, None, "avond teruggehaald van de tafels", key=key, taken=taken, left=left)
    return HOME


SECTIONS = (
    Section(PAGE, page, {"/inlezen": read_in, "/terughalen": rebuild}),
    Section(PAGE + "/avond.json", evening_file),
    Section(PAGE + "/seizoen.json", season_file),
    Section(PAGE + "/{file}", list_file),
)
