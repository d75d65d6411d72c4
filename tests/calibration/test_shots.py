"""Calibrating by the camera of the table itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import model
from calibration.fit import CalibrationFailed
from calibration.shots import APART_S, SHOTS, fitted, of_empty
from terminal.cli import main
from terminal.frame import Frame
from terminal.hw.ports import CameraLost
from tests.calibration.test_fit import TABLES, picture

EMPTY = picture(TABLES[0])


class Looking:
    """A camera that shows one picture for so many seconds, 30 frames each."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.closed, self.taken = seconds, False, 0

    def frames(self) -> Iterator[Frame]:
        for seq in range(round(30 * self.seconds)):
            yield Frame(seq, seq / 30, EMPTY[::4, ::4, 1].copy(), self._image)

    def _image(self) -> np.ndarray:
        self.taken += 1
        return EMPTY

    def close(self) -> None:
        self.closed = True


def test_a_few_pictures_are_taken_apart_and_the_camera_is_given_back() -> None:
    camera = Looking(60.0)
    assert len(of_empty(camera)) == SHOTS
    assert camera.taken == SHOTS  # no frame between them is fetched whole
    assert camera.closed


def test_a_source_that_ends_gives_what_it_had_and_none_is_said() -> None:
    assert len(of_empty(Looking(1.5 * APART_S))) == 2
    camera = Looking(0.0)
    with pytest.raises(CameraLost, match="no picture"):
        of_empty(camera)
    assert camera.closed


def test_the_command_takes_a_camera_as_the_terminal_does(tmp_path: Path) -> None:
    frames = tmp_path / "frames"
    frames.mkdir()
    for number in range(3):
        cv2.imwrite(str(frames / f"{number}.png"), EMPTY)
    assert main(["calibrate", f"folder:{frames}", "--out", str(tmp_path / "one.json")]) == 0
    toml = tmp_path / "terminal.toml"
    toml.write_text(f'[table]\ndata = "games"\n[camera]\nsource = "folder:{frames}"\n', encoding="utf-8")
    (tmp_path / "games").mkdir()
    assert main(["calibrate", "--config", str(toml)]) == 0  # where the settings name no file, beside the games
    one, two = model.load(tmp_path / "one.json"), model.load(tmp_path / "games" / "calibration.json")
    assert np.array_equal(one.floor_mm, two.floor_mm)
    assert one.image_wh == (EMPTY.shape[1], EMPTY.shape[0])


def test_pictures_that_cannot_be_worked_out_are_refused_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    for pictures, code in (([np.zeros((8, 8, 3), np.uint8)] * 2, "tray"), ([], "unusable")):
        with pytest.raises(CalibrationFailed) as refused:
            fitted(pictures, [])
        assert refused.value.code == code
    with pytest.raises(CalibrationFailed, match="card is not seen"):
        fitted([EMPTY], [EMPTY])
    monkeypatch.setattr("calibration.fit.from_empty", lambda images: np.linalg.inv(np.zeros((2, 2))))
    with pytest.raises(CalibrationFailed, match="cannot be worked out"):
        fitted([EMPTY], [])


def test_the_command_names_a_camera_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "usb:97", "--out", str(tmp_path / "one.json")]) == 2
    assert "usb:97" in capsys.readouterr().err


def test_the_command_without_anything_to_look_at_says_what_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = tmp_path / "terminal.toml"
    toml.write_text('[table]\nname = "1"\n', encoding="utf-8")
    assert main(["calibrate", "--config", str(toml)]) == 2
    assert "--out FILE" in capsys.readouterr().err
