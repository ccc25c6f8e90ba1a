"""The SQLite file: embedded store, with D1's limits, so that what runs here runs there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock, get_ident

import apsw

from lens_dsl.aggregates_sql import COMMITS
from lens_dsl.errors import ExecutionError, StoreError
from lens_dsl.plan import Statement
from lens_dsl.sql import MAX_GROUPS, READS, SCOPES, groups_sought, scopes_allowed, scopes_searched
from lens_runtime.adapters.refusals import (
    not_built,
    other_policy,
    other_version,
    other_world,
    too_many_groups,
    too_many_scopes,
)
from lens_runtime.adapters.sqlite_connection import mapped, open_committer, open_reader, open_writer
from lens_runtime.adapters.sqlite_lock import WriterLock
from lens_runtime.ports import Cell, Deadline, Reading
from lens_runtime.projection.schema import VERSION
from lens_runtime.projection.sql import INSPECTIONS, WRITES
from lens_runtime.scope import Scope

STEPS = 2_000  # of SQLite's machine between two looks at the clock: well under a millisecond

Rows = tuple[tuple[Cell, ...], ...]


class SqliteStore:
    """One world's projection in a file. Threads may share it: each read takes a connection of its own.

    ``read_only`` refuses ``write``, ``writing`` and ``commit``. A missing file is StoreError (NotBuilt) when it
    is read.
    """

    def __init__(self, path: Path | str, *, world: str, read_only: bool = False) -> None:
        self._path = Path(path)
        self._world = world
        self._read_only = read_only
        self._readers: list[apsw.Connection] = []
        self._pool = Lock()
        self._writer: apsw.Connection | None = None
        self._committer: apsw.Connection | None = None
        self._turn = RLock()
        self._writing: int | None = None  # the thread that does
        self._lock = WriterLock(self._path)
        self._closed = False

    def read(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> Reading:
        """Rows of fixed statements, all from one snapshot; ``?1`` of each is the actor's scopes.

        StoreError (NotBuilt, SchemaVersion, ...), ExecutionError (DeadlineExceeded) after which the store is usable.
        """
        deadline.check()
        if scope.world != self._world:
            raise other_world(self._world, scope.world)
        with self._reader() as connection, _deadline(connection, deadline), _snapshot(connection):
            self._check_built(connection, scope)
            scopes = _scopes(connection, scope)
            for statement in statements:
                _check_groups(statement, scopes)
            bound = _bound(scopes)
            results = tuple(
                _rows(connection, READS, statement, (bound, *statement.parameters))
                for statement in statements
            )
        return Reading(results, len(statements), 1, None)

    def commit(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> None:
        """Keep what a session made, as one transaction beside whatever build may run; waits at most 5 seconds.

        StoreError (ReadOnly) where the store was opened so.
        """
        if self._read_only:
            raise StoreError("ReadOnly", f"{self._path} was opened for reading only")
        deadline.check()
        if scope.world != self._world:
            raise other_world(self._world, scope.world)
        with self._turn, mapped(self._path):
            self._open_check()
            self._committer = connection = self._committer or open_committer(self._path)
            with connection:
                self._check_built(connection, scope)
                stamps = (_bound(_scopes(connection, scope)), scope.world, scope.context)
                for statement in statements:
                    connection.execute(_text(COMMITS, statement), (*stamps, *statement.parameters))

    def inspect(self, statements: Sequence[Statement]) -> Reading:
        """Rows of the compiler's and the operator's fixed statements, all from one snapshot."""
        if self._writing == get_ident():
            with mapped(self._path):
                return self._inspect(self._open_writer(), statements)
        with self._reader() as connection:
            return self._inspect(connection, statements)

    def write(self, statements: Sequence[Statement]) -> None:
        """Run fixed statements as one transaction: all of them, or none."""
        with self.writing(), mapped(self._path):
            connection = self._open_writer()
            with connection:
                for statement in statements:
                    connection.execute(_text(WRITES, statement), statement.parameters)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one writer of this file. StoreError (StoreBusy) names the process that is, after 5 seconds."""
        if self._read_only:
            raise StoreError("ReadOnly", f"{self._path} was opened for reading only")
        self._open_check()
        with mapped(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._turn, self._lock.held():
            outer, self._writing = self._writing, get_ident()
            try:
                yield
            finally:
                self._writing = outer

    def close(self) -> None:
        """Close every connection. A read under way in another thread closes its own when it ends."""
        with self._turn, self._pool:
            self._closed = True
            connections = (*self._readers, self._writer, self._committer)
            self._readers, self._writer, self._committer = [], None, None
            for connection in connections:
                if connection is not None:
                    connection.close()

    def _inspect(self, connection: apsw.Connection, statements: Sequence[Statement]) -> Reading:
        with _snapshot(connection):
            results = tuple(_rows(connection, INSPECTIONS, one, one.parameters) for one in statements)
        return Reading(results, len(statements), 1, None)

    def _open_writer(self) -> apsw.Connection:
        self._open_check()
        if self._writer is None:
            self._writer = open_writer(self._path)
        return self._writer

    @contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        self._open_check()
        if not self._path.exists():
            raise not_built(self._world)
        with self._pool:
            connection = self._readers.pop() if self._readers else None
        with mapped(self._path):
            connection = connection or open_reader(self._path)
            try:
                yield connection
            finally:
                with self._pool:
                    keep = not self._closed
                    if keep:
                        self._readers.append(connection)
                if not keep:
                    connection.close()

    def _open_check(self) -> None:
        if self._closed:
            raise StoreError("StoreClosed", f"the store {self._path} was closed")

    def _check_built(self, connection: apsw.Connection, scope: Scope) -> None:
        tables = connection.execute(INSPECTIONS["schema_exists"]).fetchall()
        if not tables[0][0]:
            raise not_built(self._world)
        version = connection.execute(INSPECTIONS["schema_version"]).fetchall()
        if version != [(VERSION,)]:
            raise other_version(self._world)
        live = connection.execute(INSPECTIONS["live"]).fetchall()
        if [row[0] for row in live] != [self._world]:
            raise not_built(self._world)
        if live[0][3] != scope.policy_revision:
            raise other_policy(self._world)


def _check_groups(statement: Statement, scopes: Mapping[str, Sequence[Cell]]) -> None:
    if statement.name == "traverse":
        request = str(statement.parameters[1])
        groups = groups_sought(request, scopes)
    elif statement.name == "search":
        request = str(statement.parameters[0])
        groups = scopes_searched(request, scopes)
    else:
        return
    most, allowed = max(map(len, scopes.values()), default=0), scopes_allowed(request)
    if most > allowed:
        raise too_many_scopes(f"{most} scopes of one kind, and {allowed}")
    if groups > MAX_GROUPS:
        raise too_many_groups(groups)


def _scopes(connection: apsw.Connection, scope: Scope) -> dict[str, list[Cell]]:
    """What this actor may see, by kind."""
    scopes: dict[str, list[Cell]] = {}
    for kind, vis in connection.execute(SCOPES, (scope.world, scope.context, scope.actor.id)):
        scopes.setdefault(str(kind), []).append(vis)
    return scopes


def _bound(scopes: Mapping[str, Sequence[Cell]]) -> str:
    return json.dumps(scopes, ensure_ascii=False, separators=(",", ":"))


def _text(known: Mapping[str, str], statement: Statement) -> str:
    try:
        return known[statement.name]
    except KeyError:
        raise StoreError("UnknownStatement", f"no fixed statement is called {statement.name!r}") from None


def _rows(
    connection: apsw.Connection, known: Mapping[str, str], statement: Statement, parameters: tuple[Cell, ...]
) -> Rows:
    return tuple(connection.execute(_text(known, statement), parameters).fetchall())


@contextmanager
def _snapshot(connection: apsw.Connection) -> Iterator[None]:
    """Everything read inside is of one moment."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # an interrupted statement may have ended it
            connection.execute("ROLLBACK")


@contextmanager
def _deadline(connection: apsw.Connection, deadline: Deadline) -> Iterator[None]:
    """Stop a statement once the time is up; the connection stays usable."""
    connection.set_progress_handler(lambda: deadline.remaining() <= 0, STEPS)
    try:
        yield
    except apsw.InterruptError as problem:
        raise ExecutionError(
            "DeadlineExceeded", "the time for this query ran out while the store was reading"
        ) from problem
    finally:
        connection.set_progress_handler(None)
