"""Games that hypothesis invents, over every reglement: they end, refold to the same, and undo goes back."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from terminal.rules import fold as folds
from terminal.rules.game import GAMES, Refused
from tests.rules.play import FIELDS, line_for, random_game, random_line, random_reglement, started

NAMES = ["An", "Bo", "Cé", "Dré", "Els", "Fons", "Gie", "Hil"]

few = settings(max_examples=60, deadline=None)

randoms = st.randoms(use_true_random=False)


def a_start(random: Random, **fields):
    names = NAMES[: random.randint(2, 8)]
    reglement = random.choice(["kazerne", "negen", random_reglement(random), random_reglement(random)])
    return {
        **started(names, starter=random.choice([None, *names])),
        "reglement": reglement,
        "stripes": random.randint(1, 5),
        **fields,
    }


def without_seq(state):
    return {name: value for name, value in state.items() if name != "seq"}


def wild_line(fold, random: Random):
    """A line that may or may not be legal: anything of the contract, about anybody and any seq."""
    if random.random() < 0.5 and folds.asks(fold):
        return random_line(fold, random)
    kind = random.choice(["throw", "throw", "stand", "stoef", "start_die", "barrage_choice", "die_outside"])
    rare = random.random()
    if rare < 0.04:
        kind = "leave"
    elif rare < 0.05:
        kind = "abandon"
    elif rare < 0.35:
        kind = random.choice(["undo", "correction", "correction"])
    dice = [random.randint(1, 6) for _ in range(random.choice((1, 3, 3, 3)))]
    latest = folds.latest(fold)
    of = latest[0] if latest and random.random() < 0.5 else random.randint(0, fold.seq + 1)
    line = {"type": kind, "player": random.choice(fold.players), "dice": dice, "value": random.randint(1, 6)}
    return {**line, "of": of, "mode": random.choice(("ogen", "punten"))}


def wild_folds(random: Random, length=80):
    """(before, line, after or None) of a game of legal and illegal lines."""
    fold = folds.begin(a_start(random))
    for _ in range(length):
        line = wild_line(fold, random)
        try:
            after = folds.apply(fold, line)
        except Refused:
            yield fold, line, None
            continue
        yield fold, line, after
        fold = after


def test_every_game_offers_the_contract():
    for name, game in GAMES.items():
        assert game.name == name
        assert game.corrects


@given(st.integers(0, 2**32))  # a seed: chosen dice could tie for ever, real ones do not
@few
def test_random_play_ends_with_everybody_ranked(seed):
    random = Random(seed)
    start = a_start(random)
    lines = random_game(random, start, rare=0.1)
    fold = folds.begin(start)
    for line in lines[1:]:
        fold = folds.apply(fold, line)
    state = folds.summary(fold)
    assert state["phase"] == "finished"
    assert sorted(state["ranking"]) == sorted(start["players"])
    assert list(state["stripes"]) == start["players"]
    assert all(state["stripes"][player] == 0 for player in state["out"])
    assert state["points"][state["ranking"][-1]] == 0
    assert max(state["points"].values()) == 5


@given(randoms)
@few
def test_a_refusal_changes_nothing_and_a_fold_is_never_mutated(random):
    for before, _, after in wild_folds(random):
        state = folds.summary(before)
        if after is not None:
            assert folds.summary(after)["seq"] == state["seq"] + 1
        assert folds.summary(before) == state


@given(randoms)
@few
def test_refolding_the_accepted_lines_gives_the_same_state(random):
    last = None
    for before, _, after in wild_folds(random):
        last = after or before
    again = folds.begin(last.lines[0])
    for line in last.lines[1:]:
        again = folds.apply(again, line)
    assert folds.summary(again) == folds.summary(last)


@given(randoms)
@few
def test_a_plain_fold_of_what_is_in_force_gives_the_same_state(random):
    """The simple model: no undo, no correction, only the lines that are left, in order."""
    for before, _, after in wild_folds(random):
        fold = after or before
        again = folds.begin(fold.lines[0])
        for _, line in folds.in_force(fold):
            again = folds.apply(again, line)
        assert without_seq(folds.summary(again)) == without_seq(folds.summary(fold))


@given(randoms)
@few
def test_undo_gives_the_state_before(random):
    for before, line, after in wild_folds(random):
        if after is None or line["type"] == "undo":
            continue
        back = folds.apply(after, {"type": "undo", "of": after.seq})
        assert without_seq(folds.summary(back)) == without_seq(folds.summary(before))
        assert folds.latest(back) == folds.latest(before)


@given(randoms)
@few
def test_legal_lists_exactly_what_somebody_can_do(random):
    """Every event type tried for everybody with every choice: accepted for somebody if and only if listed."""
    kinds = ("start_die", "throw", "stand", "stoef", "barrage_choice", "die_outside")
    for before, _, after in wild_folds(random, length=25):
        fold = after or before
        accepted = set()
        for kind in kinds:
            for player in fold.players:
                for dice in ([1, 2, 4], [3]):
                    line = {"type": kind, "player": player, "dice": dice, "value": 3, "mode": "ogen"}
                    try:
                        folds.apply(fold, line)
                    except Refused:
                        continue
                    accepted.add((kind, player))
        asked = folds.asks(fold)
        assert {(ask.event, ask.player) for ask in asked} == accepted
        assert folds.summary(fold)["legal"] == sorted({kind for kind, _ in accepted})
        for ask in asked:
            folds.apply(fold, line_for(ask, random))


def test_random_reglementen_draw_every_allowed_value():
    seen = {name: set() for name in FIELDS}
    for seed in range(300):
        for name, value in random_reglement(Random(seed)).items():
            seen[name].add(value)
    for name, field in FIELDS.items():
        if field.values:
            assert seen[name] == set(field.values)
