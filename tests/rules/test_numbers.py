"""Every decided number of the rules has at least one test that names it."""

import re
from pathlib import Path

NUMBERS = {
    *(f"k{number}" for number in (*range(1, 14), *range(20, 27), *range(30, 34), *range(40, 49), *range(50, 56))),
    *("k9a", "k9b", "k10a", "k55a"),
    *(f"n{number}" for number in range(1, 7)),
}


def test_every_number_is_named_by_a_test():
    named = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE):
            named.update(name.split("_"))
    assert sorted(NUMBERS - named) == []
