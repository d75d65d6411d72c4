"""During the evening: every table at a glance with its health, and the terminals that may send."""

from __future__ import annotations

import functools
import json
import urllib.parse
from typing import NamedTuple

import sqlalchemy as sa
from starlette.responses import HTMLResponse, Response

from central import doubts, evenings, ingest, live, pages, pictures, qr, tables, terminals
from central.audit import note
from central.doubts import Doubt
from central.evenings import Evening
from central.live import LiveGames
from central.organise import HOME, Mistake, Section, Visit
from central.schema import game, heartbeat, refused, seat
from central.store import touch

TERMINALS = HOME + "/toestellen"


class Flag(NamedTuple):
    """Something that the organiser should look at."""

    text: str
    path: str


class Look(NamedTuple):
    """A game with throws that were entered by hand or corrected, until the organiser has seen them."""

    id: str
    path: str
    text: str
    doubts: tuple[Doubt, ...]


MOST_ASKING = 4  # codes shown one by one; who asks for more is playing tricks
MOST_LOOKS = 5  # on the page; the rest is told in a number
FLAGS = {
    ingest.LOOK: "worpen met de hand of verbeterd",
    "corrected": "na het einde verbeterd",
    "starter": "een latere verbetering veranderde wie moest beginnen (K3)",
    "forced": "door de organisator aanvaard",
}


def flags(connection: sa.Connection, evening_id: int) -> list[Flag]:
    """Refused results, flagged games and tables that want in, most pressing first."""
    found = []
    waiting = connection.scalar(sa.select(sa.func.count()).select_from(refused).where(refused.c.handled.is_(None)))
    if waiting:
        text = "1 geweigerd resultaat" if waiting == 1 else f"{waiting} geweigerde resultaten"
        found.append(Flag(text, HOME + "/geweigerd"))
    pending = terminals.pending(connection)
    found += [Flag(f"Tafel {one.table} wil gekoppeld worden", TERMINALS) for one in pending[:MOST_ASKING]]
    if len(pending) > MOST_ASKING:
        found.append(Flag(f"En nog {len(pending) - MOST_ASKING} toestellen vragen een koppeling", TERMINALS))
    for row in tables.played(connection, evening_id):
        for flag in sorted(set(row.flags) - {ingest.FORCED, ingest.LOOK}):  # decided by himself; shown with pictures
            where = f"Tafel {row.table}, {pages.round_name(row)}, spel {row.number}"
            found.append(Flag(f"{where}: {FLAGS.get(flag, flag)}", f"{HOME}/spel/{urllib.parse.quote(row.id)}"))
    return found


def looks(connection: sa.Connection, night: Evening) -> tuple[list[Look], int]:
    """The games with throws to look at, the latest first, and how many more there are."""
    waiting = {one.id: one for one in tables.played(connection, night.id) if ingest.LOOK in one.flags}
    known = evenings.entrants(connection, night.id)
    latest = sorted(waiting.values(), key=lambda one: one.changed, reverse=True)[:MOST_LOOKS]
    rows = connection.execute(sa.select(game.c.id, game.c.journal).where(game.c.id.in_([one.id for one in latest])))
    journals = {row.id: row.journal for row in rows}
    found = []
    for one in latest:
        seats = json.loads(journals[one.id].partition("\n")[0])["players"]
        name = {told: known[number].name for told, number in zip(seats, one.numbers, strict=True)}
        mine = tuple(each._replace(player=name[each.player]) for each in doubts.of_journal(journals[one.id]))
        where = f"Tafel {one.table}, {pages.round_name(one)}, spel {one.number}"
        path = f"{HOME}/spel/{urllib.parse.quote(one.id)}"
        found.append(Look(one.id, path, f"{where}: {doubts.counted(mine)}", mine))
    return found, len(waiting) - len(found)


def _facts(games: LiveGames, visit: Visit) -> dict[str, object]:
    night = visit.evening
    if night is None:
        return {"tables": [], "flags": [], "looks": [], "more_looks": 0, "pictures": {}}
    shown = live.overview(visit.connection, games)
    found, more = looks(visit.connection, night)
    playing = [table.game_id for table in shown if table.game_id is not None]
    return {
        "tables": shown,
        "flags": flags(visit.connection, night.id),
        "looks": found,
        "more_looks": more,
        "pictures": pictures.of_games(visit.connection, [*playing, *(one.id for one in found)]),
    }


def all_seen(visit: Visit) -> str:
    """Every game with throws to look at was looked at."""
    night = visit.night()
    waiting = [one for one in tables.played(visit.connection, night.id) if ingest.LOOK in one.flags]
    for one in waiting:
        left = [flag for flag in one.flags if flag != ingest.LOOK]
        visit.connection.execute(game.update().where(game.c.id == one.id).values(flags=left))
    note(visit.connection, night.id, "worpen bekeken", games=len(waiting))
    touch(visit.connection, "tables")
    return HOME


def overview(games: LiveGames, visit: Visit) -> Response:
    """What is going on now."""
    steps = _steps(visit)
    return visit.page("overview.html", "overview", steps=steps, address=visit.address, **_facts(games, visit))


def overview_part(games: LiveGames, visit: Visit) -> HTMLResponse:
    """The same, as it is inside the page."""
    return pages.page("_overview.html", csrf=visit.csrf, **_facts(games, visit))


class Step(NamedTuple):
    """One thing the organiser does on an evening. state: done, now, later."""

    text: str
    path: str
    state: str


def _steps(visit: Visit) -> list[Step]:
    """The evening as a list of steps, so that he always sees what comes next."""
    night = visit.evening
    if night is None:
        return [Step("Maak een avond", HOME + "/avonden", "now")]
    known = evenings.entrants(visit.connection, night.id)
    games = tables.played(visit.connection, night.id)
    sittings = evenings.sittings(visit.connection, night.id, seat.c.kind == "seating", seat.c.published)
    waiting = {stage.sitting.seating for stage in tables.progress(night, sittings, games, known) if not stage.done}
    laid = {one.seating for one in sittings}
    steps = [("Schrijf de spelers in", HOME + "/spelers", len(known) >= 2 and bool(laid))]
    for number in range(1, night.seatings + 1):
        steps.append((f"Publiceer verdeling {number}", HOME + "/verdeling", number in laid))
        over = number in laid and number not in waiting
        steps.append((f"Verdeling {number} wordt gespeeld", HOME + "/uitslagen", over))
    steps.append(("Finale, plaatsen en prijzen" if night.has_final else "Plaatsen en prijzen", HOME + "/finale", False))
    open_now = next((at for at, (_, _, done) in enumerate(steps) if not done), len(steps))
    return [
        Step(text, path, "done" if at < open_now else "now" if at == open_now else "later")
        for at, (text, path, _) in enumerate(steps)
    ]


# -- terminals ------------------------------------------------------------------------------------------------------


def terminals_page(visit: Visit) -> Response:
    """Codes that wait, tokens that hold, and the address for the tables."""
    return visit.page(
        "terminals.html",
        "terminals",
        pending=terminals.pending(visit.connection),
        paired=terminals.paired(visit.connection),
        address=visit.address,
        qr=qr.svg(visit.address),
    )


def confirm(visit: Visit) -> str:
    """Let the table with this code in."""
    table = terminals.confirm(visit.connection, visit.form.text("code", "de code", 20))
    if table is None:
        raise Mistake("Die code is er niet (meer); kijk op het scherm van de tafel.")
    note(visit.connection, None, "tafel gekoppeld", table=table)
    return TERMINALS


def revoke(visit: Visit) -> str:
    """Take a terminal's token back."""
    table = terminals.revoke(visit.connection, visit.form.whole("id", "het toestel", 1, 10**9 - 1))
    if table is None:
        raise Mistake("Dat toestel is al ontkoppeld.")
    note(visit.connection, None, "tafel ontkoppeld", table=table)
    return TERMINALS


def forget_health(visit: Visit) -> str:
    """A terminal that is gone is no longer missed."""
    table = visit.form.text("table", "de tafel", 200)
    visit.connection.execute(heartbeat.delete().where(heartbeat.c.table_name == table))
    touch(visit.connection, "tables")
    return HOME


def sections(games: LiveGames) -> tuple[Section, ...]:
    """The pages of this module."""
    return (
        Section(HOME, functools.partial(overview, games), {"/tafel/vergeet": forget_health, "/bekeken": all_seen}),
        Section(HOME + "/part/overview", functools.partial(overview_part, games)),
        Section(TERMINALS, terminals_page, {"/koppel": confirm, "/ontkoppel": revoke}),
    )
