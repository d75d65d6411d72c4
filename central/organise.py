"""The organiser's pages: who may come in, and what a page and a form are. What they do is in the organise_… modules.

A page is a function of a visit; a form posts below its page, changes something in one transaction and goes back to a
page. A mistake of the organiser shows the page again with a sentence, and changes nothing.
"""

from __future__ import annotations

import hmac
import urllib.parse
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive

from central import audit, evenings, login, pages
from central.access import Failure, Limit, Limiter, address_of, body_of
from central.evenings import Evening
from central.store import Store

LARGEST_FORM = 20_000_000  # an imported season; everything else is tiny
LARGEST_FROM_STRANGERS = 10_000
COOKIE = "organisator"
HOME = "/organisator"


class Mistake(ValueError):  # an answer, not an error of ours
    """What was filled in cannot be; the sentence says what to do."""


class Form:
    """The fields of a form, read with what is allowed."""

    def __init__(self, fields: Sequence[tuple[str, str]] = ()) -> None:
        self._fields = fields

    def all(self, name: str) -> list[str]:
        """Every value of that name."""
        return [value for key, value in self._fields if key == name]

    def raw(self, name: str) -> str:
        """The first value, or an empty text."""
        return next(iter(self.all(name)), "")

    def text(self, name: str, what: str, longest: int = 60, may_be_empty: bool = False) -> str:
        """A text without control characters, white space trimmed; raises Mistake."""
        value = " ".join(self.raw(name).split())
        if not value and not may_be_empty:
            raise Mistake(f"Vul {what} in.")
        if len(value) > longest or not value.isprintable():
            raise Mistake(f"{what.capitalize()}: ten hoogste {longest} gewone tekens.")
        return value

    def whole(self, name: str, what: str, low: int, high: int) -> int:
        """A whole number within bounds; raises Mistake."""
        value = self.raw(name).strip()
        if not (value.isascii() and value.isdecimal() and len(value) < 10 and low <= int(value) <= high):
            raise Mistake(f"{what.capitalize()}: een getal van {low} tot {high}.")
        return int(value)

    def one_of(self, name: str, what: str, allowed: Sequence[str]) -> str:
        """One of the allowed values; raises Mistake."""
        value = self.raw(name)
        if value not in allowed:
            raise Mistake(f"Kies {what}.")
        return value

    def flag(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.raw(name) == "1"


class Visit(NamedTuple):
    """One request of the organiser, inside its transaction."""

    connection: sa.Connection
    path: Mapping[str, str]
    query: Form
    form: Form
    csrf: str
    notice: str
    evening: Evening | None
    address: str  # http://… as a phone in the café would reach central

    def page(self, template: str, here: str, **facts: object) -> HTMLResponse:
        """A template with its facts; 422 when it is shown again because of a mistake."""
        status = 422 if self.notice else 200
        return pages.page(template, status, here=here, csrf=self.csrf, notice=self.notice, night=self.evening, **facts)

    def night(self) -> Evening:
        """The current evening; raises Mistake when there is none."""
        if self.evening is None:
            raise Mistake("Maak eerst een avond.")
        return self.evening


Handler = Callable[[Request], Awaitable[Response]]
Page = Callable[[Visit], Response]
Change = Callable[[Visit], str]


class Section(NamedTuple):
    """A page and the forms on it: path below the page's -> what it changes (gives where to go next)."""

    path: str
    page: Page
    changes: Mapping[str, Change] = {}


class Organiser:
    """Routes for the sections, behind the organiser's password."""

    def __init__(
        self, store: Store, sections: Sequence[Section], attempts: Limit, address: Callable[[Request], str]
    ) -> None:
        self._store = store
        self._sections = sections
        self._attempts = Limiter(attempts)
        self._address = address

    def routes(self) -> list[Route]:
        """The way in and out, and every section."""
        routes = [
            Route(HOME + "/begin", self.begin, methods=["GET", "POST"]),
            Route(HOME + "/aanmelden", self.log_in, methods=["GET", "POST"]),
            Route(HOME + "/afmelden", self.log_out, methods=["POST"]),
            Route(HOME + "/wachtwoord", self.change_password, methods=["GET", "POST"]),
        ]
        for section in self._sections:
            routes.append(Route(section.path, self._shown(section), methods=["GET"]))
            for below, change in section.changes.items():
                routes.append(Route(section.path + below, self._changed(section, change), methods=["POST"]))
        return routes

    # -- in and out -----------------------------------------------------------------------------------------------

    async def begin(self, request: Request) -> Response:
        """The first start: set the password with the code of the log."""
        if await run_in_threadpool(self._store.reading, login.has_password):
            return _to(HOME + "/aanmelden")
        notice = ""
        if request.method == "POST":
            form = await self._form(request, LARGEST_FROM_STRANGERS)
            notice = await self._try(request, lambda: self._set_password(form)) if form is not None else _ELSEWHERE
            if not notice:
                return await self._let_in()
        return pages.page("begin.html", 422 if notice else 200, here="", notice=notice, shortest=login.SHORTEST)

    def _set_password(self, form: Form) -> None:
        if form.raw("password") != form.raw("again"):
            raise login.BadPassword("De twee wachtwoorden zijn niet gelijk.")
        self._store.writing(lambda c: login.set_password(c, form.raw("code")[:50], form.raw("password")))

    async def log_in(self, request: Request) -> Response:
        """The password."""
        if not await run_in_threadpool(self._store.reading, login.has_password):
            return _to(HOME + "/begin")
        notice = ""
        if request.method == "POST":
            form = await self._form(request, LARGEST_FROM_STRANGERS)
            notice = await self._try(request, lambda: self._check(form)) if form is not None else _ELSEWHERE
            if not notice:
                return await self._let_in()
        return pages.page("login.html", 422 if notice else 200, here="", notice=notice)

    def _check(self, form: Form) -> None:
        kept = self._store.reading(lambda c: evenings.get_setting(c, "password"))
        login.check(kept, form.raw("password"))

    async def _try(self, request: Request, attempt: Callable[[], None]) -> str:
        """What went wrong, as a sentence; empty when it went well. Each address has few attempts."""
        if not self._attempts.allows(address_of(request.scope)):
            return "Te veel pogingen; wacht een minuut."
        try:
            await run_in_threadpool(attempt)
        except (login.WrongPassword, login.BadPassword) as error:
            return str(error)
        return ""

    async def _let_in(self) -> Response:
        token = await run_in_threadpool(self._store.writing, login.open_session)
        response = _to(HOME)
        response.set_cookie(
            COOKIE, token, max_age=int(login.SESSION_HOLDS_S), path=HOME, httponly=True, samesite="strict"
        )
        return response

    async def log_out(self, request: Request) -> Response:
        """End the session."""
        token = await self._session(request)
        form = await self._form(request, LARGEST_FROM_STRANGERS)
        if token is None or form is None or not _genuine(form, token):
            return _to(HOME + "/aanmelden")
        await run_in_threadpool(self._store.writing, lambda c: login.close_session(c, token))
        response = _to("/")
        response.delete_cookie(COOKIE, path=HOME)
        return response

    async def change_password(self, request: Request) -> Response:
        """Another password: who is in elsewhere is out."""
        token = await self._session(request)
        if token is None:
            return _to(HOME + "/aanmelden")
        notice = ""
        if request.method == "POST":
            form = await self._form(request, LARGEST_FROM_STRANGERS)
            if form is None or not _genuine(form, token):
                return _not_ours()
            notice = await self._try(request, lambda: self._change(form))
            if not notice:
                return await self._let_in()
        csrf = login.form_token(token)
        facts = {"here": "", "csrf": csrf, "notice": notice, "night": None, "shortest": login.SHORTEST}
        return pages.page("password.html", 422 if notice else 200, **facts)

    def _change(self, form: Form) -> None:
        if form.raw("password") != form.raw("again"):
            raise login.BadPassword("De twee wachtwoorden zijn niet gelijk.")
        login.check(self._store.reading(lambda c: evenings.get_setting(c, "password")), form.raw("old"))

        def change(connection: sa.Connection) -> None:
            login.change_password(connection, form.raw("password"))
            audit.note(connection, None, "wachtwoord gewijzigd")

        self._store.writing(change)

    async def _session(self, request: Request) -> str | None:
        """The token of an open session, or None."""
        token = request.cookies.get(COOKIE)
        return token if await run_in_threadpool(self._store.reading, lambda c: login.holds(c, token)) else None

    # -- pages and forms ------------------------------------------------------------------------------------------

    def _shown(self, section: Section) -> Handler:
        async def show(request: Request) -> Response:
            token = await self._session(request)
            if token is None:
                return _to(HOME + "/aanmelden")
            return await self._show(request, section, token, "")

        return show

    async def _show(self, request: Request, section: Section, token: str, notice: str) -> Response:
        def question(connection: sa.Connection) -> Response:
            return section.page(self._visit(connection, request, token, Form(), notice))

        try:
            return await run_in_threadpool(self._store.reading, question)
        except Mistake as mistake:
            return pages.page(
                "mistake.html", 422, here="", csrf=login.form_token(token), notice=str(mistake), night=None
            )

    def _changed(self, section: Section, change: Change) -> Handler:
        async def post(request: Request) -> Response:
            token = await self._session(request)
            if token is None:
                return _to(HOME + "/aanmelden")
            form = await self._form(request, LARGEST_FORM)
            if form is None or not _genuine(form, token):
                return _not_ours()
            try:
                return _to(
                    await run_in_threadpool(
                        self._store.writing, lambda c: change(self._visit(c, request, token, form, ""))
                    )
                )
            except Mistake as mistake:
                return await self._show(request, section, token, str(mistake))

        return post

    def _visit(self, connection: sa.Connection, request: Request, token: str, form: Form, notice: str) -> Visit:
        return Visit(
            connection,
            request.path_params,
            Form(request.query_params.multi_items()),
            form,
            login.form_token(token),
            notice,
            evenings.current(connection),
            self._address(request),
        )

    async def _form(self, request: Request, largest: int) -> Form | None:
        """The fields of a form of this site; None for one that another site sent."""
        origin = request.headers.get("origin")
        if origin is not None and urllib.parse.urlsplit(origin).netloc != request.headers.get("host"):
            return None
        try:
            content = await body_of(request, largest)
            parts = await Request(request.scope, _once(content)).form(max_files=1, max_fields=2_000)
        except (Failure, HTTPException, MultiPartException, UnicodeDecodeError):
            return None
        fields = []
        for key, value in parts.multi_items():
            text = value if isinstance(value, str) else (await value.read()).decode("utf-8", "replace")
            fields.append((key, text))
        await parts.close()
        return Form(fields)


def _once(content: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return receive


_ELSEWHERE = "Dit formulier kwam niet van deze pagina; probeer opnieuw."


def _not_ours() -> Response:
    return PlainTextResponse("Dit formulier kwam niet van deze pagina. Ga terug en probeer opnieuw.", 403)


def _genuine(form: Form, token: str) -> bool:
    return hmac.compare_digest(form.raw("csrf").encode("utf-8", "replace"), login.form_token(token).encode())


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)
