"""Every rule that a refusal or a happening names has its article."""

import re
from pathlib import Path

from terminal.rules.articles import ARTICLES, article

ROOM = Path(__file__).parents[2] / "terminal" / "rules"


def test_every_rule_named_to_the_players_has_an_article():
    named = set()
    for module in ("explain", "pitjesbak"):
        named.update(re.findall(r'"([KN]\d+)"', (ROOM / f"{module}.py").read_text(encoding="utf-8")))
    assert len(named) > 20
    assert named <= set(ARTICLES)


def test_an_article_has_a_heading_and_one_sentence():
    for rule, (heading, text) in ARTICLES.items():
        assert heading, rule
        assert text.endswith("."), rule
    assert article("K9").heading == "3 Maal dezelfde combinatie"
    assert article(None) is None
