"""Texts: none missing, none unused, the same fields in every language."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from terminal.display.texts import LANGUAGES, TEXTS, text
from terminal.rules import explain
from tests.rules.test_articles import named_rules

TERMINAL = Path(__file__).parents[2] / "terminal"
SAYERS = {"say", "text"}  # the two ways to a text: `text(language, key)` and a method `say(key)`


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def strings() -> tuple[set[str], set[str]]:
    """All constants of the terminal's code that may be keys, and the beginnings of keys that are put together."""
    whole: set[str] = set()
    beginnings: set[str] = set()
    for path in sorted(TERMINAL.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            ours = path.name not in ("texts.py", "explanations.py")  # those are full of them
            if ours and isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
                beginnings.add(node.left.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
    return whole, {beginning for beginning in beginnings if re.fullmatch(r"[a-z]+(_[a-z]+)*_", beginning)}


def said() -> set[str]:
    """Keys that stand as constants where a text is asked for."""
    found: set[str] = set()
    for path in sorted(TERMINAL.glob("*.py")) + sorted((TERMINAL / "display").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = 1 if name == "text" else 0
            if name in SAYERS and len(node.args) > place:
                asked = node.args[place]
                for part in (asked.body, asked.orelse) if isinstance(asked, ast.IfExp) else (asked,):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        found.add(part.value)
    return found


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_every_text_is_there_in_every_language_with_the_same_fields(key: str) -> None:
    assert len(TEXTS[key]) == len(LANGUAGES)
    assert all(sentence.strip() for sentence in TEXTS[key])
    dutch = fields(TEXTS[key][0])
    if key != "notice_refused":  # the rules say why in Dutch only
        assert all(fields(sentence) == dutch for sentence in TEXTS[key])


def test_no_text_is_missing_where_its_key_is_put_together() -> None:
    """`notice_` and what a step says, `reason_` and why a reading is unsure, `because_` and what the rules explain."""
    doubts = ("cocked", "touching", "stacked", "hand", "blur", "dark", "overexposed", "count", "disagree", "outside")
    events = ("throw", "start_die", "stand", "stoef", "barrage_choice", "die_outside", "leave", "abandon", "correction")
    kinds = ("punten", "zand", "sois", "azen", "fietske")
    wanted = {f"reason_{doubt}" for doubt in (*doubts, "gone", "lying", "moved", "uncalibrated")}
    wanted |= {f"line_{event}" for event in events} | {f"word_{kind}" for kind in kinds}
    wanted |= {f"because_{kind}" for kind in explain.KINDS}
    wanted |= {f"article_{rule}" for rule in named_rules()}
    wanted |= {f"statistics_{verdict}" for verdict in ("too_few", "unusual", "very_unusual")}
    assert sorted(wanted - set(TEXTS)) == []


def test_no_text_is_missing_where_it_is_said() -> None:
    """A text is asked for by `say` in present and by `say` of a step, whose keys come after `notice_`."""
    missing = [key for key in said() if key not in TEXTS and f"notice_{key}" not in TEXTS]
    assert sorted(missing) == []


def test_no_text_is_unused() -> None:
    whole, beginnings = strings()
    unused = [key for key in TEXTS if key not in whole and not key.startswith(tuple(beginnings))]
    assert unused == []


def test_an_unknown_key_and_a_forgotten_field_never_stop_the_evening() -> None:
    assert text("nl", "no such key") == "no such key"
    assert text("nl", "prompt_throw") == "… gooit"
    assert text("xx", "yes") == TEXTS["yes"][0]


def test_french_keeps_its_space_before_high_signs() -> None:
    for key, (_, french, _) in TEXTS.items():
        assert not re.search(r"[^\s!?][!?]", french), (key, french)


def test_a_french_sign_stays_with_its_word() -> None:
    assert text("fr", "menu_why") == "pourquoi\N{NO-BREAK SPACE}?"


def test_a_name_may_hold_braces() -> None:
    assert text("nl", "prompt_throw", player="{An}") == "{An} gooit"
