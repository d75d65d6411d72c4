"""During the evening: every table at a glance with its health, and the terminals that may send."""

from __future__ import annotations

import functools
import urllib.parse
from typing import NamedTuple

import sqlalchemy as sa
from starlette.responses import HTMLResponse, Response

from central import evenings, ingest, live, pages, qr, tables, terminals
from central.audit import note
from central.live import LiveGames
from central.organise import HOME, Mistake, Section, Visit
from central.schema import game, heartbeat, refused, seat
from central.store import touch

TERMINALS = HOME + "/toestellen"


class Flag(NamedTuple):
    """Something that the organiser should look at."""

    text: str
    path: str


FLAGS = {
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
    for one in terminals.pending(connection):
        found.append(Flag(f"Tafel {one.table} wil gekoppeld worden", TERMINALS))
    for row in connection.execute(sa.select(game).where(game.c.evening_id == evening_id)):
        for flag in set(row.flags) - {ingest.FORCED}:  # that one the organiser decided himself
            where = f"Tafel {row.table_name}, spel {row.number}"
            found.append(Flag(f"{where}: {FLAGS.get(flag, flag)}", f"{HOME}/spel/{urllib.parse.quote(row.id)}"))
    return found


def _facts(games: LiveGames, visit: Visit) -> dict[str, object]:
    night = visit.evening
    if night is None:
        return {"tables": [], "flags": []}
    return {"tables": live.overview(visit.connection, games), "flags": flags(visit.connection, night.id)}


def overview(games: LiveGames, visit: Visit) -> Response:
    """What is going on now."""
    steps = _steps(visit)
    return visit.page("overview.html", "overview", steps=steps, address=visit.address, **_facts(games, visit))


def overview_part(games: LiveGames, visit: Visit) -> HTMLResponse:
    """The same, as it is inside the page."""
    return pages.page("_overview.html", **_facts(games, visit))


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
        Section(HOME, functools.partial(overview, games), {"/tafel/vergeet": forget_health}),
        Section(HOME + "/part/overview", functools.partial(overview_part, games)),
        Section(TERMINALS, terminals_page, {"/koppel": confirm, "/ontkoppel": revoke}),
    )
