"""Contract, section 5: what becomes of a result, whatever way it comes."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from central import evenings, ingest, standings_view, tables
from central.schema import game, refused
from tests.central import playing
from tests.central.conftest import plan

TABLE_1 = playing.NAMES[:3]


def take(store, message):
    """What central's route does: take it, or keep it as refused; gives the outcome or the code."""
    try:
        receipt = store.writing(lambda connection: ingest.take(connection, ingest.understand(message)))
    except ingest.Refusal as refusal:
        raw, code = json.dumps(message), refusal
        store.writing(lambda connection: ingest.keep_refused(connection, raw, message, code))
        return refusal.code
    return receipt.outcome


def counted(store):
    """Ids of the games that count."""
    return set(store.reading(lambda connection: connection.scalars(sa.select(game.c.id)).all()))


def waiting(store):
    """Codes of the refused messages that wait for the organiser."""
    query = sa.select(refused.c.code).where(refused.c.handled.is_(None))
    return sorted(store.reading(lambda connection: connection.scalars(query).all()))


def flags(store, game_id):
    """The flags of a stored game."""
    return store.reading(lambda connection: connection.scalar(sa.select(game.c.flags).where(game.c.id == game_id)))


def first_game(seed=1, **fields):
    """A game 1 at table 1, as message."""
    return playing.message(playing.play(TABLE_1, seed), **fields)


def after(lines, seed, **options):
    """The lines of the game after these, begun by their loser (K3)."""
    return playing.play(TABLE_1, seed, starter=playing.loser(lines), **options)


@pytest.fixture
def any_evening(any_store):
    """The evening of conftest, on either database."""
    return any_store.writing(lambda connection: evenings.from_plan(connection, plan()))


@pytest.mark.usefixtures("any_evening")
class TestTaking:
    def test_a_finished_game_is_stored_with_what_its_throws_give(self, any_store):
        lines = playing.play(TABLE_1, 1)
        message = playing.message(lines)
        assert take(any_store, message) == "stored"
        (one,) = any_store.reading(lambda connection: tables.played(connection, 1))
        state = any_store.reading(lambda connection: connection.scalar(sa.select(game.c.state)))
        assert state["ranking"] == message["ranking"]
        assert {place["number"]: place["points"] for place in one.places} == {
            TABLE_1.index(name) + 1: points for name, points in message["points"].items()
        }
        assert one.losers == {"now": TABLE_1.index(playing.loser(lines)) + 1, "before": []}

    def test_the_same_message_twice_gives_one_result(self, any_store):
        assert [take(any_store, first_game()) for _ in range(3)] == ["stored", "same", "same"]
        assert len(counted(any_store)) == 1
        assert not waiting(any_store)

    def test_a_message_whose_keys_are_in_another_order_is_the_same(self, any_store):
        message = first_game()
        take(any_store, message)
        turned = dict(reversed(message.items()))
        turned["journal"] = [dict(reversed(line.items())) for line in message["journal"]]
        assert take(any_store, turned) == "same"

    def test_an_extended_journal_replaces_the_stored_one(self, any_store):
        lines = playing.play(TABLE_1, 1)
        longer = playing.corrected(lines)
        assert take(any_store, playing.message(lines)) == "stored"
        assert take(any_store, playing.message(longer)) == "replaced"
        assert flags(any_store, "game-1") == ["corrected", "look"]
        stored = any_store.reading(lambda connection: connection.scalar(sa.select(game.c.lines)))
        assert stored == len(longer)

    def test_a_shorter_journal_is_ignored(self, any_store):
        lines = playing.play(TABLE_1, 1)
        longer = playing.corrected(lines)
        take(any_store, playing.message(longer))
        assert take(any_store, playing.message(lines)) == "shorter"
        assert any_store.reading(lambda connection: connection.scalar(sa.select(game.c.lines))) == len(longer)
        assert not waiting(any_store)

    def test_a_fork_is_refused_and_shown(self, any_store):
        lines = playing.play(TABLE_1, 1)
        other = playing.play(TABLE_1, 2, game="game-1")
        take(any_store, playing.message(lines))
        assert take(any_store, playing.message(other)) == "fork"
        assert waiting(any_store) == ["fork"]
        assert counted(any_store) == {"game-1"}

    def test_one_is_not_true_and_not_1_0_in_a_fork(self, any_store):
        lines = playing.play(TABLE_1, 1)
        take(any_store, playing.message([*lines[:-1], {**lines[-1], "at": 1}]))
        assert take(any_store, playing.message([*lines[:-1], {**lines[-1], "at": True}])) == "fork"

    def test_the_same_game_from_another_table_is_a_fork(self, any_store):
        take(any_store, first_game())
        assert take(any_store, first_game(table="2", numbers=(4, 5, 6))) == "fork"

    def test_another_game_with_the_same_number_is_refused(self, any_store):
        take(any_store, first_game(1))
        assert take(any_store, first_game(2)) == "number_taken"
        assert counted(any_store) == {"game-1"}

    def test_a_refused_message_is_kept_once_and_whole(self, any_store):
        message = first_game() | {"points": {"An": 5, "Bo": 5, "Cé": 5}}
        assert [take(any_store, message) for _ in range(3)] == ["points"] * 3
        (body,) = any_store.reading(lambda connection: connection.scalars(sa.select(refused.c.body)).all())
        assert json.loads(body) == message

    def test_a_refused_message_that_is_accepted_later_waits_no_more(self, any_store):
        message = first_game()
        take(any_store, message | {"points": {}})
        assert take(any_store, message) == "stored"
        assert not waiting(any_store)

    def test_a_game_given_up_counts_who_was_out(self, any_store):
        lines = next(
            lines
            for seed in range(100)
            if (lines := playing.play(TABLE_1, seed, stripes=2))
            and any(len(playing.folding.summary(playing.fold_of(lines[:k]))["out"]) == 1 for k in (len(lines) - 5,))
        )
        given_up = [*lines[:-5], {"type": "abandon"}]
        assert take(any_store, playing.message(given_up)) == "stored"
        (one,) = any_store.reading(lambda connection: tables.played(connection, 1))
        assert sorted(place["points"] for place in one.places) == [0, 0, 5]
        assert one.losers["now"] is None


WRONG = {
    "no object": ("shape", lambda m: [m]),
    "no journal": ("shape", lambda m: {k: v for k, v in m.items() if k != "journal"}),
    "an empty journal": ("shape", lambda m: m | {"journal": []}),
    "a journal of texts": ("shape", lambda m: m | {"journal": ["x"]}),
    "a number as text": ("shape", lambda m: m | {"number": "1"}),
    "a number that is true": ("shape", lambda m: m | {"number": True}),
    "a seating of 1.0": ("shape", lambda m: m | {"seating": 1.0}),
    "a player twice": ("shape", lambda m: m | {"numbers": [1, 1, 2]}),
    "a kind that is none": ("shape", lambda m: m | {"kind": "halve finale"}),
    "a kind that is a list": ("shape", lambda m: m | {"kind": ["seating"]}),
    "a blank game id": ("shape", lambda m: m | {"game": " "}),
    "a lone surrogate": ("shape", lambda m: m | {"table": "\ud800"}),
    "another game id than the journal's": ("shape", lambda m: m | {"game": "anders"}),
    "an unknown evening": ("evening", lambda m: m | {"evening": "gisteren"}),
    "an unknown table": ("table", lambda m: m | {"table": "9"}),
    "a seating that is not there": ("seating", lambda m: m | {"seating": 2}),
    "a fourth game": ("seating", lambda m: m | {"number": 4}),
    "a final that is not there": ("seating", lambda m: m | {"kind": "final"}),
    "another ranking": ("ranking", lambda m: m | {"ranking": m["ranking"][::-1]}),
    "other points": ("points", lambda m: m | {"points": dict.fromkeys(m["points"], 1)}),
    "too few points": ("points", lambda m: m | {"points": {}}),
    "players of another table": ("players", lambda m: m | {"numbers": [4, 5, 6]}),
    "players in another order": ("players", lambda m: m | {"numbers": [2, 1, 3]}),
    "a player too few": ("players", lambda m: m | {"numbers": [1, 2]}),
    "another reglement than was played": ("reglement", lambda m: m | {"reglement": playing.reglement("negen", 2)}),
    "a reglement that makes no sense": ("reglement", lambda m: m | {"reglement": {"name": "x"}}),
    "a reglement of that name only": ("reglement", lambda m: m | {"reglement": "negen"}),
    "a throw too many": ("journal", lambda m: m | {"journal": [*m["journal"], m["journal"][-1]]}),
    "a first line that starts nothing": ("journal", lambda m: m | {"journal": m["journal"][1:]}),
    "a game begun twice": ("journal", lambda m: m | {"journal": [m["journal"][0], *m["journal"]]}),
    "a game that is not finished": ("unfinished", lambda m: m | {"journal": m["journal"][:-1]}),
}


@pytest.mark.parametrize(("code", "spoil"), WRONG.values(), ids=WRONG.keys())
def test_what_does_not_follow_is_refused_and_kept(store, evening, code, spoil):
    message = spoil(first_game())
    assert take(store, message) == code
    assert waiting(store) == [code]
    assert counted(store) == set()


def test_k55a_a_false_start_is_refused(store, evening):
    begin = playing.play(TABLE_1, 1)[0]
    rolls = [
        {"type": "start_die", "player": name, "value": value} for name, value in zip(TABLE_1, (6, 1, 1), strict=True)
    ]
    assert take(store, playing.message([begin, *rolls, {"type": "abandon"}])) == "false_start"


def test_a_false_start_stays_one_when_its_only_throw_was_undone(store, evening):
    begin = playing.play(TABLE_1, 1)[0]
    rolls = [
        {"type": "start_die", "player": name, "value": value} for name, value in zip(TABLE_1, (6, 1, 1), strict=True)
    ]
    thrown = [{"type": "throw", "player": "An", "dice": [1, 2, 4]}, {"type": "undo", "of": 4}]
    assert take(store, playing.message([begin, *rolls, *thrown, {"type": "abandon"}])) == "false_start"


def test_more_stripes_than_the_evening_has_are_refused(store, evening):
    assert take(store, playing.message(playing.play(TABLE_1, 1, stripes=3))) == "reglement"


def test_stripes_of_the_game_line_that_are_those_of_the_evening_are_fine(store, evening):
    whole = playing.reglement() | {"stripes": 12}
    assert take(store, playing.message(playing.play(TABLE_1, 1, rules=whole, stripes=2))) == "stored"


class TestOrder:
    """K2, K3: the loser of the game before begins; in whatever order the games arrive the same ones count."""

    def test_k2_the_first_game_has_a_start_roll(self, store, evening):
        assert take(store, playing.message(playing.play(TABLE_1, 1, starter="An"))) == "starter"

    def test_k3_the_loser_begins_the_next_game(self, store, evening):
        one = playing.play(TABLE_1, 1)
        assert take(store, playing.message(one)) == "stored"
        assert take(store, playing.message(after(one, 2), number=2)) == "stored"

    def test_k3_another_starter_is_refused(self, store, evening):
        one = playing.play(TABLE_1, 1)
        other = next(name for name in TABLE_1 if name != playing.loser(one))
        take(store, playing.message(one))
        assert take(store, playing.message(playing.play(TABLE_1, 2, starter=other), number=2)) == "starter"
        assert take(store, playing.message(playing.play(TABLE_1, 3), number=2)) == "starter"

    def test_k3_is_checked_when_the_game_before_arrives_late(self, store, evening):
        one = playing.play(TABLE_1, 1)
        other = next(name for name in TABLE_1 if name != playing.loser(one))
        assert take(store, playing.message(playing.play(TABLE_1, 2, starter=other), number=2)) == "stored"
        assert take(store, playing.message(one)) == "stored"
        assert counted(store) == {"game-1"}
        assert waiting(store) == ["starter"]

    def test_games_that_arrive_backwards_all_count(self, store, evening):
        one = playing.play(TABLE_1, 1)
        two = after(one, 2)
        three = after(two, 3)
        for number, lines in ((3, three), (2, two), (1, one)):
            assert take(store, playing.message(lines, number=number)) == "stored"
        assert counted(store) == {"game-1", "game-2", "game-3"}
        assert not waiting(store)

    def correction_changes_loser(self):
        """A game whose loser a correction after its end changes, and that correction."""
        for seed in range(300):
            lines = playing.play(TABLE_1, seed, game="game-1")
            for attempt in range(3):
                longer = playing.corrected(lines, attempt)
                if longer is not None and playing.loser(longer) != playing.loser(lines):
                    return lines, longer
        raise AssertionError("no such game among 300")

    @pytest.mark.parametrize("order", ["correction last", "correction first", "only the corrected one", "backwards"])
    def test_a_mismatch_that_a_later_correction_made_is_flagged(self, store, evening, order):
        lines, longer = self.correction_changes_loser()
        first, fixed = playing.message(lines), playing.message(longer)
        second = playing.message(after(lines, 2, game="game-2"), number=2)
        orders = {
            "correction last": [first, second, fixed],
            "correction first": [first, fixed, second],
            "only the corrected one": [fixed, second],
            "backwards": [second, fixed, first],
        }
        for message in orders[order]:
            take(store, message)
        assert counted(store) == {"game-1", "game-2"}
        assert flags(store, "game-2") == ["starter"]
        assert not waiting(store)

    def test_a_game_taken_out_counts_again_when_the_game_before_is_corrected(self, store, evening):
        lines, longer = self.correction_changes_loser()
        second = playing.message(playing.play(TABLE_1, 2, starter=playing.loser(longer), game="game-2"), number=2)
        assert take(store, playing.message(lines)) == "stored"
        assert take(store, second) == "starter"
        assert take(store, playing.message(longer)) == "replaced"
        assert counted(store) == {"game-1", "game-2"}
        assert flags(store, "game-2") == []
        assert not waiting(store)

    def test_k54_who_left_plays_no_later_game_and_his_left_neighbour_begins_for_him(self, store, evening):
        one = next(
            lines
            for seed in range(200)
            if playing.loser(lines := playing.play(TABLE_1, seed, leaver="Bo", leave_after=8)) != "Bo"
        )
        assert take(store, playing.message(one)) == "stored"
        with_bo = playing.play(TABLE_1, 2, starter=playing.loser(one))
        assert take(store, playing.message(with_bo, number=2)) == "players"
        two = playing.play(("An", "Cé"), 2, starter=playing.loser(one), game="zonder")
        assert take(store, playing.message(two, number=2, numbers=(1, 3))) == "stored"

    def test_k3_when_the_loser_left_his_left_neighbour_begins(self, store, evening):
        # two are out or gone when Bo leaves: An takes the place, Bo is the loser (K54)
        lines = playing.play(("An", "Bo", "Cé"), 1)
        out_first = next(
            k for k in range(len(lines)) if playing.folding.summary(playing.fold_of(lines[: k + 1]))["out"]
        )
        state = playing.folding.summary(playing.fold_of(lines[: out_first + 1]))
        gone = state["out"][0]
        leaver = next(name for name in TABLE_1 if name != gone)
        one = [*lines[: out_first + 1], {"type": "leave", "player": leaver}]
        assert playing.loser(one) == leaver
        assert take(store, playing.message(one)) == "stored"
        stay = tuple(name for name in TABLE_1 if name != leaver)
        seats = [*TABLE_1, *TABLE_1]
        neighbour = next(name for name in seats[TABLE_1.index(leaver) + 1 :] if name in stay)
        numbers = tuple(TABLE_1.index(name) + 1 for name in stay)
        wrong = next(name for name in stay if name != neighbour)
        assert (
            take(store, playing.message(playing.play(stay, 5, starter=wrong), number=2, numbers=numbers)) == "starter"
        )
        assert (
            take(store, playing.message(playing.play(stay, 6, starter=neighbour), number=2, numbers=numbers))
            == "stored"
        )

    def test_k54_a_leaver_who_turns_out_to_have_left_earlier_takes_the_later_game_out(self, store, evening):
        one = playing.play(TABLE_1, 4, leaver="Bo", leave_after=8)
        two = playing.play(TABLE_1, 5, starter=playing.loser(one))
        take(store, playing.message(two, number=2))
        take(store, playing.message(one))
        assert counted(store) == {"game-4"}
        assert waiting(store) == ["players"]


def test_k40_k41_standings_add_up_what_counts(store, evening):
    one = playing.play(TABLE_1, 1)
    two = after(one, 2)
    other = playing.play(playing.NAMES[3:6], 3)
    take(store, playing.message(one))
    take(store, playing.message(two, number=2))
    take(store, playing.message(other, table="2", numbers=(4, 5, 6)))
    expected = dict.fromkeys(playing.NAMES[:6], 0)
    for lines in (one, two, other):
        for name, points in playing.message(lines)["points"].items():
            expected[name] += points

    def ask(connection):
        return standings_view.rows(evenings.entrants(connection, evening.id), tables.played(connection, evening.id))

    rows = store.reading(ask)
    assert {row.shown: row.points for row in rows} == expected
    assert [row.points for row in rows] == sorted(expected.values(), reverse=True)
    assert all(row.points == 5 * row.firsts + 3 * row.seconds + row.thirds for row in rows)


def test_nothing_of_a_refused_result_stays(store, evening):
    """A refusal after part of the work leaves the database as it was."""
    before = store.reading(lambda connection: connection.execute(sa.select(game)).all())
    take(store, first_game() | {"ranking": []})
    assert store.reading(lambda connection: connection.execute(sa.select(game)).all()) == before


def test_a_flood_of_refused_messages_ends(store, evening, monkeypatch):
    monkeypatch.setattr(ingest, "MOST_REFUSED", 3)
    for seed in range(3):
        take(store, first_game(seed) | {"points": {}})
    with pytest.raises(ingest.Refusal, match="te veel"):
        take(store, first_game(9) | {"points": {}})
