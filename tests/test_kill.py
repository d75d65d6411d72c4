"""Nothing accepted is ever lost: an evening in which processes are killed ends as one in which nobody was."""

from __future__ import annotations

from pathlib import Path

from tests.bench.kill import disturbed, undisturbed


def test_twenty_kills_change_no_standing(tmp_path: Path) -> None:
    """Three players, one stripe, three games at each of two tables; 200 kills: python -m tests.bench.kill."""
    wanted = undisturbed(tmp_path / "undisturbed", 3, 1)
    assert len(wanted) == 6
    killed, number = 0, 0
    while killed < 20:
        number += 1
        found, more = disturbed(tmp_path / f"evening-{number}", 3, 1, 20 - killed, number)
        assert found == wanted
        killed += more
