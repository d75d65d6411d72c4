"""The tables as they are now: where they sit, the live game folded from the lines that came, and their health.

Live lines are shown and never counted; results come by ingest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from central import doubts, evenings, tables
from central.doubts import Doubt
from central.schema import heartbeat, live_line, seat
from terminal.rules import fold as folding
from terminal.rules.game import Refused

SILENT_AFTER_S = 30.0  # fifteen heartbeats


class LivePlayer(NamedTuple):
    """One player at a table. stripes: None while nothing is known of the game."""

    number: int
    name: str
    shown: str  # public name
    stripes: int | None
    out: bool
    left: bool
    turn: bool
    last: tuple[int, ...]  # his last throw of the round


class LiveTable(NamedTuple):
    """One table of the current evening."""

    name: str
    kind: str
    seating: int
    game: int  # the number being played, or to be played
    games: int
    done: bool
    players: tuple[LivePlayer, ...]
    playing: bool  # live lines of this game are there
    doubts: tuple[Doubt, ...]  # of this game, under the names of today
    game_id: str | None  # of this game, when live lines are there
    since_s: float | None  # how long this game has been going on
    silent_s: float | None  # since the last heartbeat; None: never heard
    queue: int
    trouble: tuple[str, ...]  # health keys that are false
    asking: bool  # the table has a question about a reading
    health: Mapping[str, object]

    @property
    def silent(self) -> bool:
        """Not heard for too long; a table that was never heard has no terminal."""
        return self.silent_s is not None and self.silent_s > SILENT_AFTER_S


class LiveGames:
    """Folds the live lines of each table, going on from where it was the last time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folds: dict[str, tuple[str, folding.Fold]] = {}

    def game(self, connection: sa.Connection, table: str, game_id: str) -> folding.Fold | None:
        """The table's live game as far as its lines have come without a gap; None: not from its start."""
        with self._lock:
            known = self._folds.get(table)
        fold = known[1] if known is not None and known[0] == game_id else None
        lines = connection.execute(
            sa.select(live_line.c.seq, live_line.c.line)
            .where(
                live_line.c.table_name == table,
                live_line.c.game == game_id,
                live_line.c.seq > (-1 if fold is None else fold.seq),
            )
            .order_by(live_line.c.seq)
        )
        try:
            for seq, line in lines:
                if seq != (0 if fold is None else fold.seq + 1):
                    break
                fold = folding.begin(line) if fold is None else folding.apply(fold, line)
        except Refused:
            pass  # shown as far as it goes; the result will be refused with the reason
        if fold is None:
            return None
        with self._lock:
            self._folds[table] = (game_id, fold)
        return fold


def overview(connection: sa.Connection, games: LiveGames) -> list[LiveTable]:
    """All tables of the current evening that have a published seat, in order."""
    night = evenings.current(connection)
    if night is None:
        return []
    known = evenings.entrants(connection, night.id)
    results = tables.played(connection, night.id)
    stages: dict[str, list[tables.Progress]] = {}
    sittings = evenings.sittings(connection, night.id, seat.c.published)
    for stage in tables.progress(night, sittings, results, known):
        stages.setdefault(stage.sitting.table, []).append(stage)
    beats = {row.table_name: row for row in connection.execute(sa.select(heartbeat))}
    started = {
        row.table_name: row
        for row in connection.execute(
            sa.select(live_line.c.table_name, live_line.c.game, sa.func.min(live_line.c.at).label("at")).group_by(
                live_line.c.table_name, live_line.c.game
            )
        )
    }
    at = time.time()
    shown = []
    for name in sorted(stages, key=evenings.table_order):
        stage = next((stage for stage in stages[name] if not stage.done), stages[name][-1])
        live = started.get(name)
        fold = games.game(connection, name, live.game) if live is not None and not stage.done else None
        beat = beats.get(name)
        health = dict(beat.body.get("health", {})) if beat is not None else {}
        shown.append(
            LiveTable(
                name=name,
                kind=stage.sitting.kind,
                seating=stage.sitting.seating,
                game=min(stage.next_game, stage.games),
                games=stage.games,
                done=stage.done,
                players=_players(stage, known, None if fold is None else folding.summary(fold)),
                playing=fold is not None,
                doubts=() if fold is None else _doubts(stage, known, fold),
                game_id=None if fold is None else fold.game_id,
                since_s=at - live.at if live is not None and fold is not None else None,
                silent_s=max(0.0, at - beat.at) if beat is not None else None,
                queue=int(beat.body.get("queue", 0)) if beat is not None else 0,
                trouble=tuple(key for key, value in health.items() if value is False and key != "question"),
                asking=health.get("question") is True,
                health=health,
            )
        )
    return shown


def _doubts(stage: tables.Progress, known: Mapping[int, evenings.Entrant], fold: folding.Fold) -> tuple[Doubt, ...]:
    number_of = {name: number for number, name in stage.sitting.names(known).items()}
    found = doubts.of(fold)
    return tuple(one._replace(player=known[number_of[one.player]].name) for one in found if one.player in number_of)


def _players(
    stage: tables.Progress, known: Mapping[int, evenings.Entrant], state: Mapping[str, Any] | None
) -> tuple[LivePlayer, ...]:
    """The players as they sit, with their stripes where the live game is theirs."""
    facts = state or {"stripes": {}, "out": [], "left": [], "turn": None, "round": None}
    throws = (facts["round"] or {"throws": {}})["throws"]
    names = stage.sitting.names(known)
    shown = []
    for number in stage.numbers:
        name = names[number]
        last = tuple(throws[name][-1]) if name in throws else ()
        shown.append(
            LivePlayer(
                number,
                known[number].name,
                known[number].shown,
                facts["stripes"].get(name),
                name in facts["out"],
                name in facts["left"],
                facts["turn"] == name,
                last,
            )
        )
    return tuple(shown)
