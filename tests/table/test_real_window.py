"""A whole seating in a real window under Xvfb, with real clicks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from terminal.rules import fold as rules
from terminal.rules.fold import Fold
from tests.table.whole_evening import check

PICTURES = Path(__file__).parents[2] / "fixtures" / "images"


@pytest.fixture
def display() -> Iterator[str]:
    """The number of an X server of our own."""
    read, write = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(write)
        with os.fdopen(read) as said:
            yield f":{said.readline().strip()}"
        server.terminate()


def test_a_seating_is_clicked_through_in_a_real_window(tmp_path: Path, display: str) -> None:
    environment = os.environ | {"DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_VIDEO_WINDOW_POS": "0,0"}
    source = sorted(path.parent for path in PICTURES.glob("*/truth.json"))[0]
    done = subprocess.run(
        [sys.executable, "-m", "tests.table.clicked_game", str(tmp_path), str(source)],
        env=environment | {"SDL_AUDIODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *lines, clicks = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    games: list[Fold] = []
    for line in lines:
        if line["type"] == "game_started":
            games.append(rules.begin(line))
        else:
            games[-1] = rules.apply(games[-1], line)
    assert len(games) == 3
    assert all(rules.outcome(game) is not None for game in games)
    assert clicks["count"] >= 3
    assert {line["source"] for line in lines if line["type"] == "throw"} <= {"camera", "touch"}
    kept = list((tmp_path / "data" / "pictures").glob("*.jpg"))
    assert len(kept) == sum("image" in line for line in lines)


def test_a_whole_evening_is_clicked_through_in_a_real_window(tmp_path: Path, display: str) -> None:
    """From the names, typed key by key, to the final: every tap a click of a mouse on the X server."""
    environment = os.environ | {"DISPLAY": display, "SDL_VIDEODRIVER": "x11", "SDL_VIDEO_WINDOW_POS": "0,0"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.table.whole_evening", str(tmp_path)],
        env=environment | {"SDL_AUDIODRIVER": "dummy"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *lines, seen = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    check(lines, seen)
    assert seen["typed"] == "An, gooi één teerling"
    assert seen["clicks"] > 60
