"""How fast central is, and whether a whole season comes out right.

    python -m tests.bench.central [RESULTS]        results a second, page latency with 100 viewers
    python -m tests.bench.central season [SEED]    8 evenings, 12 tables, 60 players, a bad network, central killed

Central is a process of its own and its database is on this disk: the numbers hold for this machine.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from central import evening_file, evenings, schema
from central.store import Store
from tests.central import playing, season
from tests.central.serving import central

RESULTS = 2_000
VIEWERS = 100
TABLES = 20
PLAYERS = 5
SEATINGS = 3
GAMES = 3


def messages(results):
    """So many games in full evenings: twenty tables of five, three seatings of three games, three stripes, K3 kept."""
    names = [f"Speler {number}" for number in range(1, TABLES * PLAYERS + 1)]
    reglement = playing.reglement("kazerne", 3)
    made = []
    for night, seating, table in itertools.product(range(results), range(1, SEATINGS + 1), range(TABLES)):
        if len(made) >= results:
            break
        numbers = seats(table)
        starter = None
        for number in range(1, GAMES + 1):
            lines = playing.play([names[n - 1] for n in numbers], len(made), starter=starter, rules=reglement)
            starter = playing.loser(lines)
            place = {"table": str(table + 1), "seating": seating, "number": number, "numbers": numbers}
            made.append(playing.message(lines, evening=key(night), **place))
    return names, reglement, made[:results]


def key(night):
    """What an evening of the bench is called."""
    return f"avond-{night:02}"


def seats(table):
    """The numbers at a table, the same in each seating."""
    return tuple(range(table * PLAYERS + 1, (table + 1) * PLAYERS + 1))


def make_evenings(url, names, reglement, sent):
    """All evenings that the results belong to, one season; the first is the current one."""
    store = Store(url)
    keys = sorted({message["evening"] for message in sent}, reverse=True)
    store.writing(lambda c: c.execute(schema.season.insert().values(name="Bench")))
    for place in keys:
        plan = evening_file.EveningPlan(
            key=place,
            date="2026-11-29",
            cafe="Bench",
            reglement=reglement,
            games=GAMES,
            players=tuple(enumerate(names, 1)),
            tables=tuple(
                evening_file.PlannedTable(seating, str(table + 1), seats(table))
                for seating in range(1, SEATINGS + 1)
                for table in range(TABLES)
            ),
        )
        store.writing(lambda c, plan=plan: evenings.from_plan(c, plan))
    store.writing(lambda c: c.execute(schema.evening.update().values(season_id=1, season_place=schema.evening.c.id)))
    return store


def percentiles(seconds):
    """Median and 95th percentile in ms, as text."""
    ordered = sorted(seconds)
    return f"{1000 * statistics.median(ordered):7.1f} {1000 * ordered[int(0.95 * len(ordered))]:7.1f}"


def speed(results):
    """Ingest with and without viewers, and how long the pages take meanwhile."""
    names, reglement, sent = messages(results)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'central.db'}"
        store = make_evenings(url, names, reglement, sent)
        with central(url) as process:
            half = len(sent) // 2
            alone = ingest(process.url, store, sent[:half])
            with Viewers(process.url) as viewers:
                watched = ingest(process.url, store, sent[half:])
        store.close()
    lines = sum(len(message["journal"]) for message in sent) / len(sent)
    nights = len({message["evening"] for message in sent})
    print(f"{len(sent)} results of {lines:.0f} lines on average, {nights} evenings of {TABLES} tables, each answered")
    print("after its commit; the pages are those of the evening that is played")
    print(f"{'':34}  a second   median ms   95 % ms")
    for word, times in (("results, nobody watching", alone), (f"results, {VIEWERS} pages open", watched)):
        print(f"{word:34} {len(times) / sum(times):9.1f}   {percentiles(times)}")
    print(
        f"{'page parts fetched meanwhile':34} {len(viewers.times) / sum(watched):9.1f}   {percentiles(viewers.times)}"
    )
    print(f"changes heard by the open pages: {viewers.heard}")


def ingest(url, store, sent):
    """Send them one after the other, each evening being the current one in its turn; seconds for each."""
    times = []
    current = None
    with httpx.Client(base_url=url, timeout=60) as client:
        for message in sent:
            if message["evening"] != current:
                current = message["evening"]
                store.writing(lambda c, current=current: evenings.make_current(c, current))
            began = time.perf_counter()
            answer = client.post("/api/results", json=message)
            assert answer.json()["outcome"] == "stored", answer.text
            times.append(time.perf_counter() - began)
    return times


class Viewers:
    """Open pages, in a process of their own: each listens to the stream, one in ten is looked at and fetches parts."""

    def __init__(self, url):
        context = multiprocessing.get_context("spawn")
        self.stop, self.ready, self.answer = context.Event(), context.Event(), context.Queue()
        self.process = context.Process(target=watch_all, args=(url, self.stop, self.ready, self.answer))
        self.heard, self.times = 0, []

    def __enter__(self):
        self.process.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *error):
        self.stop.set()
        self.heard, self.times = self.answer.get(timeout=60)
        self.process.join()


def watch_all(url, stop, ready, answer):
    """The process of the viewers."""
    heard, times = [], []

    async def watch(client, looked_at):
        async with client.stream("GET", url + "/events") as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    heard.append(line)
                    if looked_at:
                        for part in ("tables", "standings"):
                            began = time.perf_counter()
                            await client.get(f"{url}/part/{part}")
                            times.append(time.perf_counter() - began)

    async def all_of_them():
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(timeout=60, limits=limits) as client:
            watching = [asyncio.create_task(watch(client, number % 10 == 0)) for number in range(VIEWERS)]
            while len(heard) < VIEWERS:  # each is told at once to look at everything
                await asyncio.sleep(0.05)
            heard.clear()
            times.clear()
            ready.set()
            await asyncio.to_thread(stop.wait)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    asyncio.run(all_of_them())
    answer.put((len(heard), times))


def whole_season(seed):
    """The season of the README's goal, compared with a calculation made apart."""
    began = time.monotonic()
    logging.getLogger("terminal.sync").setLevel(logging.CRITICAL)  # the network is bad on purpose
    with tempfile.TemporaryDirectory() as folder:
        done = season.check(Path(folder), seed, evenings=8, tables=12, players=60, seatings=3, kills=2)
    print(f"{done['games']} games, {done['players']} players, central killed {done['kills']} times,")
    print(f"points, places and cents equal to those worked out apart; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["season"]:
        whole_season(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    else:
        speed(int(sys.argv[1]) if len(sys.argv) > 1 else RESULTS)
