"""The routes under /api/: docs/interface.md, and what an attacker in the café's Wi-Fi would send."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
import sqlalchemy as sa

from central import access, evenings, ingest, pictures, tables, terminals, web
from central.access import Limit, Limiter
from central.schema import audit, game, live_line, picture, refused
from tests.central import playing
from tests.central.browser import Browser
from tests.central.conftest import plan

INTERFACE = Path(__file__).parents[2] / "docs" / "interface.md"
NO_LIMITS = web.Limits(Limit(1e9, 1e9), Limit(1e9, 1e9))
TABLE_1 = playing.NAMES[:3]


@pytest.fixture
def browser(store):
    browser = Browser(web.app(store, NO_LIMITS))
    yield browser
    browser.close()


@pytest.fixture
def paired(store):
    """An evening whose tables need a token; the token of table 1."""
    store.writing(lambda connection: evenings.from_plan(connection, plan(pairing=True)))

    def let_in(connection):
        asked = terminals.ask(connection, "1")
        terminals.confirm(connection, asked.code)
        return terminals.collect(connection, asked.secret)["token"]

    return store.writing(let_in)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


BEAT = {"table": "1", "game": None, "seq": None, "queue": 0, "health": {}}
LIVE = {"table": "1", "game": "g", "lines": [{"seq": 0, "line": playing.play(TABLE_1, 1)[0]}]}
POSTS = ("/api/heartbeat", "/api/results", "/api/live", "/api/pair", "/api/pair/token")


def test_every_route_of_the_interface_is_there_and_no_other(store):
    found = re.findall(r"`(?:GET|POST|PUT) (/[a-z/]*[a-z])", INTERFACE.read_text(encoding="utf-8"))
    written = {path.removesuffix("/k") for path in found}  # of k3v….jpg
    routes = {route.path.replace("/{name}", "") for route in web.app(store).routes if route.path.startswith("/api/")}
    assert routes | {"/events"} == written


def test_every_code_of_a_refusal_is_written_down(store):
    text = INTERFACE.read_text(encoding="utf-8")
    source = (Path(web.__file__).parent / "ingest.py").read_text(encoding="utf-8")
    for code in set(re.findall(r'Refusal\("(\w+)"', source)):
        assert f"`{code}`" in text, code


@pytest.mark.usefixtures("evening")
class TestInterface:
    def test_seating_has_the_keys_of_the_interface(self, browser):
        answer = browser.get("/api/seating", params={"table": "2"}).json()
        shown = re.search(r'\{"evening": .*?K3 for game', INTERFACE.read_text(encoding="utf-8"), re.S)[0]
        keys = set(re.findall(r'^[ {]"(\w+)":', shown, re.M))
        assert set(answer["seating"]) == keys
        assert answer["seating"]["players"][0] == {"number": 4, "name": "Dré", "seat": 0}
        assert answer["seating"]["reglement"] == playing.reglement()

    def test_a_table_that_does_not_play_has_no_seating(self, browser):
        assert browser.get("/api/seating", params={"table": "9"}).json()["seating"] is None

    def test_marks_of_the_heartbeat_are_those_of_the_questions(self, browser):
        beat = browser.post("/api/heartbeat", json=BEAT).json()
        assert beat["seating"] == browser.get("/api/seating?table=1").json()["mark"]
        assert beat["games"] == browser.get("/api/games?table=1").json()["mark"]
        browser.post("/api/results", json=playing.message(playing.play(TABLE_1, 1)))
        later = browser.post("/api/heartbeat", json=BEAT).json()
        assert later["seating"] != beat["seating"]
        assert later["games"] != beat["games"]

    def test_a_result_is_answered_and_listed(self, browser):
        message = playing.message(playing.play(TABLE_1, 1))
        answer = browser.post("/api/results", json=message)
        assert (answer.status_code, answer.json()) == (
            200,
            {"game": "game-1", "lines": len(message["journal"]), "outcome": "stored"},
        )
        assert browser.get("/api/games?table=1").json()["games"] == {"game-1": len(message["journal"])}
        assert browser.get("/api/games?table=2").json()["games"] == {}
        assert browser.get("/api/games?table=2&game=game-1").json()["games"] == {"game-1": len(message["journal"])}

    def test_a_refused_result_is_answered_listed_and_kept(self, browser):
        message = playing.message(playing.play(TABLE_1, 1)) | {"points": {}}
        answer = browser.post("/api/results", json=message)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "points")
        assert browser.get("/api/games?table=1").json()["refused"] == {"game-1": len(message["journal"])}

    def test_a_fork_is_a_conflict(self, browser):
        browser.post("/api/results", json=playing.message(playing.play(TABLE_1, 1)))
        fork = playing.message(playing.play(TABLE_1, 2, game="game-1"))
        answer = browser.post("/api/results", json=fork)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "fork")

    def test_live_tells_the_first_line_that_is_missing(self, browser):
        lines = playing.play(TABLE_1, 1)

        def send(*seqs):
            body = {"table": "1", "game": "g", "lines": [{"seq": seq, "line": lines[seq]} for seq in seqs]}
            return browser.post("/api/live", json=body).json()["next"]

        assert [send(0, 1), send(4), send(2), send(3), send(0)] == [2, 2, 3, 5, 5]

    def test_live_lines_of_a_new_game_replace_the_old_ones(self, browser, store):
        browser.post("/api/live", json=LIVE)
        browser.post("/api/live", json=LIVE | {"game": "h"})
        assert store.reading(lambda c: c.scalars(sa.select(live_line.c.game)).all()) == ["h"]

    def test_live_lines_that_come_after_the_result_do_not_bring_the_game_back(self, browser, store):
        lines = playing.play(TABLE_1, 1)
        browser.post("/api/results", json=playing.message(lines))
        late = {"table": "1", "game": "game-1", "lines": [{"seq": len(lines) - 1, "line": lines[-1]}]}
        assert browser.post("/api/live", json=late).json() == {"next": len(lines)}
        assert store.reading(lambda c: c.scalars(sa.select(live_line.c.game)).all()) == []

    def test_live_lines_that_the_rules_refuse_are_shown_as_far_as_they_go(self, browser):
        begin = playing.play(TABLE_1, 1)[0]
        lines = [begin, {"type": "start_die", "player": "An", "value": 3}, {"type": "stoef", "player": "An"}]
        body = {"table": "1", "game": "g", "lines": [{"seq": k, "line": line} for k, line in enumerate(lines)]}
        assert browser.post("/api/live", json=body).status_code == 200
        assert browser.get("/").status_code == 200


NASTY = {
    "nothing": b"",
    "half a JSON": b'{"table": ',
    "NaN": b'{"table": "1", "game": null, "seq": null, "queue": NaN, "health": {}}',
    "a number that overflows": b'{"table": "1", "health": {"t": 1e999}, "queue": 0, "game": null, "seq": null}',
    "no UTF-8": b'{"table": "\xff"}',
    "brackets without an end": b"[" * 100_000,
    "an integer of 10,000 digits": b'{"queue": ' + b"9" * 10_000 + b"}",
    "a list": b"[]",
    "a text": b'"x"',
    "null": b"null",
    "a table that is a list": b'{"table": ["1"], "secret": [], "game": "g", "lines": []}',
    "a blank table": b'{"table": "  ", "secret": " "}',
    "a zero byte": b'{"table": "1\\u0000", "secret": "\\u0000"}',
    "a lone surrogate": b'{"table": "\\ud800", "secret": "\\udfff"}',
    "a very long table": b'{"table": "' + b"x" * 300 + b'", "secret": "' + b"x" * 300 + b'"}',
    "SQL": b'{"table": "1\'; DROP TABLE game; --"}',
    "wrong health": b'{"table": "1", "game": null, "seq": null, "queue": 0, "health": {"x": {"y": 1}}}',
    "live lines without lines": b'{"table": "1", "game": "g", "lines": [1]}',
    "a negative seq": b'{"table": "1", "game": "g", "lines": [{"seq": -1, "line": {}}]}',
    "a huge seq": b'{"table": "1", "game": "g", "lines": [{"seq": 99999999999999999999, "line": {}}]}',
}


# pairing asks for no more than a table's name, and a table may be called anything
GOOD_ENOUGH_TO_PAIR = {"SQL", "wrong health", "live lines without lines", "a negative seq", "a huge seq"}
CASES = [
    pytest.param(path, content, id=f"{path} {name}")
    for path in POSTS
    for name, content in NASTY.items()
    if path != "/api/pair" or name not in GOOD_ENOUGH_TO_PAIR
]


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize(("path", "content"), CASES)
def test_nonsense_gets_a_4xx_with_a_code_and_changes_nothing(browser, store, path, content):
    answer = browser.post(path, content=content)
    assert 400 <= answer.status_code < 500
    assert {"code", "message"} <= set(answer.json()["error"])
    for table in (game, live_line):
        assert store.reading(lambda c, table=table: c.execute(sa.select(table)).all()) == []


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_too_large_is_cut_off(browser, path):
    answer = browser.post(path, content=b" " * (access.LARGEST_RESULT + 1))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize("path", ["/api/heartbeat", "/api/results", "/api/live", "/api/pair"])
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH"])
def test_other_methods_are_not_there(browser, path, method):
    assert browser.request(method, path).status_code == 405


@pytest.mark.parametrize("path", ["/api/", "/api/admin", "/.env", "/static/../schema.py", "/static/%2e%2e/schema.py"])
def test_what_is_not_there_is_not_there(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text


class TestPictures:
    """Central asks for the pictures of what is doubtful, and keeps no others."""

    JPEG = b"\xff\xd8\xff\xe0 teerlingen"

    def doubtful(self):
        """A game whose first throw was entered by hand and whose second was corrected."""
        lines = playing.corrected(playing.play(TABLE_1, 1))
        lines = [line | {"image": f"game-1-{seq}.jpg"} if "dice" in line else line for seq, line in enumerate(lines)]
        first = next(seq for seq, line in enumerate(lines) if line["type"] == "throw")
        lines[first] = lines[first] | {"source": "touch"}
        return lines, [f"game-1-{first}.jpg", f"game-1-{lines[-1]['of']}.jpg"]

    @pytest.fixture
    def wanted(self, browser, evening):
        lines, names = self.doubtful()
        assert browser.post("/api/results", json=playing.message(lines)).status_code == 200
        return sorted(set(names))

    def asked(self, browser, table="1"):
        return sorted(browser.post("/api/heartbeat", json=BEAT | {"table": table}).json()["pictures"])

    def test_it_asks_the_table_for_what_was_corrected_or_entered_by_hand(self, browser, wanted):
        assert self.asked(browser) == wanted
        assert self.asked(browser, "2") == []

    def test_what_was_sent_or_is_gone_is_asked_no_more(self, browser, wanted, store):
        for name, content in zip(wanted, (self.JPEG, b""), strict=False):
            answer = browser.request("PUT", f"/api/pictures/{name}?table=1", content=content)
            assert answer.json() == {"kept": bool(content)}
        assert self.asked(browser) == wanted[2:]
        assert store.reading(lambda c: pictures.jpeg(c, wanted[0])) == self.JPEG

    @pytest.mark.parametrize(
        ("name", "table", "content", "status"),
        [
            ("ongevraagd.jpg", "1", JPEG, 404),
            ("game-1-1.jpg", "2", JPEG, 404),
            ("..%2f..%2fetc%2fpasswd", "1", JPEG, 404),
            ("game-1-1.jpg", "1", b"<script>", 422),
            ("game-1-1.jpg", "1", JPEG + b"x" * pictures.LARGEST, 413),
        ],
    )
    def test_other_pictures_are_not_kept(self, browser, wanted, store, name, table, content, status):
        answer = browser.request("PUT", f"/api/pictures/{name}?table={table}", content=content)
        assert answer.status_code == status
        assert (
            store.reading(lambda c: c.scalars(sa.select(picture.c.jpeg).where(picture.c.jpeg.is_not(None))).all()) == []
        )

    def test_a_name_that_could_be_a_path_is_never_asked_for(self, browser, evening):
        lines = playing.play(TABLE_1, 1)
        at = next(seq for seq, line in enumerate(lines) if line["type"] == "throw")
        lines[at] = lines[at] | {"source": "touch", "image": "../../etc/passwd"}
        browser.post("/api/results", json=playing.message(lines))
        assert self.asked(browser) == []

    def test_a_token_is_needed_as_for_everything(self, browser, paired):
        assert browser.request("PUT", "/api/pictures/x.jpg?table=1", content=self.JPEG).status_code == 401

    def test_they_go_with_the_evening(self, browser, wanted, store):
        browser.request("PUT", f"/api/pictures/{wanted[0]}?table=1", content=self.JPEG)
        store.writing(lambda c: evenings.from_plan(c, plan(key="morgen")))
        assert store.reading(lambda c: c.execute(sa.select(picture)).all()) == []


class TestTokens:
    def asks(self, browser, token):
        """Every question of a table with this token; gives the statuses."""
        headers = bearer(token) if token is not None else {}
        message = playing.message(playing.play(TABLE_1, 1))
        return {
            browser.post("/api/heartbeat", json=BEAT, headers=headers).status_code,
            browser.post("/api/results", json=message, headers=headers).status_code,
            browser.post("/api/live", json=LIVE, headers=headers).status_code,
            browser.get("/api/seating?table=1", headers=headers).status_code,
            browser.get("/api/games?table=1", headers=headers).status_code,
        }

    def test_with_the_token_everything_is_open(self, browser, paired):
        assert self.asks(browser, paired) == {200}

    @pytest.mark.parametrize("token", [None, "", "x", "x" * 100_000, "Bearer", "' OR 1=1 --"])
    def test_without_it_nothing_is(self, browser, paired, store, token):
        assert self.asks(browser, token) == {401}
        assert store.reading(lambda c: c.execute(sa.select(game)).all()) == []
        assert store.reading(lambda c: c.execute(sa.select(refused)).all()) == []

    def test_a_token_of_table_1_does_not_speak_for_table_2(self, browser, paired):
        assert browser.post("/api/heartbeat", json=BEAT | {"table": "2"}, headers=bearer(paired)).status_code == 401
        assert browser.post("/api/live", json=LIVE | {"table": "2"}, headers=bearer(paired)).status_code == 401

    def test_a_token_that_was_taken_back_opens_nothing(self, browser, paired, store):
        store.writing(lambda connection: terminals.revoke(connection, 1))
        assert self.asks(browser, paired) == {401}

    def test_a_token_is_handed_out_once(self, browser, store, evening):
        asked = browser.post("/api/pair", json={"table": "1"}).json()
        assert browser.post("/api/pair/token", json={"secret": asked["secret"]}).status_code == 202
        store.writing(lambda connection: terminals.confirm(connection, asked["code"]))
        assert "token" in browser.post("/api/pair/token", json={"secret": asked["secret"]}).json()
        assert browser.post("/api/pair/token", json={"secret": asked["secret"]}).status_code == 404

    def test_the_code_is_not_the_secret(self, browser, store, evening):
        asked = browser.post("/api/pair", json={"table": "1"}).json()
        store.writing(lambda connection: terminals.confirm(connection, asked["code"]))
        assert browser.post("/api/pair/token", json={"secret": asked["code"]}).status_code == 404

    def test_the_database_holds_no_token(self, paired, store):
        rows = store.reading(lambda c: c.execute(sa.select(terminals.terminal)).all())
        assert paired not in repr(rows)

    def test_a_flood_of_codes_is_bounded(self, browser, store, evening):
        for _ in range(terminals.MOST_OPEN_CODES + 10):
            browser.post("/api/pair", json={"table": "1"})
        assert len(store.reading(terminals.pending)) == terminals.MOST_OPEN_CODES


class TestFloods:
    def test_heartbeats_of_a_thousand_tables_are_bounded(self, browser, store, evening, monkeypatch):
        monkeypatch.setattr(tables, "MOST_TABLES", 5)
        for number in range(20):
            assert browser.post("/api/heartbeat", json=BEAT | {"table": f"x{number}"}).status_code == 200
        assert len(store.reading(lambda c: c.execute(sa.select(tables.heartbeat)).all())) == 5

    def test_live_lines_of_a_table_without_a_seat_are_not_kept(self, browser, store, evening):
        assert browser.post("/api/live", json=LIVE | {"table": "verzonnen"}).json() == {"next": 1}
        assert store.reading(lambda c: c.execute(sa.select(live_line)).all()) == []

    def test_refused_messages_are_bounded_in_bytes_too(self, browser, store, evening, monkeypatch):
        monkeypatch.setattr(ingest, "MOST_REFUSED_BYTES", 5_000)
        statuses = [browser.post("/api/results", content=b"x" * 900 + bytes([65 + k])).status_code for k in range(8)]
        assert statuses == [400] * 5 + [429] * 3

    def test_a_body_that_comes_in_drops_is_given_up(self, browser, evening, monkeypatch):
        monkeypatch.setattr(access, "SLOWEST_BODY_S", 0.05)

        async def drops():
            yield b"{"
            await asyncio.Event().wait()

        answer = browser.post("/api/heartbeat", content=drops())
        assert (answer.status_code, answer.json()["error"]["code"]) == (408, "too_slow")


class TestLimits:
    def test_an_address_that_asks_too_much_is_slowed_and_others_are_not(self, store, evening):
        app = web.app(store, web.Limits(requests=Limit(burst=5, per_s=0.001)))
        one, other = Browser(app, "192.0.2.1"), Browser(app, "192.0.2.2")
        assert [one.get("/").status_code for _ in range(7)] == [200] * 5 + [429] * 2
        assert one.get("/api/games?table=1").json()["error"]["code"] == "too_many"
        assert other.get("/").status_code == 200
        one.close()
        other.close()

    def test_this_machine_itself_is_not_slowed(self, store, evening):
        browser = Browser(web.app(store, web.Limits(requests=Limit(burst=2, per_s=0.001))), "127.0.0.1")
        assert {browser.get("/part/tables").status_code for _ in range(10)} == {200}
        browser.close()

    def test_a_header_does_not_make_another_address(self, store, evening):
        browser = Browser(web.app(store, web.Limits(requests=Limit(burst=3, per_s=0.001))))
        statuses = [browser.get("/", headers={"X-Forwarded-For": f"10.0.0.{k}"}).status_code for k in range(5)]
        assert statuses == [200] * 3 + [429] * 2
        browser.close()

    def test_a_bucket_empties_with_the_clock(self):
        clock = [0.0]
        limiter = Limiter(Limit(burst=2, per_s=1), lambda: clock[0])
        assert [limiter.allows("a") for _ in range(3)] == [True, True, False]
        clock[0] = 1.0
        assert [limiter.allows("a") for _ in range(2)] == [True, False]

    def test_many_addresses_do_not_fill_the_memory(self):
        limiter = Limiter(Limit(burst=2, per_s=1))
        for k in range(Limiter.MOST + 100):
            limiter.allows(str(k))
        assert len(limiter._buckets) == Limiter.MOST

    def test_pairing_is_limited_more(self, store, evening):
        browser = Browser(web.app(store, web.Limits(pairings=Limit(burst=2, per_s=0.001))))
        statuses = [browser.post("/api/pair", json={"table": "1"}).status_code for _ in range(4)]
        assert statuses == [201, 201, 429, 429]
        browser.close()


@pytest.mark.parametrize("path", ["/", "/stand", "/nergens", "/static/style.css", "/api/games?table=1"])
def test_every_answer_has_the_security_headers(browser, evening, path):
    headers = browser.get(path).headers
    for name in access.HEADERS:
        assert name in headers
    assert "unsafe" not in headers["Content-Security-Policy"]


def test_names_are_text_and_never_markup(store, browser):
    evil = "<script>alert(1)</script>"
    made = plan()._replace(players=((1, evil), *plan().players[1:]), cafe=evil)
    store.writing(lambda connection: evenings.from_plan(connection, made))
    for path in ("/", "/stand", "/part/tables", "/part/standings"):
        assert "<script>alert" not in browser.get(path).text
    assert "&lt;script&gt;" in browser.get("/").text


def test_pages_without_an_evening_say_so(browser):
    assert "Nog geen avond" in browser.get("/").text
    assert browser.get("/stand").status_code == 200
    assert browser.get("/part/tables").status_code == 200
    assert browser.get("/part/standings").status_code == 200


@pytest.mark.parametrize("change", [audit.update().values(who="x"), audit.delete()])
def test_nobody_edits_the_audit_log(any_store, change):
    row = {"at": "x", "evening_id": None, "who": "organisator", "what": "x", "detail": {}, "reason": ""}
    any_store.writing(lambda connection: connection.execute(audit.insert().values(**row)))
    with pytest.raises(sa.exc.DatabaseError, match="append-only"):
        any_store.writing(lambda connection: connection.execute(change))


def test_json_of_the_answers_is_utf8(browser, evening):
    assert json.loads(browser.get("/api/seating?table=2").content)["seating"]["players"][0]["name"] == "Dré"
