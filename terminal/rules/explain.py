"""What one event of pitjesbak did, in facts: for the sounds, the animation and "waarom?".

Nothing is decided here; it compares two states that the rules have made and names the rule of each difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from terminal.rules.contract import Happening, Line
from terminal.rules.settle import FIETSKE_ADDS_TO, SWEEPS
from terminal.rules.state import Barrage, RoundResult, State, turn
from terminal.rules.throws import AZEN, FIETSKE, KIND, SORTED

KINDS: Mapping[str, str] = {
    "rolled": "a start die; amount is its value (K2)",
    "rolls_again": "others tied for the highest start die throw again (K2)",
    "begins": "the player begins a round; the rule says why (K2, K8, K9, K12, K54)",
    "punten": "a plain throw in a round; dice (K6)",
    "zand": "a throw of three equal dice (K6, N2)",
    "sois": "a throw of 4-5-6 (K6)",
    "azen": "a throw of 1-1-1 (K8, N3, N4)",
    "fietske": "2-2-3: amount added to each of others (K10, K9a)",
    "same": "the third throw of a turn with the same dice (K9)",
    "swept": "the player wipes all he has, amount stripes (K8, K9)",
    "lost": "1-1-1 with all stripes still there: the player has lost at once (N3)",
    "stood": "the starter stops; amount throws for everybody (K5)",
    "stoef": "the player has called stoef (K20)",
    "won": "the player wins the round with dice and wipes amount (K6; K22 with stoef; N4 azen; K33, N5 in a barrage)",
    "added": "the player adds amount because of his stoef (K23; K24 in a barrage; K25 after a sweep)",
    "barrage": "others are tied for the highest, in throwing order; player chooses or begins (K7, N5)",
    "barrage_again": "others are still tied (K32, N5)",
    "barrage_throw": "a throw in a barrage; dice (K31, N5)",
    "ogen": "the player has chosen OGEN (K30)",
    "punten_chosen": "the player has chosen PUNTEN (K30)",
    "again": "a die outside: the throw is void, amount added to the player (K13, N6)",
    "out": "the player has no stripes left; amount is his place (K11)",
    "left": "the player stops (K54)",
    "void": "the round, or the start roll, begins anew (K54)",
    "abandoned": "the game is stopped; nobody pays (K55)",
    "game_over": "the player has lost and pays; others are all players, best first (K11, N3, K54)",
    "corrected": "dice, or amount for a start die, now stand for the player's throw",
    "undone": "the player's last event is taken back; dice where it was a throw",
}
"""Every kind of happening, with what its fields say; the screen has a sentence for each."""


def explain(before: State, line: Line, after: State) -> tuple[Happening, ...]:
    """What `line` did between two states, in the order in which it came about."""
    return (*_event(before, line, after), *_consequences(before, after))


def _event(before: State, line: Line, after: State) -> Iterator[Happening]:
    player = line.get("player")
    match line["type"]:
        case "start_die":
            yield Happening("rolled", "K2", player, line["value"])
        case "throw" if before.barrage is not None:
            rule = "N5" if len(line["dice"]) == 1 else "K31"
            yield Happening("barrage_throw", rule, player, dice=SORTED[tuple(line["dice"])])
        case "throw":
            yield from _throw(before, line, after)
        case "stand":
            assert after.round is not None
            yield Happening("stood", "K5", player, after.round.allowed)
            if after.round.stoef:
                yield Happening("stoef", "K20", player)
        case "stoef":
            yield Happening("stoef", "K20", player)
        case "barrage_choice":
            yield Happening("ogen" if line["mode"] == "ogen" else "punten_chosen", "K30", player)
        case "die_outside":
            yield Happening("again", "K13", player, sum(after.stripes) - sum(before.stripes))
        case "leave":
            yield Happening("left", "K54", player)
        case "abandon":
            yield Happening("abandoned", "K55")


def _throw(before: State, line: Line, after: State) -> Iterator[Happening]:
    reglement, names = before.table.reglement, before.table.players
    player, dice = line["player"], SORTED[tuple(line["dice"])]
    if dice == FIETSKE:
        adds_to = FIETSKE_ADDS_TO[reglement.fietske_adds](before, before.table.seats[player])
        yield Happening("fietske", "K10", player, 1 if adds_to else 0, dice, tuple(names[seat] for seat in adds_to))
        return
    has_lost = after.ending is not None and after.ending.why == "lost_by_azen"
    rule = "K6"
    if dice == AZEN:
        rule = "N3" if has_lost else "K8" if reglement.azen == "out_at_once" else "N4"
    yield Happening(KIND[dice], rule, player, dice=dice)
    if has_lost:
        yield Happening("lost", "N3", player, dice=dice)


def _consequences(before: State, after: State) -> Iterator[Happening]:
    names = after.table.players
    if after.last_round is not None and after.last_round is not before.last_round:
        yield from _round_end(before, after.last_round)
    for place, seat in enumerate(after.out[len(before.out) :], start=len(before.out) + 1):
        yield Happening("out", "K11", names[seat], place)
    if after.barrage is not None and not after.barrage.thrown and (before.barrage is None or before.barrage.thrown):
        yield _tied(before, after, after.barrage)
    if len(after.left) > len(before.left) and after.ending is None:
        yield Happening("void", "K54")
    yield from _who_begins(before, after)
    ending = after.ending
    if ending is not None and ending.loser is not None:
        rule = {"played": "K11", "lost_by_azen": "N3", "left": "K54"}[ending.why]
        yield Happening("game_over", rule, names[ending.loser], others=tuple(names[seat] for seat in ending.ranking))


def _round_end(before: State, last: RoundResult) -> Iterator[Happening]:
    assert before.round is not None
    names = before.table.players
    winner = names[last.winner]
    rule_of_added = "K23"
    if last.how in SWEEPS:
        rule_of_added = "K25"
        rule = "K8" if last.how == "azen" else "K9"
        if last.how == "same":
            yield Happening("same", rule, winner, dice=last.dice)
        yield Happening("swept", rule, winner, last.wiped, last.dice)
    elif last.how == "barrage":
        rule_of_added = "K24"
        rule = "N5" if before.table.reglement.barrage_wipes == "one" else "K33"
        yield Happening("won", rule, winner, last.wiped, last.dice)
    else:
        rule = "N4" if last.dice == AZEN else "K22" if last.winner in before.round.stoef else "K6"
        yield Happening("won", rule, winner, last.wiped, last.dice)
    for seat, amount in last.added:
        yield Happening("added", rule_of_added, names[seat], amount)


def _tied(before: State, after: State, barrage: Barrage) -> Happening:
    names = tuple(after.table.players[seat] for seat in barrage.order)
    one_die = after.table.reglement.barrage_dice == 1
    if before.barrage is None:
        return Happening("barrage", "N5" if one_die else "K7", names[0], others=names)
    return Happening("barrage_again", "N5" if one_die else "K32", names[0], others=names)


def _who_begins(before: State, after: State) -> Iterator[Happening]:
    to_act = turn(after)
    if to_act is None:
        return
    player = after.table.players[to_act]
    has_left = len(after.left) > len(before.left)
    if after.start is not None:
        if before.start is not None and before.start.values and not after.start.values and not has_left:
            others = tuple(after.table.players[seat] for seat in after.start.order)
            yield Happening("rolls_again", "K2", player, others=others)
    elif before.start is not None:
        yield Happening("begins", "K2", player)
    elif has_left:
        yield Happening("begins", "K54", player)
    elif after.last_round is not None and after.last_round is not before.last_round:
        yield Happening("begins", "K8" if after.last_round.how in SWEEPS else "K12", player)
