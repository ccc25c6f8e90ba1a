"""Records in the tables of an SQLite database, opened read-only for each use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import apsw

from lens_dsl.errors import ReaderError
from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.record import RecordReader
from lens_runtime.adapters.sources import unavailable
from lens_runtime.ports import Deadline
from lens_runtime.worlds.modules import ColumnType, Rows, Source
from lens_runtime.worlds.records import DataFault

BUSY_MS = 1_000
STEPS_BETWEEN_CHECKS = 10_000


class SqliteSource:
    """Tables of a database; a record's id is a column, so that records are sought and never scanned for."""

    def __init__(self, module: str, source: Source) -> None:
        self._module = module
        self._path = Path(source.path)
        self._generated = source.kind == "generated"

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every record of the table or view, in the order of its primary key, else of all its columns."""
        with closing(self._connect()) as connection:
            order = ", ".join(map(_quoted, self._order(connection, rows.table))) or "1"
            statement = f"SELECT * FROM {_quoted(rows.table)} ORDER BY {order}"
            yield from self._records(connection, statement, (), types)

    def find(self, reader: RecordReader, ids: Sequence[str], deadline: Deadline) -> Mapping[str, Row]:
        """The records whose id column holds one of these ids."""
        mapping = reader.mapping
        statement = (
            f"SELECT * FROM {_quoted(mapping.rows.table)} "
            f"WHERE {_quoted(mapping.id)} IN (SELECT value FROM json_each(?1))"
        )
        deadline.check()
        with closing(self._connect()) as connection:
            connection.set_progress_handler(lambda: deadline.remaining() <= 0, STEPS_BETWEEN_CHECKS)
            try:
                rows = list(self._records(connection, statement, (json.dumps(list(ids)),), mapping.types))
            except ReaderError:
                deadline.check()
                raise
        asked = set(ids)
        return {record_id: row for row in rows if (record_id := reader.id(row)) in asked}

    def place(self, rows: Rows, row: Row | None) -> str:
        """The database and the table, and a record's position, from 1, in the order it is read."""
        at = f", row {int(str(row.key)) + 1} in the order of its key" if row is not None else ""
        return f"{self._path.name}, table {rows.table}{at}"

    def _connect(self) -> apsw.Connection:
        try:
            connection = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)
            connection.set_busy_timeout(BUSY_MS)
            # Else a quoted name that is no column would be taken for a text, and nothing be found.
            connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        except apsw.Error as fault:
            raise self._fault(fault) from fault
        return connection

    def _order(self, connection: apsw.Connection, table: str | None) -> list[str]:
        try:
            columns = list(
                connection.execute("SELECT name, pk FROM pragma_table_info(?1) ORDER BY pk", (table,))
            )
            keys = [str(name) for name, position in columns if position]
            return keys or [str(name) for name, _ in columns]
        except apsw.Error as fault:
            raise self._fault(fault) from fault

    def _records(
        self,
        connection: apsw.Connection,
        statement: str,
        bindings: tuple[str, ...],
        types: Mapping[str, ColumnType],
    ) -> Iterator[Row]:
        try:
            cursor = connection.execute(statement, bindings)
            names: list[str] | None = None
            for position, cells in enumerate(cursor):
                if names is None:
                    names = [str(column[0]) for column in cursor.get_description()]
                yield Row(typed(dict(zip(names, cells, strict=True)), types), position)
        except apsw.Error as fault:
            raise self._fault(fault) from fault
        except UnicodeDecodeError as fault:
            byte = fault.object[fault.start]
            raise DataFault(
                f"its database {self._path.name} holds a text that is not UTF-8: byte 0x{byte:02x}"
            ) from None

    def _fault(self, fault: apsw.Error) -> ReaderError | MappingFault | DataFault:
        if isinstance(fault, apsw.SQLError):
            return MappingFault(f"{fault} in {self._path.name}")
        if isinstance(fault, apsw.NotADBError | apsw.CorruptError):
            return DataFault(f"its file {self._path.name} is no SQLite database, or is damaged")
        hint = "build the world first: its generator makes this database" if self._generated else None
        why = f"its database {self._path.name} cannot be read: {type(fault).__name__}"
        return unavailable(self._module, why, hint)


def _quoted(name: str | None) -> str:
    if name is None:
        raise MappingFault("an SQLite database needs 'table'")
    return '"' + name.replace('"', '""') + '"'
