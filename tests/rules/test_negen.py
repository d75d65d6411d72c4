"""Reglement negen where it differs: N1 to N6."""

import pytest

from tests.rules.play import Play


def down_to(player, reglement="negen", players="An Bo Cé"):
    """A game in which everybody has won one round and `player` begins."""
    names = players.split()
    game = Play(players, reglement, starter=names[0])
    for winner in [name for name in names if name != player] + [player]:
        start = names.index(game["turn"])
        order = names[start:] + names[:start]
        game.round(**{name: "116" if name == winner else "124" for name in order})
    assert game["turn"] == player
    return game


def test_nine_stripes_no_stoef_no_three_same_n1():
    game = Play(reglement="negen").throw("An", "116", "116", "116")
    assert (game.stripes, game["out"], game["turn"]) == ("9 9 9", [], "Bo")


def test_k5_holds_n1():
    game = Play(reglement="negen").turn("An", "124", "125").throw("Bo", "126")
    assert game["turn"] == "Bo"


def test_start_roll_holds_n1():
    assert Play(reglement="negen", starter=None)["phase"] == "start_roll"


def test_higher_zand_wins_and_the_same_face_ties_n2():
    game = Play(reglement="negen").round(An="333", Bo="444", Cé="222")
    assert game["last_round"] == {"winner": "Bo", "wiped": 2, "added": {}}
    assert game.round(Bo="555", Cé="555", An="124")["phase"] == "barrage"
    assert Play(reglement="negen").round(An="666", Bo="456", Cé="124")["last_round"]["winner"] == "Bo"


def test_azen_as_first_throw_of_a_game_is_lost_and_all_others_get_five_n3():
    game = Play("An Bo Cé Dré", "negen").throw("An", "111")
    assert (game["phase"], game["turn"], game["round"]) == ("finished", None, None)
    assert game["ranking"] == ["Bo", "Cé", "Dré", "An"]
    assert game["points"] == {"An": 0, "Bo": 5, "Cé": 5, "Dré": 5}
    assert game["last_round"] is None
    assert game.fold.game.outcome(game.fold.state).loser == "An"


def test_the_others_are_placed_by_going_out_then_by_fewest_stripes_n3():
    game = Play("An Bo Cé Dré Els", "negen", stripes=3)
    game.round(An="456", Bo="124", Cé="124", Dré="124", Els="124")  # An out
    game.round(Bo="124", Cé="116", Dré="124", Els="124")  # Cé 2
    game.round(Cé="124", Dré="116", Els="124", Bo="124")  # Dré 2
    game.round(Dré="124", Els="124", Bo="125", Cé="124")  # Bo 2
    last = game["last_round"]
    game.turn("Bo", "124").throw("Cé", "124").throw("Dré", "124").throw("Els", "111")
    assert game["phase"] == "finished"
    assert game["ranking"] == ["An", "Bo", "Cé", "Dré", "Els"]
    assert game["points"] == {"An": 5, "Bo": 3, "Cé": 3, "Dré": 3, "Els": 0}
    assert game["last_round"] == last


def test_places_after_a_tie_are_skipped_n3():
    game = Play("An Bo Cé Dré", "negen")
    game.round(An="116", Bo="124", Cé="124", Dré="124").round(An="124", Bo="116", Cé="124", Dré="124")
    game.turn("Bo", "124").throw("Cé", "124").throw("Dré", "111")  # An and Bo 8, Cé 9
    assert game["ranking"] == ["An", "Bo", "Cé", "Dré"]
    assert game["points"] == {"An": 5, "Bo": 5, "Cé": 1, "Dré": 0}
    assert dict(game.fold.game.outcome(game.fold.state).places) == {"An": 1, "Bo": 1, "Cé": 3, "Dré": 4}


def test_fewest_stripes_come_before_seat_order_n3():
    game = Play("An Bo Cé", "negen").round(An="124", Bo="116", Cé="124").turn("Bo", "124").throw("Cé", "111")
    assert game["ranking"] == ["Bo", "An", "Cé"]
    assert game["points"] == {"An": 3, "Bo": 5, "Cé": 0}


def test_stripes_added_in_the_same_turn_count_n3():
    game = down_to("An")
    assert game["stripes"]["An"] == 8
    game.throw("An", "223", "111")
    assert (game["phase"], game["ranking"][-1], game.stripes) == ("finished", "An", "9 8 8")


def test_more_than_he_began_with_is_lost_too_n3():
    game = Play(reglement="negen").outside("An").outside("An").throw("An", "111")
    assert game["ranking"] == ["Bo", "Cé", "An"]


def test_began_with_means_the_stripes_of_the_start_n3():
    game = Play(reglement="negen", stripes=2).round(An="116", Bo="124", Cé="124").throw("An", "111")
    assert game["phase"] == "throwing"
    assert Play(reglement="negen", stripes=2).throw("An", "111")["phase"] == "finished"


def test_leavers_stand_behind_the_loser_n3():
    game = Play("An Bo Cé Dré", "negen").leave("Bo").throw("An", "111")
    assert game["ranking"] == ["Cé", "Dré", "An", "Bo"]
    assert game["points"] == {"An": 0, "Bo": 0, "Cé": 5, "Dré": 5}


def test_n3_comes_before_three_same_on_the_third_throw_k9b():
    game = down_to("An", {"azen": "best_or_lost", "three_same": "out_at_once"})
    game.throw("An", "111", "111").outside("An")
    assert game["phase"] == "throwing"
    lost = down_to("An", {"azen": "best_or_lost", "three_same": "out_at_once", "outside_adds": 1})
    lost.throw("An", "111", "111").outside("An").throw("An", "111")
    assert (lost["phase"], lost["ranking"][-1]) == ("finished", "An")


def test_azen_with_fewer_stripes_is_the_highest_throw_and_the_round_is_played_on_n4():
    game = down_to("An").throw("An", "111")
    assert (game["phase"], game["turn"]) == ("throwing", "An")
    game.stand("An").throw("Bo", "456").throw("Cé", "666")
    assert game["last_round"] == {"winner": "An", "wiped": 8, "added": {}}
    assert (game["out"], game["turn"]) == (["An"], "Bo")


def test_azen_that_does_not_count_wins_nothing_where_the_last_throw_counts_n4():
    game = Play("An Bo", {"azen": "best", "counts": "last"}).turn("An", "111", "124").throw("Bo", "124", "125")
    assert game["last_round"] == {"winner": "Bo", "wiped": 1, "added": {}}


@pytest.mark.parametrize("azen", ["best", "best_or_lost"])
def test_azen_of_two_is_a_barrage_n4(azen):
    game = down_to("An", {"azen": azen}).round(An="111", Bo="111", Cé="124")
    assert game["phase"] == "barrage_choice"


def test_always_the_highest_throw_where_the_reglement_says_best_n4():
    game = Play(reglement={"azen": "best"}).round(An="111", Bo="456", Cé="124")
    assert (game["last_round"]["wiped"], game["out"], game["turn"]) == (12, ["An"], "Bo")


def test_left_of_the_starter_begins_after_azen_that_won_at_the_end_of_the_round_n4():
    game = Play("An Bo Cé Dré", {"azen": "best", "next_starter": "left_of_starter"})
    game.round(An="124", Bo="124", Cé="111", Dré="124")
    assert (game["out"], game["turn"]) == (["Cé"], "Bo")


def test_fietske_and_a_die_outside_add_a_stripe_n6():
    assert Play(reglement="negen").throw("An", "223").outside("An").stripes == "11 9 9"


def test_a_die_outside_in_a_barrage_adds_none_n6():
    game = Play("An Bo", "negen").round(An="116", Bo="116").outside("An")
    assert (game.stripes, game["turn"]) == ("9 9", "An")
