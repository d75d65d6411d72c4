"""terminal/sync.py against the real central (without a port), over networks as cafés have them."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path

import pytest

from central import evenings, pictures, standings_view, tables, terminals, web
from central.access import Limit
from central.store import Store
from terminal import sync as syncing
from terminal.sync import CentralStatus, Paired, PairingAsked, SeatingArrived, Sync
from terminal.web import NoAnswer
from tests.central import playing
from tests.central.browser import Browser
from tests.central.conftest import plan

TABLE_1 = playing.NAMES[:3]
NO_LIMITS = web.Limits(Limit(1e9, 1e9), Limit(1e9, 1e9))


class Card:
    """A memory card with finished journals, one file a game, as `terminal.journal` writes them."""

    def __init__(self, folder):
        self.folder = folder
        self.reads = 0

    def write(self, lines, number=1, **where):
        place = {"evening": "avond", "kind": "seating", "table": "1", "seating": 1, "numbers": [1, 2, 3]} | where
        lines = [lines[0] | place | {"number": number}, *lines[1:]]
        path = self.folder / f"{lines[0]['game']}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return lines

    def finished(self):
        return sorted(self.folder.iterdir())

    def message(self, path: Path):
        self.reads += 1
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        fold = playing.fold_of(lines)
        if lines[-1]["type"] == "abandon" and not any(line["type"] == "throw" for line in lines):
            return None
        return syncing.result_message(lines, playing.folding.summary(fold))


class Central:
    """The real central behind a transport that a test can make worse; records every request."""

    def __init__(self, folder, **fields):
        self.store = Store(f"sqlite:///{folder / 'central.db'}")
        self.store.writing(lambda connection: evenings.from_plan(connection, plan(**fields)))
        self.browser = Browser(web.app(self.store, NO_LIMITS))
        self.requests = []

    def __call__(self, request):
        path = request.url[request.url.index("/api/") :]
        body = None if request.method == "PUT" else json.loads(request.body or b"null")
        self.requests.append((request.method, path, body))
        answer = self.browser.request(request.method, path, content=request.body, headers=dict(request.headers))
        return answer.status_code, answer.content

    def close(self):
        self.browser.close()
        self.store.close()

    def results(self):
        """How often each game was offered."""
        return [body["game"] for method, path, body in self.requests if path == "/api/results"]

    def counted(self):
        """What central counts: game -> lines."""
        return {one.id: one.lines for one in self.store.reading(lambda connection: tables.played(connection, 1))}

    def standings(self):
        """The standings as central shows them."""

        def ask(connection):
            return standings_view.rows(evenings.entrants(connection, 1), tables.played(connection, 1))

        return self.store.reading(ask)


class Clock:
    """A clock that only goes when told."""

    def __init__(self):
        self.s = 1000.0

    def __call__(self):
        return self.s


@pytest.fixture
def card(tmp_path):
    folder = tmp_path / "card"
    folder.mkdir()
    return Card(folder)


@pytest.fixture
def central(tmp_path):
    central = Central(tmp_path)
    yield central
    central.close()


@pytest.fixture
def make(card):
    """Makes a Sync over a handler; `news` is what it posted. All are stopped at the end."""
    made = []

    def build(handler, token=None, **options):
        news = []
        sync = Sync(
            "http://central",
            "1",
            token,
            card.finished,
            card.message,
            news.append,
            send=handler,
            **({"clock": Clock()} | options),
        )
        made.append(sync)
        return sync, news

    yield build
    for sync in made:
        sync.stop()


def test_a_finished_game_reaches_central_and_is_not_sent_again(make, card, central):
    sync, _ = make(central)
    card.write(playing.play(TABLE_1, 1))
    assert sync.step() == syncing.HEARTBEAT_S
    assert list(central.counted()) == ["game-1"]
    assert sync.status.queue == 0
    sync.step()
    sync.step()
    assert central.results() == ["game-1"]


def test_games_are_offered_oldest_first_and_only_what_central_lacks(make, card, central):
    one = card.write(playing.play(TABLE_1, 1))
    make(central)[0].step()
    two = card.write(playing.play(TABLE_1, 2, starter=playing.loser(one)), number=2)
    card.write(playing.play(TABLE_1, 3, starter=playing.loser(two)), number=3)
    make(central)[0].step()  # a terminal that was switched off and on: it remembers nothing
    assert central.results() == ["game-1", "game-2", "game-3"]


def test_a_later_correction_is_sent_as_the_longer_journal(make, card, central):
    sync, _ = make(central)
    lines = playing.play(TABLE_1, 1)
    card.write(lines)
    sync.step()
    longer = playing.corrected(lines)
    card.write(longer)
    sync.step()
    assert central.counted() == {"game-1": len(longer)}


def test_k55a_a_false_start_is_not_sent(make, card, central):
    card.write([playing.play(TABLE_1, 1)[0], {"type": "abandon"}])
    sync, _ = make(central)
    sync.step()
    assert central.results() == []
    assert sync.status.queue == 0


def test_a_journal_is_not_read_again_at_every_heartbeat(make, card, central):
    card.write(playing.play(TABLE_1, 1))
    sync, _ = make(central)
    for _ in range(20):
        sync.step()
    assert card.reads <= 2


def test_a_refused_game_is_shown_and_not_offered_for_ever(make, card, central):
    card.write(playing.play(TABLE_1, 1, starter="An"))  # K2: the first game has a start roll
    sync, news = make(central)
    for _ in range(5):
        sync.step()
    assert central.results() == ["game-1"]
    assert len(sync.status.refused) == 1
    assert "K2" in sync.status.refused[0]
    assert sync.status.queue == 0
    assert CentralStatus(sync.status) in news


def test_a_refused_game_that_has_grown_is_offered_again(make, card, central):
    lines = playing.play(TABLE_1, 1, starter="An")
    card.write(lines)
    sync, _ = make(central)
    sync.step()
    card.write(playing.corrected(lines))
    sync.step()
    assert central.results() == ["game-1", "game-1"]


def test_a_refused_game_does_not_keep_the_next_one_back(make, card, central):
    card.write(playing.play(TABLE_1, 1, starter="An"))
    card.write(playing.play(TABLE_1, 2), number=2)
    sync, _ = make(central)
    sync.step()
    assert list(central.counted()) == ["game-2"]


def test_central_with_an_empty_disk_gets_everything_again(make, card, tmp_path, central):
    one = card.write(playing.play(TABLE_1, 1))
    card.write(playing.play(TABLE_1, 2, starter=playing.loser(one)), number=2)
    (tmp_path / "second").mkdir()
    second = Central(tmp_path / "second")
    behind = [central]
    sync, _ = make(lambda request: behind[0](request))
    sync.step()
    behind[0] = second  # no moment of silence between them: only what it lists tells
    sync.step()
    assert second.counted() == central.counted() != {}
    second.close()


def test_the_seating_arrives_once_and_again_when_it_changes(make, card, central):
    sync, news = make(central)
    sync.step()
    sync.step()
    (arrived,) = [one for one in news if isinstance(one, SeatingArrived)]
    assert [player["name"] for player in arrived.seating["players"]] == list(TABLE_1)
    assert (arrived.seating["number"], arrived.seating["starter"]) == (1, None)
    lines = card.write(playing.play(TABLE_1, 1))
    sync.step()
    sync.step()
    later = [one for one in news if isinstance(one, SeatingArrived)][-1]
    assert (later.seating["number"], later.seating["starter"]) == (2, playing.loser(lines))


def test_a_card_from_another_table_is_not_offered_again_and_again(make, card, central):
    card.write(playing.play(playing.NAMES[3:6], 1), table="2", numbers=[4, 5, 6])
    sync, _ = make(central)
    one = playing.play(TABLE_1, 2)
    for _ in range(3):
        sync.step()
    card.write(one)
    for _ in range(3):
        sync.step()
    assert central.results() == ["game-1", "game-2"]


class TestLive:
    def test_lines_arrive_in_order_and_are_never_counted(self, make, central):
        sync, _ = make(central)
        lines = playing.play(TABLE_1, 1)
        for seq, line in enumerate(lines[:12]):
            sync.live("game-1", seq, line)
        sync.step()
        page = central.browser.get("/part/tables").text
        assert 'class="tally"' in page
        assert central.counted() == {}

    def test_central_that_was_restarted_asks_for_the_lines_it_lost(self, make, central):
        sync, _ = make(central)
        lines = playing.play(TABLE_1, 1)
        for seq, line in enumerate(lines[:5]):
            sync.live("game-1", seq, line)
        sync.step()
        central.store.writing(lambda connection: connection.execute(tables.live_line.delete()))
        sync.live("game-1", 5, lines[5])
        sync.step()
        seqs = central.store.reading(
            lambda connection: connection.scalars(tables.sa.select(tables.live_line.c.seq)).all()
        )
        assert sorted(seqs) == [0, 1, 2, 3, 4, 5]

    def test_they_are_bounded_and_nothing_waits(self, make):
        def dead(request):
            raise NoAnswer("no network")

        sync, _ = make(dead)
        for seq in range(3 * syncing.LIVE_LINES_KEPT):
            sync.live("game-1", seq, {})
        assert len(sync._live) == syncing.LIVE_LINES_KEPT

    def test_the_heartbeat_tells_game_seq_queue_and_health(self, make, central):
        sync, _ = make(central)
        sync.health({"camera": True, "temperature_c": 51.5})
        sync.live("game-1", 0, playing.play(TABLE_1, 1)[0])
        sync.step()
        assert central.requests[0] == (
            "POST",
            "/api/heartbeat",
            {
                "table": "1",
                "game": "game-1",
                "seq": 0,
                "queue": 0,
                "health": {"camera": True, "temperature_c": 51.5},
            },
        )


def test_a_picture_that_central_asks_for_is_sent_and_a_missing_one_is_told(make, card, central):
    lines = playing.corrected(playing.play(TABLE_1, 1))
    by_hand = next(seq for seq, line in enumerate(lines) if line["type"] == "throw" and seq != lines[-1]["of"])
    lines[by_hand] = lines[by_hand] | {"source": "touch", "image": "g-1.jpg"}
    lines[lines[-1]["of"]] = lines[lines[-1]["of"]] | {"image": "g-2.jpg"}
    card.write(lines)
    jpeg = pictures.JPEG + b"teerlingen"
    sync, _ = make(central, picture={"g-1.jpg": jpeg}.get)
    for _ in range(3):
        sync.step()
    kept = central.store.reading(lambda connection: pictures.of_games(connection, ["game-1"]))
    assert kept == {"g-1.jpg": (True, True), "g-2.jpg": (True, False)}
    assert central.store.reading(lambda connection: pictures.jpeg(connection, "g-1.jpg")) == jpeg
    assert sum(path.startswith("/api/pictures/") for _, path, _ in central.requests) == 2


def answering(status=200, content=b"{}"):
    return lambda request: (status, content)


def raising(error):
    def handler(request):
        raise error

    return handler


BAD_NETWORKS = {
    "no network": raising(NoAnswer("refused")),
    "a login page of the café": answering(content=b"<html>Welkom! Klik hier</html>"),
    "a redirection": answering(302, b""),
    "a portal's 403": answering(403, b"<html>"),
    "a portal's 404 in JSON": answering(404, b'{"detail": "Not Found"}'),
    "an overloaded one": answering(503, b'{"error": {"code": "x", "message": "x"}}'),
    "too many questions": answering(429, b'{"error": {"code": "x", "message": "x"}}'),
    "an empty object": answering(content=b"{}"),
    "a list": answering(content=b"[1]"),
    "bytes that are no text": answering(content=b"\xff\xfe\x00"),
    "marks that are numbers": answering(content=b'{"seating": 1, "games": 2}'),
    "a refusal of the heartbeat": answering(422, b'{"error": {"code": "x", "message": "x"}}'),
    "an answer that is cut off": answering(content=b'{"seating": "1", "gam'),
}


@pytest.mark.parametrize("handler", BAD_NETWORKS.values(), ids=BAD_NETWORKS.keys())
def test_whatever_answers_in_the_place_of_central_the_game_stays_in_the_queue(make, card, central, handler):
    network = [handler]
    sync, _ = make(lambda request: network[0](request))
    card.write(playing.play(TABLE_1, 1))
    assert sync.step() == syncing.FIRST_RETRY_S
    assert (sync.status.reachable, sync.status.queue) == (False, 1)
    network[0] = central
    sync.step()
    assert (sync.status.reachable, sync.status.queue) == (True, 0)
    assert list(central.counted()) == ["game-1"]


@pytest.mark.parametrize(
    "receipt",
    [
        b"{}",
        b'{"game": "anders", "lines": 9999}',
        b'{"game": "game-1", "lines": 1}',
        b'{"game": "game-1", "lines": "9"}',
    ],
)
def test_a_receipt_that_does_not_fit_is_none(make, card, central, receipt):
    def handler(request):
        if request.url.endswith("/api/results"):
            return 200, receipt
        return central(request)

    sync, _ = make(handler)
    card.write(playing.play(TABLE_1, 1))
    sync.step()
    assert sync.status.queue == 1


def test_pauses_grow_and_start_again_after_contact(make, card, central):
    network = [raising(NoAnswer("no"))]
    sync, _ = make(lambda request: network[0](request))
    assert [sync.step() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    network[0] = central
    assert sync.step() == syncing.HEARTBEAT_S
    network[0] = raising(NoAnswer("no"))
    assert sync.step() == 1


def test_a_result_over_which_central_stumbles_does_not_hold_up_the_others(make, card, central):
    def handler(request):
        if request.url.endswith("/api/results") and json.loads(request.body)["game"] == "game-1":
            return 500, b"Internal Server Error"
        return central(request)

    sync, _ = make(handler)
    one = card.write(playing.play(TABLE_1, 1))
    card.write(playing.play(TABLE_1, 2, starter=playing.loser(one)), number=2)
    sync.step()
    assert list(central.counted()) == ["game-2"]
    assert sync.status.queue == 1


def test_the_last_contact_is_told_on_the_given_clock(make, central):
    clock = Clock()
    sync, news = make(central, clock=clock)
    assert sync.status.last_contact_s is None
    sync.step()
    clock.s = 1042.0
    sync.step()
    assert sync.status.last_contact_s == 1042.0
    assert len([one for one in news if isinstance(one, CentralStatus)]) == 1  # nothing else changed


def test_the_address_that_is_found_is_used_when_the_known_one_is_silent(make, central):
    def handler(request):
        if "//elders:8080/" not in request.url:
            raise NoAnswer("nobody here")
        return central(request)

    sync, _ = make(handler, find=lambda: "http://elders:8080/")
    sync.step()
    sync.step()
    assert sync.status.reachable


class TestPairing:
    @pytest.fixture
    def paired_central(self, tmp_path):
        central = Central(tmp_path, pairing=True)
        yield central
        central.close()

    def test_a_table_shows_its_code_and_is_let_in(self, make, card, paired_central):
        card.write(playing.play(TABLE_1, 1))
        sync, news = make(paired_central)
        sync.step()
        (asked,) = [one for one in news if isinstance(one, PairingAsked)]
        sync.step()
        assert paired_central.counted() == {}
        paired_central.store.writing(lambda connection: terminals.confirm(connection, asked.code))
        sync.step()
        sync.step()
        (paired,) = [one for one in news if isinstance(one, Paired)]
        assert list(paired_central.counted()) == ["game-1"]
        again, news = make(paired_central, token=paired.token)
        again.step()
        assert again.status.reachable

    def test_a_token_that_was_taken_back_asks_for_a_new_code(self, make, card, paired_central):
        sync, news = make(paired_central, token="stolen")
        sync.step()
        assert [type(one) for one in news] == [PairingAsked]
        assert not sync.status.reachable

    def test_a_code_that_ran_out_is_asked_anew(self, make, card, paired_central):
        sync, news = make(paired_central)
        sync.step()
        paired_central.store.writing(lambda connection: connection.execute(terminals.pairing.delete()))
        sync.step()
        sync.step()
        assert len([one for one in news if isinstance(one, PairingAsked)]) == 2


class Lossy:
    """A network that loses questions and answers, doubles them, delivers them late, and sometimes answers itself."""

    def __init__(self, central, seed):
        self.central = central
        self.chance = random.Random(seed)
        self.late = []
        self.good = False

    def __call__(self, request):
        if self.good:
            return self.central(request)
        if self.late and self.chance.random() < 0.3:  # something of long ago arrives now
            self.central(self.late.pop(self.chance.randrange(len(self.late))))
        fate = self.chance.random()
        if fate < 0.2:
            raise NoAnswer("lost on the way there")
        if fate < 0.3:
            self.late.append(request)
            raise NoAnswer("still on its way")
        answer = self.central(request)
        if fate < 0.45:
            raise NoAnswer("lost on the way back")
        if fate < 0.6:
            self.central(request)
        if fate < 0.65:
            return 200, b"<html>Welkom</html>"
        if fate < 0.7:
            return 502, b"bad gateway"
        return answer


@pytest.mark.parametrize("seed", range(12))
def test_over_any_network_every_game_counts_once(make, card, central, tmp_path, seed):
    """Nine games, corrections on the way, a terminal that restarts: central ends with the card's lines, each once."""
    network = Lossy(central, seed)
    chance = random.Random(seed)
    sync, _ = make(network)
    starter = None
    on_card = {}
    for number in (1, 2, 3):
        lines = playing.play(TABLE_1, 10 * seed + number, starter=starter)
        starter = playing.loser(lines)
        card.write(lines, number=number)
        on_card[lines[0]["game"]] = len(lines)
        for _ in range(chance.randrange(3)):
            sync.step()
        if chance.random() < 0.5 and (longer := playing.corrected(lines, seed)):
            card.write(longer, number=number)
            on_card[lines[0]["game"]] = len(longer)
        if chance.random() < 0.3:
            sync, _ = make(network)  # switched off and on
        for _ in range(chance.randrange(4)):
            sync.step()
    network.good = True
    for request in network.late:
        central(request)
    for _ in range(3):
        sync.step()
    assert central.counted() == on_card
    assert sync.status.queue == 0


def test_the_thread_sends_what_it_is_woken_for_and_ends(make, card, central):
    """Without a sleep: every pause of the thread waits on the event that wake() sets."""
    rounds = threading.Semaphore(0)

    def wait(event, seconds):
        rounds.release()
        event.wait(5)

    sync, _ = make(central, wait=wait)
    sync.start()
    assert rounds.acquire(timeout=5)
    card.write(playing.play(TABLE_1, 1))
    sync.wake()
    assert rounds.acquire(timeout=5)
    assert list(central.counted()) == ["game-1"]
    sync.stop()
    sync.stop()
    assert not sync._thread.is_alive()


def test_while_central_is_away_a_new_line_does_not_shorten_the_pause(make):
    waited = []

    def wait(event, seconds):
        waited.append((event, seconds))
        sync._stopping.set()

    sync, _ = make(raising(NoAnswer("no")), wait=wait)
    sync.live("game-1", 0, {})
    sync._run()
    assert waited == [(sync._stopping, syncing.FIRST_RETRY_S)]
