"""Playing a game in a test: short words for the lines of a journal, and a table that plays at random."""

from random import Random

from terminal.rules import fold as folds
from terminal.rules.fold import Fold
from terminal.rules.game import Ask, Refused
from terminal.rules.reglement import FIELDS, load, to_mapping


def started(players="An Bo Cé", reglement="kazerne", starter="An", **fields):
    """A `game_started` line; a mapping for `reglement` changes fields of kazerne."""
    if isinstance(reglement, dict):
        reglement = {**to_mapping(load("kazerne")), **reglement}
    return {
        "type": "game_started",
        "game": "g1",
        "reglement": reglement,
        "players": players.split() if isinstance(players, str) else players,
        "starter": starter,
        **fields,
    }


class Play:
    """A game under test: each word appends a line; `state` is the contract's State."""

    def __init__(self, players="An Bo Cé", reglement="kazerne", starter="An", **fields):
        self.fold = folds.begin(started(players, reglement, starter, **fields))

    def line(self, **line):
        self.fold = folds.apply(self.fold, line)
        return self

    def start(self, player, value):
        return self.line(type="start_die", player=player, value=value)

    def throw(self, player, *throws):
        """Throws as texts: "456", or "4" in a barrage of one die."""
        for dice in throws:
            self.line(type="throw", player=player, dice=[int(die) for die in dice])
        return self

    def stand(self, player):
        return self.line(type="stand", player=player)

    def stoef(self, player):
        return self.line(type="stoef", player=player)

    def choose(self, player, mode):
        return self.line(type="barrage_choice", player=player, mode=mode)

    def outside(self, player):
        return self.line(type="die_outside", player=player)

    def leave(self, player):
        return self.line(type="leave", player=player)

    def abandon(self):
        return self.line(type="abandon")

    def undo(self, of=None):
        if of is None:
            of = folds.latest(self.fold)[0]
        return self.line(type="undo", of=of)

    def correct(self, of, dice=None, value=None):
        if dice is not None:
            return self.line(type="correction", of=of, dice=[int(die) for die in dice])
        return self.line(type="correction", of=of, value=value)

    def turn(self, player, *throws):
        """A whole turn of the starter: his throws, then `stand` when there are fewer than three."""
        self.throw(player, *throws)
        return self.stand(player) if len(throws) < 3 else self

    def round(self, **throws):
        """A round of one throw each, in the order given."""
        for number, (player, dice) in enumerate(throws.items()):
            if number == 0:
                self.turn(player, dice)
            else:
                self.throw(player, dice)
        return self

    @property
    def state(self):
        return folds.summary(self.fold)

    def __getitem__(self, name):
        return self.state[name]

    @property
    def stripes(self):
        return " ".join(str(n) for n in self["stripes"].values())

    def refuses(self, **line):
        """The code of the refusal; the state must be as before."""
        before = self.state
        try:
            folds.apply(self.fold, line)
        except Refused as refusal:
            assert self.state == before
            return refusal.code
        raise AssertionError(f"not refused: {line}")

    def refuses_throw(self, player, dice):
        return self.refuses(type="throw", player=player, dice=[int(die) for die in dice])

    def refuses_stoef(self, player):
        return self.refuses(type="stoef", player=player)


def random_reglement(random: Random):
    """A whole reglement with every field drawn from its allowed values."""
    fields = {name: random.choice(field.values) for name, field in FIELDS.items() if field.values}
    return {"name": "café", "stripes": random.randint(1, 9), "outside_adds": random.choice((0, 0, 1, 3)), **fields}


# Weighted so that rare kinds come often: azen, three same, ties, fietske.
RARE = ([1, 1, 1], [2, 2, 3], [4, 5, 6], [2, 2, 2], [3, 3, 3], [1, 2, 5], [1, 3, 4], [1, 1, 6])


def random_dice(random: Random, number: int, rare=0.3):
    if number == 3 and random.random() < rare:
        dice = list(random.choice(RARE))
        random.shuffle(dice)
        return dice
    return [random.randint(1, 6) for _ in range(number)]


def line_for(ask: Ask, random: Random, rare=0.3):
    """A line that answers an ask."""
    line = {"type": ask.event, "player": ask.player}
    if ask.event == "start_die":
        return {**line, "value": random.randint(1, 6)}
    if ask.dice:
        return {**line, "dice": random_dice(random, ask.dice, rare)}
    return {**line, **{name: random.choice(values) for name, values in ask.fields.items()}}


# How often a table does what it may do, where it must throw.
EAGERNESS = {"die_outside": 0.05, "stand": 0.5, "stoef": 0.3}


def random_line(fold: Fold, random: Random, rare=0.3):
    """A legal event of a game that goes on."""
    asked = folds.asks(fold)
    for ask in asked:
        if random.random() < EAGERNESS.get(ask.event, 0):
            return line_for(ask, random, rare)
    return line_for(asked[0], random, rare)


def random_game(random: Random, start, rare=0.3):
    """All lines of a game played to its end."""
    fold = folds.begin(start)
    lines = [start]
    while folds.asks(fold):
        line = random_line(fold, random, rare)
        fold = folds.apply(fold, line)
        lines.append(line)
    return lines
