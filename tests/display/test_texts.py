"""Texts: none missing, none unused, the same fields in every language."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from terminal.display.texts import LANGUAGES, TEXTS, text

TERMINAL = Path(__file__).parents[2] / "terminal"
SAYERS = {"say", "text"}  # the two ways to a text: `text(language, key)` and a method `say(key)`


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def strings() -> tuple[set[str], set[str]]:
    """All constants of the terminal's code that may be keys, and the beginnings of keys that are put together."""
    whole: set[str] = set()
    beginnings: set[str] = set()
    for path in sorted(TERMINAL.rglob("*.py")):
        if path.name == "texts.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
                beginnings.add(node.left.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
    return whole, {beginning for beginning in beginnings if re.fullmatch(r"[a-z]+(_[a-z]+)*_", beginning)}


def said() -> set[str]:
    """Keys that stand as constants where a text is asked for."""
    found: set[str] = set()
    for path in sorted(TERMINAL.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = 1 if name == "text" else 0
            if name in SAYERS and len(node.args) > place:
                for part in ast.walk(node.args[place]):
                    # of `"a" if x else "b"` both; of `"a_" + kind` none
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and not part.value.endswith("_"):
                        found.add(part.value)
    return found


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_every_text_is_there_in_every_language_with_the_same_fields(key: str) -> None:
    assert len(TEXTS[key]) == len(LANGUAGES)
    assert all(sentence.strip() for sentence in TEXTS[key])
    dutch = fields(TEXTS[key][0])
    if key != "notice_refused":  # the rules say why in Dutch only
        assert all(fields(sentence) == dutch for sentence in TEXTS[key])


def test_no_text_is_unused() -> None:
    whole, beginnings = strings()
    unused = [key for key in TEXTS if key not in whole and not any(key.startswith(start) for start in beginnings)]
    assert unused == []


def test_an_unknown_key_and_a_forgotten_field_never_stop_the_evening() -> None:
    assert text("nl", "no such key") == "no such key"
    assert text("nl", "prompt_throw") == "… gooit"
    assert text("xx", "yes") == TEXTS["yes"][0]


def test_french_keeps_its_space_before_high_signs() -> None:
    for key, (_, french, _) in TEXTS.items():
        assert not re.search(r"[^\s!?][!?]", french), (key, french)


def test_a_name_may_hold_braces() -> None:
    assert text("nl", "prompt_throw", player="{An}") == "{An} gooit"
