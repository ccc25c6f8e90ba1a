"""Both stores, each with a compiler's side and a reader for every actor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from lens_dsl.aggregates_sql import COMMITS
from lens_dsl.plan import Statement
from lens_dsl.sql import READS, SCOPES
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.ports import Store
from lens_runtime.projection.sql import DROP, INSPECTIONS, WRITES
from tests.stores import statements
from tests.stores.model import WORLD
from tests.stores.workerd import WRITER_KEY, Gateway, binary, gateway, token


@dataclass(frozen=True, slots=True)
class Place:
    """One empty database: what the compiler opens, what an actor opens, and one that may keep what it made."""

    kind: str
    where: str
    compiler: Callable[[], Store]
    reader: Callable[[str], Store]
    keeper: Callable[[str], Store]


@contextmanager
def extra_statements() -> Iterator[None]:
    """Fixed statements that only these tests run: dumps of the derived tables, plans, a slow one."""
    plans = {**INSPECTIONS, **WRITES, **READS, **COMMITS, "actor_scopes": SCOPES}
    explained = {f"explain_{name}": f"EXPLAIN QUERY PLAN {text}" for name, text in plans.items()}
    with (
        patch.dict(INSPECTIONS, {**explained, **statements.INSPECTIONS}),
        patch.dict(WRITES, statements.WRITES),
        patch.dict(READS, statements.READS),
    ):
        yield


@pytest.fixture(autouse=True)
def with_extra_statements() -> Iterator[None]:
    """They are there in each of these tests, and in no other."""
    with extra_statements():
        yield


@pytest.fixture(scope="session")
def d1(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """The gateway on workerd, for the whole session."""
    program = binary()
    with extra_statements():
        folder = tmp_path_factory.mktemp("gateway")
        write_worker(folder)
    with gateway(program, folder, WORLD) as running:
        yield running


@pytest.fixture(params=["sqlite", "d1"])
def empty(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Place]]:
    """A factory of empty databases: on D1 it empties the one there is."""
    with ExitStack() as opened:

        def keep(store: Store) -> Store:
            opened.callback(store.close)
            return store

        def sqlite() -> Place:
            path = tmp_path_factory.mktemp("store") / "graph.sqlite"
            return Place(
                "sqlite",
                str(path),
                lambda: keep(SqliteStore(path, world=WORLD)),
                lambda actor: keep(SqliteStore(path, world=WORLD, read_only=True)),
                lambda actor: keep(SqliteStore(path, world=WORLD)),
            )

        def remote() -> Place:
            running: Gateway = request.getfixturevalue("d1")
            keep(D1GatewayStore(running.url, writer_key=WRITER_KEY)).write([Statement(name) for name in DROP])
            return Place(
                "d1",
                running.url,
                lambda: keep(D1GatewayStore(running.url, writer_key=WRITER_KEY)),
                lambda actor: keep(D1GatewayStore(running.url, token(actor))),
                lambda actor: keep(D1GatewayStore(running.url, token(actor, may=("commit",)))),
            )

        yield sqlite if request.param == "sqlite" else remote


@pytest.fixture
def place(empty: Callable[[], Place]) -> Place:
    """One empty database."""
    return empty()


@pytest.fixture
def store(place: Place) -> Store:
    """The compiler's side of an empty database."""
    return place.compiler()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where a SQLite file may be made."""
    return tmp_path / "graph.sqlite"
