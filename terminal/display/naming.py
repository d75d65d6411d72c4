"""Long names made short, so that they can be read from far and still tell everybody at the table apart."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=8)
def shorter(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """For each name what it may be called at this table, longest first: itself, and with the last word cut.

    "Jan Peeters" beside "Jan Pauwels" becomes "Jan Pe.", alone "Jan P."; a single word stays whole.
    """
    return tuple((name, *_cut(name, [other for other in names if other != name])) for name in names)


def _cut(name: str, others: list[str]) -> tuple[str, ...]:
    words = name.split()
    if len(words) < 2:
        return ()
    first, last = words[0], words[-1]
    for length in range(1, len(last) - 1):
        start = f"{first} {last[:length]}".casefold()
        if not any(_may_be(start, other) for other in others):
            return (f"{first} {last[:length]}.",)
    return ()


def _may_be(start: str, other: str) -> bool:
    """Whether another player's name, whole or its first and last word, begins so too."""
    words = other.split() or [""]
    return other.casefold().startswith(start) or f"{words[0]} {words[-1]}".casefold().startswith(start)
