"""A deadline and an interrupt stop what is under way at once, and what was stopped can be used again."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lens_dsl.errors import ExecutionError
from lens_dsl.plan import Statement
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.ports import Store
from tests.stores.model import WORLD, Facts, Patience, party, project, scope

SOON, AT_ONCE = 0.1, 0.05
HELD = [Statement("scopes_held")]


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of what takes a request and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def interrupted_soon() -> Iterator[Callable[[], float]]:
    """Ctrl-C, a moment from now; what it gives says when that was."""
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(SOON, interrupt)
    timer.start()
    try:
        yield lambda: sent[0]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def delay(read: Callable[[], object], expected: type[BaseException], started: Callable[[], float]) -> float:
    """How long after it should have the reading stopped."""
    with pytest.raises(expected):
        read()
    return time.monotonic() - started()


def least(measure: Callable[[], float]) -> float:
    """The least of three: a busy machine makes one of them late."""
    return min(measure() for _ in range(3))


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Store]:
    store = SqliteStore(tmp_path / "graph.sqlite", world=WORLD)
    project(store, Facts(nodes={"people": [party("p1")], "desk": []}))
    yield store
    store.close()


def test_a_deadline_stops_a_statement_within_50_ms(sqlite):
    def once() -> float:
        deadline = MonotonicDeadline.after(SOON)
        return delay(
            lambda: sqlite.read([Statement("slow")], scope("root"), deadline),
            ExecutionError,
            lambda: deadline.at,
        )

    assert least(once) < AT_ONCE
    assert sqlite.read(HELD, scope("root"), Patience()).results


def test_an_interrupt_stops_a_statement_within_50_ms(sqlite):
    def once() -> float:
        with interrupted_soon() as when:
            return delay(
                lambda: sqlite.read([Statement("slow")], scope("root"), Patience()), KeyboardInterrupt, when
            )

    assert least(once) < AT_ONCE
    assert sqlite.read(HELD, scope("root"), Patience()).results


def test_a_deadline_stops_a_call_over_http_at_once(silent):
    store = D1GatewayStore(silent, "a token")

    def once() -> float:
        deadline = MonotonicDeadline.after(SOON)
        return delay(lambda: store.read(HELD, scope("root"), deadline), ExecutionError, lambda: deadline.at)

    assert least(once) < AT_ONCE
    store.close()


def test_an_interrupt_stops_a_call_over_http_and_the_client_goes_on(silent):
    store = D1GatewayStore(silent, "a token")

    def once() -> float:
        with interrupted_soon() as when:
            return delay(lambda: store.read(HELD, scope("root"), Patience()), KeyboardInterrupt, when)

    assert least(once) < AT_ONCE
    deadline = MonotonicDeadline.after(SOON)
    assert delay(lambda: store.read(HELD, scope("root"), deadline), ExecutionError, lambda: deadline.at) < 1
    store.close()
