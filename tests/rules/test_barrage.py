"""Barrage: K30 to K33, and N5."""

import pytest

from tests.rules.play import Play


def tied(players="An Bo Cé Dré", reglement="kazerne", dice="116", **fields):
    """Everybody throws the same."""
    game = Play(players, reglement, **fields)
    return game.round(**dict.fromkeys(players.split(), dice))


def test_last_of_the_tied_chooses_ogen_or_punten_k30():
    game = Play("An Bo Cé Dré").round(An="116", Bo="124", Cé="116", Dré="125")
    assert (game["phase"], game["turn"], game["legal"]) == ("barrage_choice", "Cé", ["barrage_choice"])
    assert game["barrage"] == {"players": ["Cé", "An"], "mode": None, "throws": {}}
    assert game.refuses(type="barrage_choice", player="An", mode="ogen") == "not_your_turn"
    assert game.refuses(type="barrage_choice", player="Cé", mode="Ogen") == "bad_field"
    assert game.refuses_throw("Cé", "124") == "not_now"
    game.choose("Cé", "punten")
    assert (game["phase"], game["turn"], game["barrage"]["mode"]) == ("barrage", "Cé", "punten")
    assert game["legal"] == ["die_outside", "throw"]
    assert game.refuses(type="barrage_choice", player="Cé", mode="ogen") == "not_now"
    assert game["round"]["throws"]["Dré"] == [[1, 2, 5]]


@pytest.mark.parametrize(("mode", "winner"), [("ogen", "An"), ("punten", "Bo")])
def test_azen_is_lowest_in_ogen_and_highest_in_punten_k30(mode, winner):
    game = tied("An Bo").choose("Bo", mode).throw("Bo", "111").throw("An", "112")
    assert game["last_round"]["winner"] == winner


def test_ogen_is_the_sum_of_eyes_k30():
    game = tied("An Bo").choose("Bo", "ogen").throw("Bo", "455").throw("An", "366")
    assert game["last_round"]["winner"] == "An"


def test_one_throw_each_against_the_clock_from_the_chooser_k31():
    game = tied().choose("Dré", "ogen")
    assert game["barrage"]["players"] == ["Dré", "Cé", "Bo", "An"]
    game.throw("Dré", "211")
    assert (game["turn"], game["barrage"]["throws"]) == ("Cé", {"Dré": [1, 1, 2]})
    assert game.refuses_throw("An", "124") == "not_your_turn"
    assert game.refuses(type="throw", player="Cé", dice=[4]) == "wrong_dice"


def test_play_order_of_the_round_decides_who_was_last_k30():
    game = Play("An Bo Cé Dré", starter="Cé").round(Cé="116", Dré="124", An="116", Bo="124")
    assert game["barrage"]["players"] == ["An", "Cé"]


def test_still_tied_is_a_new_barrage_chosen_by_who_threw_last_k32():
    game = tied().choose("Dré", "ogen").throw("Dré", "124").throw("Cé", "666").throw("Bo", "666").throw("An", "666")
    assert game["phase"] == "barrage_choice"
    assert game["barrage"] == {"players": ["An", "Cé", "Bo"], "mode": None, "throws": {}}
    game.choose("An", "punten").throw("An", "124").throw("Cé", "116").throw("Bo", "116")
    assert game["barrage"]["players"] == ["Bo", "Cé"]
    game.choose("Bo", "punten").throw("Bo", "124").throw("Cé", "125")
    assert game["last_round"] == {"winner": "Cé", "wiped": 1, "added": {}}


def test_winner_wipes_what_his_throw_in_the_round_was_worth_k33():
    game = tied("An Bo", dice="456").choose("Bo", "punten").throw("Bo", "124").throw("An", "125")
    assert game["last_round"] == {"winner": "An", "wiped": 3, "added": {}}
    assert (game.stripes, game["round"]["starter"]) == ("9 12", "An")


def test_barrage_throws_wipe_and_add_nothing_k33():
    game = tied("An Bo").choose("Bo", "punten").throw("Bo", "111").throw("An", "223")
    assert (game.stripes, game["out"]) == ("12 11", [])
    game = tied("An Bo Cé", stripes=5).choose("Cé", "punten").throw("Cé", "666").throw("Bo", "666").throw("An", "666")
    game.choose("An", "punten").throw("An", "666").throw("Cé", "666").throw("Bo", "666")
    game.choose("Bo", "ogen").throw("Bo", "666").throw("An", "124").throw("Cé", "124")
    assert (game.stripes, game["out"]) == ("5 4 5", [])


def test_zand_by_face_counts_in_punten_of_a_barrage_k30_n2():
    game = tied("An Bo", {"zand": "by_face"}).choose("Bo", "punten").throw("Bo", "333").throw("An", "444")
    assert game["last_round"]["winner"] == "An"
    assert tied("An Bo").choose("Bo", "punten").throw("Bo", "333").throw("An", "444")["phase"] == "barrage_choice"


def test_one_die_each_clockwise_in_play_order_without_a_choice_n5():
    game = Play("An Bo Cé Dré", "negen", starter="Cé").round(Cé="116", Dré="116", An="116", Bo="124")
    assert (game["phase"], game["legal"]) == ("barrage", ["die_outside", "throw"])
    assert game["barrage"] == {"players": ["Cé", "Dré", "An"], "mode": "ogen", "throws": {}}
    assert game.refuses_throw("Cé", "124") == "wrong_dice"
    game.throw("Cé", "5").throw("Dré", "3").throw("An", "5")
    assert game["barrage"] == {"players": ["Cé", "An"], "mode": "ogen", "throws": {}}
    game.throw("Cé", "1")
    assert game["barrage"]["throws"] == {"Cé": [1]}
    game.throw("An", "2")
    assert game["last_round"] == {"winner": "An", "wiped": 1, "added": {}}


def test_one_die_only_in_such_a_barrage_n5():
    assert Play("An Bo", "negen").refuses_throw("An", "4") == "wrong_dice"


@pytest.mark.parametrize("dice", ["456", "333", "116"])
def test_winner_of_a_barrage_wipes_one_whatever_was_tied_n5(dice):
    game = tied("An Bo", "negen", dice).throw("An", "6").throw("Bo", "1")
    assert game["last_round"] == {"winner": "An", "wiped": 1, "added": {}}


def test_two_times_azen_tied_wipes_one_n5():
    game = Play("An Bo", "negen").round(An="116", Bo="124").round(An="124", Bo="116")
    game.round(Bo="111", An="111").throw("Bo", "6").throw("An", "1")
    assert (game["last_round"]["wiped"], game["out"]) == (1, [])


def test_one_is_doubled_by_stoef_too():
    game = Play("An Bo", {"barrage_wipes": "one"}).turn("An", "456").stoef("An").throw("Bo", "456")
    game.choose("Bo", "ogen").throw("Bo", "124").throw("An", "666")
    assert game["last_round"] == {"winner": "An", "wiped": 2, "added": {}}


def test_a_loser_who_stoefed_adds_his_throw_even_where_the_barrage_wipes_one_k24():
    game = Play("An Bo", {"barrage_wipes": "one"}).turn("An", "456").stoef("An").throw("Bo", "456")
    game.choose("Bo", "ogen").throw("Bo", "666").throw("An", "124")
    assert game["last_round"] == {"winner": "Bo", "wiped": 1, "added": {"An": 3}}


def test_tied_azen_wipes_everything_where_the_tied_throw_is_wiped():
    game = Play("An Bo Cé", {"azen": "best"}).round(An="111", Bo="111", Cé="124")
    game.choose("Bo", "ogen").throw("Bo", "666").throw("An", "124")
    assert (game["last_round"]["wiped"], game["out"], game["turn"]) == (12, ["Bo"], "Cé")


def test_next_starter_after_a_barrage_is_as_after_any_round_k12():
    game = tied("An Bo Cé", {"next_starter": "left_of_starter"}).choose("Cé", "ogen")
    game.throw("Cé", "666").throw("Bo", "124").throw("An", "124")
    assert game["round"]["starter"] == "Bo"
