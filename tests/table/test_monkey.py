"""Random inputs never reach a dead screen, an illegal line or an error; tests.bench.monkey has 100,000 of them."""

from __future__ import annotations

import pytest

from tests.bench.monkey import Monkey


@pytest.mark.parametrize("seed", range(1, 7))
def test_random_inputs_do_no_harm(seed: int) -> None:
    monkey = Monkey(seed)
    for _ in range(500):
        monkey.once()
    assert monkey.games
