"""The command line: what it prints, and its exit status for good, refused and impossible input."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from terminal.cli import main

STARTED = '{"type":"game_started","game":"g","reglement":"kazerne","players":["An","Bo"],"starter":"An"}\n'


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_replay_prints_a_state_for_every_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    journal = tmp_path / "game.jsonl"
    journal.write_text(STARTED + '{"type":"throw","player":"An","dice":[1,2,4]}\n', encoding="utf-8")
    assert main(["replay", str(journal)]) == 0
    states = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [state["seq"] for state in states] == [0, 1]


def test_replay_tells_of_a_refused_line_and_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "game.jsonl"
    journal.write_text(STARTED + "{}\n", encoding="utf-8")
    assert main(["replay", str(journal), "--final"]) == 1


def test_replay_of_no_file_is_another_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err


def test_read_prints_a_line_for_every_file_and_goes_on_after_a_bad_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank, broken = tmp_path / "blank.png", tmp_path / "broken.jpg"
    cv2.imwrite(str(blank), np.full((240, 320, 3), 60, np.uint8))
    broken.write_bytes(b"no picture")
    assert main(["read", str(broken), str(blank), str(tmp_path / "gone.jpg"), "--json"]) == 1
    found = lines_of(capsys)
    assert [line["status"] for line in found] == ["error", "empty", "error"]
    assert [Path(line["file"]).name for line in found] == ["broken.jpg", "blank.png", "gone.jpg"]
    assert set(found[1]) == {"file", "status", "values", "dice", "reason", "ms"}


def test_read_refuses_a_calibration_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "calibration.json"
    wrong.write_text("{}", encoding="utf-8")
    assert main(["read", "x.jpg", "--calibration", str(wrong)]) == 2
    assert "calibration.json" in capsys.readouterr().err


@pytest.mark.parametrize("dice", ["-1", "31", "two"])
def test_read_refuses_an_impossible_number_of_dice(dice: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["read", "x.jpg", "--dice", dice])
    assert ended.value.code == 2


def test_calibrate_says_why_it_cannot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blank, out = tmp_path / "blank.png", tmp_path / "out.json"
    cv2.imwrite(str(blank), np.full((240, 320, 3), 60, np.uint8))
    assert main(["calibrate", str(blank), "--out", str(out)]) == 2
    assert capsys.readouterr().err.startswith("pitjesbak: ")
    assert not out.exists()


def test_watch_names_a_source_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "no/such/thing"]) == 2
    assert "no/such/thing" in capsys.readouterr().err


def test_watch_of_an_empty_tray_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((240, 320, 3), 60, np.uint8))
    assert main(["watch", str(tmp_path), "--json"]) == 0
    assert lines_of(capsys) == []


def test_a_table_refuses_settings_that_say_something_impossible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text("[camera]\nsauce = 'pi'\n", encoding="utf-8")
    assert main(["terminal", "--config", str(settings)]) == 2
    assert "source" in capsys.readouterr().err


def test_central_refuses_an_evening_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening = tmp_path / "evening.toml"
    evening.write_text("[evening]\n", encoding="utf-8")
    database = f"sqlite:///{tmp_path / 'central.db'}"
    assert main(["central", "--database", database, "--evening", str(evening), "--port", "0"]) == 2
    assert "evening.toml" in capsys.readouterr().err


def test_the_demo_says_that_it_has_no_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--pictures", str(tmp_path), "--out", str(tmp_path / "demo")]) == 2
    assert "truth.json" in capsys.readouterr().err


def test_a_forgotten_password_gives_a_new_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["central", "--database", f"sqlite:///{tmp_path / 'central.db'}", "--forget-password"]) == 0
    assert capsys.readouterr().out.strip()


def test_the_card_to_print_is_written_to_scale_and_nothing_else(tmp_path: Path) -> None:
    assert main(["calibrate", "--card", str(tmp_path / "card.pdf")]) == 0
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF")
    assert main(["calibrate", "--card", str(tmp_path / "card.doc")]) == 2


def test_calibrate_passes_and_shows_the_felt_from_above(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Path(__file__).resolve().parents[1] / "fixtures" / "images" / "kroon"
    out = tmp_path / "c.json"
    pictures = [str(table / "000.jpg"), "--pose", str(table / "truth.json")]
    assert main(["calibrate", *pictures, "--die", "15.5", "--out", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["die_mm"] == 15.5
    assert "c.felt.png" in capsys.readouterr().out
    assert (tmp_path / "c.felt.png").read_bytes().startswith(b"\x89PNG")


def test_a_die_that_nobody_throws_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["calibrate", "empty.jpg", "--die", "60", "--out", "c.json"])
    assert "--die" in capsys.readouterr().err


def test_calibrate_without_pictures_or_without_a_file_says_what_is_needed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["calibrate"], ["calibrate", "empty.jpg"], ["calibrate", "--out", "c.json"]):
        assert main(arguments) == 2
        assert "--out" in capsys.readouterr().err
