"""Sounds from a folder, one after another. No folder, no loudspeaker, no such file: silence, never an error."""

from __future__ import annotations

import logging
from collections import deque
from pathlib import Path
from typing import Final

import pygame

log = logging.getLogger(__name__)

# What can sound, by the kind of what happened, and the words that set-up has spoken for it. A folder of one's own holds
# NAME.wav or NAME.ogg, also for kinds that are silent here.
SPOKEN: Final[dict[str, str]] = {
    "sois": "sois!",
    "zand": "zand!",
    "azen": "drie azen!",
    "fietske": "een fietske!",
    "same": "drie keer hetzelfde!",
    "stoef": "stoef!",
    "barrage": "barrage!",
    "barrage_again": "nog eens barrage!",
    "again": "opnieuw",
    "out": "en uit!",
    "lost": "verloren!",
    "game_over": "gedaan!",
}
_ENDINGS: Final = (".wav", ".ogg")
_LOUDEST: Final = 10


class Sounds:
    """Plays named sounds in order; new ones flush what was still to come."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, pygame.mixer.Sound | None] = {}
        self._waiting: deque[str] = deque()
        self._open = False
        self._loud = 0.0

    def play(self, names: tuple[str, ...], volume: int) -> None:
        """Play these instead of anything that still sounds. volume: 0 (off) to 10."""
        self.volume(volume)
        self._waiting.clear()
        if self._open:
            pygame.mixer.stop()
        if names and volume > 0 and self._folder is not None and self._ready():
            self._waiting.extend(names)
            self.go_on()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names that have not begun yet."""
        return tuple(self._waiting)

    def volume(self, volume: int) -> None:
        """Volume of what comes next."""
        self._loud = max(0, min(_LOUDEST, volume)) / _LOUDEST

    def go_on(self) -> None:
        """Begin the next sound when the one before has ended; called from the loop."""
        if not self._waiting or pygame.mixer.get_busy():
            return
        sound = self._load(self._waiting.popleft())
        if sound is not None:
            sound.set_volume(self._loud)
            sound.play()

    def close(self) -> None:
        if self._open:
            pygame.mixer.quit()
            self._open = False

    def _ready(self) -> bool:
        """Open the loudspeaker when it is first wanted: an open mixer costs time even when it is silent."""
        if not self._open:
            try:
                pygame.mixer.init(frequency=22050, channels=1, buffer=1024)
            except pygame.error as error:
                log.warning("no loudspeaker, playing on in silence: %s", error)
                self._folder = None
                return False
            self._open = True
        return True

    def _load(self, name: str) -> pygame.mixer.Sound | None:
        if name not in self._known:
            self._known[name] = None
            for ending in _ENDINGS:
                path = self._folder / f"{name}{ending}" if self._folder else None
                if path and path.is_file():
                    try:
                        self._known[name] = pygame.mixer.Sound(str(path))
                    except pygame.error as error:
                        log.warning("sound %s cannot be played: %s", path, error)
                    break
        return self._known[name]
