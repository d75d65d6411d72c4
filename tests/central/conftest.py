"""A central in memory-like speed: a store on SQLite in a folder of its own, and the same on a real PostgreSQL.

PostgreSQL is a private cluster of this test run: a socket in a temporary folder, no TCP, thrown away afterwards.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg
import pytest

from central import evening_file, evenings, web
from central.store import Store
from tests.central import playing
from tests.central.browser import Browser
from tests.central.organising import NO_LIMITS, Organiser

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="session")
def postgres():
    """The URL of a database cluster's `postgres` database, as text with {name} for another database."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql); ./run test does that")
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # short: a socket's path has at most 107 bytes
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    run = ["runuser", "-u", user, "--"] if os.getuid() == 0 else []
    if os.getuid() == 0:
        shutil.chown(folder, user)
    data, bin_ = folder / "data", PROGRAMS[-1]

    def call(*command):
        subprocess.run([*run, *map(str, command)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    call(bin_ / "initdb", "--no-sync", "--encoding=UTF8", "--locale=C", "--username=central", "-D", data)
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    call(bin_ / "pg_ctl", "-w", "-D", data, "-l", folder / "log", "-o", options, "start")
    try:
        yield "postgresql+psycopg://central@/{name}?host=" + str(folder)
    finally:
        call(bin_ / "pg_ctl", "-w", "-m", "immediate", "-D", data, "stop")
        shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres):
    """The URL of a fresh database."""
    name = f"t{secrets.token_hex(8)}"
    plain = postgres.format(name="postgres").replace("+psycopg", "")
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres.format(name=name)


@pytest.fixture
def sqlite_url(tmp_path):
    """The URL of a fresh database file."""
    return f"sqlite:///{tmp_path / 'central.db'}"


@pytest.fixture
def store(sqlite_url):
    """A store on SQLite."""
    store = Store(sqlite_url)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def any_store(request):
    """A store on each database that central runs on."""
    store = Store(request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))
    yield store
    store.close()


def plan(players=6, seatings=1, tables=(("1", (1, 2, 3)), ("2", (4, 5, 6))), **fields):
    """An evening with few stripes: players named in order, the same tables in each seating."""
    values = {"key": "avond", "date": "2026-11-29", "cafe": "De Kroon", "reglement": playing.reglement()} | fields
    names = [*playing.NAMES, *(f"Speler {number}" for number in range(len(playing.NAMES) + 1, players + 1))]
    return evening_file.EveningPlan(
        **values,
        players=tuple(enumerate(names[:players], 1)),
        tables=tuple(
            evening_file.PlannedTable(seating, table, seats)
            for seating in range(1, seatings + 1)
            for table, seats in tables
        ),
    )


@pytest.fixture
def evening(store):
    """An open evening: An, Bo, Cé at table 1, Dré, Els, Fons at table 2."""
    return store.writing(lambda connection: evenings.from_plan(connection, plan()))


@pytest.fixture
def organiser(store):
    organiser = Organiser(store)
    yield organiser
    organiser.close()


@pytest.fixture
def stranger(store):
    browser = Browser(web.app(store, NO_LIMITS))
    yield browser
    browser.close()
