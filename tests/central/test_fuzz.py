"""Whatever a message is turned into, central answers with a status of its interface, and stays consistent."""

from __future__ import annotations

import copy

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from central import evenings, web
from central.schema import game
from central.store import Store
from tests.central import playing
from tests.central.browser import Browser
from tests.central.conftest import plan
from tests.central.organising import NO_LIMITS

MESSAGE = playing.message(playing.play(playing.NAMES[:3], 1))
BODIES = {
    "/api/results": MESSAGE,
    "/api/live": {"table": "1", "game": "g", "lines": [{"seq": 0, "line": MESSAGE["journal"][0]}]},
    "/api/heartbeat": {"table": "1", "game": "g", "seq": 3, "queue": 0, "health": {"camera": True}},
    "/api/pair": {"table": "1"},
    "/api/pair/token": {"secret": "x"},
}
ANSWERS = {200, 201, 202, 400, 404, 409, 422}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'central.db'}")
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    browser = Browser(web.app(store, NO_LIMITS))
    browser.store = store
    yield browser
    browser.close()
    store.close()


def places(body, path=()):
    """Every place in a JSON value, as the keys that lead there."""
    yield path
    inside = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in inside:
        yield from places(value, (*path, key))


@st.composite
def spoilt(draw):
    """A good message with one to three places changed or taken away."""
    path = draw(st.sampled_from(sorted(BODIES)))
    body = {"": copy.deepcopy(BODIES[path])}
    for _ in range(draw(st.integers(1, 3))):
        *way, last = ("", *draw(st.sampled_from(list(places(body[""])))))
        part = body
        for key in way:
            part = part[key]
        if last != "" and draw(st.booleans()) and isinstance(part, dict):
            del part[last]
        else:
            part[last] = draw(values)
    return path, body[""]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(spoilt())
def test_a_spoilt_message_never_breaks_central(browser, given):
    path, body = given
    answer = browser.post(path, json=body)
    assert answer.status_code in ANSWERS, answer.text
    if answer.status_code >= 400:
        assert {"code", "message"} <= set(answer.json()["error"])
    counted = browser.store.reading(lambda c: c.scalars(sa.select(game.c.journal)).all())
    assert len(counted) <= 1
    for page in ("/part/tables", "/part/standings"):
        assert browser.get(page).status_code == 200
