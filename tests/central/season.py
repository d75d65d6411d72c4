"""A whole season by simulated tables over real HTTP, on a bad network, with central killed at random.

`play` drives it; `apart` works out points, places and cents from the journals on the cards alone, by the text of
K40 to K48 and with nothing of central's or of terminal.rules.standings.
"""

from __future__ import annotations

import contextlib
import csv
import html
import io
import json
import random
import re
import signal
import socket
from collections import Counter, defaultdict

import httpx

from central import login
from central.store import Store
from terminal.rules import fold as folding
from terminal.sync import Paired, PairingAsked, SeatingArrived, Sync, result_message
from terminal.web import NoAnswer, ask
from tests.central import playing
from tests.central.organising import Organiser
from tests.central.serving import Process

FATES = {"lost": 0.06, "no answer": 0.06, "twice": 0.08, "late": 0.05, "portal": 0.03}


class Network:
    """Loses, doubles, delays and answers by itself, as chance has it; heals when told."""

    def __init__(self, chance, fates=FATES):
        self.chance = chance
        self.fates = fates
        self.late = []
        self.good = False

    def __call__(self, request):
        if self.good:
            return ask(request)
        if self.late and self.chance.random() < 0.3:
            self.deliver(self.late.pop(self.chance.randrange(len(self.late))))
        fate = self.chance.choices([*self.fates, "good"], [*self.fates.values(), 1 - sum(self.fates.values())])[0]
        if fate == "lost":
            raise NoAnswer("lost")
        if fate == "late":
            self.late.append(request)
            raise NoAnswer("late")
        if fate == "portal":
            return 200, b"<html>Welkom</html>"
        if fate == "twice":
            self.deliver(request)
        answer = ask(request)
        if fate == "no answer":
            raise NoAnswer("no answer")
        return answer

    def deliver(self, request):
        with contextlib.suppress(NoAnswer):  # central is away just now
            ask(request)


class Table:
    """A terminal with its card: knows its own games, takes its seats from central."""

    def __init__(self, name, card, url, chance):
        self.name, self.card, self.chance = name, card, chance
        card.mkdir()
        self.url = url
        self.token = None
        self.code = None
        self.seating = None
        self.games = []  # (seating, number, lines) of everything played, oldest first
        self.network = Network(random.Random(chance.random()))
        self.start()

    def start(self):
        """Switched on (again): everything but the card and the token is forgotten."""
        self.sync = Sync(
            self.url,
            self.name,
            self.token,
            lambda: sorted(self.card.iterdir()),
            self.message,
            self.news,
            clock=lambda: self.chance.uniform(-1e9, 1e9),  # a clock that jumps
            send=self.network,
        )

    def news(self, news):
        if isinstance(news, SeatingArrived):
            self.seating = news.seating
        elif isinstance(news, PairingAsked):
            self.code = news.code
        elif isinstance(news, Paired):
            self.token = news.token

    @staticmethod
    def message(path):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        return result_message(lines, folding.summary(playing.fold_of(lines)))

    def here(self):
        """The games of the present seating."""
        key = self.key(self.seating)
        return [game for game in self.games if self.key(game[0]) == key]

    @staticmethod
    def key(seating):
        return seating["evening"], seating["kind"], seating["seating"]

    def players(self):
        """Who still plays: those of central's seating who have not left in a game here."""
        left = {name for _, _, lines in self.here() for name in folding.summary(playing.fold_of(lines))["left"]}
        return [player for player in self.seating["players"] if player["name"] not in left]

    @property
    def over(self):
        """Everything here is played, and central has it."""
        if self.seating is None:
            return False
        done = len(self.here()) >= self.seating["games"] or len(self.players()) < 2
        return done and self.sync.status.reachable and self.sync.status.queue == 0

    def act(self):
        """Play a game if there is one to play, correct one now and then, talk to central."""
        if self.seating is not None and len(self.here()) < self.seating["games"] and len(self.players()) >= 2:
            self.play()
        elif self.games and self.chance.random() < 0.1:
            self.correct(-1)
        if self.chance.random() < 0.05:
            self.sync.stop()
            self.start()
        self.sync.step()

    def play(self):
        before, players = self.here(), self.players()
        names = [player["name"] for player in players]
        if before and self.chance.random() < 0.1:
            loser = self.next_starter(before[-1][2], names)
            self.correct(-1)  # after the next game has begun: K3 was right when it began
        else:
            loser = self.next_starter(before[-1][2], names) if before else None
        lines = playing.play(
            names,
            self.chance.randrange(10**9),
            game=f"{self.chance.randrange(16**16):016x}",
            starter=loser,
            rules=self.seating["reglement"],
            leaver=names[0] if self.chance.random() < 0.03 else None,
            leave_after=self.chance.randrange(4, 12),
        )
        number = len(before) + 1
        place = {key: self.seating[key] for key in ("evening", "kind", "seating", "table")}
        place |= {"number": number, "numbers": [player["number"] for player in players]}
        lines = [lines[0] | place, *lines[1:]]
        self.games.append((self.seating, number, lines))
        self.write(len(self.games) - 1)

    def next_starter(self, lines, names):
        """K3: the loser, or who sits left of him."""
        loser = folding.outcome(playing.fold_of(lines)).loser
        if loser is None:
            return None
        seats = lines[0]["players"]
        at = seats.index(loser)
        return next((name for name in seats[at:] + seats[:at] if name in names), None)

    def correct(self, at):
        seating, number, lines = self.games[at]
        longer = playing.corrected(lines, self.chance.randrange(10**6))
        if longer is not None and seating["kind"] == "seating":
            self.games[at] = (seating, number, longer)
            self.write(len(self.games) + at if at < 0 else at)

    def write(self, at):
        lines = self.games[at][2]
        path = self.card / f"{at:05d}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))


class Season:
    """Central in a process, the organiser's browser, and the tables."""

    def __init__(self, folder, seed, tables, players, kills):
        self.chance = random.Random(seed)
        self.database = f"sqlite:///{folder / 'central.db'}"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        store = Store(self.database)
        store.writing(login.setup_code)
        self.process = Process(self.database, port=self.port)
        self.client = httpx.Client(base_url=self.process.url, timeout=60)
        self.organiser = Organiser(store, browser=self.client)
        store.close()
        self.tables = [
            Table(str(number), folder / f"card-{number}", self.process.url, random.Random(self.chance.random()))
            for number in range(1, tables + 1)
        ]
        self.names = [f"Speler {number}" for number in range(1, players + 1)]
        self.kills = kills
        self.killed = 0

    def kill(self):
        """kill -9, and systemd starts it again."""
        self.process.end(signal.SIGKILL)
        self.process = Process(self.database, port=self.port)
        self.killed += 1

    def evening(self, date, seatings, system):
        """From the first player to the last deciding game."""
        came = self.chance.sample(self.names, len(self.names) - self.chance.randrange(3))
        self.organiser.make_evening(
            came, date=date, seatings=str(seatings), system=system, has_final="1", pot="1", entry="2,57", stripes="2"
        )
        for _ in range(seatings):
            self.organiser.lay_seating(system)
            self.play_on()
        while "de eindstand" not in (text := self.organiser.page("/finale")):
            kind, numbers = re.search(
                r'name="kind" value="(\w+)"><input type="hidden" name="numbers" value="([\d,]*)"', text
            ).groups()
            path = "/finale/tafel" if numbers else "/finale/loot"
            self.organiser.do(path, kind=kind, numbers=numbers, table="1")
            self.play_on()

    def play_on(self):
        """Until every table with a seat has played, and central has it."""
        kill_at = {self.chance.randrange(1, 15) for _ in range(self.kills)}
        for turn in range(2_000):
            for table in self.tables:
                table.act()
                if table.code is not None and table.token is None:
                    self.organiser.post("/toestellen/koppel", code=table.code)
            if turn in kill_at:
                self.kill()
            if turn % 5 == 4 and "Nog te spelen" not in self.organiser.page("/uitslagen"):
                break
        else:
            raise AssertionError("the tables do not come to an end")
        for table in self.tables:
            table.network.good = True
            for request in table.network.late:
                table.network.deliver(request)
            table.network.late.clear()
            while table.seating is not None and not table.over:
                table.act()
            table.sync.step()
            table.network.good = False

    def standings(self, key):
        """Central's own list of an evening: number -> (place, points), and the prizes in cents."""
        self.organiser.do("/avonden/kies", key=key)
        text = self.client.get("/organisator/uitvoer/stand.csv").content.decode("utf-8-sig")
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=";") if row]
        places = {int(row[1]): (int(row[0]), int(row[3])) for row in rows if row[0].isdecimal()}
        cents = {row[0]: int(re.sub(r"\D", "", row[1])) for row in rows if len(row) == 2 and "€" in row[1]}
        return places, cents

    def season(self):
        """Central's season page: name -> (place, points, evenings)."""
        text = html.unescape(self.client.get("/seizoen").text)
        row = r'place">(\d+)</td><th scope="row">(.*?)(?:<span.*?)?</th>'
        line = row + r'<td class="n points">(\d+)</td><td class="n">(\d+)'
        found = re.findall(line, text)
        return {name: (int(place), int(points), int(evenings)) for place, name, points, evenings in found}

    def close(self):
        for table in self.tables:
            table.sync.stop()
        self.client.close()
        self.process.close()


# -- apart ----------------------------------------------------------------------------------------------------------


def competition(keys):
    """Places by keys (larger is better), equals sharing: player -> place."""
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}


def apart(tables, evenings):
    """Everything worked out from the cards. evenings: [(key, entrants, pot in cents)] in order, names for persons.

    Gives per evening (name -> (place, points), prizes) and for the season name -> (place, points, evenings).
    """
    games = defaultdict(list)
    for table in tables:
        for seating, _, lines in table.games:
            games[seating["evening"]].append((seating["kind"], seating["seating"], lines))
    attended = Counter()
    season = defaultdict(Counter)
    result = []
    held = 0
    for at, (key, entrants, pot) in enumerate(evenings):
        tally = {name: Counter() for name in entrants}
        played = set()
        for _, _, lines in (one for one in games[key] if one[0] == "seating"):
            state = folding.summary(playing.fold_of(lines))
            for name, points in state["points"].items():
                tally[name]["points"] += points
                tally[name][{5: "firsts", 3: "seconds", 1: "thirds"}.get(points, "others")] += 1
                if name not in state["left"]:
                    played.add(name)
        attended.update(played)
        finals = [one for one in games[key] if one[0] == "final"]
        order = ("points", "firsts", "seconds", "thirds")
        by_41 = {name: tuple(one[what] for what in order) for name, one in tally.items()}
        if finals:
            state = folding.summary(playing.fold_of(finals[-1][2]))
            ranked = [name for name in state["ranking"] if name not in state["left"]]
            for name, more in zip(ranked, (10, 6, 4, 2, 1), strict=False):
                tally[name]["points"] += more
            by_41 = {name: (tally[name]["points"], *rest) for name, (_, *rest) in by_41.items()}
            by_45 = {name: (one[0], attended[name], *one[1:]) for name, one in by_41.items()}
        else:
            by_45 = by_41
        decided = Counter()
        for _, _, lines in (one for one in games[key] if one[0] == "deciding"):
            ranking = folding.summary(playing.fold_of(lines))["ranking"]
            for place, name in enumerate(ranking):
                decided[name] = decided[name] * 10 - place
        places = competition({name: (one, decided[name]) for name, one in by_45.items()})
        top = {name for name, place in places.items() if place <= 3}
        rest = competition({name: one for name, one in by_41.items() if name not in top})
        places |= {name: place + len(top) for name, place in rest.items()}
        last = at == len(evenings) - 1
        carried = 0 if last else pot // 4
        paid = pot - carried + (held if last else 0)
        held = 0 if last else held + carried
        second, third = paid * 30 // 100, paid * 15 // 100
        result.append(
            ({name: (places[name], tally[name]["points"]) for name in entrants}, (paid - second - third, second, third))
        )
        for name, one in tally.items():
            season[name].update({what: one[what] for what in ("points", "firsts", "seconds", "thirds")})
    keys = {
        name: (one["points"], attended[name], one["firsts"], one["seconds"], one["thirds"])
        for name, one in season.items()
    }
    places = competition(keys)
    return result, {name: (places[name], keys[name][0], keys[name][1]) for name in keys}


def check(folder, seed=0, evenings=2, tables=2, players=9, seatings=1, kills=1):
    """Play a season and compare; raises AssertionError where central says something else. Gives what was done."""
    season = Season(folder, seed, tables, players, kills)
    try:
        dates = [f"2026-{1 + k // 28:02d}-{1 + k % 28:02d}" for k in range(evenings)]
        nights = []
        for at, date in enumerate(dates):
            season.evening(date, seatings, ("primes", "spread")[at % 2])
            if at == 0:
                season.organiser.do("/seizoen", name="seizoen")
            else:
                season.organiser.do("/seizoen/erbij", key=date, season="1")
            content = season.client.get("/organisator/uitvoer/avond.json").json()["evenings"][0]
            names = {one["number"]: one["name"] for one in content["players"]}
            nights.append((date, names, 257 * len(names)))
        season.organiser.do("/seizoen/slot", key=dates[-1], final="1")
        expected, of_season = apart(season.tables, [(key, list(names.values()), pot) for key, names, pot in nights])
        for (key, names, _), (places, prizes) in zip(nights, expected, strict=True):
            shown, cents = season.standings(key)
            assert {names[number]: line for number, line in shown.items()} == places, key
            paid = tuple(cents[what] for what in cents if what.startswith(("Eerste", "Tweede", "Derde")))
            assert paid == prizes, key
        assert season.season() == of_season
        refused = season.organiser.page("/geweigerd").count('class="card result"')
        assert refused == 0
        games = sum(len(table.games) for table in season.tables)
        return {"games": games, "kills": season.killed, "players": len(of_season)}
    finally:
        season.close()
