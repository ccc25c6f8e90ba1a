"""What the embedded engine tells the doctor of a SQLite file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import apsw

from lens_runtime.adapters.refusals import not_built
from lens_runtime.adapters.sqlite_connection import LIMITS, mapped, open_examiner
from lens_runtime.adapters.sqlite_lock import WriterLock
from lens_runtime.ports import EngineFacts
from lens_runtime.projection.plans import PLANNED, parameters

MOST_FAULTS = 10
_NAMES = {
    number: name.removeprefix("SQLITE_LIMIT_")
    for name, number in apsw.mapping_limits.items()
    if isinstance(name, str) and isinstance(number, int)
}


class SqliteExaminer:
    """Reads a graph's file as the store would, with a connection of its own for each question."""

    def __init__(self, path: Path, *, world: str) -> None:
        self._path = path
        self._world = world

    @property
    def file(self) -> str:
        """The file's path."""
        return str(self._path)

    def facts(self) -> EngineFacts:
        """SQLite's version and compile options, the limits of the store's connections, the file's size."""
        with self._connection() as connection:
            options = {str(name) for (name,) in connection.execute("PRAGMA compile_options")}
            limits = {_NAMES[number]: (connection.limit(number), wanted) for number, wanted in LIMITS.items()}
            pages, page = connection.pragma("page_count"), connection.pragma("page_size")
        writer = WriterLock(self._path).holder()
        size = int(str(pages)) * int(str(page))
        return EngineFacts(apsw.sqlite_lib_version(), frozenset(options), limits, size, writer)

    def faults(self) -> tuple[str, ...]:
        """What ``PRAGMA integrity_check`` finds; a file that cannot be read at all is one fault."""
        try:
            with self._open() as connection:
                rows = connection.execute(f"PRAGMA integrity_check({MOST_FAULTS})").fetchall()
        except (apsw.NotADBError, apsw.CorruptError) as problem:
            return (str(problem),)
        lines = [line for (text,) in rows for line in str(text).splitlines()]
        return () if lines == ["ok"] else tuple(lines[:MOST_FAULTS])

    def plans(self) -> Mapping[str, tuple[str, ...]]:
        """What ``EXPLAIN QUERY PLAN`` says of each statement."""
        with self._connection() as connection:
            return {
                name: tuple(
                    str(row[3])
                    for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", (None,) * parameters(text))
                )
                for name, text in PLANNED.items()
            }

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        with mapped(self._path), self._open() as connection:
            yield connection

    @contextmanager
    def _open(self) -> Iterator[apsw.Connection]:
        if not self._path.exists():
            raise not_built(self._world)
        connection = open_examiner(self._path)
        try:
            yield connection
        finally:
            connection.close()
