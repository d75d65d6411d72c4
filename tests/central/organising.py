"""The organiser in tests: comes in with the code of the log, fills in forms that are really on the pages."""

from __future__ import annotations

import random
import re

from central import evenings, login, tables, web
from central.access import Limit
from tests.central import playing
from tests.central.browser import Browser

NO_LIMITS = web.Limits(Limit(1e9, 1e9), Limit(1e9, 1e9), Limit(1e9, 1e9))
PASSWORD = "drie azen en uit"
HOME = "/organisator"


class Organiser:
    """A browser that knows the password."""

    def __init__(self, store, limits=NO_LIMITS, known=False, browser=None):
        self.store = store
        self.browser = browser or Browser(web.app(store, limits))
        if known:
            answer = self.browser.post(HOME + "/aanmelden", data={"password": PASSWORD})
        else:
            code = store.writing(login.setup_code)
            fields = {"code": code, "password": PASSWORD, "again": PASSWORD}
            answer = self.browser.post(HOME + "/begin", data=fields)
        assert answer.status_code == 303, answer.text

    def page(self, path=""):
        """The text of a page that must be there."""
        answer = self.browser.get(HOME + path)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.text

    def csrf(self):
        return re.search(r'name="csrf" value="(\w+)"', self.page())[1]

    def post(self, path, **fields):
        """Send a form; gives the answer."""
        return self.browser.post(HOME + path, data={"csrf": self.csrf(), **fields})

    def do(self, path, **fields):
        """Send a form that must be accepted."""
        answer = self.post(path, **fields)
        assert answer.status_code == 303, re.sub(r"\s+", " ", answer.text)
        return answer.headers["location"]

    def mistake(self, path, **fields):
        """Send a form that must be refused; gives the sentence."""
        answer = self.post(path, **fields)
        assert answer.status_code == 422, answer.status_code
        return re.search(r'role="alert">([^<]*)<', answer.text)[1]

    def make_evening(self, names=playing.NAMES[:6], **fields):
        """An evening with players, paid."""
        values = {
            "date": "2026-11-29",
            "cafe": "De Kroon",
            "reglement": "kazerne",
            "stripes": "2",
            "entry": "5",
            "seatings": "2",
            "games": "3",
            "system": "spread",
        }
        self.do("/avonden", **(values | fields))
        for name in names:
            self.do("/spelers", name=name, paid="1")

    def lay_seating(self, system="spread"):
        """Choose and publish the next seating."""
        self.do("/verdeling/kies", system=system)
        self.do("/verdeling/publiceer")

    def night(self):
        return self.store.reading(evenings.current)

    def close(self):
        self.browser.close()


def pair(organiser, table):
    """A token for a table, got the way a terminal gets it."""
    asked = organiser.browser.post("/api/pair", json={"table": table}).json()
    organiser.do("/toestellen/koppel", code=asked["code"])
    return organiser.browser.post("/api/pair/token", json={"secret": asked["secret"]}).json()["token"]


def play_seating(organiser, seed=0, token=None, leave_out=0):
    """Every table plays what central tells it, and sends it; gives the messages. leave_out: the last so many games."""
    token = token or pair(organiser, "1")
    headers = {"Authorization": f"Bearer {token}"}
    sent = []
    chance = random.Random(seed)

    def open_tables(connection):
        night = evenings.current(connection)
        names = {one.table for one in evenings.sittings(connection, night.id) if one.published}
        found = [(name, tables.seating_message(connection, name)["seating"]) for name in sorted(names)]
        return [(name, seating) for name, seating in found if not seating["done"]]

    while waiting := organiser.store.reading(open_tables):
        for _, seating in waiting:
            names = [player["name"] for player in seating["players"]]
            lines = playing.play(
                names,
                chance.randrange(10**6),
                game=f"{chance.randrange(16**12):012x}",
                starter=seating["starter"],
                rules=seating["reglement"],
            )
            message = playing.message(
                lines,
                evening=seating["evening"],
                kind=seating["kind"],
                table=seating["table"],
                seating=seating["seating"],
                number=seating["number"],
                numbers=[player["number"] for player in seating["players"]],
            )
            answer = organiser.browser.post("/api/results", json=message, headers=headers)
            assert answer.status_code == 200, answer.text
            sent.append(message)
            if leave_out and len(sent) >= leave_out:
                return sent
    return sent
