"""`pitjesbak replay`: strict JSON, one line out for each line in, `--final`, exit statuses."""

import gc
import io
import json
import os
from pathlib import Path

import pytest

from terminal.rules.game import CODES
from terminal.rules.replay import ACCEPTED, REFUSED, UNREADABLE, main, replay, replay_file
from tests.rules.play import started

START = json.dumps(started()).encode()
THROW = b'{"type": "throw", "player": "An", "dice": [6, 4, 5]}'


def run(*lines, final=False):
    out = io.BytesIO()
    status = replay(io.BytesIO(b"\n".join(lines)), out, final)
    return status, [json.loads(line) for line in out.getvalue().decode().splitlines()]


def code_of(*lines):
    """The code of the last line, which must be refused and documented."""
    status, answers = run(*lines)
    assert status == REFUSED
    assert answers[-1]["seq"] is None
    assert set(answers[-1]) == {"seq", "error"}
    assert answers[-1]["error"]["message"]
    assert answers[-1]["error"]["code"] in CODES
    return answers[-1]["error"]["code"]


def test_a_state_for_each_accepted_line():
    status, answers = run(START, THROW)
    assert status == ACCEPTED
    assert answers[0] == {
        "seq": 0,
        "phase": "throwing",
        "turn": "An",
        "stripes": {"An": 12, "Bo": 12, "Cé": 12},
        "out": [],
        "left": [],
        "round": {"starter": "An", "throws_allowed": None, "throws": {}, "stoef": []},
        "barrage": None,
        "last_round": None,
        "ranking": None,
        "points": None,
        "legal": ["die_outside", "throw"],
    }
    assert answers[1]["round"]["throws"] == {"An": [[4, 5, 6]]}


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[]",
        b"3",
        b'"throw"',
        b"null",
        b"not json",
        b'{"type": "abandon"} x',
        b"{'type': 'abandon'}",
        b'{"type": "abandon", "x": NaN}',
        b'{"type": "abandon", "x": [Infinity]}',
        b'{"type": "abandon", "x": -Infinity}',
        b'{"type": "abandon", "x": 01}',
        b'{"type": "abandon", "x": "\xff"}',
        b'{"type": "abandon", "x": "\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"type": "abandon"}',
        '{"type": "abandon"}'.encode("utf-16"),
        b'{"type": "abandon", "x": "\x01"}',
        b"\x0c",
        "\u00a0".encode(),
        b'{"type": "abandon", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"type": "abandon", "x": ' + b"9" * 10_000 + b", NaN}",
    ],
)
def test_a_line_that_is_no_json_object_is_refused_and_replay_goes_on(line):
    assert code_of(START, line) == "not_json"
    status, answers = run(START, line, THROW)
    assert (status, len(answers), answers[2]["seq"]) == (REFUSED, 3, 1)


def test_lines_that_are_strange_but_json_are_accepted():
    huge = THROW[:-1] + b', "at": ' + b"9" * 10_000 + b', "x": 1e999, "y": "\\ud800", "z": -0}'
    deep = THROW[:-1] + b', "at": ' + b"[" * 100 + b"]" * 100 + b"}"
    assert run(START, huge)[0] == ACCEPTED
    assert run(START, deep)[0] == ACCEPTED
    assert run(START, b"  \t" + THROW + b" \r")[0] == ACCEPTED


def test_blank_lines_are_skipped():
    assert run(b"", START, b" \t\r", b"", THROW + b"\r", b"")[1] == run(START, THROW)[1]
    assert run() == (ACCEPTED, [])


@pytest.mark.parametrize("depth", range(900, 1000, 3))
def test_a_value_nested_as_deep_as_the_parser_takes_is_refused_not_crashing(depth):
    nested = b"[" * depth + b"]" * depth
    for field in (b"dice", b"type", b"player"):
        line = THROW.replace(b'"%s": ' % field, b'"%s": %s, "x": ' % (field, nested))
        assert code_of(START, line) in ("not_json", "bad_field", "unknown_type")
    assert code_of(START.replace(b'"kazerne"', b'{"name": %s}' % nested)) in ("not_json", "bad_reglement")


@pytest.mark.parametrize(
    "dice",
    [
        "[1, 2]",
        "[1, 2, 3, 4]",
        "[1, 2, 0]",
        "[1, 2, 7]",
        "[1, 2, 3.0]",
        "[1, 2, true]",
        '[1, 2, "3"]',
        "[1, 2, null]",
        '"124"',
        "124",
        "null",
        '{"0": 1}',
        "[]",
        "[[1], 2, 3]",
        "[1, 2, 99999999999999999999999999999999]",
        "[1, 2, -1]",
    ],
)
def test_dice_are_three_integers_from_1_to_6(dice):
    assert code_of(START, b'{"type": "throw", "player": "An", "dice": %s}' % dice.encode()) == "bad_field"


@pytest.mark.parametrize("player", ["null", "3", '["An"]', '{"An": 1}', "true"])
def test_a_player_is_a_string(player):
    assert code_of(START, b'{"type": "throw", "player": %s, "dice": [1, 2, 4]}' % player.encode()) == "bad_field"


@pytest.mark.parametrize("player", ['"Zo\\u00eb"', '""', '"an"', '"An "', '"\\ud800"'])
def test_an_unknown_player_is_refused(player):
    assert code_of(START, b'{"type": "throw", "player": %s, "dice": [1, 2, 4]}' % player.encode()) == "unknown_player"


@pytest.mark.parametrize("kind", ["null", '"Throw"', '""', "3", "[]", '{"throw": 1}', '"\\ud800"', '"dice"', "true"])
def test_an_unknown_type_is_refused(kind):
    assert code_of(START, b'{"type": %s, "player": "An", "dice": [1, 2, 4]}' % kind.encode()) == "unknown_type"
    assert code_of(b'{"type": %s}' % kind.encode()) == "no_game"


def test_nothing_is_accepted_before_a_game_has_begun():
    for line in (THROW, b'{"type": "undo", "of": 0}', b'{"type": "abandon"}', b"{}"):
        assert code_of(line) == "no_game"


def game_started(**fields):
    line = {**started(), **fields}
    return json.dumps({name: value for name, value in line.items() if value is not ...}).encode()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": ...}, "bad_field"),
        ({"game": 7}, "bad_field"),
        ({"game": ""}, "bad_field"),
        ({"game": " \u2003\n"}, "bad_field"),
        ({"game": "g\ud800"}, "bad_field"),
        ({"players": ...}, "bad_players"),
        ({"players": "An"}, "bad_players"),
        ({"players": {"An": 1, "Bo": 2}}, "bad_players"),
        ({"players": ["An"]}, "bad_players"),
        ({"players": list("abcdefghi")}, "bad_players"),
        ({"players": ["An", "An"]}, "bad_players"),
        ({"players": ["An", " "]}, "bad_players"),
        ({"players": ["An", 3]}, "bad_players"),
        ({"players": ["An", ["Bo"]]}, "bad_players"),
        ({"players": ["An", "\udfff"]}, "bad_players"),
        ({"reglement": ...}, "bad_field"),
        ({"reglement": None}, "bad_field"),
        ({"reglement": 3}, "bad_field"),
        ({"reglement": []}, "bad_field"),
        ({"reglement": "Kazerne"}, "bad_reglement"),
        ({"reglement": "kazerne.toml"}, "bad_reglement"),
        ({"reglement": "../negen"}, "bad_reglement"),
        ({"reglement": {}}, "bad_reglement"),
        ({"reglement": {"rules": "pitjesbak"}}, "bad_reglement"),
        ({"reglement": {"rules": []}}, "bad_reglement"),
        ({"stripes": 0}, "bad_field"),
        ({"stripes": 100}, "bad_field"),
        ({"stripes": None}, "bad_field"),
        ({"stripes": True}, "bad_field"),
        ({"stripes": 6.0}, "bad_field"),
        ({"stripes": "6"}, "bad_field"),
        ({"starter": 3}, "bad_field"),
        ({"starter": ["An"]}, "bad_field"),
        ({"starter": False}, "bad_field"),
        ({"starter": "Zoë"}, "unknown_player"),
        ({"starter": ""}, "unknown_player"),
    ],
)
def test_a_bad_start_is_refused_and_leaves_the_game_before_it_open(fields, code):
    assert code_of(game_started(**fields)) == code
    status, answers = run(START, game_started(**fields), THROW)
    assert (status, answers[2]["seq"]) == (REFUSED, 1)


def test_start_with_two_and_with_eight_players():
    for number in (2, 8):
        assert run(game_started(players=list("abcdefgh")[:number], starter="a"))[0] == ACCEPTED


def test_start_without_starter_or_with_null_is_a_start_roll():
    assert run(game_started(starter=...))[1][0]["phase"] == "start_roll"
    assert run(game_started(starter=None))[1][0]["phase"] == "start_roll"


def test_a_new_game_may_begin_at_any_time_and_undo_reaches_only_the_latest():
    status, answers = run(START, THROW, START, b'{"type": "undo", "of": 1}')
    assert status == REFUSED
    assert [answer["seq"] for answer in answers] == [0, 1, 0, None]


def test_final_prints_only_the_last_state_of_each_game():
    lines = (THROW, START, THROW, b"rubbish", START, game_started(stripes=0), THROW, THROW)
    status, answers = run(*lines, final=True)
    full_status, full = run(*lines)
    assert status == full_status == REFUSED
    assert answers == [full[2], full[7]]
    assert run(THROW, final=True) == (REFUSED, [])
    assert run(START, THROW, final=True)[0] == ACCEPTED


def test_only_line_feeds_part_lines_in_and_out():
    strange = json.loads(game_started(players=["An", "B\u2028o\u0085"], starter="An"))
    status, answers = run(json.dumps(strange, ensure_ascii=False).encode(), THROW)
    assert (status, len(answers), answers[1]["turn"]) == (ACCEPTED, 2, "An")


def test_refusals_never_break_the_output():
    for line in (b'{"type": "\\ud800"}', b'{"type": "throw", "player": "\\udfff", "dice": [1, 2, 4]}'):
        code_of(START, line)
    code_of(game_started(reglement={"\ud800": 1}))


def test_no_line_legal_or_not_leaves_a_cycle_behind():
    """The cycle collector is paused meanwhile; were there cycles, a season of refused lines would fill the memory."""
    bad = [b"{", b"[" * 5000, b'{"type": "throw", "player": "Bo", "dice": [1, 2, 4]}', b'{"type": "undo", "of": 7}']
    bad += [game_started(stripes=0), b'{"type": "correction", "of": 1, "dice": [1, 1, 1]}', b'{"type": "stoef"}']
    begun = [START, THROW, b'{"type": "stand", "player": "An"}']
    run(*begun, *bad)
    gc.collect()
    run(*begun, *bad * 200)
    assert gc.collect() < 200
    assert gc.isenabled()


def test_exit_status_2_when_the_file_cannot_be_read(tmp_path, capsys):
    assert replay_file(str(tmp_path / "nowhere"), io.BytesIO()) == UNREADABLE
    assert replay_file(str(tmp_path), io.BytesIO()) == UNREADABLE
    assert "nowhere" in capsys.readouterr().err


def test_each_answer_is_there_before_the_next_line_is_read():
    received = io.BytesIO()
    seen = []

    def asking():
        for line in (START, THROW, b"rubbish"):
            yield line
            seen.append(received.getvalue().count(b"\n"))

    with io.BufferedWriter(received) as out:
        replay(asking(), out)
    assert seen == [1, 2, 3]


def test_a_reader_that_goes_away_is_no_unreadable_file(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_bytes(START + b"\n")
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(BrokenPipeError), open(writing, "wb", buffering=0) as out:  # noqa: PTH123  # a descriptor
        replay_file(str(path), out)


def test_as_a_program(tmp_path, capfdbinary):
    path = tmp_path / "j.jsonl"
    path.write_bytes(START + b"\n" + THROW + b"\n")
    assert main([str(path), "--final"]) == ACCEPTED
    assert json.loads(capfdbinary.readouterr().out)["seq"] == 1


def test_every_code_is_documented_in_the_room():
    readme = (Path(__file__).parents[2] / "terminal" / "rules" / "README.md").read_text(encoding="utf-8")
    for code, meaning in CODES.items():
        assert f"| `{code}` | {meaning} |" in readme
