"""The games on the card: one journal a game, in the order in which they were begun, with no need of a clock.

The files are `games/000001-<game id>.jsonl`, counted up. Nothing is ever deleted: what central does not list is offered
again from here, and a season can be rebuilt from it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from terminal import durable, journal
from terminal.journal import Journal, JournalDamaged, JournalUnwritable, Line
from terminal.rules import fold as rules
from terminal.rules.contract import Refused
from terminal.rules.fold import Fold

log = logging.getLogger(__name__)

RECENT = 200  # games; some ten evenings
OLDER_A_CALL = 3


class GameDamaged(ValueError):  # says what is the matter
    """A journal on the card holds a line that its own game refuses, as only a damaged card can. Names file and line."""


class Card:
    """The folder of the games. One process writes to it; other threads may read whole lines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "games"
        self._open: dict[str, Journal] = {}
        self._deep = RECENT
        self._folder.mkdir(parents=True, exist_ok=True)

    def paths(self) -> list[Path]:
        """The journals, oldest first."""
        return sorted(self._folder.glob("[0-9]*.jsonl"))

    def offered(self) -> list[Path]:
        """The journals that central may lack: the recent ones, and with every call some more of the older ones.

        So a card of ten years is offered whole in time, and tonight's start does not wait for it.
        """
        paths = self.paths()
        self._deep += OLDER_A_CALL
        return paths[-self._deep :]

    def begin(self, line: Mapping[str, Any]) -> None:
        """A journal for a new game, with its first line; raises JournalUnwritable and leaves nothing behind."""
        paths = self.paths()
        number = int(paths[-1].name.split("-")[0]) + 1 if paths else 1
        made = Journal.open(self._folder / f"{number:06}-{line['game']}.jsonl")
        try:
            made.append(line)
        except JournalUnwritable:
            made.close()
            made.path.unlink(missing_ok=True)
            raise
        self._open[str(line["game"])] = made

    def append(self, game_id: str, line: Mapping[str, Any]) -> None:
        """One more line of a game, durable when this returns; raises JournalUnwritable."""
        if game_id not in self._open:
            self._open[game_id] = Journal.open(self.path(game_id))
        self._open[game_id].append(line)

    def path(self, game_id: str) -> Path:
        """The journal of a game; raises KeyError when it is not on the card."""
        for path in self.paths():
            if path.stem.split("-", 1)[1] == game_id:
                return path
        raise KeyError(game_id)

    def first_lines(self) -> Iterator[tuple[Path, Line]]:
        """Journal and first line of each game, oldest first; a file without a whole line never was a game.

        Raises JournalDamaged for the newest; an older one that is damaged is named in the log, and tonight goes on.
        """
        paths = self.paths()
        for path in paths:
            with path.open("rb") as file:
                raw = file.readline()
            if not raw.endswith(b"\n"):
                continue
            try:
                yield path, journal.parse(path, raw)[0][0]
            except JournalDamaged as damaged:
                if path == paths[-1]:
                    raise
                log.error("%s", damaged)

    def close(self) -> None:
        """Close the journals."""
        for one in self._open.values():
            one.close()
        self._open.clear()


def fold_of(path: Path) -> Fold | None:
    """The game in a journal; None when not even its first line was written. Raises GameDamaged, JournalDamaged."""
    lines = journal.read(path)
    if not lines:
        return None
    at = 0
    try:
        game = rules.begin(lines[0])
        for at, line in enumerate(lines[1:], 1):  # noqa: B007  # `at` tells the line in the error
            game = rules.apply(game, line)
    except Refused as refused:
        raise GameDamaged(f"{path}: line {at + 1}: {refused.message}") from refused
    return game


def keep(path: Path, record: Mapping[str, Any]) -> None:
    """Put a small JSON record in the place of the one before, whole or not at all."""
    durable.replace(path, json.dumps(record, ensure_ascii=False, indent=1))


def kept(path: Path) -> dict[str, Any]:
    """A record that `keep` wrote; empty when there is none or it cannot be read, for nothing hangs on it."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
