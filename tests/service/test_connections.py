"""Nobody without a token can hold the service's connections, or fill its log."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from lens_runtime.service.connections import BoundedConnection, most_connections
from lens_runtime.service.listening import Scarcity, server_of

HALF = b"POST /context HTTP/1.1\r\nHost: x\r\n"
WITH_BODY = HALF + b"Content-Length: 500\r\n\r\n"
Address = tuple[str, int]


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers at once, without reading the request."""
    if scope["type"] == "lifespan":
        for part in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{part}.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def before_that(work: Callable[[Send], object]) -> ASGIApp:
    """An application that does something first."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await work(send)  # type: ignore[misc]
        await answering(scope, receive, send)

    return app


@contextmanager
def listening(app: ASGIApp = answering, most: int = 50) -> Iterator[Address]:
    """The address of an application behind the service's own server."""
    with socket.create_server(("127.0.0.1", 0)) as bound:
        server = server_of(app, most)
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield bound.getsockname()
        finally:
            server.should_exit = True
            thread.join()


def told(connection: socket.socket) -> bytes:
    """All that comes until the other side closes; TimeoutError where it does not."""
    content = b""
    try:
        while part := connection.recv(65_536):
            content += part
    except ConnectionResetError:
        pass
    return content


def opened(address: Address, content: bytes) -> socket.socket:
    connection = socket.create_connection(address, timeout=5)
    connection.sendall(content)
    return connection


@pytest.mark.parametrize("begun", [b"", HALF, WITH_BODY, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" + HALF])
def test_a_request_that_does_not_end_is_given_up(monkeypatch, begun):
    monkeypatch.setattr(BoundedConnection, "request_seconds", 0.3)
    with listening() as address, opened(address, begun) as connection:
        began = time.monotonic()
        for _ in range(5):
            time.sleep(0.03)
            connection.sendall(b"x")
        told(connection)
        assert time.monotonic() - began < 3


def test_an_answer_may_take_longer_than_a_request(monkeypatch):
    monkeypatch.setattr(BoundedConnection, "request_seconds", 0.1)
    with listening(before_that(lambda send: asyncio.sleep(0.4))) as (host, port):
        assert httpx.get(f"http://{host}:{port}/").text == "ok"


def test_who_does_not_read_the_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(BoundedConnection, "reading_seconds", 0.2)
    done = threading.Event()

    async def much(send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(500):
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
        done.set()

    with listening(before_that(much)) as address, opened(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"):
        assert done.wait(5)


def test_beyond_the_ceiling_those_go_that_have_waited_longest(monkeypatch):
    monkeypatch.setattr(BoundedConnection, "request_seconds", 60)
    with listening(most=4) as address, ExitStack() as stack:
        flood = [stack.enter_context(opened(address, HALF)) for _ in range(20)]
        for _ in range(3):
            assert httpx.get(f"http://{address[0]}:{address[1]}/").text == "ok"
        assert [told(connection) for connection in flood[:15]] == [b""] * 15


def test_where_all_are_at_work_one_more_is_told_to_come_again():
    release = threading.Event()

    async def work(send: Send) -> None:
        await asyncio.to_thread(release.wait, 5)

    with listening(before_that(work), most=2) as address, ExitStack() as stack:
        whole = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        busy = [stack.enter_context(opened(address, whole)) for _ in range(2)]
        time.sleep(0.2)
        answer = told(stack.enter_context(opened(address, b"")))
        release.set()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nretry-after: 1\r\n" in answer
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "Overloaded"
        assert all(told(connection).endswith(b"ok") for connection in busy)


@pytest.mark.parametrize("sent", [b"no request\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"])
def test_what_is_no_request_is_refused_in_the_shape_of_every_error(capfd, sent):
    with listening() as address, opened(address, sent) as connection:
        head, _, body = told(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert json.loads(body)["error"].keys() == {"type", "code", "message"}
    assert capfd.readouterr().err == ""


def test_a_request_of_two_lengths_is_refused_and_the_next_one_not_read():
    sent = (
        HALF
        + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    with listening() as address, opened(address, sent) as connection:
        answer = told(connection)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b"not both" in answer


def test_there_are_fewer_connections_than_descriptors():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        assert most_connections() == 128
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_that_none_can_be_opened_is_logged_once(caplog):
    loop = asyncio.new_event_loop()
    scarcity = Scarcity()
    for _ in range(100):
        scarcity(loop, {"message": "socket.accept() out of system resource"})
    scarcity(loop, {"message": "something else"})
    loop.close()
    assert [record.name for record in caplog.records] == ["lens_runtime.service.listening", "asyncio"]
