"""The evening and the season: K40 to K48."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminal.rules.standings import (
    Evening,
    Game,
    GameResult,
    Needed,
    Reason,
    draw_lots,
    evening_end,
    evening_standing,
    evenings_played,
    final_field,
    final_game,
    has_played,
    points_of_final,
    prizes,
    season_prizes,
    season_standing,
)

POINTS = {1: 5, 2: 3, 3: 1}


def game(*ranking, kind="seating", left=()):
    """A game played to its end: the last of the ranking is the loser, leavers have no place."""
    places = {player: at + 1 for at, player in enumerate(ranking)}
    points = {player: POINTS.get(place, 0) if player != ranking[-1] else 0 for player, place in places.items()}
    return GameResult(kind, {**places, **dict.fromkeys(left)}, {**points, **dict.fromkeys(left, 0)})


def places_of(rows):
    return [(row.place, row.player) for row in rows]


def test_points_of_an_evening_add_up_k41():
    rows = evening_standing(range(1, 6), [game(1, 2, 3, 4, 5), game(2, 1, 3, 5, 4)])
    assert [(row.player, row.tally.points) for row in rows] == [(1, 8), (2, 8), (3, 2), (4, 0), (5, 0)]
    assert places_of(rows) == [(1, 1), (1, 2), (3, 3), (4, 4), (4, 5)]


def test_more_games_won_comes_first_among_equals_k41():
    # 1: 5 + 1 = 6; 2: 3 + 3 = 6
    rows = evening_standing([1, 2, 3, 4, 5], [game(1, 2, 3, 4, 5), game(3, 2, 1, 4, 5)])
    assert [row.player for row in rows[:3]] == [1, 3, 2]
    assert rows[1].above_next == Reason("firsts", "K41", 1, 0)


def test_then_more_second_places_k41():
    # 1: 5 3 3 = 11; 2: 5 3 1 1 1 = 11
    games = [game(1, 9, 8, 7), game(9, 1, 8, 7), game(9, 1, 8, 7)]
    games += [game(2, 9, 8, 7), game(9, 2, 8, 7), *[game(9, 8, 2, 7)] * 3]
    rows = [row for row in evening_standing([1, 2, 7, 8, 9], games) if row.player in (1, 2)]
    assert [row.tally.points for row in rows] == [11, 11]
    assert [row.player for row in rows] == [1, 2]
    assert rows[0].above_next == Reason("seconds", "K41", 2, 1)


def test_equals_in_everything_share_the_place_k41():
    rows = evening_standing([3, 1, 2], [game(3, 1, 2, kind="final")])
    assert places_of(rows) == [(1, 1), (1, 2), (1, 3)]
    assert all(row.above_next is None for row in rows)


def test_reason_between_two_lines_is_the_first_difference_k41():
    rows = evening_standing([1, 2, 3], [game(1, 2, 3)])
    assert rows[0].above_next == Reason("points", "K41", 5, 3)
    assert rows[1].above_next == Reason("points", "K41", 3, 0)
    assert rows[2].above_next is None


def test_the_loser_has_no_second_or_third_place_k40():
    rows = evening_standing([1, 2, 3], [game(1, 2), game(1, 2, 3)])
    tallies = {row.player: row.tally for row in rows}
    assert (tallies[2].points, tallies[2].seconds, tallies[3].thirds) == (3, 1, 0)


def test_places_shared_by_n3_count_as_their_points_say_k40():
    tied = GameResult("seating", {1: 1, 2: 1, 3: 3, 4: 4}, {1: 5, 2: 5, 3: 1, 4: 0})
    rows = evening_standing([1, 2, 3, 4], [tied])
    assert [(row.tally.firsts, row.tally.seconds, row.tally.thirds) for row in rows] == [
        (1, 0, 0),
        (1, 0, 0),
        (0, 0, 1),
        (0, 0, 0),
    ]


# -- the final ------------------------------------------------------------------------------------------------------


def standing(*groups):
    """A standing with these groups of equals: every group wins so many games against number 99, who is never there."""
    games = []
    for better, group in enumerate(reversed(groups)):
        for player in group:
            games += [game(player, 99)] * (better + 1)
    players = [player for group in groups for player in group]
    return evening_standing(players, games)


def test_the_best_five_play_the_final_seated_by_the_standing_k42():
    field = final_field(standing([7], [3], [9], [1], [4], [2]), range(1, 10))
    assert field == ((7, 3, 9, 1, 4), None)
    assert final_game(field.seats) == Game("final", (7, 3, 9, 1, 4), None)


def test_equals_sit_by_number_k42():
    assert final_field(standing([7], [9, 3], [1], [4], [2]), range(1, 10)).seats == (7, 3, 9, 1, 4)


def test_who_is_absent_is_skipped_and_the_next_moves_up_k42():
    assert final_field(standing([7], [3], [9], [1], [4], [2]), [7, 9, 1, 4, 2]).seats == (7, 9, 1, 4, 2)


def test_all_play_when_there_are_five_or_fewer_k42():
    assert final_field(standing([2], [1, 3]), [1, 2, 3]) == ((2, 1, 3), None)
    assert final_field(standing([2, 1, 3, 4, 5]), range(1, 6)) == ((1, 2, 3, 4, 5), None)


def test_more_equals_than_seats_left_play_off_with_six_stripes_seats_by_number_k43():
    field = final_field(standing([7], [3], [9], [8, 4, 2]), range(1, 10))
    assert field.seats == (7, 3, 9)
    assert field.playoff == Needed((2, 4, 8), 2, Game("playoff", (2, 4, 8), 6))


def test_the_first_so_many_out_take_the_seats_and_sit_by_the_standing_k43():
    rows = standing([7], [3], [9], [8, 4, 2])
    assert final_field(rows, range(1, 10), [game(8, 2, 4, kind="playoff")]) == ((7, 3, 9, 2, 8), None)


def test_an_abandoned_play_off_is_played_again_by_those_without_a_seat_k43():
    rows = standing([7], [3], [9], [8, 4, 2])
    abandoned = GameResult("playoff", {2: None, 4: 1, 8: None}, {2: 0, 4: 5, 8: 0})
    field = final_field(rows, range(1, 10), [abandoned])
    assert field.seats == (7, 3, 9, 4)
    assert field.playoff == Needed((2, 8), 1, Game("playoff", (2, 8), 6))
    assert final_field(rows, range(1, 10), [abandoned, game(8, 2, kind="playoff")]).seats == (7, 3, 9, 4, 8)


def test_an_all_but_begun_play_off_settles_nothing_k43():
    rows = standing([7], [3], [9], [1], [8, 4, 2])
    nothing = GameResult("playoff", {2: None, 4: None, 8: None}, {2: 0, 4: 0, 8: 0})
    assert final_field(rows, range(1, 10), [nothing]).playoff == Needed((2, 4, 8), 1, Game("playoff", (2, 4, 8), 6))


def test_more_than_eight_equals_draw_lots_for_eight_k43():
    equals = tuple(range(1, 12))
    rows = standing(equals)
    assert final_field(rows, equals).playoff == Needed(equals, 5, None)
    drawn = draw_lots(equals, seed=4)
    assert len(set(drawn)) == 8
    assert drawn == draw_lots(reversed(equals), seed=4)
    field = final_field(rows, equals, drawn=drawn)
    assert field.playoff == Needed(equals, 5, Game("playoff", drawn, 6))
    played = game(*drawn, kind="playoff")
    assert final_field(rows, equals, [played], drawn) == (tuple(sorted(drawn[:5])), None)


def test_a_play_off_brings_nothing_else_k43():
    rows = evening_standing([1, 2], [game(1, 2, kind="playoff")])
    assert [row.tally for row in rows] == [(0, 0, 0, 0, 0)] * 2


def test_places_of_the_final_bring_10_6_4_2_1_to_its_loser_too_k44():
    assert points_of_final(game(1, 2, 3, 4, 5, kind="final")) == {1: 10, 2: 6, 3: 4, 4: 2, 5: 1}


def test_with_fewer_players_the_first_so_many_k44():
    assert points_of_final(game(1, 2, 3, kind="final")) == {1: 10, 2: 6, 3: 4}


def test_who_leaves_the_final_has_no_place_and_nothing_k44_k54():
    assert points_of_final(game(1, 2, 3, kind="final", left=(4,))) == {1: 10, 2: 6, 3: 4, 4: 0}


def test_places_shared_in_the_final_share_the_better_points_k44_n3():
    tied = GameResult("final", {1: 1, 2: 2, 3: 2, 4: 4, 5: 5}, {})
    assert points_of_final(tied) == {1: 10, 2: 6, 3: 6, 4: 2, 5: 1}


def test_final_points_come_on_top_of_the_evening_k44():
    games = [game(1, 2, 3, 4), game(3, 4, 2, 1, kind="final")]
    rows = evening_end([1, 2, 3, 4], games, {}).rows
    assert [(row.player, row.tally.points) for row in rows] == [(3, 11), (1, 7), (2, 7), (4, 6)]
    assert rows[0].tally.thirds == 1
    assert rows[0].tally.firsts == 0


def test_a_final_played_again_counts_once_k44():
    abandoned = GameResult("final", {1: 1, 2: None, 3: None}, {})
    end = evening_end([1, 2, 3], [game(1, 2, 3), abandoned, game(3, 2, 1, kind="final")], {})
    assert [(row.player, row.tally.points) for row in end.rows] == [(3, 10), (1, 9), (2, 9)]


# -- the top three --------------------------------------------------------------------------------------------------


def test_after_a_final_evenings_played_come_before_first_places_k45():
    games = [game(1, 2, 3, 4), game(3, 4, 2, 1, kind="final")]  # 1 and 2 have 7 points
    end = evening_end([1, 2, 3, 4], games, {1: 2, 2: 5, 3: 1, 4: 1})
    assert places_of(end.rows) == [(1, 3), (2, 2), (3, 1), (4, 4)]
    assert end.rows[1].above_next == Reason("evenings", "K45", 5, 2)
    assert end.deciding == ()


def test_then_first_places_of_this_evening_k45():
    games = [game(1, 2, 3, 4), game(3, 4, 2, 1, kind="final")]
    end = evening_end([1, 2, 3, 4], games, {1: 2, 2: 2, 3: 2, 4: 2})
    assert [row.player for row in end.rows] == [3, 1, 2, 4]
    assert end.rows[1].above_next == Reason("firsts", "K45", 1, 0)


def test_without_a_final_evenings_do_not_matter_k45():
    end = evening_end([1, 2, 3, 4, 5], [game(1, 2, 3, 4, 5), game(3, 2, 1, 4, 5)], {2: 9})
    assert places_of(end.rows)[:3] == [(1, 1), (1, 3), (3, 2)]
    assert end.deciding == (Needed((1, 3), 2, Game("deciding", (1, 3), 12)),)


def test_still_equal_for_the_top_three_play_a_deciding_game_with_twelve_stripes_k45():
    games = [game(3, 1), game(1, 3), game(5, 9), game(4, 9)]
    end = evening_end([1, 3, 4, 5, 9], games, {})
    assert places_of(end.rows) == [(1, 1), (1, 3), (1, 4), (1, 5), (5, 9)]
    assert end.deciding == (Needed((1, 3, 4, 5), 3, Game("deciding", (1, 3, 4, 5), 12)),)


def test_each_group_of_equals_plays_its_own_k45():
    games = [*[game(4, 9)] * 2, *[game(2, 9)] * 2, game(1, 9), game(5, 9), game(3, 9)]
    end = evening_end([1, 2, 3, 4, 5, 9], games, {})
    assert [needed.equals for needed in end.deciding] == [(2, 4), (1, 3, 5)]
    assert [needed.places for needed in end.deciding] == [2, 1]


def test_a_deciding_game_orders_its_whole_group_k45():
    games = [*[game(4, 9)] * 2, *[game(2, 9)] * 2, game(1, 9), game(5, 9), game(3, 9)]
    games += [game(4, 2, kind="deciding"), game(5, 1, 3, kind="deciding")]
    end = evening_end([1, 2, 3, 4, 5, 9], games, {})
    assert places_of(end.rows) == [(1, 4), (2, 2), (3, 5), (4, 1), (5, 3), (6, 9)]
    assert end.deciding == ()
    assert end.rows[0].above_next == Reason("deciding", "K45", 1, 2)
    assert end.rows[1].above_next == Reason("points", "K41", 10, 5)


def test_an_abandoned_deciding_game_is_played_again_k45():
    games = [game(1, 9), game(2, 9), GameResult("deciding", {1: None, 2: None}, {1: 0, 2: 0})]
    assert evening_end([1, 2, 9], games, {}).deciding[0].game == Game("deciding", (1, 2), 12)
    games.append(game(2, 1, kind="deciding"))
    assert [row.player for row in evening_end([1, 2, 9], games, {}).rows] == [2, 1, 9]


def test_who_left_a_deciding_game_stands_behind_with_no_place_k45():
    games = [game(1, 9), game(2, 9), game(2, kind="deciding", left=(1,))]
    end = evening_end([1, 2, 9], games, {1: 4})
    assert [row.player for row in end.rows] == [2, 1, 9]
    assert end.rows[0].above_next == Reason("deciding", "K45", 1, 0)
    assert [row.tally.evenings for row in end.rows] == [0, 4, 0]


def test_equals_left_by_a_deciding_game_below_the_top_three_share_k45():
    games = [game(player, 99) for player in range(1, 6)]
    games.append(GameResult("deciding", {1: 1, 2: 2, 3: 3, 4: None, 5: None}, {}))
    end = evening_end(range(1, 6), games, {})
    assert places_of(end.rows) == [(1, 1), (2, 2), (3, 3), (4, 4), (4, 5)]
    assert end.deciding == ()


def test_lower_places_are_by_k41_whatever_the_evenings_k45():
    # 4 and 5 end with equal points below the top three; 5 played more evenings, 4 won more games
    games = [*[game(1, 2, 3, 99)] * 9, game(4, 99), game(4, 99), *[game(99, 5, 98)] * 3, game(98, 97, 5, 99)]
    games.append(game(1, 2, 3, kind="final"))
    end = evening_end([1, 2, 3, 4, 5], games, {5: 9, 4: 1})
    assert [row.tally.points for row in end.rows[3:]] == [10, 10]
    assert [row.player for row in end.rows] == [1, 2, 3, 4, 5]
    assert end.rows[3].above_next == Reason("firsts", "K41", 2, 0)


def test_a_group_that_reaches_over_the_third_place_fills_it_by_k45_and_goes_on_by_k41():
    # 3, 4, 5 have 10 points each; 3 has played most evenings, 5 more than 4, but 4 has won a game more than 5
    games = [*[game(1, 2, 99)] * 9, *[game(98, 3, 97)] * 3, game(96, 95, 3, 94), game(4, 99), game(4, 99)]
    games += [game(5, 99), game(98, 5, 97), *[game(98, 97, 5, 99)] * 2, game(1, 2, kind="final")]
    end = evening_end([1, 2, 3, 4, 5], games, {3: 9, 5: 4, 4: 1})
    assert [row.tally.points for row in end.rows[2:]] == [10, 10, 10]
    assert places_of(end.rows) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    assert [row.above_next.what for row in end.rows[2:4]] == ["evenings", "firsts"]


def test_more_than_eight_equals_for_the_top_draw_lots_for_their_deciding_game_k45():
    equals = tuple(range(1, 11))
    assert evening_end(equals, [], {}).deciding == (Needed(equals, 3, None),)
    drawn = draw_lots(equals, seed=1)
    assert evening_end(equals, [], {}, drawn).deciding[0].game == Game("deciding", drawn, 12)
    end = evening_end(equals, [game(*drawn, kind="deciding")], {}, drawn)
    assert tuple(row.player for row in end.rows[:8]) == drawn
    assert {row.place for row in end.rows[8:]} == {9}
    assert end.deciding == ()


# -- prizes ---------------------------------------------------------------------------------------------------------


def test_a_quarter_is_carried_and_the_rest_is_paid_55_30_15_k46():
    shared = prizes(10_000, 20)
    assert (shared.carried, shared.paid, shared.prizes) == (2_500, 7_500, (4_125, 2_250, 1_125))


def test_cents_that_do_not_divide_go_to_the_first_k46():
    shared = prizes(1_003, 20)  # 250.75 carried; 30 % of 753 is 225.9, 15 % is 112.95
    assert (shared.carried, shared.paid, shared.prizes) == (250, 753, (416, 225, 112))
    assert sum(shared.prizes) + shared.carried == 1_003


@pytest.mark.parametrize(("places", "expected"), [(2, (525, 225, 0)), (1, (750, 0, 0)), (0, (750, 0, 0))])
def test_a_place_that_nobody_has_goes_to_the_first_k46(places, expected):
    assert prizes(1_000, places).prizes == expected


def test_final_evening_pays_its_pot_and_all_that_was_carried_k46():
    shared = prizes(1_000, 20, carried_in=777)
    assert (shared.carried_in, shared.carried, shared.paid) == (777, 0, 1_777)
    assert prizes(1_000, 20).carried_in == 0
    assert sum(shared.prizes) == 1_777


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 60)), min_size=1, max_size=9), st.booleans())
@settings(deadline=None)
def test_not_a_cent_is_lost_over_a_season_k46(evenings, has_final_evening):
    pots = [pot for pot, _ in evenings]
    shared = season_prizes(pots, [places for _, places in evenings], has_final_evening)
    paid = sum(one.paid for one in shared)
    held = 0 if has_final_evening else sum(one.carried for one in shared)
    assert paid + held == sum(pots)
    for one in shared:
        assert sum(one.prizes) == one.paid
        assert min(one.prizes) >= 0
        assert one.carried <= one.pot // 4


# -- the season -----------------------------------------------------------------------------------------------------


def test_an_evening_is_played_by_whoever_finished_a_game_of_a_seating_k47():
    games = [game(1, 2, kind="seating", left=(3,)), game(4, 5, kind="final")]
    assert [has_played(player, games) for player in range(1, 7)] == [True, True, False, False, False, False]
    abandoned = GameResult("seating", {6: 1, 7: None}, {6: 5, 7: 0})
    assert has_played(6, [abandoned])
    assert not has_played(7, [abandoned])


def test_evenings_played_are_counted_k47():
    first = Evening((1, 2, 3), (game(1, 2),))
    second = Evening((1, 3), (game(1, 3),))
    assert evenings_played([first, second]) == {1: 2, 2: 1, 3: 1}


def test_season_adds_evening_points_finals_included_k48():
    evening = Evening((1, 2, 3), (game(1, 2, 3), game(3, 2, 1, kind="final")))
    rows = season_standing([evening, evening])
    assert [(row.player, row.tally.points) for row in rows] == [(3, 20), (1, 18), (2, 18)]
    assert [row.tally.firsts for row in rows] == [0, 2, 0]
    assert [row.tally.thirds for row in rows] == [0, 0, 0]
    assert [row.tally.evenings for row in season_standing([evening, Evening((4,), ())])] == [1, 1, 1, 0]


def test_equals_of_a_season_by_evenings_then_places_then_shared_k48():
    once = Evening((1, 9), (game(1, 9),))
    twice = [Evening((2, 8, 9, 7), (game(8, 9, 2, 7),)), Evening((2, 8, 9, 7), (game(8, 9, 2, 7), game(8, 2, 9)))]
    rows = [row for row in season_standing([once, *twice]) if row.player in (1, 2)]
    assert [row.tally.points for row in rows] == [5, 5]
    assert [row.player for row in rows] == [2, 1]
    assert rows[0].above_next == Reason("evenings", "K48", 2, 1)
    shared = season_standing([Evening((1, 2, 3), (game(1, 3), game(2, 3)))])
    assert places_of(shared) == [(1, 1), (1, 2), (3, 3)]


orders = st.lists(st.permutations(range(1, 6)), max_size=12)


@given(orders, st.lists(st.permutations(range(1, 6)), max_size=1))
@settings(deadline=None)
def test_standings_hold_everybody_once_and_places_skip_the_shared_ones(games, finals):
    played = [game(*order) for order in games] + [game(*order, kind="final") for order in finals]
    for rows in (evening_standing(range(1, 6), played), evening_end(range(1, 6), played, {}).rows):
        assert sorted(row.player for row in rows) == list(range(1, 6))
        count = Counter(row.place for row in rows)
        assert [row.place for row in rows] == sorted(row.place for row in rows)
        assert all(row.place == 1 + sum(count[place] for place in count if place < row.place) for row in rows)
        points = [row.tally.points for row in rows]
        assert points == sorted(points, reverse=True)


@given(orders, st.lists(st.permutations(range(1, 6)), max_size=1), st.data())
@settings(deadline=None)
def test_deciding_games_always_come_to_an_end_k45(games, finals, data):
    played = [game(*order) for order in games] + [game(*order, kind="final") for order in finals]
    end = evening_end(range(1, 6), played, {})
    for _ in range(5):
        if not end.deciding:
            break
        for needed in end.deciding:
            played.append(game(*data.draw(st.permutations(needed.equals)), kind="deciding"))
        end = evening_end(range(1, 6), played, {})
    assert not end.deciding
    assert [row.place for row in end.rows[:3]] == [1, 2, 3]
