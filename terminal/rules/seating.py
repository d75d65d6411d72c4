"""Who sits with whom: the primes of the paper (K50, K51) and the seating with the fewest repeated meetings (K53).

Numbers are given at registration and never change; whoever is absent is simply not among the numbers given here (K52).
A table is its numbers in clockwise seat order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import exp
from random import Random

Table = tuple[int, ...]
Tables = tuple[Table, ...]

STEPS = (3, 5, 7, 11, 13)
"""Step of seating 1, 2, 3, 4, 5 (K50); more seatings only with `spread`."""

LARGEST_SINGLE_TABLE = 7
USUAL_TABLE = 5


def sizes(players: int) -> tuple[int, ...]:
    """How many sit at each table (K51): one table up to 7, else all of 4 to 6; ValueError for fewer than 2."""
    if players < 2:
        raise ValueError(f"{players} players cannot play")
    tables = 1 if players <= LARGEST_SINGLE_TABLE else (2 * players + USUAL_TABLE) // (2 * USUAL_TABLE)
    size, larger = divmod(players, tables)
    return (size,) * (tables - larger) + (size + 1,) * larger


def _cut(order: Sequence[int]) -> Tables:
    """A list of players cut into tables of K51's sizes."""
    tables = []
    begin = 0
    for size in sizes(len(order)):
        tables.append(tuple(order[begin : begin + size]))
        begin += size
    return tuple(tables)


def _order_of_step(step: int, highest: int) -> Iterator[int]:
    """All numbers up to at least `highest`, table by table, block by block (K50)."""
    block = USUAL_TABLE * step
    for first in range(1, highest + 1, block):
        for table in range(step):
            yield from range(first + table, first + block, step)


def primes(numbers: Iterable[int], seating: int) -> Tables:
    """The tables of seating 1 to 5 by the paper's steps, for the numbers that are present (K50 to K52)."""
    present = set(numbers)
    if not 1 <= seating <= len(STEPS):
        raise ValueError(f"the paper has seatings 1 to {len(STEPS)}, not {seating}")
    order = _order_of_step(STEPS[seating - 1], max(present, default=0))
    return _cut([number for number in order if number in present])


def meetings(plan: Iterable[Tables]) -> Mapping[tuple[int, int], int]:
    """How often each pair (lower number first) sits together in these seatings; pairs that never meet are absent."""
    met: Counter[tuple[int, int]] = Counter()
    for tables in plan:
        for table in tables:
            met.update(combinations(sorted(table), 2))
    return met


def repeats(plan: Iterable[Tables]) -> int:
    """Repeated meetings: a pair that meets m times counts m - 1 (K53)."""
    return sum(times - 1 for times in meetings(plan).values())


def fewest_possible(players: int, seatings: int) -> int:
    """A floor under the repeats: all meetings that the tables make, less the pairs that there are."""
    made = seatings * sum(size * (size - 1) // 2 for size in sizes(players))
    return max(0, made - players * (players - 1) // 2)


# -- fewest repeats -------------------------------------------------------------------------------------------------

PLANS: Mapping[int, tuple[str, ...]] = {
    # The plane over the field of four elements: line y = s·x + c is a table, the last seating its columns; from the
    # seventeenth player on the columns begin again.
    4: (
        "0123012301230123012301",
        "0123103223013210012310",
        "0123230132101032012323",
        "0123321010322301012332",
        "0000111122223333012301",
    ),
    # Thirty players in six rings of five: one seating found by search, the others by turning the rings, so that no two
    # meet twice (there is no plane of six). The 31st and 32nd column sit where they meet fewest again.
    6: (
        "10014323112240444535305052123513",
        "41001132314224054453330555210254",
        "14100113230422435445033025525113",
        "01410311324042253544503312550201",
        "00141231132404245354050321253501",
    ),
}
"""Number of tables -> for each of five seatings the table of each player: good plans to begin the search with.

For a prime number of tables, from five on, `_by_columns` is one already; for eight and more a search finds one at once.
"""

RESTARTS = 3
MOST_MOVES = 150_000
MOVES_A_SEAT = 1_500
HOT, COLD = 0.5, 0.2
"""Annealing: that many descents of that many tried swaps, between these temperatures in repeated meetings.

Chosen with `python -m tests.bench.seating` for 8 to 60 players and five seatings; twice as many moves find no more.
"""
OF_THE_UNTROUBLED = 0.1
"""How often a swap is tried for a player who meets nobody again at his table; most of the gain is with the others."""


def spread(numbers: Iterable[int], seatings: int, played: Iterable[Tables] = (), seed: int = 0) -> tuple[Tables, ...]:
    """Seatings with as few repeated meetings as were found, in tables of K51's sizes, seat order by number (K53).

    seatings: how many to plan. played: those of this evening that have been; meetings in them count. The same arguments
    give the same seatings. Takes at most a few seconds; ValueError for fewer than 2 players.
    """
    players = sorted(set(numbers))
    search = _Search(players, seatings, list(played))
    search.run(Random(seed))
    return search.tables()


class _Search:
    """Tables of indices into `players`, and how often each pair meets, changed by swaps of two players."""

    def __init__(self, players: list[int], seatings: int, played: list[Tables]) -> None:
        self.players = players
        self.sizes = sizes(len(players))
        self.before = self._met_before(played)
        made = seatings * sum(size * (size - 1) // 2 for size in self.sizes)
        pairs = len(players) * (len(players) - 1) // 2
        met = sum(1 for row in self.before for times in row if times) // 2
        self.floor = max(0, made - (pairs - met))
        self.best = [self._planned(seating) for seating in range(seatings)]
        self.fewest = self._cost(self.best)

    def _met_before(self, played: list[Tables]) -> list[list[int]]:
        index = {player: at for at, player in enumerate(self.players)}
        met = [[0] * len(index) for _ in index]
        for (a, b), times in meetings(played).items():
            if a in index and b in index:
                met[index[a]][index[b]] = met[index[b]][index[a]] = times
        return met

    def _planned(self, seating: int) -> list[list[int]]:
        """A seating without search: from PLANS, else by columns."""
        number = len(self.sizes)
        tables: list[list[int]] = [[] for _ in self.sizes]
        for at in range(len(self.players)):
            if number in PLANS:
                rows = PLANS[number]
                table = int(rows[seating % len(rows)][at])
            else:
                table = self._by_columns(at, seating)
            tables[table].append(at)
        return tables

    def _by_columns(self, at: int, seating: int) -> int:
        """The table of a player: columns as long as there are tables, column x shifted by x times the seating.

        Two players meet twice only where the product of the differences of their columns and of two seatings is a
        multiple of the number of tables: never for a prime number, while seatings and columns are no more than tables.
        """
        number = len(self.sizes)
        return (at - seating * (at // number)) % number

    def _met(self, plan: list[list[list[int]]]) -> list[list[int]]:
        met = [row[:] for row in self.before]
        for tables in plan:
            for table in tables:
                for a, b in combinations(table, 2):
                    met[a][b] += 1
                    met[b][a] += 1
        return met

    def _cost(self, plan: list[list[list[int]]]) -> int:
        """Repeats of the plan and what was played before, less those that are past."""
        past = sum(max(0, times - 1) for row in self.before for times in row)
        return (sum(max(0, times - 1) for row in self._met(plan) for times in row) - past) // 2

    def run(self, random: Random) -> None:
        """Improve the plan until it is as good as can be, or the restarts are used up."""
        if len(self.sizes) == 1:
            return
        for restart in range(RESTARTS):
            if self.fewest <= self.floor:
                return
            self._anneal(self._start(random, len(self.best)) if restart else self.best, random)

    def _start(self, random: Random, seatings: int) -> list[list[list[int]]]:
        everybody = list(range(len(self.players)))
        plan = []
        for _ in range(seatings):
            random.shuffle(everybody)
            plan.append([list(table) for table in _cut(everybody)])
        return plan

    def _anneal(self, start: list[list[list[int]]], random: Random) -> None:
        plan = [[table[:] for table in tables] for tables in start]
        met, cost = self._met(plan), self._cost(plan)
        draw, tables_each = random.random, len(self.sizes)
        moves = min(MOST_MOVES, MOVES_A_SEAT * len(self.players) * len(plan))
        temperature, cooling = HOT, (COLD / HOT) ** (1 / moves)
        for _ in range(moves):
            temperature *= cooling
            tables = plan[int(draw() * len(plan))]
            at = int(draw() * tables_each)
            here = tables[at]
            a = here[int(draw() * len(here))]
            met_a = met[a]
            change = 0
            for other in here:
                change -= met_a[other] > 1
            if not change and draw() > OF_THE_UNTROUBLED:
                continue
            there = tables[(at + 1 + int(draw() * (tables_each - 1))) % tables_each]
            b = there[int(draw() * len(there))]
            met_b = met[b]
            change -= 2 * (met_a[b] > 0)  # the two do not meet by changing places, though each is counted below
            for other in here:
                change += met_b[other] > 0
            for other in there:
                change += (met_a[other] > 0) - (met_b[other] > 1)
            if change > 0 and draw() >= exp(-change / temperature):
                continue
            _swap(here, a, there, b, met)
            cost += change
            if cost < self.fewest:
                self.fewest = cost
                self.best = [[table[:] for table in tables] for tables in plan]
                if cost <= self.floor:
                    return

    def tables(self) -> tuple[Tables, ...]:
        """The best plan found, smaller tables first, each by number."""
        return tuple(
            tuple(sorted((tuple(self.players[at] for at in sorted(table)) for table in tables), key=_size_and_first))
            for tables in self.best
        )


def _size_and_first(table: Table) -> tuple[int, int]:
    return len(table), table[0]


def _swap(here: list[int], a: int, there: list[int], b: int, met: list[list[int]]) -> None:
    """Let two players of one seating change places, and count the meetings anew."""
    here[here.index(a)] = b
    there[there.index(b)] = a
    for table, gone, come in ((here, a, b), (there, b, a)):
        for other in table:
            if other != come:
                row = met[other]
                row[gone] -= 1
                row[come] += 1
                met[gone][other] -= 1
                met[come][other] += 1
