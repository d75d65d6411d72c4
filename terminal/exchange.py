"""What goes to central and what comes from it, between the table's records and the messages (CONTRACT section 5)."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from terminal import card as cards
from terminal.card import Card, GameDamaged
from terminal.journal import JournalError
from terminal.rules import fold as rules
from terminal.sync import SeatingArrived, result_message
from terminal.table import Seating, false_start, finished

log = logging.getLogger(__name__)


def message_of(path: Path) -> dict[str, Any] | None:
    """The message for a finished game of an evening (CONTRACT section 5), None when there is nothing to send.

    Nothing of games that go on, of false starts (K55a) and of games with typed-in names.
    """
    game = cards.fold_of(path)
    if game is None or not game.started.get("evening") or not finished(game) or false_start(game):
        return None
    return result_message(game.lines, rules.summary(game))


def sendable(path: Path) -> dict[str, Any] | None:
    """`message_of` for the thread of the sync: one damaged journal does not keep the others from being sent."""
    try:
        return message_of(path)
    except (JournalError, GameDamaged) as damaged:
        log.error("Not sent: %s", damaged)
        return None


def seating_of(news: SeatingArrived) -> Seating | None:
    """Central's seating as the table keeps it; None when it has none for this table."""
    given: Any = news.seating
    if given is None:
        return None
    players = sorted(given["players"], key=lambda player: player["seat"])
    name_of = {player["number"]: str(player["name"]) for player in players}
    following = tuple((name_of[one["number"]], str(one["table"])) for one in news.next if one["number"] in name_of)
    return Seating(
        evening=str(given["evening"]),
        seating=int(given["seating"]),
        kind=str(given["kind"]),
        table=str(given["table"]),
        reglement=given["reglement"],
        stripes=None,  # the reglement's
        players=tuple(name_of.values()),
        numbers=tuple(name_of),
        games=int(given["games"]),
        number=int(given["number"]),
        starter=given["starter"],
        next_tables=following,
    )


def evening_of(card: Card) -> str:
    """The evening of the newest game on the card."""
    firsts = [first for _, first in card.first_lines()]
    return str(firsts[-1].get("evening", "")) if firsts else ""
