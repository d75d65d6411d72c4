"""A small season on a bad network, with central killed; the large one is `python -m tests.bench.central season`."""

from __future__ import annotations

import pytest

from tests.central import season


@pytest.mark.parametrize("seed", [1])
def test_points_places_and_cents_are_those_worked_out_apart(tmp_path, seed):
    done = season.check(tmp_path, seed=seed)
    assert done["games"] >= 12
    assert done["kills"] >= 2
