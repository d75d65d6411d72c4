"""What a table takes up again after its plug was pulled: its settings, its seating, and the games of it from the card.

The card is the truth; the settings beside it may be a moment older.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terminal import card as cards
from terminal.card import Card
from terminal.rules.fold import Fold
from terminal.table import Seating, Table, false_start


def settings_of(table: Table) -> dict[str, Any]:
    """What `remembered` takes up again. The games are not in it: they are on the card."""
    return {
        "language": table.language,
        "volume": table.volume,
        "remembered": list(table.remembered),
        "typed": table.typed,
        "seating": table.seating._asdict() if table.seating is not None else None,
        "waiting": table.waiting._asdict() if table.waiting is not None else None,
    }


def remembered(table: Table, card: Card, folder: Path) -> Table:
    """The table as it was before the plug was pulled: settings, seating, and the games of it from the card."""
    settings = cards.kept(folder / "settings.json")
    table = table._replace(
        language=settings.get("language", table.language),
        volume=settings.get("volume", table.volume),
        remembered=tuple(settings.get("remembered", ())),
        typed=settings.get("typed", 0),
        seating=_seating_kept(settings.get("seating")),
        waiting=_seating_kept(settings.get("waiting")),
    )
    return resumed(table, card)


def _seating_kept(record: Mapping[str, Any] | None) -> Seating | None:
    if record is None:
        return None
    fields = {
        **record,
        "players": tuple(record["players"]),
        "numbers": tuple(record["numbers"]),
        "next_tables": tuple((player, table) for player, table in record["next_tables"]),
    }
    return Seating(**fields)


def resumed(table: Table, card: Card) -> Table:
    """The table with the seating that is on and its games, without false starts.

    The card is the truth; the record of settings may be a moment older. A seating of which no game is on the card yet
    was taken after the last game; one that has games, while the last game is another's, was left before it.
    """
    firsts = [(path, first, _key(first)) for path, first in card.first_lines()]
    if not firsts:
        return table
    newest = firsts[-1][2]
    seating = table.seating
    if seating is not None and seating.key != newest and all(key != seating.key for _, _, key in firsts):
        return table
    games: list[Fold] = []
    for path, _, key in reversed(firsts):
        if key != newest:
            break
        game = cards.fold_of(path)
        if game is not None and not false_start(game):
            games.insert(0, game)
    if seating is None or seating.key != newest:
        known = table.waiting is not None and table.waiting.key == newest
        seating = table.waiting if known else _seating_played(next(first for _, first, key in firsts if key == newest))
        table = table._replace(waiting=None if known else table.waiting)
    assert seating is not None
    if games:
        seating = seating._replace(number=games[0].started.get("number", 1))
    typed = seating.seating if not seating.evening else 0
    return table._replace(seating=seating, games=tuple(games), typed=max(table.typed, typed))


def _key(first: Mapping[str, Any]) -> tuple[str, int, str, str]:
    return (
        str(first.get("evening", "")),
        int(first.get("seating", 1)),
        str(first.get("kind", "seating")),
        str(first.get("table", "")),
    )


def _seating_played(first: Mapping[str, Any]) -> Seating:
    """A seating as the first line of its first game tells it."""
    kind = str(first.get("kind", "seating"))
    return Seating(
        evening=str(first.get("evening", "")),
        seating=int(first.get("seating", 1)),
        kind=kind,
        table=str(first.get("table", "")),
        reglement=first["reglement"],
        stripes=first.get("stripes"),
        players=tuple(first["players"]),
        numbers=tuple(first.get("numbers", (None,) * len(first["players"]))),
        games=3 if kind == "seating" else 1,
        number=int(first.get("number", 1)),
        starter=first.get("starter"),
    )
