"""Records in a CSV file, or in a folder of them: a table is then a file's name without ``.csv`` or ``.csv.zip``."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.record import RecordReader
from lens_runtime.adapters.sources import FileSource, Stamp, indexed, reading, stamp_of
from lens_runtime.ports import Deadline
from lens_runtime.worlds.modules import ColumnType, Rows, Source, csv_file
from lens_runtime.worlds.records import read_table

Line = tuple[int, int, list[str]]
"""A record's position, the line it begins in, and its cells."""


class CsvSource(FileSource):
    """UTF-8 CSV with a header line; a cell is text unless the mapping's ``types`` say otherwise.

    Files are read line by line and never held whole; what is kept of them is an index of their records' cells.
    """

    def __init__(self, module: str, source: Source) -> None:
        super().__init__()
        self._module = module
        self._source = source

    def stamp(self, rows: Rows) -> Stamp:
        """The file's state."""
        path = self._file(rows)
        with reading(self._module, path):
            return stamp_of(path)

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every line below the header, streamed; ``@`` is a line's position, from 0."""
        lines = self._lines(self._file(rows))
        _, header = next(lines)
        for position, (number, cells) in enumerate(lines):
            yield self.row(header, (position, number, cells), types)

    def place(self, rows: Rows, row: Row | None) -> str:
        """The file, and the line a record begins in."""
        name = self._file(rows).name
        return name if row is None else f"{name}, line {row.line}"

    def row(self, header: Sequence[str], line: Line, types: Mapping[str, ColumnType]) -> Row:
        """A line as a raw record, its cells typed and null where they hold the text for it."""
        position, number, cells = line
        record: dict[str, object] = dict(zip(header, cells, strict=True))
        null = self._source.null_text
        if null is not None and null in cells:
            record = {name: None if cell == null else cell for name, cell in record.items()}
        try:
            return Row(typed(record, types), position, line=number)
        except MappingFault as fault:
            raise MappingFault(f"in line {number} {fault}") from None

    def _built(self, reader: RecordReader, deadline: Deadline) -> Mapping[str, Row]:
        mapping = reader.mapping
        # An id is made of few columns; all the others are typed once their record is asked for.
        types = {name: wanted for name, wanted in mapping.types.items() if name in mapping.id}
        lines = self._lines(self._file(mapping.rows))
        _, header = next(lines)
        read = ((position, number, cells) for position, (number, cells) in enumerate(lines))
        rows = ((self.row(header, line, types), marshal.dumps(line)) for line in read)
        return _Index(self, header, mapping.types, indexed(rows, reader, deadline))

    def _file(self, rows: Rows) -> Path:
        return csv_file(self._source, rows.table)

    def _lines(self, path: Path) -> Iterator[tuple[int, list[str]]]:
        """The header, then the cells of each record; with the line that each begins in."""
        with reading(self._module, path):
            yield from read_table(path)


@dataclass(frozen=True, slots=True)
class _Index(Mapping[str, Row]):
    """Records by id, each a few bytes until it is asked for: a file may have hundreds of thousands."""

    source: CsvSource
    header: Sequence[str]
    types: Mapping[str, ColumnType]
    packed: Mapping[str, bytes]

    def __getitem__(self, record_id: str) -> Row:
        return self.source.row(self.header, marshal.loads(self.packed[record_id]), self.types)

    def __contains__(self, record_id: object) -> bool:
        return record_id in self.packed

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)
