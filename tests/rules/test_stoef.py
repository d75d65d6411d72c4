"""Stoef: K20 to K26."""

import pytest

from tests.rules.play import Play


def test_stoef_after_any_of_his_throws_until_the_next_player_throws_k20():
    game = Play()
    assert game.refuses_stoef("An") == "stoef_closed"
    game.throw("An", "456")
    assert "stoef" in game["legal"]
    game.stand("An")
    assert "stoef" in game["legal"]
    assert game.refuses_stoef("Bo") == "stoef_closed"
    game.stoef("An").throw("Bo", "124")
    assert game["round"]["stoef"] == ["An"]


def test_stoef_closes_at_the_next_players_first_throw_k20():
    game = Play().turn("An", "456").throw("Bo", "124")
    assert game.refuses_stoef("An") == "stoef_closed"


def test_stoef_between_two_throws_of_ones_own_turn_k20():
    game = Play().turn("An", "124", "124").throw("Bo", "456").stoef("Bo")
    assert "stoef" not in game["legal"]
    game.throw("Bo", "124")
    assert (game["round"]["stoef"], game["turn"]) == (["Bo"], "Cé")


def test_once_a_round_and_several_players_may_k20():
    game = Play().throw("An", "456").stoef("An")
    assert game.refuses_stoef("An") == "stoef_twice"
    game.stand("An").throw("Bo", "456").stoef("Bo")
    assert game["round"]["stoef"] == ["An", "Bo"]


def test_last_player_may_not_call_stoef_k21():
    game = Play("An Bo").turn("An", "124", "124").throw("Bo", "456")
    assert "stoef" not in game["legal"]
    assert game.refuses_stoef("Bo") == "stoef_last"


@pytest.mark.parametrize(("dice", "wiped"), [("116", 2), ("333", 4), ("645", 6)])
def test_stoefer_who_wins_wipes_double_k22(dice, wiped):
    game = Play().turn("An", dice).stoef("An").throw("Bo", "124").throw("Cé", "124")
    assert game["last_round"] == {"winner": "An", "wiped": wiped, "added": {}}


@pytest.mark.parametrize(("dice", "added"), [("115", 1), ("333", 2)])
def test_stoefer_who_does_not_win_adds_once_what_his_best_throw_is_worth_k23(dice, added):
    game = Play().turn("An", "124", dice).stoef("An").throw("Bo", "124", "456").throw("Cé", "124", "124")
    assert game["last_round"] == {"winner": "Bo", "wiped": 3, "added": {"An": added}}
    assert game.stripes == f"{12 + added} 9 12"


def test_last_throw_is_what_a_stoefer_adds_where_the_last_counts_k23():
    game = Play(reglement={"counts": "last"}).turn("An", "456", "124").stoef("An").throw("Bo", "124", "116")
    game.throw("Cé", "124", "124")
    assert game["last_round"]["added"] == {"An": 1}


def test_example_of_the_paper_sois_against_sois_with_stoef_k24():
    game = Play().turn("An", "456").throw("Bo", "456").stoef("Bo").throw("Cé", "124")
    assert game["barrage"]["players"] == ["Bo", "An"]
    game.choose("Bo", "punten")
    won = Play().turn("An", "456").throw("Bo", "456").stoef("Bo").throw("Cé", "124").choose("Bo", "punten")
    won.throw("Bo", "116").throw("An", "124")
    assert won["last_round"] == {"winner": "Bo", "wiped": 6, "added": {}}
    lost = game.throw("Bo", "124").throw("An", "125")
    assert lost["last_round"] == {"winner": "An", "wiped": 3, "added": {"Bo": 3}}


def test_both_stoefed_and_tied_loser_adds_half_k24():
    game = Play().turn("An", "333").stoef("An").throw("Bo", "444").stoef("Bo").throw("Cé", "124")
    game.choose("Bo", "ogen").throw("Bo", "666").throw("An", "124")
    assert game["last_round"] == {"winner": "Bo", "wiped": 4, "added": {"An": 2}}
    assert game.stripes == "14 8 12"


def test_stoefer_outside_the_barrage_adds_too_k24():
    game = Play("An Bo Cé Dré").turn("An", "124").stoef("An").throw("Bo", "116").throw("Cé", "116").throw("Dré", "124")
    game.choose("Cé", "ogen").throw("Cé", "124").throw("Bo", "124")
    game.choose("Bo", "ogen").throw("Bo", "124").throw("Cé", "666")
    assert game["last_round"] == {"winner": "Cé", "wiped": 1, "added": {"An": 1}}


@pytest.mark.parametrize("sweep", [["111"], ["116", "116", "116"]])
def test_sweep_makes_every_other_stoefer_pay_his_best_throw_k25(sweep):
    game = Play("An Bo Cé Dré").throw("An", "456", "124", "125").stoef("An")
    game.throw("Bo", "333", "124", "126").stoef("Bo").throw("Cé", *sweep)
    assert game["last_round"] == {"winner": "Cé", "wiped": 12, "added": {"An": 3, "Bo": 2}}
    assert (game.stripes, game["turn"]) == ("15 14 0 12", "Dré")


def test_stoef_lapses_on_a_sweep_where_the_reglement_says_so_k25():
    game = Play(reglement={"stoef_on_sweep": "lapses"}).turn("An", "456").stoef("An").throw("Bo", "111")
    assert game["last_round"] == {"winner": "Bo", "wiped": 12, "added": {}}


def test_sweepers_own_stoef_changes_nothing_k25():
    game = Play().throw("An", "116").stoef("An").throw("An", "116", "116")
    assert game["last_round"] == {"winner": "An", "wiped": 12, "added": {}}


def test_correction_under_which_a_stoef_would_be_illegal_is_refused_k26():
    game = Play().throw("An", "124").stand("An").throw("Bo", "124").stoef("Bo")  # seq 1 to 4
    assert game.refuses(type="correction", of=1, dice=[1, 1, 1]) == "contradicted"


def test_after_a_correction_stoef_stands_as_recorded_k26():
    game = Play().turn("An", "456").stoef("An").throw("Bo", "124").throw("Cé", "124")
    assert game["last_round"]["wiped"] == 6
    game.correct(1, "124").correct(4, "125")
    assert game["last_round"] == {"winner": "Bo", "wiped": 1, "added": {"An": 1}}


def test_standing_after_one_throw_is_the_call_where_the_reglement_says_so():
    game = Play(reglement={"stoef": "first_throw"}).throw("An", "456")
    assert "stoef" not in game["legal"]
    assert game.refuses_stoef("An") == "no_stoef"
    game.stand("An")
    assert game["round"]["stoef"] == ["An"]
    game.throw("Bo", "124")
    assert game.refuses_stoef("Bo") == "no_stoef"
    game.throw("Cé", "124")
    assert game["last_round"] == {"winner": "An", "wiped": 6, "added": {}}
    game.turn("An", "124", "456")
    assert game["round"]["stoef"] == []


def test_no_stoef_where_the_reglement_has_none_n1():
    game = Play(reglement="negen").throw("An", "456")
    assert "stoef" not in game["legal"]
    assert game.refuses_stoef("An") == "no_stoef"


@pytest.mark.parametrize("phase", ["start_roll", "barrage_choice", "barrage"])
def test_stoef_belongs_to_the_round(phase):
    game = Play("An Bo", starter=None)
    if phase != "start_roll":
        game = Play("An Bo").round(An="116", Bo="116")
    if phase == "barrage":
        game.choose("Bo", "ogen")
    assert game["phase"] == phase
    assert game.refuses_stoef("An") == "not_now"


def test_azen_that_must_be_added_is_worth_three():
    game = Play(reglement={"azen": "best"}).turn("An", "111").stoef("An").throw("Bo", "111").throw("Cé", "124")
    game.choose("Bo", "punten").throw("Bo", "111").throw("An", "116")
    assert game["last_round"] == {"winner": "Bo", "wiped": 12, "added": {"An": 3}}
    assert game["out"] == ["Bo"]
