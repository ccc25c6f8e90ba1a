"""The store that the conformance tests run on: a SQLite file, or D1 on workerd behind its gateway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pytest

from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.ports import Store
from tests.conformance.graphs import WORLD, Asked, Graphs, in_sqlite, load
from tests.conformance.report import failures
from tests.share import is_full
from tests.stores.workerd import WRITER_KEY, binary, gateway, token

T = TypeVar("T")
Case = Mapping[str, Any]
SHARE = 10


def graphs_on(store: str, queries: Iterable[Asked]) -> AbstractContextManager[Graphs]:
    """The graphs of these queries on a store."""
    return in_d1(queries) if store == "d1" else in_sqlite(queries)


def share_of(cases: Sequence[T], store: str, request: pytest.FixtureRequest) -> Sequence[T]:
    """All of the cases; on D1 some of them, unless the run is a full one or D1 was asked for."""
    whole = store != "d1" or is_full() or request.config.getoption("--store") == "d1"
    return cases if whole else cases[::SHARE]


def check_all(
    name: str,
    cases: Sequence[Case],
    store: str,
    request: pytest.FixtureRequest,
    asked: Callable[[Case], Asked],
    outcome: Callable[[Graphs, Case], str],
) -> None:
    """Ask every case, or the share of them, report the outcomes under this name, and let none be a failure."""
    cases = share_of(cases, store, request)
    with graphs_on(store, map(asked, cases)) as graphs:
        outcomes = {case["id"]: outcome(graphs, case) for case in cases}
    report = request.config.pluginmanager.get_plugin("conformance-report")
    assert report is not None
    report.outcomes[f"{name}, {store}"] = outcomes
    assert len(outcomes) == len(cases) > 0
    assert failures(outcomes) == {}


@contextmanager
def in_d1(queries: Iterable[Asked]) -> Iterator[Graphs]:
    """On D1, in a runtime of its own; the test is skipped where that is not installed."""
    program = binary()
    with TemporaryDirectory() as name, ExitStack() as stores:
        write_worker(Path(name))
        running = stores.enter_context(gateway(program, Path(name), WORLD))
        compiler = D1GatewayStore(running.url, writer_key=WRITER_KEY)
        stores.callback(compiler.close)

        @cache
        def reader(actor: str) -> Store:
            store = D1GatewayStore(running.url, token(actor, expires_in=3_600))
            stores.callback(store.close)
            return store

        yield load(compiler, reader, queries)
