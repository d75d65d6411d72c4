"""How long an evening takes: learnt from the games that were played, counted until there are any."""

from __future__ import annotations

import datetime

import pytest

from central import evenings, forecast
from tests.central import playing
from tests.central.conftest import plan
from tests.central.test_ingest import take

TABLE_1 = playing.NAMES[:3]


def timed(lines, seconds, jump=None):
    """The lines with a time each, so many seconds apart; a clock that jumps back after `jump` lines."""
    at = datetime.datetime(2026, 11, 29, 20, 0, tzinfo=datetime.UTC)
    made = []
    for count, line in enumerate(lines):
        if count == jump:
            at -= datetime.timedelta(days=400)
        made.append(line | {"at": at.isoformat()})
        at += datetime.timedelta(seconds=seconds)
    return made


def play_evening(store, seconds, jump=None):
    """Six games at two tables; gives throws and lines of all."""
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    throws = lines = 0
    for table, names, numbers in (("1", TABLE_1, (1, 2, 3)), ("2", playing.NAMES[3:6], (4, 5, 6))):
        starter = None
        for number in (1, 2, 3):
            game = timed(playing.play(names, 10 * int(table) + number, starter=starter), seconds, jump)
            starter = playing.loser(game)
            assert take(store, playing.message(game, table=table, number=number, numbers=numbers)) == "stored"
            throws += sum(line["type"] == "throw" for line in game)
            lines += len(game)
    return throws, lines


def test_without_games_it_is_the_counted_280_throws(store):
    pace = store.reading(forecast.pace)
    assert pace.games == 0
    assert pace.minutes(5, 12) == pytest.approx(280 * forecast.SECONDS_PER_THROW / 60)


@pytest.mark.parametrize("jump", [None, 8])
def test_it_is_learnt_from_the_games_also_with_a_clock_that_jumps(store, jump):
    throws, lines = play_evening(store, 11.0, jump)
    pace = store.reading(forecast.pace)
    gaps = lines - 6 * (1 if jump is None else 2)  # the gap over which the clock jumped says nothing
    assert pace.games == 6
    assert pace.throws_per_stripe == pytest.approx(throws / (6 * 3 * 2))
    assert pace.seconds_per_throw == pytest.approx(11.0 * gaps / throws)


def test_games_without_times_teach_the_throws_only(store):
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    starter = None
    for number in (1, 2, 3):
        lines = playing.play(TABLE_1, number, starter=starter)
        starter = playing.loser(lines)
        take(store, playing.message(lines, number=number))
    assert store.reading(forecast.pace).games == 0  # three are not enough to learn from


def test_the_largest_table_makes_the_seating_and_a_final_comes_on_top():
    pace = forecast.Pace(4.0, 10.0, 9)
    made = forecast.forecast(pace, 23, 12, 3, 3, has_final=False)
    assert (made.tables, made.largest) == (5, 5)
    assert made.per_game_min == pytest.approx(5 * 12 * 4.0 * 10.0 / 60)
    assert made.total_min == pytest.approx(9 * made.per_game_min + 2 * forecast.BREAK_MIN)
    final = forecast.forecast(pace, 23, 12, 3, 3, has_final=True)
    assert final.total_min == pytest.approx(made.total_min + made.per_game_min + forecast.BREAK_MIN)
    assert forecast.forecast(pace, 1, 12, 3, 3, has_final=False) is None


def test_what_would_fit_is_the_most_stripes_that_do():
    pace = forecast.Pace(4.0, 10.0, 9)
    fit = forecast.stripes_that_fit(pace, 23, 3, 3, False, 240)
    assert forecast.forecast(pace, 23, fit, 3, 3, False).total_min <= 240
    assert forecast.forecast(pace, 23, fit + 1, 3, 3, False).total_min > 240
    assert forecast.stripes_that_fit(pace, 23, 3, 3, False, 5) is None
