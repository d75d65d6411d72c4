"""The start roll and the rounds of kazerne: K2 to K13."""

import pytest

from tests.rules.play import Play


def test_start_roll_in_seat_order_and_highest_begins_k2():
    game = Play(starter=None)
    assert (game["phase"], game["turn"], game["round"], game["legal"]) == ("start_roll", "An", None, ["start_die"])
    assert game.refuses(type="start_die", player="Bo", value=3) == "not_your_turn"
    game.start("An", 2).start("Bo", 6).start("Cé", 5)
    assert (game["phase"], game["turn"], game["round"]["starter"]) == ("throwing", "Bo", "Bo")


def test_start_roll_ties_throw_again_among_themselves_only_k2():
    game = Play("An Bo Cé Dré", starter=None)
    game.start("An", 5).start("Bo", 5).start("Cé", 4).start("Dré", 5)
    game.start("An", 1)
    assert game["turn"] == "Bo"
    game.start("Bo", 3)
    assert game.refuses(type="start_die", player="Cé", value=6) == "not_your_turn"
    game.start("Dré", 3)
    assert game["turn"] == "Bo"
    game.start("Bo", 1).start("Dré", 2)
    assert game["round"]["starter"] == "Dré"


def test_a_named_starter_needs_no_start_roll_k3():
    game = Play(starter="Cé")
    assert (game["phase"], game["turn"]) == ("throwing", "Cé")
    assert game.refuses(type="start_die", player="Cé", value=3) == "not_now"


def test_null_starter_is_a_start_roll_k2():
    assert Play(starter=None)["phase"] == "start_roll"


def test_play_goes_clockwise_from_the_starter_over_those_still_in_k4():
    game = Play("An Bo Cé Dré", starter="Cé", stripes=3)
    game.round(Cé="456", Dré="223", An="124", Bo="124")
    assert game["out"] == ["Cé"]
    assert game["round"]["starter"] == "Dré"
    game.turn("Dré", "126")
    assert game["turn"] == "An"
    game.throw("An", "124")
    assert game["turn"] == "Bo"
    assert game.refuses_throw("Cé", "111") == "not_your_turn"


def test_starter_throws_one_to_three_times_and_binds_the_others_k5():
    game = Play().throw("An", "124")
    assert (game["turn"], game["round"]["throws_allowed"]) == ("An", None)
    assert game["legal"] == ["die_outside", "stand", "stoef", "throw"]
    assert game.refuses_throw("Bo", "124") == "not_your_turn"
    game.throw("An", "663").stand("An")
    assert (game["turn"], game["round"]["throws_allowed"]) == ("Bo", 2)
    assert game["round"]["throws"] == {"An": [[1, 2, 4], [3, 6, 6]]}
    assert game.refuses(type="stand", player="An") == "not_your_turn"
    game.throw("Bo", "124")
    assert game.refuses(type="stand", player="Bo") == "may_not_stand"
    assert game["turn"] == "Bo"
    game.throw("Bo", "125")
    assert game["turn"] == "Cé"


def test_starter_may_not_stand_before_his_first_throw_k5():
    assert Play().refuses(type="stand", player="An") == "may_not_stand"


def test_third_throw_ends_the_starters_turn_by_itself_k5():
    game = Play().throw("An", "124", "124", "125")
    assert (game["turn"], game["round"]["throws_allowed"]) == ("Bo", 3)


def test_best_throw_of_the_turn_counts_k5():
    game = Play("An Bo").turn("An", "456", "223").throw("Bo", "124", "116")
    assert game["last_round"] == {"winner": "An", "wiped": 3, "added": {}}


def test_last_throw_counts_where_the_reglement_says_so_k5():
    game = Play("An Bo", {"counts": "last"}).turn("An", "456", "124").throw("Bo", "666", "116")
    assert game["last_round"] == {"winner": "Bo", "wiped": 1, "added": {}}


@pytest.mark.parametrize(("dice", "wiped"), [("116", 1), ("333", 2), ("645", 3)])
def test_winner_wipes_what_his_throw_is_worth_k6(dice, wiped):
    game = Play().round(An="124", Bo=dice, Cé="223")
    assert game["last_round"] == {"winner": "Bo", "wiped": wiped, "added": {}}
    assert game["stripes"]["Bo"] == 12 - wiped


def test_never_below_zero_and_wiped_is_what_really_was_k6():
    game = Play(stripes=2).round(An="456", Bo="124", Cé="124")
    assert game["last_round"]["wiped"] == 2
    assert game["stripes"]["An"] == 0


def test_tie_for_the_highest_is_a_barrage_in_whichever_throw_it_arose_k7():
    game = Play().turn("An", "125", "223").throw("Bo", "223", "134").throw("Cé", "124", "124")
    assert game["phase"] == "barrage_choice"
    assert game["barrage"] == {"players": ["Bo", "An"], "mode": None, "throws": {}}


def test_two_zands_tie_whatever_their_faces_and_under_a_sois_are_none_k7():
    assert Play().round(An="222", Bo="666", Cé="116")["phase"] == "barrage_choice"
    assert Play().round(An="222", Bo="666", Cé="456")["last_round"]["winner"] == "Cé"


def test_azen_in_any_throw_wipes_all_and_stops_the_round_k8():
    game = Play("An Bo Cé Dré").turn("An", "456").throw("Bo", "111")
    assert game["last_round"] == {"winner": "Bo", "wiped": 12, "added": {}}
    assert game["out"] == ["Bo"]
    assert game["round"] == {"starter": "Cé", "throws_allowed": None, "throws": {}, "stoef": []}


@pytest.mark.parametrize("next_starter", ["winner", "left_of_starter"])
def test_after_azen_the_left_neighbour_begins_whatever_next_starter_says_k8(next_starter):
    game = Play("An Bo Cé Dré", {"next_starter": next_starter}).turn("An", "456").throw("Bo", "124").throw("Cé", "111")
    assert game["round"]["starter"] == "Dré"


def test_azen_counts_at_once_even_where_the_last_throw_counts_k8():
    game = Play(reglement={"counts": "last"}).throw("An", "111")
    assert game["out"] == ["An"]


def test_three_times_the_same_dice_is_a_sweep_k9():
    game = Play().throw("An", "121", "211", "112")
    assert game["last_round"] == {"winner": "An", "wiped": 12, "added": {}}
    assert (game["out"], game["turn"]) == (["An"], "Bo")


def test_same_sum_is_not_the_same_dice_k9():
    game = Play().throw("An", "125", "134", "143")
    assert (game["out"], game["turn"]) == ([], "Bo")


@pytest.mark.parametrize("throws", [["116", "124", "116"], ["116", "116", "124"], ["124", "116", "116"]])
def test_all_three_throws_must_be_the_same_k9(throws):
    assert Play().throw("An", *throws)["out"] == []


def test_three_same_holds_for_later_players_and_needs_three_throws_k9():
    game = Play().throw("An", "124", "124", "125").throw("Bo", "666", "666", "666")
    assert game["out"] == ["Bo"]
    game = Play().turn("An", "124", "125").throw("Bo", "666", "666")
    assert game["out"] == []


def test_three_same_can_be_switched_off_k9():
    game = Play(reglement={"three_same": "nothing"}).throw("An", "666", "666", "666")
    assert (game["out"], game["turn"]) == ([], "Bo")


def test_three_times_fietske_is_no_sweep_and_costs_three_stripes_k9a():
    game = Play().throw("An", "223", "232", "322")
    assert (game["out"], game.stripes) == ([], "15 12 12")
    game = Play(reglement={"fietske_adds": "nobody"}).throw("An", "223", "232", "322")
    assert (game["out"], game.stripes, game["turn"]) == ([], "12 12 12", "Bo")


@pytest.mark.parametrize("azen", ["best", "best_or_lost"])
def test_three_times_azen_is_a_sweep_whatever_azen_is_k9b(azen):
    game = Play("An Bo Cé", {"azen": azen}).round(An="456", Bo="124", Cé="124")
    game.throw("An", "111", "111")
    assert game["out"] == []
    game.throw("An", "111")
    assert (game["out"], game["last_round"]) == (["An"], {"winner": "An", "wiped": 9, "added": {}})


def test_fietske_adds_a_stripe_at_once_whatever_the_round_brings_k10():
    game = Play().throw("An", "232")
    assert game.stripes == "13 12 12"
    game.throw("An", "456").stand("An").throw("Bo", "124", "223").throw("Cé", "124", "124")
    assert game.stripes == "10 13 12"
    assert game["last_round"]["added"] == {}


@pytest.mark.parametrize(
    ("adds", "stripes"), [("nobody", "0 2 3 3"), ("thrower", "0 2 4 3"), ("everybody", "0 3 4 4")]
)
def test_fietske_adds_to_whom_the_reglement_says_of_those_still_in_k10(adds, stripes):
    game = Play("An Bo Cé Dré", {"fietske_adds": adds}, stripes=3)
    game.round(An="456", Bo="124", Cé="124", Dré="124").round(Bo="116", Cé="124", Dré="124")
    game.turn("Bo", "124").throw("Cé", "223")
    assert game.stripes == stripes


def test_fietske_in_a_barrage_adds_nothing_k10a():
    game = Play("An Bo").round(An="116", Bo="116").choose("Bo", "ogen").throw("Bo", "223")
    assert game.stripes == "12 12"


def test_players_go_out_in_order_and_the_last_with_stripes_is_the_loser_k11():
    game = Play(stripes=1).round(An="456", Bo="124", Cé="124")
    assert (game["out"], game["ranking"]) == (["An"], None)
    game.round(Bo="124", Cé="456")
    assert (game["phase"], game["turn"], game["round"], game["barrage"]) == ("finished", None, None, None)
    assert (game["legal"], game["out"], game["ranking"]) == ([], ["An", "Cé"], ["An", "Cé", "Bo"])
    assert game.stripes == "0 1 0"
    assert game.fold.game.outcome(game.fold.state).loser == "Bo"


def test_finished_game_takes_no_more_events_k11():
    game = Play("An Bo", stripes=1).round(An="456", Bo="124")
    for kind in ("throw", "stand", "stoef", "die_outside", "barrage_choice", "start_die", "leave"):
        assert game.refuses(type=kind, player="Bo", dice=[1, 2, 4], value=3, mode="ogen") in ("finished",)
    assert game.refuses(type="abandon") == "finished"


def test_winner_of_the_round_begins_the_next_k12():
    assert Play().round(An="124", Bo="456", Cé="124")["round"]["starter"] == "Bo"


def test_left_neighbour_begins_when_the_winner_went_out_k12():
    assert Play(stripes=3).round(An="124", Bo="456", Cé="124")["round"]["starter"] == "Cé"
    assert Play(stripes=3).round(An="124", Bo="124", Cé="456")["round"]["starter"] == "An"


def test_left_of_the_starter_begins_where_the_reglement_says_so_k12():
    game = Play("An Bo Cé Dré", {"next_starter": "left_of_starter"}, stripes=3, starter="Dré")
    game.round(Dré="124", An="124", Bo="116", Cé="124")
    assert game["round"]["starter"] == "An"
    game.round(An="124", Bo="456", Cé="124", Dré="124")
    assert (game["out"], game["round"]["starter"]) == (["Bo"], "Cé")
    game.round(Cé="456", Dré="124", An="124")
    assert (game["out"], game["round"]["starter"]) == (["Bo", "Cé"], "Dré")


def test_die_outside_is_void_and_thrown_again_k13():
    game = Play().outside("An")
    assert (game["turn"], game["round"]["throws"], game.stripes) == ("An", {}, "12 12 12")
    game.throw("An", "124").outside("An")
    assert game["legal"] == ["die_outside", "stand", "stoef", "throw"]
    game.stand("An")
    assert game["round"]["throws_allowed"] == 1
    game.outside("Bo")
    assert game["turn"] == "Bo"
    assert game.refuses(type="die_outside", player="An") == "not_your_turn"
    game.stoef("An")
    assert game["round"]["stoef"] == ["An"]


@pytest.mark.parametrize("adds", [0, 1, 9])
def test_die_outside_adds_what_the_reglement_says_k13(adds):
    assert Play(reglement={"outside_adds": adds}).outside("An").outside("An").stripes == f"{12 + 2 * adds} 12 12"


def test_die_outside_belongs_to_a_round_or_a_barrage_k13():
    assert Play(starter=None).refuses(type="die_outside", player="An") == "not_now"
    game = Play("An Bo", {"outside_adds": 2}).round(An="116", Bo="116")
    assert game.refuses(type="die_outside", player="Bo") == "not_now"
    game.choose("Bo", "ogen").outside("Bo")
    assert (game.stripes, game["turn"]) == ("12 12", "Bo")
    assert game.refuses(type="die_outside", player="An") == "not_your_turn"
