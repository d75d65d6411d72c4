"""Both databases: the migrations make what the code expects, changes reach every worker, and nothing half is kept."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading

import httpx
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from central import evenings, schema
from central.schema import setting
from central.store import Store, touch
from tests.central import playing
from tests.central.conftest import plan
from tests.central.organising import HOME, Organiser, pair, play_seating
from tests.central.serving import central
from tests.central.test_ingest import take


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request):
    """A fresh database of each kind."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


def test_the_migrations_make_exactly_the_tables_of_the_code(url):
    store = Store(url)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    store.close()


def test_an_old_database_is_opened_again_with_all_that_is_in_it(url):
    store = Store(url)
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    store.close()
    store = Store(url)
    assert store.reading(evenings.current).key == "avond"
    store.close()


def test_a_database_of_the_first_revision_keeps_its_evening(url, tmp_path):
    """A café that has not updated for a year: its evening, log and results are read, and go on, under today's code."""
    today = Store(f"sqlite:///{tmp_path / 'today.db'}")
    organiser = Organiser(today)
    organiser.make_evening([*playing.NAMES, "Jan", "Jan"], pot="1", entry="2,57")
    organiser.do("/seizoen", name="2026-2027")
    organiser.lay_seating()
    play_seating(organiser)
    expected = [
        organiser.browser.get(HOME + f"/uitvoer/{name}.csv").content for name in ("spelers", "verdeling", "stand")
    ]
    old = sa.create_engine(url)
    schema.upgrade(old, "0001")
    then = sa.MetaData()
    then.reflect(old)
    assert "called" not in then.tables["seat"].c
    with today.engine.connect() as source, old.begin() as target:
        for table in schema.metadata.sorted_tables:
            columns = [column for column in table.c if column.name in then.tables[table.name].c]
            rows = source.execute(sa.select(*columns)).mappings().all()
            if rows:
                target.execute(sa.insert(table), [dict(row) for row in rows])
            if old.dialect.name == "postgresql" and "id" in table.c and isinstance(table.c.id.type, sa.Integer):
                target.execute(sa.text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"))
    old.dispose()
    organiser.close()
    today.close()
    store = Store(url)
    organiser = Organiser(store, known=True)
    assert expected == [
        organiser.browser.get(HOME + f"/uitvoer/{name}.csv").content for name in ("spelers", "verdeling", "stand")
    ]
    assert "speler ingeschreven" in organiser.page("/logboek")
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), store.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM audit"))
    organiser.do("/spelers/publiek", number="1", name="Anneke", nickname="")
    organiser.lay_seating()
    assert len(play_seating(organiser, 2, token=pair(organiser, "2"))) == 6
    organiser.close()
    store.close()


def test_workers_that_start_at_once_migrate_once(postgres_url):
    program = "import sys; from central.store import Store; Store(sys.argv[1]).close()"
    started = [subprocess.Popen([sys.executable, "-c", program, postgres_url]) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]


def test_a_change_that_fails_leaves_nothing(url):
    store = Store(url)

    def half(connection):
        connection.execute(setting.insert().values(key="half", value="x"))
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        store.writing(half)
    assert store.reading(lambda connection: connection.execute(sa.select(setting)).all()) == []
    store.close()


def heard(store, change):
    """The topics that a page hears after a change made elsewhere."""

    async def listen():
        changes = store.changes.listen()
        waiting = asyncio.ensure_future(anext(changes))
        await asyncio.sleep(0)
        threading.Thread(target=change).start()
        _, topics = await asyncio.wait_for(waiting, 10)
        await changes.aclose()
        return topics

    return asyncio.run(listen())


def test_a_page_hears_of_a_change_in_its_own_process(url):
    store = Store(url)
    assert "tables" in heard(store, lambda: store.writing(lambda connection: touch(connection, "tables")))
    store.close()


def test_a_page_of_another_worker_hears_it_through_the_database(postgres_url):
    one, other = Store(postgres_url), Store(postgres_url)

    def change():
        other.writing(lambda connection: touch(connection, "refused"))

    seen = frozenset()
    while "refused" not in seen or len(seen) == 4:  # the first thing an ear says is "look at everything"
        seen = heard(one, change)
    assert seen == {"refused"}
    one.close()
    other.close()


def test_a_page_that_is_open_at_one_worker_hears_of_a_result_that_another_took(postgres_url):
    """Two processes on one database, as behind a proxy: real streams, real NOTIFY."""
    store = Store(postgres_url)
    store.writing(lambda connection: evenings.from_plan(connection, plan()))
    store.close()
    message = playing.message(playing.play(playing.NAMES[:3], 1))
    with central(postgres_url) as one, central(postgres_url) as other, httpx.Client(timeout=20) as client:
        stand = client.get(one.url + "/part/standings").text
        with client.stream("GET", one.url + "/events") as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("data:"))  # "look at everything"
            assert httpx.post(other.url + "/api/results", json=message).json()["outcome"] == "stored"
            told = (json.loads(line[5:]) for line in lines if line.startswith("data:"))
            assert next(topics for topics in told if topics["standings"])["standings"]
        after = client.get(one.url + "/part/standings").text
        assert after != stand
        assert after == client.get(other.url + "/part/standings").text


def test_nobody_hears_of_a_change_that_was_taken_back(sqlite_url):
    store = Store(sqlite_url)

    def change():
        with pytest.raises(RuntimeError):
            store.writing(_touch_and_fail)
        store.writing(lambda connection: touch(connection, "standings"))

    assert heard(store, change) == {"standings"}
    store.close()


def _touch_and_fail(connection):
    touch(connection, "refused")
    raise RuntimeError


def test_two_workers_that_get_the_same_result_at_once_store_it_once(postgres_url):
    stores = [Store(postgres_url), Store(postgres_url)]
    stores[0].writing(lambda connection: evenings.from_plan(connection, plan()))
    message = json.loads(json.dumps(playing.message(playing.play(playing.NAMES[:3], 1))))
    outcomes = []
    threads = [
        threading.Thread(target=lambda store=store: outcomes.append(take(store, message))) for store in stores * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["same"] * 7 + ["stored"]
    for store in stores:
        store.close()


def test_an_evening_with_season_prizes_files_and_pictures_is_the_same_on_both(sqlite_url, postgres_url):
    """The organiser's whole way over both databases gives the same pages, byte for byte but for codes and times."""
    lists = []
    for url in (sqlite_url, postgres_url):
        store = Store(url)
        organiser = Organiser(store)
        organiser.make_evening([*playing.NAMES, "Jan", "Jan"], pot="1", entry="2,57", has_final="1")
        organiser.do("/seizoen", name="2026-2027")
        organiser.do("/spelers/aanwezig", number="4", present="0")
        organiser.do("/spelers/publiek", number="5", name="Els", nickname="De Slang")
        token = pair(organiser, "1")
        for seed in (1, 2):
            organiser.lay_seating()
            play_seating(organiser, seed, token=token)
        organiser.do("/spelers/verwijder", number="6", sure="1")
        for path in (
            "",
            "/spelers",
            "/verdeling",
            "/uitslagen",
            "/finale",
            "/seizoen",
            "/logboek",
            "/geweigerd",
            "/uitvoer",
        ):
            organiser.page(path)
        names = ("spelers.csv", "verdeling.csv", "stand.csv")
        lists.append([organiser.browser.get(f"/organisator/uitvoer/{name}").content for name in names])
        lists[-1].append(organiser.browser.get("/part/standings").content)
        lists[-1].append(organiser.browser.get("/seizoen").content)
        organiser.close()
        store.close()
    assert lists[0] == lists[1]


def test_sqlite_waits_for_the_disk(sqlite_url):
    """synchronous=FULL in WAL: what was answered survives a power cut; NORMAL may lose it."""
    store = Store(sqlite_url)
    with store.engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2}
    store.close()
