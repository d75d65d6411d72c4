"""Who comes in at the organiser's door, and what somebody else on the same Wi-Fi gets."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from central import audit, evenings, login, organise, web
from central.access import Limit
from central.schema import session
from tests.central.browser import Browser
from tests.central.organising import HOME, NO_LIMITS, PASSWORD, Organiser

GETS = sorted(
    {
        "",
        "/avonden",
        "/spelers",
        "/verdeling",
        "/uitslagen",
        "/uitslagen/invullen",
        "/geweigerd",
        "/finale",
        "/seizoen",
        "/logboek",
        "/toestellen",
        "/uitvoer",
        "/uitvoer/avond.json",
        "/uitvoer/seizoen.json",
        "/uitvoer/spelers.csv",
        "/spel/x",
        "/foto/x.jpg",
        "/wie/1",
        "/part/overview",
        "/wachtwoord",
    }
)


def posts(store):
    """Every path that a form goes to."""
    routes = [
        route for route in web.app(store).routes if route.path.startswith(HOME) and "POST" in (route.methods or ())
    ]
    return sorted(route.path.replace("{id:path}", "x").replace("{id:int}", "1") for route in routes)


class TestComingIn:
    def test_there_is_no_default_password(self, stranger):
        for password in ("", "admin", "organisator", "1234", "pitjesbak"):
            answer = stranger.post(HOME + "/aanmelden", data={"password": password})
            assert answer.headers["location"] == HOME + "/begin"

    @pytest.mark.parametrize("code", ["", "0", "00000000", "１２３", "x" * 1000])
    def test_the_first_password_needs_the_code_of_the_log(self, stranger, store, code):
        fields = {"code": code, "password": PASSWORD, "again": PASSWORD}
        assert stranger.post(HOME + "/begin", data=fields).status_code == 422
        assert not store.reading(login.has_password)

    @pytest.mark.parametrize(
        ("password", "again", "why"),
        [
            ("kort", "kort", "8 tot 200"),
            ("a" * 201, "a" * 201, "8 tot 200"),
            ("aaaaaaaa", "aaaaaaaa", "verschillende"),
            (PASSWORD, PASSWORD + "!", "niet gelijk"),
        ],
    )
    def test_a_password_that_is_none_is_refused(self, stranger, store, password, again, why):
        fields = {"code": store.writing(login.setup_code), "password": password, "again": again}
        answer = stranger.post(HOME + "/begin", data=fields)
        assert answer.status_code == 422
        assert why in answer.text

    def test_the_code_works_once(self, organiser, stranger, store):
        assert store.writing(login.setup_code) is None
        answer = stranger.post(HOME + "/begin", data={"code": "", "password": "een ander", "again": "een ander"})
        assert answer.headers["location"] == HOME + "/aanmelden"

    def test_the_password_opens_and_another_does_not(self, organiser, stranger):
        assert stranger.post(HOME + "/aanmelden", data={"password": "drie azen"}).status_code == 422
        answer = stranger.post(HOME + "/aanmelden", data={"password": PASSWORD})
        assert answer.status_code == 303
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert stranger.get(HOME).status_code == 200

    def test_attempts_are_limited_for_each_address(self, organiser, store):
        app = web.app(store, NO_LIMITS._replace(attempts=Limit(burst=3, per_s=0.0001)))
        guesser, honest = Browser(app, "192.0.2.66"), Browser(app, "192.0.2.67")
        texts = [guesser.post(HOME + "/aanmelden", data={"password": f"gok {k}"}).text for k in range(5)]
        assert ["Te veel pogingen" in text for text in texts] == [False] * 3 + [True] * 2
        assert "Te veel pogingen" in guesser.post(HOME + "/aanmelden", data={"password": PASSWORD}).text
        assert honest.post(HOME + "/aanmelden", data={"password": PASSWORD}).status_code == 303
        guesser.close()
        honest.close()

    def test_another_password_puts_everybody_else_out(self, organiser, stranger):
        """A helper of last season still knows the old one, and his phone is still logged in."""
        stranger.post(HOME + "/aanmelden", data={"password": PASSWORD})
        new = {"old": PASSWORD, "password": "vier vijf zes", "again": "vier vijf zes"}
        assert "Dat wachtwoord is niet juist" in organiser.post("/wachtwoord", **(new | {"old": "gok"})).text
        assert "niet gelijk" in organiser.post("/wachtwoord", **(new | {"again": "x"})).text
        assert "8 tot 200" in organiser.post("/wachtwoord", **(new | {"password": "x", "again": "x"})).text
        assert organiser.browser.post(HOME + "/wachtwoord", data=new).status_code == 403  # without the form's token
        assert stranger.get(HOME).status_code == 200
        assert organiser.do("/wachtwoord", **new) == HOME
        assert organiser.browser.get(HOME).status_code == 200
        assert stranger.get(HOME).status_code == 303
        assert stranger.post(HOME + "/aanmelden", data={"password": PASSWORD}).status_code == 422
        assert stranger.post(HOME + "/aanmelden", data={"password": "vier vijf zes"}).status_code == 303
        assert "wachtwoord gewijzigd" in organiser.page("/logboek")

    def test_logging_out_ends_the_session_also_for_a_copied_cookie(self, organiser, stranger):
        stranger.client.cookies = organiser.browser.client.cookies
        assert stranger.get(HOME).status_code == 200
        organiser.do("/afmelden")
        assert stranger.get(HOME).status_code == 303

    def test_a_session_ends_by_itself(self, organiser, store, monkeypatch):
        monkeypatch.setattr(login, "SESSION_HOLDS_S", -1)
        assert organiser.browser.get(HOME).status_code == 303

    def test_the_database_holds_neither_password_nor_session(self, organiser, store):
        token = organiser.browser.client.cookies[organise.COOKIE]
        kept = store.reading(
            lambda c: repr(c.execute(sa.select(session)).all()) + str(evenings.get_setting(c, "password"))
        )
        assert token not in kept
        assert PASSWORD not in kept
        assert "$argon2id$" in kept

    def test_the_way_back_in_is_on_the_machine(self, organiser, store, stranger):
        code = store.writing(login.forget_password)
        assert organiser.browser.get(HOME).status_code == 303
        fields = {"code": code, "password": "een nieuw begin", "again": "een nieuw begin"}
        assert stranger.post(HOME + "/begin", data=fields).status_code == 303
        assert stranger.get(HOME).status_code == 200

    @pytest.mark.parametrize("path", GETS)
    def test_a_stranger_sees_no_page_of_the_organiser(self, organiser, stranger, path):
        for cookie in (None, "x", "' OR 1=1 --"):
            headers = {} if cookie is None else {"Cookie": f"{organise.COOKIE}={cookie}"}
            answer = stranger.get(HOME + path, headers=headers)
            assert (answer.status_code, answer.headers["location"]) == (303, HOME + "/aanmelden")

    def test_a_stranger_sends_no_form(self, organiser, stranger, store):
        before = store.reading(audit.entries)
        for path in posts(store):
            answer = stranger.post(path, data={"csrf": "x", "name": "Indringer"})
            assert answer.status_code in (303, 422), path
            assert answer.headers.get("location", HOME + "/aanmelden") == HOME + "/aanmelden", path
        assert store.reading(audit.entries) == before

    @pytest.mark.parametrize("csrf", [None, "", "x", "é", "0" * 64])
    def test_another_site_sends_no_form_in_the_organisers_name(self, organiser, store, csrf):
        for path in posts(store):
            if path in (HOME + "/begin", HOME + "/aanmelden", HOME + "/afmelden"):
                continue
            fields = {"name": "Indringer"} if csrf is None else {"name": "Indringer", "csrf": csrf}
            assert organiser.browser.post(path, data=fields).status_code == 403, path
        organiser.browser.post(HOME + "/afmelden", data={} if csrf is None else {"csrf": csrf})
        organiser.page()

    def test_a_form_from_another_origin_is_refused_even_with_the_token(self, organiser):
        fields = {"csrf": organiser.csrf(), "name": "2026"}
        headers = {"Origin": "http://kwaad.example"}
        assert organiser.browser.post(HOME + "/seizoen", data=fields, headers=headers).status_code == 403
        headers = {"Origin": "http://central.test"}
        assert organiser.browser.post(HOME + "/seizoen", data=fields, headers=headers).status_code == 303

    def test_the_token_of_another_session_does_not_do(self, organiser, store):
        other = Organiser(store, known=True)
        fields = {"csrf": other.csrf(), "name": "2026"}
        assert organiser.browser.post(HOME + "/seizoen", data=fields).status_code == 403
        other.close()

    @pytest.mark.parametrize(
        "content",
        [b"", b"&" * 10_000, b"csrf=x&" * 3_000, b"\xff\xfe=%ff", b"name", b"csrf=%00"],
        ids=["empty", "ampersands", "too many fields", "no text", "no value", "zero byte"],
    )
    def test_a_form_of_rubbish_is_refused(self, organiser, content):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        assert organiser.browser.post(HOME + "/spelers", content=content, headers=headers).status_code == 403

    def test_a_broken_multipart_is_refused(self, organiser):
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        assert organiser.browser.post(HOME + "/uitvoer/inlezen", content=b"--y", headers=headers).status_code == 403
