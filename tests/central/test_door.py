"""What an attacker on the Wi-Fi does with connections: many that say nothing, and requests that come in drops."""

from __future__ import annotations

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState

from central import door


class Clock:
    """An event loop, as far as a connection needs one: notes what is to happen later, runs nothing."""

    def __init__(self):
        self.later = []

    def call_later(self, seconds, what):
        handle = Handle(seconds, what)
        self.later.append(handle)
        return handle

    def create_task(self, coroutine, **options):
        coroutine.close()
        return Handle(0, None)

    @property
    def due(self):
        return [handle.seconds for handle in self.later if not handle.cancelled]


class Handle:
    def __init__(self, seconds, what):
        self.seconds, self.what, self.cancelled = seconds, what, False

    def cancel(self):
        self.cancelled = True

    def add_done_callback(self, what):
        pass


class Wire:
    """A transport from one address."""

    def __init__(self, address):
        self.address, self.closed, self.aborted = address, False, False

    def get_extra_info(self, name):
        return {"peername": (self.address, 5), "sockname": ("192.0.2.1", 80)}.get(name)

    def close(self):
        self.closed = True

    def abort(self):
        self.aborted = True

    def is_closing(self):
        return self.closed

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


@pytest.fixture
def opened():
    config = uvicorn.Config(lambda scope, receive, send: None, http=door.Door, log_config=None)
    config.load()
    state = ServerState()

    def open_one(address="192.0.2.7"):
        clock, wire = Clock(), Wire(address)
        connection = door.Door(config, state, {}, _loop=clock)
        connection.connection_made(wire)
        return connection, clock, wire

    return open_one


def test_a_connection_that_says_nothing_is_closed(opened):
    _, clock, wire = opened()
    assert clock.due == [door.SLOWEST_HEAD_S]
    clock.later[0].what()
    assert wire.closed


def test_a_head_that_comes_in_drops_does_not_win_time(opened):
    connection, clock, _ = opened()
    for drop in (b"GET / HT", b"TP/1.1\r\n", b"Host: x\r\n"):
        connection.data_received(drop)
        assert len(clock.later) == 1
    assert clock.due == [door.SLOWEST_HEAD_S]


def test_a_whole_request_is_waited_for_no_more_and_the_next_one_again(opened):
    connection, clock, _ = opened()
    connection.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert clock.due == []
    connection.conn.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
    connection.conn.send(h11.EndOfMessage())
    connection.cycle.response_complete = True
    connection.on_response_complete()
    assert clock.due == [connection.timeout_keep_alive]
    connection.data_received(b"G")
    assert clock.due == [door.SLOWEST_HEAD_S]
    connection.connection_lost(None)
    assert clock.due == []


def test_one_address_holds_so_many_and_others_still_come_in(opened, monkeypatch):
    monkeypatch.setattr(door, "MOST_OF_ONE", 3)
    assert [opened()[2].aborted for _ in range(5)] == [False] * 3 + [True] * 2
    assert not opened("192.0.2.8")[2].aborted


def test_an_address_of_ipv6_is_its_network_so_that_nobody_has_many(opened, monkeypatch):
    monkeypatch.setattr(door, "MOST_OF_ONE", 1)
    assert [opened(f"2001:db8::{k}")[2].aborted for k in range(3)] == [False, True, True]
    assert not opened("2001:db8:0:1::1")[2].aborted


def test_this_machine_itself_is_not_counted(opened, monkeypatch):
    monkeypatch.setattr(door, "MOST_OF_ONE", 1)
    assert not any(opened("127.0.0.1")[2].aborted for _ in range(3))


def test_pages_are_kept_nowhere_and_style_is_asked_for_again(stranger):
    """After an update of central an old script must not meet a new page."""
    assert stranger.get("/").headers["cache-control"] == "no-store"
    answer = stranger.get("/static/live.js")
    assert answer.headers["cache-control"] == "no-cache"
    again = stranger.get("/static/live.js", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
