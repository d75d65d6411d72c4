"""terminal/web.py against a server that answers with any bytes."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from terminal import web
from terminal.web import NoAnswer, Request, ask

Answering = Callable[[socket.socket], None]


class Server:
    """Takes one connection; `heard` is what came first over it."""

    def __init__(self, answering: Answering) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.heard = b""
        self.answering = answering
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self.socket.accept()
            with connection:
                self.heard = connection.recv(65536)
                self.answering(connection)

    def close(self) -> None:
        self.socket.close()
        self.thread.join(5)


@pytest.fixture
def serve() -> Iterator[Callable[[bytes | Answering], Server]]:
    servers = []

    def begin(answer: bytes | Answering) -> Server:
        server = Server((lambda connection: connection.sendall(answer)) if isinstance(answer, bytes) else answer)
        servers.append(server)
        return server

    yield begin
    for server in servers:
        server.close()


def test_a_question_and_its_answer(serve: Callable[[bytes], Server]) -> None:
    server = serve(b"HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\njuist and more")
    request = Request("POST", f"{server.url}/api/pair?table=1&game=a", {"Authorization": "Bearer x"}, b"{}")
    assert ask(request, 5) == (201, b"juis")
    assert server.heard.startswith(b"POST /api/pair?table=1&game=a HTTP/1.1\r\n")
    assert b"\r\nAuthorization: Bearer x\r\n" in server.heard


@pytest.mark.parametrize(
    ("answer", "understood"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: http://portal/\r\nContent-Length: 0\r\n\r\n", (302, b"")),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", (200, b"{}")),
        (b"HTTP/1.0 200 OK\r\n\r\n{}", (200, b"{}")),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 7\r\n\r\nno gzip", (200, b"no gzip")),
    ],
)
def test_what_any_server_may_answer(
    serve: Callable[[bytes], Server], answer: bytes, understood: tuple[int, bytes]
) -> None:
    assert ask(Request("GET", serve(answer).url), 5) == understood


def endlessly(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + 70_000 * b"x",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort",
        endlessly,
    ],
    ids=["nothing", "another service", "a long line", "no chunk", "a chunk cut off", "no end"],
)
def test_what_is_no_answer(serve: Callable[[bytes | Answering], Server], answer: bytes | Answering) -> None:
    with pytest.raises(NoAnswer):
        ask(Request("GET", serve(answer).url), 5)


def test_who_is_silent_is_not_waited_for(serve: Callable[[Answering], Server]) -> None:
    over = threading.Event()
    server = serve(lambda connection: over.wait(5) and None)
    began_s = time.monotonic()
    with pytest.raises(NoAnswer, match="timed out"):
        ask(Request("GET", server.url), 0.05)
    over.set()
    assert time.monotonic() - began_s < 2


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "http://", "http://a:99999", "http://a..b/", "http://a:x/", "http://127.0.0.1/a b"]
)
def test_nobody_there_and_addresses_that_are_none(url: str) -> None:
    with pytest.raises(NoAnswer):
        ask(Request("GET", url), 1)


def test_a_refusal_before_everything_was_heard_is_understood(serve: Callable[[bytes], Server]) -> None:
    def refuse(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}")
        connection.shutdown(socket.SHUT_RD)
        for _ in range(200):  # so that closing does not take the answer back
            connection.recv(1_000_000)

    server = serve(refuse)  # type: ignore[arg-type]
    assert ask(Request("PUT", server.url, {}, bytes(30_000_000)), 5)[0] == 413


def test_a_refusal_is_understood_though_he_hangs_up(serve: Callable[[bytes], Server]) -> None:
    def refuse(connection: socket.socket) -> None:
        connection.recv(100_000)
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}")
        time.sleep(0.2)  # what was sent meanwhile is unread, so that hanging up resets the connection

    server = serve(refuse)  # type: ignore[arg-type]
    assert ask(Request("PUT", server.url, {}, bytes(30_000_000)), 5)[0] == 413


def test_a_server_over_tls_must_be_known(serve: Callable[[bytes], Server]) -> None:
    server = serve(b"HTTP/1.1 200 OK\r\n\r\n")
    with pytest.raises(NoAnswer, match="SSL"):
        ask(Request("GET", server.url.replace("http", "https")), 5)
    assert web._authorities().verify_mode.name == "CERT_REQUIRED"
