"""The games of this terminal, in one table, and the contract they keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from terminal.rules.contract import CODES, Ask, Contradicted, Game, Happening, Line, Outcome, Refused
from terminal.rules.pitjesbak import Pitjesbak

__all__ = ["CODES", "GAMES", "Ask", "Contradicted", "Game", "Happening", "Line", "Outcome", "Refused"]

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in (Pitjesbak(),)}
"""Name of the game -> the game."""
