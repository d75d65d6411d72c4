"""Seating: K50 to K53."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terminal.rules.seating import PLANS, STEPS, fewest_possible, meetings, primes, repeats, sizes, spread


def five_seatings(numbers):
    return [primes(numbers, seating) for seating in range(1, 6)]


@pytest.mark.parametrize(
    ("seating", "first_tables"),
    [
        (1, [(1, 4, 7, 10, 13), (2, 5, 8, 11, 14)]),
        (2, [(1, 6, 11, 16, 21), (2, 7, 12, 17, 22)]),
        (3, [(1, 8, 15, 22, 29), (2, 9, 16, 23, 30)]),
        (4, [(1, 12, 23, 34, 45), (2, 13, 24, 35, 46)]),
        (5, [(1, 14, 27, 40, 53), (2, 15, 28, 41, 54)]),
    ],
)
def test_first_tables_of_the_paper_where_the_blocks_are_full_k50(seating, first_tables):
    step = STEPS[seating - 1]
    tables = primes(range(1, 5 * step + 1), seating)
    assert list(tables[:2]) == first_tables
    assert len(tables) == step


def test_second_block_goes_on_after_the_first_k50():
    assert primes(range(1, 31), 1) == (
        (1, 4, 7, 10, 13),
        (2, 5, 8, 11, 14),
        (3, 6, 9, 12, 15),
        (16, 19, 22, 25, 28),
        (17, 20, 23, 26, 29),
        (18, 21, 24, 27, 30),
    )


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (2, [2]),
        (5, [5]),
        (6, [6]),
        (7, [7]),
        (8, [4, 4]),
        (9, [4, 5]),
        (11, [5, 6]),
        (12, [6, 6]),
        (13, [4, 4, 5]),
        (17, [5, 6, 6]),
        (18, [4, 4, 5, 5]),
        (22, [5, 5, 6, 6]),
        (23, [4, 4, 5, 5, 5]),
        (28, [4, 4, 5, 5, 5, 5]),
        (60, [5] * 12),
    ],
)
def test_sizes_of_the_tables_k51(players, expected):
    assert list(sizes(players)) == expected


def test_all_tables_have_four_to_six_and_only_up_to_seven_sit_at_one_k51():
    for players in range(8, 400):
        assert sum(sizes(players)) == players
        assert set(sizes(players)) <= {4, 5, 6}
        assert max(sizes(players)) - min(sizes(players)) <= 1


@pytest.mark.parametrize("players", [0, 1])
def test_one_player_is_refused_k51(players):
    with pytest.raises(ValueError, match="cannot play"):
        primes(range(1, players + 1), 1)
    with pytest.raises(ValueError, match="cannot play"):
        spread(range(1, players + 1), 5)


def test_numbers_that_do_not_exist_are_left_out_of_the_list_before_it_is_cut_k51():
    # 8 players, step 3: the list is 1 4 7, 2 5 8, 3 6
    assert primes(range(1, 9), 1) == ((1, 4, 7, 2), (5, 8, 3, 6))
    # step 7: each block of 35 is written table by table
    assert primes(range(1, 9), 3) == ((1, 8, 2, 3), (4, 5, 6, 7))


def test_who_left_keeps_his_number_and_it_is_skipped_k52():
    assert primes([1, 2, 3, 5, 6, 7, 8, 9], 1) == ((1, 7, 2, 5), (8, 3, 6, 9))


def test_a_late_one_sits_from_the_next_seating_on_and_n_is_counted_anew_k52():
    assert len(primes(range(1, 8), 1)) == 1
    assert len(primes(range(1, 9), 2)) == 2


@pytest.mark.parametrize("seating", [0, 6])
def test_the_paper_has_five_seatings_more_only_with_spread_k50(seating):
    with pytest.raises(ValueError, match="1 to 5"):
        primes(range(1, 26), seating)
    assert len(spread(range(1, 26), 6)) == 6


def test_25_players_meet_58_times_again_by_the_primes_and_never_by_spread_k53():
    assert repeats(five_seatings(range(1, 26))) == 58
    assert repeats(spread(range(1, 26), 5)) == 0


def test_a_pair_that_meets_m_times_counts_m_less_one_k53():
    plan = [((1, 2, 3), (4, 5)), ((1, 2), (3, 4, 5)), ((1, 2, 4), (3, 5))]
    assert meetings(plan)[1, 2] == 3
    assert meetings(plan)[3, 5] == 2
    assert (2, 5) not in meetings(plan)
    assert repeats(plan) == 2 + 1 + 1


@pytest.mark.parametrize(
    ("tables", "players", "fewest"),
    [(4, 18, 11), (4, 19, 18), (4, 20, 25), (6, 28, 0), (6, 29, 0), (6, 30, 0), (6, 31, 3), (6, 32, 6)],
)
def test_plans_to_begin_with_have_the_right_sizes_and_few_repeats_k53(tables, players, fewest):
    plan = []
    for row in PLANS[tables]:
        seats = [[at for at in range(players) if int(row[at]) == table] for table in range(tables)]
        assert tuple(sorted(map(len, seats))) == sizes(players)
        plan.append(tuple(map(tuple, seats)))
    assert repeats(plan) == fewest


# Numbers of players for which the plan is found at once; the others are in the bench, they take seconds each.
@pytest.mark.parametrize("players", [23, 24, 25, 28, 29, 30, 33, 34, 35, 36, 37, 53, 54, 55, 56, 57, 63, 90])
def test_nobody_meets_twice_in_five_seatings_k53(players):
    assert repeats(spread(range(1, players + 1), 5)) == 0


@pytest.mark.parametrize(("players", "known"), [(8, 32), (9, 44), (10, 55), (12, 84), (13, 32), (16, 55)])
def test_spread_is_as_good_as_can_be_where_repeats_cannot_be_avoided_k53(players, known):
    assert repeats(spread(range(1, players + 1), 5)) == known == fewest_possible(players, 5)


def test_same_arguments_give_the_same_seatings_k53():
    assert spread(range(1, 11), 3, seed=7) == spread(range(1, 11), 3, seed=7)


def test_meetings_of_seatings_already_played_count_k53():
    numbers = range(1, 9)
    first = primes(numbers, 1)
    planned = spread(numbers, 1, [first])
    assert repeats([first, *planned]) == 4  # two tables of four out of two tables of four: two old pairs at each
    everybody = [*numbers, 20]
    later = spread(everybody, 1, [first])
    assert sorted(number for table in later[0] for number in table) == everybody


def test_one_table_stays_one_table_k51():
    assert spread([3, 1, 2], 2) == (((1, 2, 3),), ((1, 2, 3),))


@given(st.sets(st.integers(1, 70), min_size=2, max_size=60), st.integers(1, 5))
@settings(max_examples=80, deadline=None)
def test_everybody_sits_once_in_tables_of_the_right_sizes_k51_k52(numbers, seating):
    tables = primes(numbers, seating)
    assert sorted(number for table in tables for number in table) == sorted(numbers)
    assert tuple(map(len, tables)) == sizes(len(numbers))


@given(st.sets(st.integers(1, 99), min_size=23, max_size=25), st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_spread_seats_everybody_once_by_number_in_the_same_sizes_k53(numbers, seatings):
    for tables in spread(numbers, seatings):
        assert sorted(number for table in tables for number in table) == sorted(numbers)
        assert tuple(map(len, tables)) == sizes(len(numbers))
        assert all(list(table) == sorted(table) for table in tables)
