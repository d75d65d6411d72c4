"""How good `spread` is: `python -m tests.bench.seating [PLAYERS …]`.

For each number of players, five seatings: repeats by the primes (K51), by a simple annealer (the list in K53), by
`spread`, the floor under them, and the seconds that `spread` took.
"""

import sys
import time

from terminal.rules.seating import fewest_possible, primes, repeats, spread

SEATINGS = 5
KNOWN = {
    **{8: 32, 9: 44, 10: 55, 11: 70, 12: 84, 13: 32, 14: 39, 15: 45, 16: 55, 17: 64, 18: 11, 19: 18, 20: 25, 21: 26},
    **{22: 30, 23: 2, 24: 0, 25: 0, 26: 7, 27: 14, 28: 1, 29: 1, 30: 2, 31: 3, 32: 6, 37: 1},
}
"""Fewest repeats that a simple annealer found, by number of players; 33 to 36 and 38 to 60: none."""


def main() -> None:
    """Print the table."""
    print("players  primes  annealer  spread  floor  seconds")
    for players in [int(each) for each in sys.argv[1:]] or range(8, 61):
        numbers = range(1, players + 1)
        begun = time.perf_counter()
        found = repeats(spread(numbers, SEATINGS))
        seconds = time.perf_counter() - begun
        by_primes = repeats(primes(numbers, k) for k in range(1, SEATINGS + 1))
        known, floor = KNOWN.get(players, 0), fewest_possible(players, SEATINGS)
        mark = "  worse" if found > known else "  better" if found < known else ""
        print(f"{players:7} {by_primes:7} {known:9} {found:7} {floor:6} {seconds:8.1f}{mark}")


if __name__ == "__main__":
    main()
