"""What the papers say of the rules that are named to the players."""

import re
from pathlib import Path

from terminal.rules.articles import PAPERS, article
from terminal.rules.reglement import names

ROOM = Path(__file__).parents[2] / "terminal" / "rules"


def named_rules() -> set[str]:
    """Every rule that a refusal or a happening can name."""
    found: set[str] = set()
    for module in ("explain", "pitjesbak"):
        found.update(re.findall(r'"([KN]\d+)"', (ROOM / f"{module}.py").read_text(encoding="utf-8")))
    return found


def test_every_packaged_reglement_has_its_paper_and_no_article_is_of_a_rule_that_nobody_names():
    assert len(named_rules()) > 20
    assert PAPERS.keys() == set(names())
    for paper in PAPERS.values():
        assert paper.keys() <= named_rules() | {"K4"}


def test_an_article_has_a_heading_and_whole_sentences():
    for paper in PAPERS.values():
        for rule, (heading, text) in paper.items():
            assert heading, rule
            assert text.endswith(".") and not text[0].islower(), rule
            assert "“" not in text and '"' not in text, rule  # it stands in such marks on the screen


def test_each_reglement_is_quoted_from_its_own_paper():
    assert article("K9", "kazerne").heading == "3 Maal dezelfde combinatie"
    assert article("K10", "negen").text.startswith("De pechvogel")
    assert article("K12", "kazerne") is None  # the paper is silent
    assert article("K22", "house rules") is None  # no paper
    assert article(None, "kazerne") is None
