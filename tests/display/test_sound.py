"""Sounds come one after another, are flushed by newer ones, and are never an error."""

from __future__ import annotations

import logging
import struct
import wave
from pathlib import Path

import pygame
import pytest

from terminal.display.sound import SPOKEN, Sounds
from terminal.display.window import Window
from terminal.rules import explain
from tests.display.moments import moments


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Half a second of sound under each of three names."""
    for name in ("sois", "zand", "stoef"):
        with wave.open(str(tmp_path / f"{name}.wav"), "wb") as file:
            file.setparams((1, 2, 22050, 0, "NONE", "not compressed"))
            file.writeframes(struct.pack("<h", 3000) * 11025)
    return tmp_path


@pytest.fixture
def sounds(folder: Path):
    made = Sounds(folder)
    yield made
    made.close()


def test_the_first_of_several_sounds_plays_and_the_others_wait(sounds: Sounds) -> None:
    sounds.play(("sois", "stoef"), 5)
    assert pygame.mixer.get_busy()
    sounds.go_on()
    assert sounds.waiting == ("stoef",)
    pygame.mixer.stop()
    sounds.go_on()
    assert sounds.waiting == () and pygame.mixer.get_busy()


def test_a_newer_sound_flushes_what_was_still_to_come(sounds: Sounds) -> None:
    sounds.play(("sois", "stoef"), 5)
    sounds.play((), 5)
    assert sounds.waiting == () and not pygame.mixer.get_busy()


def test_a_missing_file_is_silent_and_the_next_sound_follows(sounds: Sounds) -> None:
    sounds.play(("fietske", "sois"), 5)
    assert not pygame.mixer.get_busy()
    sounds.go_on()
    assert pygame.mixer.get_busy()


def test_a_file_that_is_no_sound_is_told_once_and_silent(
    sounds: Sounds, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "azen.wav").write_bytes(b"no sound at all")
    with caplog.at_level(logging.WARNING):
        sounds.play(("azen",), 5)
        sounds.play(("azen",), 5)
    assert [record for record in caplog.records if "azen.wav" in record.getMessage()] == caplog.records[:1]
    assert not pygame.mixer.get_busy()


def test_volume_nought_and_no_folder_open_no_loudspeaker(folder: Path) -> None:
    for silent, volume in ((Sounds(folder), 0), (Sounds(None), 10)):
        silent.play(("sois",), volume)
        assert pygame.mixer.get_init() is None
        silent.close()


def test_without_a_loudspeaker_play_goes_on_in_silence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    sounds = Sounds(folder)
    with caplog.at_level(logging.WARNING):
        sounds.play(("sois",), 5)
        sounds.play(("zand",), 5)
    assert len(caplog.records) == 1
    assert sounds.waiting == ()


def test_the_window_plays_sounds_once_when_their_number_grows_and_none_of_before_it_was_opened(folder: Path) -> None:
    window = Window(headless=True, sounds_folder=folder)
    view = moments("nl")["play"]()._replace(volume=5)
    window.show(view._replace(sounds=(3, ("sois",))))  # after a restart: that was said long ago
    assert pygame.mixer.get_init() is None
    window.show(view._replace(sounds=(4, ("zand",))))
    assert pygame.mixer.get_busy()
    pygame.mixer.stop()
    window.show(view._replace(sounds=(4, ("zand",)), notice="x"))
    assert not pygame.mixer.get_busy()
    window.close()


def test_every_sound_is_of_something_that_happens_and_has_its_spoken_words() -> None:
    assert set(SPOKEN) <= set(explain.KINDS)
    assert {"sois", "zand", "stoef", "barrage", "azen", "fietske", "again"} <= set(SPOKEN)
    assert all(words.strip() for words in SPOKEN.values())
