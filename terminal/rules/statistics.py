"""What people talk about afterwards: throws, luck and stoef of each player, and whether the dice look fair.

Folded from games like everything else, so a correction changes it and an undone throw is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import erfc, exp, pi, sqrt
from typing import NamedTuple

from terminal.rules.fold import Fold, steps
from terminal.rules.state import RoundResult, State
from terminal.rules.throws import FACES, FIETSKE, KIND, SORTED, STRENGTHS, Dice

ORDER = STRENGTHS["by_face"]
"""How throws are compared here, in every reglement: a zand of six is a nicer one than a zand of two."""


def _luck_of_throws() -> Mapping[Dice, float]:
    """Throw -> share of the 216 throws that it beats, counting half of those equal to it, less one half.

    The mean over all 216 is 0, so a player's sum is luck and nothing else.
    """
    strengths = sorted(ORDER[throw] for dice, throw in SORTED.items() if len(dice) == 3)
    number = len(strengths)
    below = {strength: strengths.index(strength) for strength in set(strengths)}
    return {
        throw: (below[strength] + strengths.count(strength) / 2) / number - 0.5 for throw, strength in ORDER.items()
    }


LUCK = _luck_of_throws()
LUCK_VARIANCE = sum(LUCK[throw] ** 2 for dice, throw in SORTED.items() if len(dice) == 3) / 216


class Player(NamedTuple):
    """What a player threw and called in rounds; barrages and start rolls count only for the dice.

    best: his highest throw, () before the first. stoefs won and lost: by rounds that were finished. luck: sum of LUCK.
    """

    throws: int = 0
    best: Dice = ()
    zands: int = 0
    sois: int = 0
    azen: int = 0
    fietskes: int = 0
    rounds_won: int = 0
    wiped: int = 0
    stoefs_won: int = 0
    stoefs_lost: int = 0
    added_by_stoef: int = 0
    luck: float = 0.0

    @property
    def mean_luck(self) -> float:
        """Luck a throw against expectation, from -1 (always the lowest) to 1 (always the highest); 0 is average."""
        return 2 * self.luck / self.throws if self.throws else 0.0

    @property
    def deviations_of_luck(self) -> float:
        """How many standard deviations the luck lies from 0: beyond 2 either way about once in twenty players."""
        return self.luck / sqrt(self.throws * LUCK_VARIANCE) if self.throws else 0.0


def together(one: Player, other: Player) -> Player:
    """Two records of the same player added up."""
    fields = {name: getattr(one, name) + getattr(other, name) for name in Player._fields if name != "best"}
    return Player(best=max(one.best, other.best, key=lambda dice: ORDER.get(dice, -1)), **fields)


def of_game(fold: Fold) -> dict[str, Player]:
    """Each player's record of one game of pitjesbak, finished or not."""
    made = dict.fromkeys(fold.players, Player())
    chain = steps(fold)
    for before, step in pairwise(chain):
        if step.line["type"] == "throw" and before.state.barrage is None:
            player = step.line["player"]
            made[player] = together(made[player], _of_throw(SORTED[tuple(step.line["dice"])]))
        last = step.state.last_round
        if last is not None and last is not before.state.last_round:
            for seat, record in _of_round(before.state, last):
                player = fold.players[seat]
                made[player] = together(made[player], record)
    return made


def _of_throw(dice: Dice) -> Player:
    kind = KIND[dice]
    return Player(
        throws=1,
        best=dice,
        zands=kind == "zand",
        sois=kind == "sois",
        azen=kind == "azen",
        fietskes=dice == FIETSKE,
        luck=LUCK[dice],
    )


def _of_round(before: State, last: RoundResult) -> Iterable[tuple[int, Player]]:
    """What a finished round brought: the winner's stripes, and each stoef called in it won or lost."""
    assert before.round is not None
    yield last.winner, Player(rounds_won=1, wiped=last.wiped)
    added = dict(last.added)
    for seat in before.round.stoef:
        if seat == last.winner:
            yield seat, Player(stoefs_won=1)
        else:
            yield seat, Player(stoefs_lost=1, added_by_stoef=added.get(seat, 0))


def of_evening(games: Iterable[Fold]) -> dict[str, Player]:
    """Each player's record over several games, by name."""
    made: dict[str, Player] = {}
    for fold in games:
        for player, record in of_game(fold).items():
            made[player] = together(made.get(player, Player()), record)
    return made


# -- the dice -------------------------------------------------------------------------------------------------------


class Fairness(NamedTuple):
    """Whether dice look fair. counts: how often 1, 2 … 6 lay up; p: how often fair dice are at least as uneven.

    verdict: `too_few` dice to say anything, `as_expected`, `unusual` (p under 5 %) or `very_unusual` (under 0.1 %).

    The caveat that belongs beside it: of every twenty evenings with fair dice one looks `unusual`, so one evening
    proves nothing. All dice of a table are counted together, so a bad one among three shows a third as much, and which
    one it is cannot be seen: where it shows one face a tenth too often, it takes some 19,000 throws to be noticed four
    times in five. And a reader that takes one face for another makes fair dice look bad.
    """

    counts: tuple[int, ...]
    chi_square: float
    p: float
    verdict: str


ENOUGH_DICE = 300
"""Below this even a clearly loaded die hardly shows, and the chi-square approximation is rough."""


def faces_of(games: Iterable[Fold]) -> tuple[int, ...]:
    """How often each face lay up, over all dice of throws, barrages and start rolls that count."""
    counts = [0] * len(FACES)
    for fold in games:
        for step in steps(fold)[1:]:
            match step.line["type"]:
                case "throw":
                    for die in step.line["dice"]:
                        counts[die - 1] += 1
                case "start_die":
                    counts[step.line["value"] - 1] += 1
    return tuple(counts)


def fairness(counts: tuple[int, ...]) -> Fairness:
    """Pearson's chi-square of six counts against equal ones, with its p for five degrees of freedom."""
    dice = sum(counts)
    expected = dice / len(FACES)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected if dice else 0.0
    p = _survival_of_chi_square_5(chi_square)
    if dice < ENOUGH_DICE:
        verdict = "too_few"
    elif p < 0.001:
        verdict = "very_unusual"
    elif p < 0.05:
        verdict = "unusual"
    else:
        verdict = "as_expected"
    return Fairness(counts, chi_square, p, verdict)


def _survival_of_chi_square_5(x: float) -> float:
    """P(chi-square with 5 degrees of freedom > x), in closed form."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)
