"""docs/interface.openapi.json holds: schemathesis sends what it allows and what it forbids to a real central.

What a broken *game* does (lines that no rule allows, in messages of the right shape) is in test_fuzz.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig

from central import evenings
from central.access import Limit, Limiter
from central.api import Api
from central.store import Store
from tests.central.conftest import plan
from tests.central.serving import central

DOCS = Path(__file__).parents[2] / "docs"
INTERFACE = json.loads((DOCS / "interface.openapi.json").read_text())
REFUSALS = ["400", "401", "404", "405", "408", "409", "413", "422", "429"]
CONFIG = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}}})
load_all_checks()
HOLDS = [
    CHECKS.get_one(name)
    for name in (
        *("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"),
        *("negative_data_rejection", "unsupported_method", "allow_header_conformance"),
    )
]
schema = schemathesis.openapi.from_dict(INTERFACE, config=CONFIG)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A central with an open evening that needs no tokens, so that everything is reached."""
    url = f"sqlite:///{tmp_path_factory.mktemp('interface') / 'central.db'}"
    store = Store(url)
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    store.close()
    with central(url) as process:
        yield process.url


def test_the_file_and_the_page_name_exactly_the_paths_that_central_has(store):
    routes = {
        (route.path, method.lower())
        for route in Api(store, Limiter(Limit(1, 1))).routes()
        for method in route.methods - {"HEAD"}
    }
    named = {(path, method) for path, methods in INTERFACE["paths"].items() for method in methods}
    assert named == routes
    page = re.sub(r"k3v…-17\.jpg", "{name}", (DOCS / "interface.md").read_text())
    for path, method in sorted(named):
        assert re.search(rf"`{method.upper()} {re.escape(path)}[`?]", page), path


@schema.parametrize()
@settings(max_examples=15, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_central_keeps_to_its_interface(case, address):
    case.call_and_validate(base_url=address, checks=HOLDS)


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/api/nothing", 404), ("DELETE", "/api/results", 405)])
def test_what_is_not_in_the_interface_is_refused_in_its_own_words(stranger, method, path, status):
    answer = stranger.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"code", "message"}
