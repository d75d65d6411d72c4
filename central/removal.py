"""Removing a player on request: his name leaves the database, his results stay under his number."""

from __future__ import annotations

import json
from collections.abc import Mapping

import sqlalchemy as sa

from central import ingest
from central.schema import entrant, evening, game, live_line, person, refused, seat
from central.store import touch


def remove(connection: sa.Connection, person_id: int) -> None:
    """Wipe the name of a person: on every evening, in every journal and in what was refused."""
    connection.execute(
        person.update().where(person.c.id == person_id).values(name=None, nickname=None, only_number=True)
    )
    rows = connection.execute(sa.select(entrant).where(entrant.c.person_id == person_id)).all()
    for row in rows:
        here = (entrant.c.evening_id == row.evening_id) & (entrant.c.number == row.number)
        called = f"speler {row.number}"
        connection.execute(entrant.update().where(here).values(name=called))
        seats = (seat.c.evening_id == row.evening_id) & (seat.c.number == row.number)
        connection.execute(seat.update().where(seats).values(called=None))
        for one in connection.execute(sa.select(game).where(game.c.evening_id == row.evening_id)).all():
            if row.number in one.numbers:
                _rename_in_game(connection, one, row.number, called)
    _rename_in_refused(connection, [row.evening_id for row in rows])
    connection.execute(live_line.delete())  # shown only; the tables send the lines that come anew
    touch(connection, "evening", "tables", "standings", "refused")


def _rename_in_game(connection: sa.Connection, one: sa.Row[tuple[object, ...]], number: int, called: str) -> None:
    """In the game's own names: a name that was corrected later stands there as the table knew it."""
    values: dict[str, object] = {}
    if one.journal is not None:
        lines = [json.loads(line) for line in one.journal.splitlines()]
        lines = ingest.renamed(lines, {lines[0]["players"][one.numbers.index(number)]: called})
        values["journal"] = "\n".join(map(ingest.canonical, lines))
        values["state"] = ingest.folded(lines).state
    else:
        place = next(at for at, line in enumerate(one.places) if line["number"] == number)
        values["state"] = _renamed_state(one.state, {one.state["ranking"][place]: called})
    connection.execute(game.update().where(game.c.id == one.id).values(**values))


def _renamed_state(state: Mapping[str, object], new_name: Mapping[str, str]) -> dict[str, object]:
    """Ranking and points of a result that was typed in."""
    ranking, points = state["ranking"], state["points"]
    assert isinstance(ranking, list)
    assert isinstance(points, dict)
    return {
        "ranking": [new_name.get(name, name) for name in ranking],
        "points": {new_name.get(name, name): value for name, value in points.items()},
    }


def _rename_in_refused(connection: sa.Connection, evening_ids: list[int]) -> None:
    """Messages that can be understood are kept under the new name; those that cannot, of these evenings, go."""
    keys = set(connection.scalars(sa.select(evening.c.key).where(evening.c.id.in_(evening_ids))))
    for row in connection.execute(sa.select(refused.c.id, refused.c.body)).all():
        try:
            body = json.loads(row.body)
            message = ingest.understand(body)
        except (ValueError, RecursionError):  # a Refusal is a ValueError
            if any(key in row.body for key in keys):
                connection.execute(refused.delete().where(refused.c.id == row.id))
            continue
        if message.evening in keys:
            changed = ingest.without_removed(connection, message)._asdict()
            fields = {**changed, "numbers": list(message.numbers)}
            connection.execute(refused.update().where(refused.c.id == row.id).values(body=json.dumps(fields)))
