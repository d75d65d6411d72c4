"""Seq, undo and correction: what goes back, what is refused, and that nothing is ever mutated."""

import pytest

from terminal.rules import fold as folds
from terminal.rules.game import Contradicted, Refused
from tests.rules.play import Play, started


def test_seq_counts_accepted_lines_only():
    game = Play()
    assert game["seq"] == 0
    game.throw("An", "124")
    game.refuses_throw("Bo", "124")
    game.stand("An")
    assert game["seq"] == 2
    game.undo()
    assert game["seq"] == 3


def test_undo_takes_back_the_latest_in_force_and_goes_on_backwards():
    game = Play()
    seen = [game.state]
    for step in (lambda: game.throw("An", "456"), lambda: game.stoef("An"), lambda: game.stand("An")):
        step()
        seen.append(game.state)
    for before in reversed(seen[:-1]):
        game.undo()
        assert {**game.state, "seq": before["seq"]} == before
    assert folds.latest(game.fold) is None
    assert game.refuses(type="undo", of=0) == "nothing_to_undo"


def test_only_the_latest_in_force_can_be_undone():
    game = Play().throw("An", "124").throw("An", "125").stand("An")
    for of in (0, 1, 2, 4, -1, 10**40):
        assert game.refuses(type="undo", of=of) == "not_latest"
    for of in (3.0, "3", None, True, [3]):
        assert game.refuses(type="undo", of=of) == "bad_field"
    game.undo(3)
    assert game.refuses(type="undo", of=3) == "not_latest"
    assert game.refuses(type="undo", of=4) == "not_latest"
    game.undo(2).undo(1)


def test_undo_across_rounds_and_after_the_end():
    game = Play("An Bo", stripes=1).round(An="124")
    before = game.state
    game.throw("Bo", "456")
    assert game["phase"] == "finished"
    game.undo()
    assert {**game.state, "seq": 2} == before
    game.throw("Bo", "123")
    assert game["ranking"] == ["Bo", "An"] or game["ranking"] == ["An", "Bo"]


def test_undo_of_leave_and_abandon():
    game = Play().throw("An", "124")
    before = game.state
    game.leave("Bo").undo().abandon().undo()
    assert {**game.state, "seq": 1} == before


def test_correction_of_a_throw_refolds_what_came_after():
    game = Play().round(An="124", Bo="456", Cé="123")
    assert game["last_round"]["winner"] == "Bo"
    game.correct(3, "122")
    assert game["last_round"] == {"winner": "An", "wiped": 1, "added": {}}
    assert (game["seq"], game["turn"]) == (5, "An")


def test_correction_of_a_start_die():
    game = Play("An Bo", starter=None).start("An", 6).start("Bo", 5)
    assert game["round"]["starter"] == "An"
    game.correct(1, value=2)
    assert game["round"]["starter"] == "Bo"


def test_correction_after_the_end():
    game = Play("An Bo", stripes=3).round(An="456", Bo="124")
    assert game["ranking"] == ["An", "Bo"]
    game.correct(1, "666")
    assert (game["phase"], game.stripes) == ("throwing", "1 3")
    game.correct(1, "654")
    assert game["phase"] == "finished"


def test_latest_correction_of_an_event_holds():
    game = Play().throw("An", "124").correct(1, "223").correct(1, "456")
    assert game["round"]["throws"] == {"An": [[4, 5, 6]]}
    assert game.stripes == "12 12 12"


def test_correction_can_be_undone_and_the_one_before_holds_again():
    game = Play().throw("An", "124").correct(1, "223").correct(1, "456")
    assert folds.latest(game.fold)[0] == 3
    game.undo()
    assert game["round"]["throws"] == {"An": [[2, 2, 3]]}
    assert game.refuses(type="undo", of=1) == "not_latest"
    game.undo(2)
    assert game["round"]["throws"] == {"An": [[1, 2, 4]]}
    game.undo(1)
    assert game["round"]["throws"] == {}


def test_correction_reaches_only_throws_and_start_dice_still_in_force():
    game = Play().throw("An", "124").stand("An").throw("Bo", "124").undo().throw("Bo", "125")  # seq 4 is the undo
    for of in (0, 2, 3, 4, 6, 99, -1, 10**40):
        assert game.refuses(type="correction", of=of, dice=[1, 2, 3]) == "not_in_force"
    game.correct(5, "126")
    assert game.refuses(type="correction", of=6, dice=[1, 2, 3]) == "not_in_force"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"value": 3},
        {"dice": None},
        {"dice": [1, 2]},
        {"dice": [1, 2, 7]},
        {"dice": [1, 2, 3.0]},
        {"dice": [True, 2, 3]},
        {"dice": "123"},
    ],
)
def test_correction_of_a_throw_needs_dice(fields):
    assert Play().throw("An", "124").refuses(type="correction", of=1, **fields) == "bad_field"


def test_correction_needs_the_number_of_dice_of_that_moment():
    game = Play("An Bo", "negen").round(An="116", Bo="116").throw("An", "3")
    seq = game["seq"]
    assert game.refuses(type="correction", of=seq, dice=[1, 2, 3]) == "wrong_dice"
    assert game.refuses(type="correction", of=1, dice=[3]) == "wrong_dice"
    game.correct(seq, "4")
    assert game["barrage"]["throws"] == {"An": [4]}


@pytest.mark.parametrize("fields", [{}, {"dice": [3]}, {"value": 7}, {"value": 3.0}, {"value": "3"}])
def test_correction_of_a_start_die_needs_a_value(fields):
    assert Play(starter=None).start("An", 2).refuses(type="correction", of=1, **fields) == "bad_field"


def test_correction_that_a_later_line_contradicts_is_refused_and_says_which():
    game = Play().round(An="124", Bo="456", Cé="123").throw("Bo", "124")
    with pytest.raises(Contradicted) as refused:
        game.correct(3, "123")
    assert (refused.value.seq, refused.value.because.code) == (5, "not_your_turn")


def test_two_corrections_hold_together():
    game = Play("An Bo").round(An="124", Bo="456").throw("Bo", "124")
    assert game.refuses(type="correction", of=1, dice=[1, 1, 1]) == "contradicted"
    game.correct(4, "223").correct(1, "125")
    assert game["round"]["throws"] == {"Bo": [[2, 2, 3]]}
    assert game.refuses(type="correction", of=3, dice=[1, 1, 1]) == "contradicted"


def test_an_undone_line_no_longer_contradicts():
    game = Play().throw("An", "124").stand("An").stoef("An").undo().undo()
    game.correct(1, "111")
    assert game["out"] == ["An"]


def test_correction_may_end_or_reopen_a_game_only_where_the_rest_still_fits():
    game = Play("An Bo", stripes=2).round(An="124", Bo="116").throw("Bo", "124")
    assert game.refuses(type="correction", of=3, dice=[4, 5, 6]) == "contradicted"
    game.undo().correct(3, "456")
    assert game["phase"] == "finished"


def test_further_fields_change_nothing():
    game = Play().line(type="throw", player="An", dice=[1, 2, 4], at="20:14", source="camera", value=9, of=3)
    assert game["round"]["throws"] == {"An": [[1, 2, 4]]}
    game.line(type="correction", of=1, dice=[6, 5, 4], value=None, source="touch")
    assert game["round"]["throws"] == {"An": [[4, 5, 6]]}


def test_fold_is_pure_two_futures_of_one_moment():
    fold = folds.begin(started())
    first = folds.apply(fold, {"type": "throw", "player": "An", "dice": [4, 5, 6]})
    second = folds.apply(fold, {"type": "throw", "player": "An", "dice": [1, 2, 4]})
    assert folds.summary(fold)["round"]["throws"] == {}
    assert folds.summary(first)["round"]["throws"] == {"An": [[4, 5, 6]]}
    assert folds.summary(second)["round"]["throws"] == {"An": [[1, 2, 4]]}
    assert [len(fold.lines), len(first.lines), len(second.lines)] == [1, 2, 2]


def test_in_force_shows_corrected_lines_and_no_undone_ones():
    game = Play().throw("An", "124").throw("An", "125").undo().stand("An").correct(1, "456")
    assert [(seq, line["type"]) for seq, line in folds.in_force(game.fold)] == [(1, "throw"), (4, "stand")]
    assert folds.in_force(game.fold)[0][1]["dice"] == [4, 5, 6]
    assert [line["type"] for line in game.fold.lines] == [
        "game_started",
        "throw",
        "throw",
        "undo",
        "stand",
        "correction",
    ]


def test_fold_tells_its_game():
    fold = Play("An Bo", "negen").throw("An", "124").fold
    assert (fold.game_id, fold.players, fold.reglement.name) == ("g1", ("An", "Bo"), "negen")
    assert "seq=1" in repr(fold)


def test_asks_say_who_must_or_may_do_what():
    game = Play(starter=None)
    assert folds.asks(game.fold) == (("start_die", "An", 1, {}),)
    game = Play("An Bo").turn("An", "116")
    asked = [(ask.event, ask.player, ask.dice) for ask in folds.asks(game.fold)]
    assert asked == [("throw", "Bo", 3), ("die_outside", "Bo", 0), ("stoef", "An", 0)]
    game.throw("Bo", "116")
    assert folds.asks(game.fold) == (("barrage_choice", "Bo", 0, {"mode": ("ogen", "punten")}),)
    one = Play("An Bo", "negen").round(An="116", Bo="116")
    assert folds.asks(one.fold)[0] == ("throw", "An", 1, {})
    assert folds.asks(game.abandon().fold) == ()


def test_a_refusal_of_the_wrong_number_of_dice_says_how_many_count():
    for game, dice, word in ((Play("An Bo", "negen").round(An="116", Bo="116"), "124", "één"), (Play(), "4", "drie")):
        with pytest.raises(Refused, match=word) as refused:
            game.throw("An", dice)
        assert refused.value.code == "wrong_dice"


def test_refusals_have_a_documented_code_a_sentence_and_the_rule():
    with pytest.raises(Refused) as refused:
        Play().throw("An", "124").throw("Bo", "124")
    assert (refused.value.code, refused.value.rule) == ("not_your_turn", "K5")
    assert "An" in refused.value.message


def test_a_very_long_game_is_folded_and_forgotten_without_a_crash():
    """A chain of folds as long as this once would have been torn down by recursion."""
    game = Play(reglement="negen")
    for _ in range(50_000):
        game.outside("An")
    assert game["stripes"]["An"] == 50_009
    assert len(game.fold.lines) == 50_001
    del game
