"""Points of a game (K40), leavers (K54), abandoned games (K55)."""

import pytest

from terminal.rules.fold import outcome
from tests.rules.play import Play


def game_over(players):
    """Everybody goes out in seat order; the last is the loser."""
    names = players.split()
    game = Play(players, starter=names[0], stripes=1)
    while len(names) > 1:
        game.round(**{name: "116" if name == names[0] else "124" for name in names})
        names = names[1:]
    assert game["phase"] == "finished"
    return game


@pytest.mark.parametrize(
    ("players", "points"),
    [
        ("An Bo", [5, 0]),
        ("An Bo Cé", [5, 3, 0]),
        ("An Bo Cé Dré", [5, 3, 1, 0]),
        ("An Bo Cé Dré Els", [5, 3, 1, 0, 0]),
        ("An Bo Cé Dré Els Fons Gie Hil", [5, 3, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_first_out_5_second_3_third_1_and_the_loser_0_even_where_second_or_third_k40(players, points):
    game = game_over(players)
    assert list(game["points"].values()) == points
    assert game["ranking"] == players.split()
    assert outcome(game.fold).places[players.split()[-1]] == len(players.split())


def test_leaver_makes_the_round_void_and_it_begins_anew_with_its_starter_k54():
    game = Play("An Bo Cé Dré").throw("An", "223").stand("An").stoef("An").throw("Bo", "456").leave("Cé")
    assert game["round"] == {"starter": "An", "throws_allowed": None, "throws": {}, "stoef": []}
    assert (game["left"], game["out"], game.stripes) == (["Cé"], [], "13 12 12 12")
    game.round(An="124", Bo="456", Dré="124")
    assert game["last_round"] == {"winner": "Bo", "wiped": 3, "added": {}}


def test_left_neighbour_begins_when_the_starter_leaves_k54():
    game = Play("An Bo Cé Dré", starter="Dré").throw("Dré", "456").leave("Dré")
    assert game["round"]["starter"] == "An"
    game.leave("An")
    assert game["round"]["starter"] == "Bo"


def test_leaver_in_a_barrage_voids_the_whole_round_k54():
    game = Play("An Bo Cé").round(An="116", Bo="116", Cé="124").choose("Bo", "ogen").throw("Bo", "666").leave("Cé")
    assert (game["phase"], game["barrage"], game["turn"]) == ("throwing", None, "An")
    game = Play("An Bo Cé").round(An="116", Bo="116", Cé="124").leave("Bo")
    assert (game["phase"], game["barrage"], game["turn"]) == ("throwing", None, "An")


def test_last_round_stays_when_a_round_is_void_k54():
    game = Play().round(An="124", Bo="456", Cé="124")
    last = game["last_round"]
    assert game.throw("Bo", "124").leave("An")["last_round"] == last


def test_start_roll_begins_anew_among_all_who_are_left_k54():
    game = Play("An Bo Cé Dré", starter=None).start("An", 6).start("Bo", 6).start("Cé", 1).start("Dré", 1)
    assert game["turn"] == "An"
    game.leave("An")
    assert (game["phase"], game["turn"]) == ("start_roll", "Bo")
    game.start("Bo", 1).start("Cé", 2).start("Dré", 3)
    assert game["round"]["starter"] == "Dré"


def test_leaver_gets_nothing_and_later_leavers_stand_before_earlier_ones_k54():
    game = Play("An Bo Cé Dré Els", stripes=1).leave("Bo").leave("An")
    game.round(Cé="116", Dré="124", Els="124").round(Dré="116", Els="124")
    assert game["ranking"] == ["Cé", "Dré", "Els", "An", "Bo"]
    assert game["points"] == {"An": 0, "Bo": 0, "Cé": 5, "Dré": 3, "Els": 0}
    assert dict(outcome(game.fold).places) == {"An": None, "Bo": None, "Cé": 1, "Dré": 2, "Els": 3}
    assert outcome(game.fold).loser == "Els"


def test_whoever_is_left_alone_takes_the_next_place_and_keeps_his_stripes_k54():
    game = Play(stripes=3).round(An="456", Bo="124", Cé="124").leave("Bo")
    assert game["phase"] == "finished"
    assert (game["out"], game["left"], game.stripes) == (["An"], ["Bo"], "0 3 3")
    assert game["ranking"] == ["An", "Cé", "Bo"]
    assert game["points"] == {"An": 5, "Bo": 0, "Cé": 3}
    assert outcome(game.fold).loser == "Bo"


def test_leaver_of_two_loses_even_in_the_start_roll_k54():
    game = Play("An Bo", starter=None).leave("An")
    assert (game["phase"], game["ranking"], game["points"]) == ("finished", ["Bo", "An"], {"An": 0, "Bo": 5})
    assert game["legal"] == []


def test_only_who_is_still_in_can_leave_k54():
    game = Play("An Bo Cé Dré", stripes=3).round(An="456", Bo="124", Cé="124", Dré="124").leave("Bo")
    assert game.refuses(type="leave", player="An") == "not_playing"
    assert game.refuses(type="leave", player="Bo") == "not_playing"
    assert game.refuses(type="leave", player="Zoë") == "unknown_player"


def test_leaver_is_no_left_neighbour_k54():
    game = Play("An Bo Cé Dré", stripes=3).leave("Cé").round(An="124", Bo="456", Dré="124")
    assert game["round"]["starter"] == "Dré"


def test_abandoned_those_out_keep_places_and_points_and_nobody_pays_k55():
    game = Play("An Bo Cé Dré Els", stripes=3).leave("Dré").round(An="124", Bo="456", Cé="124", Els="124")
    game.leave("An").throw("Cé", "124").abandon()
    assert game["phase"] == "finished"
    assert game["ranking"] == ["Bo", "Cé", "Els", "An", "Dré"]
    assert game["points"] == {"An": 0, "Bo": 5, "Cé": 0, "Dré": 0, "Els": 0}
    ended = outcome(game.fold)
    assert (ended.loser, ended.why) == (None, "abandoned")
    assert dict(ended.places) == {"An": None, "Bo": 1, "Cé": None, "Dré": None, "Els": None}


@pytest.mark.parametrize("starter", [None, "Bo"])
def test_abandoned_before_its_first_throw_is_shown_like_any_abandoned_game_k55a(starter):
    game = Play(starter=starter).abandon()
    assert (game["phase"], game["ranking"]) == ("finished", ["An", "Bo", "Cé"])
    assert game["points"] == {"An": 0, "Bo": 0, "Cé": 0}


def test_abandon_in_a_barrage_k55():
    game = Play("An Bo").round(An="116", Bo="116").abandon()
    assert (game["phase"], game["barrage"], game["round"]) == ("finished", None, None)
