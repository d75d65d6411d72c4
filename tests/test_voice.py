"""The spoken words, by the real voice."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from terminal import voice
from terminal.display.sound import SPOKEN


def test_every_word_becomes_a_sound_that_can_be_heard(tmp_path: Path) -> None:
    made = voice.speak(SPOKEN, tmp_path)
    assert {path.stem for path in made} == set(SPOKEN)
    for path in made:
        with wave.open(str(path)) as sound:
            assert 0.2 < sound.getnframes() / sound.getframerate() < 4
            assert max(sound.readframes(sound.getnframes())) > 20


def test_a_sound_of_ones_own_stays(tmp_path: Path) -> None:
    own = tmp_path / "sois.ogg"
    own.write_bytes(b"my own voice")
    made = voice.speak({"sois": "sois!", "zand": "zand!"}, tmp_path)
    assert [path.name for path in made] == ["zand.wav"]
    assert own.read_bytes() == b"my own voice"


def test_without_the_program_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(voice.NoVoice, match="espeak-ng"):
        voice.speak(SPOKEN, tmp_path / "sounds")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(voice.NoVoice, match="file"):
        voice.speak(SPOKEN, tmp_path / "file" / "sounds")
