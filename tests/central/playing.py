"""Games for the tests: played by chance (seeded) through the real fold, as a table would write them."""

from __future__ import annotations

import random

from terminal.rules import fold as folding
from terminal.rules import reglement as reglements

NAMES = ("An", "Bo", "Cé", "Dré", "Els", "Fons", "Gie", "Hugo")


def reglement(name="kazerne", stripes=2):
    """A whole reglement object with few stripes."""
    return dict(reglements.to_mapping(reglements.load(name))) | {"stripes": stripes}


def play(players, seed, *, game=None, starter=None, rules=None, stripes=None, leaver=None, leave_after=6):
    """The lines of one finished game. leaver: stops after so many lines, unless he is out."""
    chance = random.Random(seed)
    begin = {
        "type": "game_started",
        "game": game or f"game-{seed}",
        "reglement": rules or reglement(),
        "players": list(players),
        "starter": starter,
    }
    if stripes is not None:
        begin["stripes"] = stripes
    lines = [begin]
    fold = folding.begin(begin)
    while folding.outcome(fold) is None:
        if leaver is not None and len(lines) == leave_after and leaver not in folding.summary(fold)["out"]:
            line = {"type": "leave", "player": leaver}
        else:
            line = event(chance, folding.asks(fold))
        fold = folding.apply(fold, line)
        lines.append(line)
    return lines


def event(chance, asks):
    """One legal event: mostly a throw, now and then something else."""
    weights = {"throw": 10, "start_die": 10, "barrage_choice": 10, "stand": 4, "stoef": 2, "die_outside": 0.5}
    ask = chance.choices(asks, [weights[ask.event] for ask in asks])[0]
    line = {"type": ask.event, "player": ask.player}
    line |= {field: chance.choice(values) for field, values in ask.fields.items()}
    dice = [chance.randint(1, 6) for _ in range(ask.dice)]
    if ask.event == "throw":
        line["dice"] = dice
    elif ask.event == "start_die":
        line["value"] = dice[0]
    return line


def fold_of(lines):
    """All lines folded."""
    fold = folding.begin(lines[0])
    for line in lines[1:]:
        fold = folding.apply(fold, line)
    return fold


def message(lines, *, evening="avond", kind="seating", table="1", seating=1, number=1, numbers=(1, 2, 3)):
    """The message of the contract for these lines."""
    fold = fold_of(lines)
    state = folding.summary(fold)
    return {
        "evening": evening,
        "game": lines[0]["game"],
        "kind": kind,
        "table": table,
        "seating": seating,
        "number": number,
        "numbers": list(numbers),
        "reglement": lines[0]["reglement"],
        "ranking": state["ranking"],
        "points": state["points"],
        "journal": [{"seq": seq, **line} for seq, line in enumerate(lines)],
    }


def loser(lines):
    """Who lost (K3): begins the next game."""
    return folding.outcome(fold_of(lines)).loser


def corrected(lines, seed=0):
    """The lines with one throw corrected after the end, the game still being finished; None: no throw allows it."""
    chance = random.Random(seed)
    throws = [seq for seq, line in enumerate(lines) if line["type"] == "throw" and len(line["dice"]) == 3]
    for seq in chance.sample(throws, len(throws)):
        for _ in range(10):
            line = {"type": "correction", "of": seq, "dice": [chance.randint(1, 6) for _ in range(3)]}
            try:
                fold = folding.apply(fold_of(lines), line)
            except ValueError:
                continue
            if folding.outcome(fold) is not None:
                return [*lines, line]
    return None
