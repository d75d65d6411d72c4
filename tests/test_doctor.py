"""The examination of a table: what is well, what is missing, what is broken."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from terminal import config
from terminal.cli import main
from terminal.doctor import Finding, examine

NOW = datetime(2026, 11, 29, 20)


def findings(folder: Path, text: str = "") -> dict[str, Finding]:
    given = config.parse(f'[table]\ndata = "{folder / "data"}"\n{text}', folder, "table.toml")
    return {finding.part: finding for finding in examine(given, NOW)}


def test_a_table_by_touch_alone_is_well(tmp_path: Path) -> None:
    found = findings(tmp_path)
    assert found["card"].well and found["clock"].well
    assert [found[part].well for part in ("camera", "calibration", "buttons", "central", "sounds")] == [None] * 5


def test_a_camera_that_gives_pictures_is_looked_through(tmp_path: Path) -> None:
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "frames" / "1.png"), np.full((240, 320, 3), 60, np.uint8))
    found = findings(tmp_path, '[camera]\nsource = "folder:frames"\n')
    assert found["camera"].well
    assert "320x240" in found["camera"].told


def test_a_camera_that_is_not_there_is_named_and_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    found = findings(tmp_path, '[camera]\nsource = "folder:nothing"\ncalibration = "gone.json"\n')
    assert found["camera"].well is False
    assert "nothing" in found["camera"].told
    assert "gone.json" in found["calibration"].told
    assert "central" in found


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    games = tmp_path / "data" / "games"
    games.mkdir(parents=True)
    (games / "000001-x.jsonl").write_text('{"type": "game_started"\n', encoding="utf-8")
    found = findings(tmp_path)
    assert found["card"].well is False
    assert "000001-x.jsonl" in found["card"].told


def test_a_central_that_does_not_answer_is_told(tmp_path: Path) -> None:
    found = findings(tmp_path, '[central]\nurl = "http://127.0.0.1:9"\n')
    assert found["central"].well is False


def test_sounds_of_which_some_are_missing_are_told(tmp_path: Path) -> None:
    (tmp_path / "sounds").mkdir()
    (tmp_path / "sounds" / "sois.ogg").write_bytes(b"")
    found = findings(tmp_path, '[sound]\nfolder = "sounds"\n')
    assert found["sounds"].well is False
    assert "zand" in found["sounds"].told


def test_the_command_ends_with_1_when_anything_is_in_trouble(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[table]\ndata = "data"\n', encoding="utf-8")
    assert main(["doctor", "--config", str(settings)]) == 0
    settings.write_text('[table]\ndata = "data"\n[camera]\nsource = "folder:none"\n', encoding="utf-8")
    assert main(["doctor", "--config", str(settings)]) == 1
    assert "camera" in capsys.readouterr().out
