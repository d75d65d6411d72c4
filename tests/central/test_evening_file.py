"""An evening out of a file: every field, and every way to get it wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from central import evening_file, evenings
from central.evening_file import BadEvening
from central.schema import game
from tests.central import playing
from tests.central.conftest import plan
from tests.central.test_ingest import take

GUIDE = Path(__file__).parents[2] / "docs" / "organiser.md"


def shown():
    """The file that the guide shows, as TOML."""
    return tomllib.loads(re.search(r"```toml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)[1])


def test_the_file_in_the_guide_is_a_whole_evening():
    made = evening_file.parse(shown())
    assert (made.key, made.date, made.cafe) == ("2026-11-29", "2026-11-29", "De Kroon")
    assert made.players == ((1, "An"), (2, "Bo"))
    assert made.tables == (evening_file.PlannedTable(1, "1", (1, 2)),)
    assert made.reglement["stripes"] == 12


def test_the_guide_shows_every_field():
    known = set()
    for table in ("evening", "players", "tables"):
        wrong = {"evening": shown()["evening"], "players": shown()["players"], "tables": shown()["tables"]}
        part = wrong[table]
        (part if table == "evening" else part[0])["?"] = 1
        with pytest.raises(BadEvening) as caught:
            evening_file.parse(wrong)
        known |= set(re.search(r"known: (.*)\)", str(caught.value))[1].split(", "))
    content = shown()
    assert known == {*content["evening"], *content["players"][0], *content["tables"][0]}


def spoil(path, value):
    content = shown()
    part = content
    for key in path[:-1]:
        part = part[key]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return content


WRONG = [
    (("evening",), None, "[evening] is missing"),
    (("evening", "key"), None, "evening.key is missing"),
    (("evening", "key"), " ", "evening.key: a text"),
    (("evening", "cafe"), "x" * 61, "evening.cafe: a text of 1 to 60"),
    (("evening", "date"), "2026-11-29", "without quotes"),
    (("evening", "reglement"), "kazerna", "kazerne, negen"),
    (("evening", "reglement"), 3, "evening.reglement: one of"),
    (("evening", "reglement"), {"name": "x"}, "stripes"),
    (("evening", "stripes"), 0, "1 to 99"),
    (("evening", "stripes"), True, "1 to 99"),
    (("evening", "games"), 10, "evening.games: a whole number from 1 to 9"),
    (("evening", "games"), 3.0, "evening.games"),
    (("evening", "entry_cents"), -1, "evening.entry_cents: a whole number from 0"),
    (("evening", "pairing"), 1, "evening.pairing: true or false"),
    (("evening", "stripe"), 3, "evening.stripe is not known, perhaps evening.stripes?"),
    (("player",), [], "player is not known, perhaps players?"),
    (("players",), None, "[[players]] is missing"),
    (("players", 1, "number"), 1, "players[1].number: 1 is An already"),
    (("players", 1, "number"), 0, "players[1].number: a whole number from 1"),
    (("players", 1, "name"), 7, "players[1].name: a text"),
    (("tables",), None, "[[tables]] is missing"),
    (("tables", 0, "seats"), [1], "tables[0].seats: a list of two to eight"),
    (("tables", 0, "seats"), [1, True], "tables[0].seats: a list of two to eight"),
    (("tables", 0, "seats"), [1, 9], "9 at table '1' is no player's number"),
    (("tables", 0, "seats"), [1, 1], "1 sits at '1' and at '1'"),
    (("tables", 0, "seating"), 2, "counted 1, 2, 3"),
]


@pytest.mark.parametrize(("path", "value", "named"), WRONG, ids=[named for _, _, named in WRONG])
def test_a_mistake_is_named_with_what_is_allowed(path, value, named):
    with pytest.raises(BadEvening, match=re.escape(named)):
        evening_file.parse(spoil(path, value))


@pytest.mark.parametrize("content", ["x =", "\xff"])
def test_a_file_that_is_no_toml_is_named(tmp_path, content):
    path = tmp_path / "avond.toml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(BadEvening, match=re.escape(str(path))):
        evening_file.load(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadEvening, match=r"nergens\.toml"):
        evening_file.load(tmp_path / "nergens.toml")


def test_a_table_twice_in_a_seating_is_refused():
    content = shown()
    content["tables"].append(dict(content["tables"][0]))
    with pytest.raises(BadEvening, match="twice"):
        evening_file.parse(content)


def test_two_players_of_one_name_are_told_apart(store):
    made = plan()._replace(players=((1, "Jan"), (2, "jan "), (3, "An"), (12, "JAN"), (4, "Bo"), (5, "Cé"), (6, "Els")))
    night = store.writing(lambda connection: evenings.from_plan(connection, made))
    known = store.reading(lambda connection: evenings.entrants(connection, night.id))
    assert [known[number].name for number in (1, 2, 12)] == ["Jan", "jan  (2)", "JAN (12)"]


def test_the_same_file_again_keeps_the_evening(store, evening):
    assert store.writing(lambda connection: evenings.from_plan(connection, plan())) == evening


def test_a_changed_file_replaces_the_evening_until_a_result_is_in(store, evening):
    changed = plan(cafe="De Zwaan", tables=(("1", (2, 1, 3)), ("2", (4, 5, 6))))
    night = store.writing(lambda connection: evenings.from_plan(connection, changed))
    assert night.cafe == "De Zwaan"
    lines = playing.play(("Bo", "An", "Cé"), 1)
    assert take(store, playing.message(lines, numbers=(2, 1, 3))) == "stored"
    with pytest.raises(BadEvening, match="give it a new key"):
        store.writing(lambda connection: evenings.from_plan(connection, plan()))
    assert store.reading(lambda connection: connection.scalar(game.select())) == "game-1"
