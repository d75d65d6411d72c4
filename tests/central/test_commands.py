"""Central as a process: it ends when told, loses nothing when killed, and keeps an evening over a restart."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.central import playing
from tests.central.serving import central

EVENING = Path(__file__).with_name("evening.toml")
LINE = {"seq": 0, "line": playing.play(playing.NAMES[:3], 1)[0]}


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_cleanly_within_three_seconds_with_open_streams(sqlite_url, told):
    with (
        central(sqlite_url, EVENING) as process,
        httpx.stream("GET", process.url + "/events") as one,
        httpx.stream("GET", process.url + "/events") as two,
    ):
        assert next(one.iter_lines()).startswith("id:")
        assert next(two.iter_lines()).startswith("id:")
        began = time.monotonic()
        status, said = process.end(told)
        took = time.monotonic() - began
    assert status == 0
    assert "Traceback" not in said
    assert took < 3


def test_a_result_that_was_answered_survives_kill_9(sqlite_url):
    message = playing.message(playing.play(playing.NAMES[:3], 1))
    with central(sqlite_url, EVENING) as process:
        assert httpx.post(process.url + "/api/results", json=message).json()["outcome"] == "stored"
        process.end(signal.SIGKILL)
    with central(sqlite_url, EVENING) as process:
        assert httpx.post(process.url + "/api/results", json=message).json()["outcome"] == "same"
        assert httpx.get(process.url + "/api/games?table=1").json()["games"] == {"game-1": len(message["journal"])}


def test_an_open_page_hears_of_a_result(sqlite_url):
    message = playing.message(playing.play(playing.NAMES[:3], 1))
    with (
        central(sqlite_url, EVENING) as process,
        httpx.stream("GET", process.url + "/events", timeout=10) as stream,
    ):
        heard = (line for line in stream.iter_lines() if line.startswith("data:"))
        assert '"standings": true' in next(heard)  # on coming in: look at everything
        assert httpx.post(process.url + "/api/live", json={"table": "1", "game": "g", "lines": [LINE]}).is_success
        assert '"standings": false' in next(heard)
        assert httpx.post(process.url + "/api/results", json=message).is_success
        assert '"standings": true' in next(heard)


def test_an_evening_file_with_a_mistake_names_it(sqlite_url, tmp_path):
    wrong = tmp_path / "avond.toml"
    wrong.write_text(EVENING.read_text().replace("seats = [1, 2, 3]", "seats = [1, 2, 9]"))
    with pytest.raises(AssertionError, match="9 at table '1' is no player's number"), central(sqlite_url, wrong):
        pass
