"""After the seatings, step by step: play-off, final, deciding games, places and prizes (K42 to K48)."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from starlette.responses import Response

from central import evenings, standings_view, tables
from central.audit import note
from central.evenings import Evening, Sitting
from central.organise import HOME, Mistake, Section, Visit
from central.schema import seat
from terminal.rules import standings
from terminal.rules.standings import Needed

PAGE = HOME + "/finale"


class Task(NamedTuple):
    """What must be done next. what: wait, draw, play; kind and numbers: of the game to put at a table."""

    what: str
    text: str
    kind: str = ""
    numbers: tuple[int, ...] = ()
    equals: tuple[int, ...] = ()
    table: str = ""


class Situation(NamedTuple):
    """How far the end of the evening is."""

    tasks: list[Task]
    finished: bool  # nothing more to play: places and prizes hold
    totals: standings_view.Totals


def situation(visit: Visit, night: Evening) -> Situation:
    """What still has to be played, and why."""
    connection = visit.connection
    totals = standings_view.totals(connection, night)
    known = evenings.entrants(connection, night.id)
    games = tables.played(connection, night.id)
    sittings = evenings.sittings(connection, night.id, seat.c.published)
    stages = tables.progress(night, sittings, games, known)
    laid = {one.seating for one in sittings if one.kind == "seating"}
    waiting = [stage.sitting for stage in stages if not stage.done]
    if len(laid) < night.seatings:
        text = f"Eerst de tafelverdelingen: {len(laid)} van {night.seatings} zijn gepubliceerd."
        return Situation([Task("wait", text)], False, totals)
    open_tables = [one.table for one in waiting if one.kind == "seating"]
    if open_tables:
        text = f"Nog bezig: tafel {', '.join(open_tables)}."
        return Situation([Task("wait", text)], False, totals)
    results = totals.results
    if night.has_final and not any(one.kind == "final" for one in results):
        return Situation(_before_final(known, results, waiting), False, totals)
    tasks = []
    for needed in totals.end.deciding:
        names = _names(known, needed.equals)
        why = f"{names} zijn gelijk voor {_places_word(needed.places)} in de top drie: een beslissingsspel (K45)."
        tasks.append(_task("deciding", needed, why, waiting))
    return Situation(tasks, not tasks, totals)


def _before_final(
    known: dict[int, evenings.Entrant], results: list[standings.GameResult], waiting: list[Sitting]
) -> list[Task]:
    standing = standings.evening_standing(known, results)
    present = [number for number, one in known.items() if one.present]
    playoffs = [one for one in results if one.kind == "playoff"]
    drawn = [number for one in waiting if one.kind == "playoff" for number in one.numbers]
    field = standings.final_field(standing, present, playoffs, drawn)
    if field.playoff is not None:
        names = _names(known, field.playoff.equals)
        seats = _places_word(field.playoff.places)
        why = f"{names} zijn gelijk voor {seats} in de finale: een kampspel met zes strepen (K43)."
        return [_task("playoff", field.playoff, why, waiting)]
    if len(field.seats) < 2:
        return [Task("wait", "Voor een finale zijn er minstens twee aanwezige spelers nodig.")]
    final = next((one for one in waiting if one.kind == "final"), None)
    names = _names(known, field.seats)
    if final is not None:
        return [Task("wait", f"De finale wordt gespeeld aan tafel {final.table}: {_names(known, final.numbers)}.")]
    return [Task("play", f"De finale (K42): {names}.", "final", field.seats)]


def _task(kind: str, needed: Needed, why: str, waiting: list[Sitting]) -> Task:
    for one in waiting:
        if one.kind == kind and set(one.numbers) <= set(needed.equals):
            return Task("wait", f"{why} Wordt gespeeld aan tafel {one.table}.")
    if needed.game is None:
        return Task("draw", f"{why} Aan een tafel zitten er acht: het lot wijst ze aan.", kind, equals=needed.equals)
    return Task("play", why, kind, needed.game.seats)


def _names(known: dict[int, evenings.Entrant], numbers: Iterable[int]) -> str:
    names = [known[number].name for number in numbers]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " en " + names[-1]


def _places_word(places: int) -> str:
    return "één plaats" if places == 1 else f"{places} plaatsen"


def page(visit: Visit) -> Response:
    """The standing, what must be played, and the prizes."""
    night = visit.night()
    now = situation(visit, night)
    names = sorted({one.table for one in evenings.sittings(visit.connection, night.id)}, key=evenings.table_order) or [
        "1"
    ]
    prizes = standings_view.prizes_of(visit.connection, night) if night.pot else None
    winners = {place: [row.shown for row in now.totals.rows if row.place == place] for place in (1, 2, 3)}
    return visit.page(
        "final.html",
        "final",
        tasks=now.tasks,
        finished=now.finished,
        standings=now.totals.rows,
        table_names=names,
        prizes=prizes,
        winners=winners,
    )


def put_at_table(visit: Visit) -> str:
    """Give the game that is needed to a table."""
    night = visit.night()
    kind = visit.form.one_of("kind", "het spel", ("playoff", "final", "deciding"))
    numbers = visit.form.raw("numbers")
    task = next(
        (
            one
            for one in situation(visit, night).tasks
            if one.what == "play" and one.kind == kind and _key(one.numbers) == numbers
        ),
        None,
    )
    if task is None:
        raise Mistake("Dat spel is niet (meer) nodig.")
    _seat(visit, night, kind, task.numbers)
    return PAGE


def draw(visit: Visit) -> str:
    """Lots choose eight of more equals (K43), and they sit down at once."""
    night = visit.night()
    kind = visit.form.one_of("kind", "het spel", ("playoff", "deciding"))
    task = next((one for one in situation(visit, night).tasks if one.what == "draw" and one.kind == kind), None)
    if task is None:
        raise Mistake("Er moet niet geloot worden.")
    seed = secrets.randbelow(2**31)
    chosen = standings.draw_lots(task.equals, seed)
    note(visit.connection, night.id, "geloot", kind=kind, equals=list(task.equals), seed=seed, chosen=list(chosen))
    _seat(visit, night, kind, chosen)
    return PAGE


def _seat(visit: Visit, night: Evening, kind: str, numbers: tuple[int, ...]) -> None:
    table = visit.form.text("table", "de tafel")
    sittings = evenings.sittings(visit.connection, night.id)
    if table not in {one.table for one in sittings}:
        raise Mistake("Kies een tafel van deze avond.")
    number = max((one.seating for one in sittings if one.kind == kind), default=0) + 1
    evenings.put_sitting(visit.connection, night.id, Sitting(kind, number, table, numbers, True))
    note(visit.connection, night.id, "aan tafel gezet", kind=kind, table=table, numbers=list(numbers))


def _key(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


SECTIONS = (Section(PAGE, page, {"/tafel": put_at_table, "/loot": draw}),)
