"""The table's messages to central: finished games from the card, live lines, a heartbeat; seatings back.

The outbox is the card itself: what central does not list, or lists with fewer lines, is offered again, so nothing is
remembered here that a power cut could take away. Play never waits for any of this. Paths and keys: docs/interface.md.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
import urllib.parse
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from terminal import web

log = logging.getLogger(__name__)

SERVICE = "_pitjesbak._tcp.local."  # what central announces
HEARTBEAT_S = 2.0
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 30.0
LIVE_LINES_KEPT = 4_000  # a game of eight players with many stripes has some 1,000
LIVE_LINES_A_MESSAGE = 200


class CentralUnreachable(OSError):  # named for what happened
    """Central did not answer, or something else answered in its place: try again later."""


class CentralFailed(CentralUnreachable):
    """Central answered that it could not do this one now (408, 429, 5xx)."""


class TokenRefused(CentralUnreachable):
    """Central does not know this table's token (any more): the table must be paired."""


class ResultRefused(ValueError):  # named for what happened
    """Central read the result and refused it; offering the same lines again would change nothing."""


class SyncStatus(NamedTuple):
    """How things stand with central."""

    reachable: bool = False
    queue: int = 0  # finished games that central does not have yet
    last_contact_s: float | None = None  # on the injected clock; None: never yet
    complete_s: float | None = None  # when the last round began that brought central everything on the card
    refused: tuple[str, ...] = ()  # one sentence for each result that central refused


class SeatingArrived(NamedTuple):
    """Central says where this table sits now. `seating` and `next` as in docs/interface.md."""

    seating: Mapping[str, object] | None
    next: Sequence[Mapping[str, object]] = ()


class CentralStatus(NamedTuple):
    """The status changed."""

    status: SyncStatus


class PairingAsked(NamedTuple):
    """Show this code until the organiser has typed it."""

    code: str


class Paired(NamedTuple):
    """The organiser let this table in: keep the token and give it to the next Sync."""

    token: str


SyncNews = SeatingArrived | CentralStatus | PairingAsked | Paired


def find_central(timeout_s: float = 3.0) -> str | None:
    """The address of a central that announces itself in this network by mDNS; None: none heard in that time.

    For `Sync(find=find_central)`: asked when the known address is silent. Many café networks block multicast.
    """
    import zeroconf

    heard: queue.SimpleQueue[str] = queue.SimpleQueue()

    def on_change(
        zeroconf: zeroconf.Zeroconf, service_type: str, name: str, state_change: zeroconf.ServiceStateChange
    ) -> None:
        info = zeroconf.get_service_info(service_type, name, timeout=int(timeout_s * 1000))
        if info is not None:
            for address in info.parsed_addresses():
                heard.put(f"http://{address}:{info.port}")

    try:
        with zeroconf.Zeroconf(ip_version=zeroconf.IPVersion.V4Only) as network:
            zeroconf.ServiceBrowser(network, SERVICE, handlers=[on_change])
            return heard.get(timeout=timeout_s)
    except queue.Empty:
        return None
    except (OSError, zeroconf.Error) as error:
        log.info("Looking for central failed: %s", error)
        return None


def result_message(lines: Sequence[Mapping[str, object]], state: Mapping[str, object]) -> dict[str, object]:
    """The message for a finished game: its journal's lines and the state they fold to (contract, section 5).

    The journal's first line carries who played where: `evening`, `seating`, `number`, `kind`, `table`, `numbers`.
    """
    begin = lines[0]
    message = {key: begin.get(key) for key in ("evening", "game", "kind", "table", "seating", "number", "numbers")}
    return message | {
        "reglement": begin.get("reglement"),
        "ranking": state.get("ranking"),
        "points": state.get("points"),
        "journal": [dict(line) for line in lines],
    }


def _query(**values: str | Sequence[str]) -> str:
    return urllib.parse.urlencode(values, doseq=True)


class _Card(NamedTuple):
    """What is known of a journal file without reading it again."""

    size: int
    game: str | None  # None: nothing to send (a false start)
    table: str | None
    lines: int


class Sync:
    """Keeps central up to date from a thread of its own; `step` does one round and can be called without the thread.

    finished: the journals on the card that central should have, oldest first.
    message: the contract's message out of one of them, or None when there is nothing to send (a false start).
    find: asked for another address when the known one is silent, `find_central` for instance.
    picture: the JPEG of that name (an `image` of the journal), or None when it is gone; sent only when central asks.
    post: gets the news, called from the thread. clock, wait and send are injected for tests; wait(event, seconds)
    returns when the event is set or the seconds are over.
    """

    def __init__(
        self,
        url: str,
        table: str,
        token: str | None,
        finished: Callable[[], Iterable[Path]],
        message: Callable[[Path], Mapping[str, object] | None],
        post: Callable[[SyncNews], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], object] = threading.Event.wait,
        send: Callable[[web.Request], tuple[int, bytes]] = web.ask,
        find: Callable[[], str | None] | None = None,
        picture: Callable[[str], bytes | None] | None = None,
    ) -> None:
        self._url = url.rstrip("/")
        self._table = table
        self._token = token
        self._finished = finished
        self._message = message
        self._post = post
        self._clock = clock
        self._wait = wait
        self._send = send
        self._find = find
        self._picture = picture
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._status = SyncStatus()
        # shared with the loop's thread
        self._lock = threading.Lock()
        self._live: deque[tuple[int, Mapping[str, object]]] = deque(maxlen=LIVE_LINES_KEPT)
        self._live_game: str | None = None
        self._live_sent = 0  # lines with a lower seq are at central
        self._health: Mapping[str, object] = {}
        # only the sync thread's
        self._card: dict[Path, _Card] = {}
        self._listed: dict[str, int] = {}  # game -> lines at central, as far as known
        self._refused: dict[str, tuple[int, str]] = {}  # game -> lines, sentence
        self._marks: dict[str, object] = {}
        self._secret: str | None = None
        self._retry_s = FIRST_RETRY_S

    # -- called by the loop; none of these waits ------------------------------------------------------------------

    def live(self, game_id: str, seq: int, line: Mapping[str, object]) -> None:
        """Show central an accepted line. Best effort: kept in memory, bounded, never counted."""
        with self._lock:
            if game_id != self._live_game:
                self._live_game = game_id
                self._live.clear()
                self._live_sent = 0
            self._live.append((seq, line))
        self._woken.set()

    def health(self, mapping: Mapping[str, object]) -> None:
        """What the next heartbeat tells of this table."""
        with self._lock:
            self._health = dict(mapping)

    def wake(self) -> None:
        """A game is finished, or a finished one was corrected: look at the card now."""
        self._woken.set()

    @property
    def url(self) -> str:
        """Where central was last looked for."""
        return self._url

    @property
    def status(self) -> SyncStatus:
        """How things stand; a new record whenever something changed."""
        return self._status

    # -- the thread -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin; a second call changes nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="sync", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End after the request that is under way; may be called twice."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stopping.is_set():
            pause = self.step()
            # while central is away no line of a game shortens the wait
            self._wait(self._woken if self._status.reachable else self._stopping, pause)

    def step(self) -> float:
        """One round: heartbeat, seating, results, live lines. Gives the seconds until the next is due."""
        self._woken.clear()
        began_s = self._clock()
        try:
            self._round()
        except TokenRefused:
            return self._pair()
        except CentralUnreachable as error:
            return self._unreachable(error)
        except ResultRefused as refusal:  # of a question that cannot be refused: another program, or another version
            return self._unreachable(CentralUnreachable(str(refusal)))
        self._retry_s = FIRST_RETRY_S
        complete_s = began_s if self._status.queue == 0 else self._status.complete_s
        self._tell(self._status._replace(reachable=True, last_contact_s=self._clock(), complete_s=complete_s))
        return HEARTBEAT_S

    def _unreachable(self, error: CentralUnreachable) -> float:
        if self._status.reachable:
            log.warning("Central is not reachable: %s. The games stay on the card and are sent later.", error)
        self._marks.clear()  # it may come back with an older disk: ask for everything
        self._tell(self._status._replace(reachable=False, queue=self._count_queue()))
        if self._find is not None and (found := self._find()) is not None:
            self._url = found.rstrip("/")
        pause, self._retry_s = self._retry_s, min(self._retry_s * 2, LONGEST_RETRY_S)
        return pause

    def _round(self) -> None:
        with self._lock:
            game = self._live_game
            seq = self._live[-1][0] if self._live else None
            health = self._health
        answer = self._ask(
            "POST",
            "/api/heartbeat",
            {"table": self._table, "game": game, "seq": seq, "queue": self._status.queue, "health": health},
        )
        if not isinstance(answer.get("seating"), str) or not isinstance(answer.get("games"), str):
            raise CentralUnreachable("the heartbeat's answer is not central's")
        if answer["seating"] != self._marks.get("seating"):
            self._fetch_seating()
        if answer["games"] != self._marks.get("games"):
            self._fetch_list()
        self._offer()
        self._send_live()
        self._send_pictures(answer.get("pictures"))

    def _fetch_seating(self) -> None:
        answer = self._ask("GET", f"/api/seating?{_query(table=self._table)}")
        seating, following = answer.get("seating"), answer.get("next", [])
        if not isinstance(seating, dict | None) or not isinstance(following, list):
            raise CentralUnreachable("the seating is not central's")
        self._post(SeatingArrived(seating, following))
        self._marks["seating"] = answer.get("mark")

    def _fetch_list(self) -> None:
        # a card may come from another table
        cards = [self._look(path) for path in self._finished()]
        elsewhere = [card.game for card in cards if card.game is not None and card.table != self._table]
        answer = self._ask("GET", f"/api/games?{_query(table=self._table, game=elsewhere)}")
        games, refused = answer.get("games"), answer.get("refused", {})
        if not isinstance(games, dict) or not isinstance(refused, dict):
            raise CentralUnreachable("the list of games is not central's")
        self._listed = {game: lines for game, lines in games.items() if isinstance(lines, int)}
        for game, lines in refused.items():
            if isinstance(lines, int) and game not in self._refused:
                self._refused[game] = (lines, "Dit spel werd door centraal geweigerd.")
        for game in self._listed.keys() & self._refused.keys():
            if self._listed[game] >= self._refused[game][0]:
                del self._refused[game]  # the organiser let it count after all
        self._marks["games"] = answer.get("mark")

    def _offer(self) -> None:
        """Everything on the card that central lacks, oldest first.

        A result over which central stumbles does not keep the later ones from being offered.
        """
        failure: CentralFailed | None = None
        for path in self._finished():
            if self._stopping.is_set():
                return
            card = self._look(path)
            if not self._lacking(card):
                continue
            message = self._message(path)
            if message is None:
                continue
            journal = message["journal"]
            assert card.game is not None and isinstance(journal, list)
            try:
                self._deliver(card.game, len(journal), message)
            except ResultRefused as refusal:
                log.error("Central refused game %s: %s", card.game, refusal)
                self._refused[card.game] = (len(journal), str(refusal))
            except CentralFailed as error:
                failure = error
        self._tell(
            self._status._replace(
                queue=self._count_queue(), refused=tuple(sentence for _, sentence in self._refused.values())
            )
        )
        if failure is not None:
            raise failure

    def _deliver(self, game: str, lines: int, message: Mapping[str, object]) -> None:
        answer = self._ask("POST", "/api/results", message)
        held = answer.get("lines")
        if answer.get("game") != game or not isinstance(held, int) or held < lines:
            raise CentralUnreachable("the receipt does not fit the result")
        self._listed[game] = held
        self._refused.pop(game, None)
        self._marks.pop("games", None)

    def _look(self, path: Path) -> _Card:
        """Which game is in the file and how long it is; read again only when the file grew."""
        size = path.stat().st_size
        card = self._card.get(path)
        if card is None or card.size != size:
            message = self._message(path)
            if message is None:
                card = _Card(size, None, None, 0)
            else:
                game, journal = message["game"], message["journal"]
                assert isinstance(game, str) and isinstance(journal, list)
                card = _Card(size, game, str(message["table"]), len(journal))
            self._card[path] = card
        return card

    def _lacking(self, card: _Card) -> bool:
        if card.game is None or self._listed.get(card.game, 0) >= card.lines:
            return False
        return card.game not in self._refused or self._refused[card.game][0] < card.lines

    def _count_queue(self) -> int:
        return sum(self._lacking(self._look(path)) for path in self._finished())

    def _send_live(self) -> None:
        while not self._stopping.is_set():
            with self._lock:
                game = self._live_game
                lines = [{"seq": seq, "line": line} for seq, line in self._live if seq >= self._live_sent]
            if game is None or not lines:
                return
            sent = lines[:LIVE_LINES_A_MESSAGE]
            try:
                answer = self._ask("POST", "/api/live", {"table": self._table, "game": game, "lines": sent})
            except ResultRefused as refusal:
                log.info("Central does not show the live lines of game %s: %s", game, refusal)
                answer = {}
            after = int(str(sent[-1]["seq"])) + 1
            wanted = answer.get("next")
            with self._lock:
                if game != self._live_game:
                    continue
                oldest = self._live[0][0]
                # central may ask for lines that it missed, as long as they are still here
                again = isinstance(wanted, int) and oldest <= wanted < sent[0]["seq"]  # type: ignore[operator]  # our own int
                self._live_sent = int(str(wanted)) if again else after

    def _send_pictures(self, names: object) -> None:
        """What central would like to see; nothing is lost when it does not arrive."""
        if self._picture is None or not isinstance(names, list):
            return
        for name in names:
            if not isinstance(name, str) or self._stopping.is_set():
                return
            where = f"/api/pictures/{urllib.parse.quote(name, safe='')}?{_query(table=self._table)}"
            try:
                self._ask("PUT", where, content=self._picture(name) or b"")
            except ResultRefused as refusal:
                log.info("Central does not want picture %s: %s", name, refusal)

    # -- pairing --------------------------------------------------------------------------------------------------

    def _pair(self) -> float:
        """Ask to be let in, then ask whether the organiser has typed the code."""
        try:
            if self._secret is None:
                answer = self._ask("POST", "/api/pair", {"table": self._table})
                secret, code = answer.get("secret"), answer.get("code")
                if not isinstance(secret, str) or not isinstance(code, str):
                    raise CentralUnreachable("the pairing code is not central's")
                self._secret = secret
                self._post(PairingAsked(code))
            else:
                answer = self._ask("POST", "/api/pair/token", {"secret": self._secret})
                token = answer.get("token")
                if isinstance(token, str):
                    self._token, self._secret = token, None
                    self._post(Paired(token))
                    return 0.0
        except ResultRefused:
            self._secret = None  # the code ran out: ask for another
        except CentralUnreachable as error:
            return self._unreachable(error)
        self._tell(self._status._replace(reachable=False, queue=self._count_queue()))
        return HEARTBEAT_S

    # -- HTTP -----------------------------------------------------------------------------------------------------

    def _ask(
        self, method: str, path: str, body: Mapping[str, object] | None = None, content: bytes | None = None
    ) -> dict[str, object]:
        """One request and the JSON object that answers it."""
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        try:
            status, received = self._send(web.Request(method, self._url + path, headers, content))
        except web.NoAnswer as error:
            raise CentralUnreachable(str(error)) from error
        return self._understand(status, received)

    def _understand(self, status: int, content: bytes) -> dict[str, object]:
        if status >= 500 or status in (408, 429):
            raise CentralFailed(f"status {status}")
        try:
            answer = json.loads(content)
        except ValueError:  # broken JSON, or bytes that are no UTF-8
            answer = None
        if not isinstance(answer, dict):
            raise CentralUnreachable(f"status {status} without JSON: that is not central")
        if 200 <= status < 300:
            return answer
        error = answer.get("error")
        if not isinstance(error, dict):
            raise CentralUnreachable(f"status {status}")
        if status == 401:
            raise TokenRefused("central does not know this table")
        raise ResultRefused(str(error.get("message", error.get("code", status))))

    def _tell(self, status: SyncStatus) -> None:
        """Keep the status and, when something else than the times changed, post it."""
        before, self._status = self._status, status
        if before != status._replace(last_contact_s=before.last_contact_s, complete_s=before.complete_s):
            self._post(CentralStatus(status))
