"""Games on file, each line with what the table saw: `expect` holds parts of the state after it, stripes in seat order.

`expect` and `story` are further fields, so the files are journals like any other.
"""

import json
from pathlib import Path

import pytest

from terminal.rules import fold as folds
from terminal.rules.reglement import names

FOLDER = Path(__file__).parents[1] / "games"
FILES = sorted(FOLDER.glob("*.jsonl"))


def lines_of(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_played_game_goes_as_it_went(file):
    fold = None
    expectations = 0
    for number, line in enumerate(lines_of(file), start=1):
        fold = folds.begin(line) if fold is None else folds.apply(fold, line)
        state = folds.summary(fold)
        state["stripes"] = list(state["stripes"].values())
        for name, expected in line.get("expect", {}).items():
            assert state[name] == expected, f"{file.name}, line {number}: {name}"
            expectations += 1
    assert folds.outcome(fold) is not None
    assert expectations > 10


def test_every_packaged_reglement_has_a_played_game():
    assert {lines_of(file)[0]["reglement"] for file in FILES} == set(names())
