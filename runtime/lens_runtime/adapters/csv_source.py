"""Records in a CSV file, or in a folder of them: a table is then a file's name without ``.csv`` or ``.csv.zip``."""

from __future__ import annotations

import csv
import io
import marshal
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.record import RecordReader
from lens_runtime.adapters.sources import FileSource, Stamp, indexed, reading, stamp_of
from lens_runtime.ports import Deadline
from lens_runtime.worlds.modules import ColumnType, Rows, Source, csv_files


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
        header = next(lines)
        for position, cells in enumerate(lines):
            yield self.row(header, cells, position, types)

    def row(
        self, header: Sequence[str], cells: Sequence[str], position: int, types: Mapping[str, ColumnType]
    ) -> Row:
        """A line as a raw record, its cells typed and null where they hold the text for it."""
        record: dict[str, object] = dict(zip(header, cells, strict=True))
        null = self._source.null_text
        if null is not None and null in cells:
            record = {name: None if cell == null else cell for name, cell in record.items()}
        return Row(typed(record, types), position)

    def _built(self, reader: RecordReader, deadline: Deadline) -> Mapping[str, Row]:
        mapping = reader.mapping
        # An id is made of few columns; all the others are typed once their record is asked for.
        types = {name: wanted for name, wanted in mapping.types.items() if name in mapping.id}
        lines = self._lines(self._file(mapping.rows))
        header = next(lines)
        rows = (
            (self.row(header, cells, position, types), marshal.dumps((position, cells)))
            for position, cells in enumerate(lines)
        )
        return _Index(self, header, mapping.types, indexed(rows, reader, deadline))

    def _file(self, rows: Rows) -> Path:
        files = csv_files(self._source, rows.table)
        return next((file for file in files if file.is_file()), files[0])

    def _lines(self, path: Path) -> Iterator[list[str]]:
        """The header, then the cells of each line."""
        with reading(self._module, path), _opened(path) as file:
            reader = csv.reader(file, strict=True)
            try:
                yield from _checked(reader)
            except csv.Error as fault:
                raise MappingFault(f"line {reader.line_num}: {fault}") from None


@dataclass(frozen=True, slots=True)
class _Index(Mapping[str, Row]):
    """Records by id, each a few bytes until it is asked for: a file may have hundreds of thousands."""

    source: CsvSource
    header: Sequence[str]
    types: Mapping[str, ColumnType]
    packed: Mapping[str, bytes]

    def __getitem__(self, record_id: str) -> Row:
        position, cells = marshal.loads(self.packed[record_id])
        return self.source.row(self.header, cells, position, self.types)

    def __contains__(self, record_id: object) -> bool:
        return record_id in self.packed

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)


def _checked(lines: Iterator[list[str]]) -> Iterator[list[str]]:
    header = next(lines, None)
    if header is None:
        raise MappingFault("it has no header line")
    if len(set(header)) < len(header):
        raise MappingFault("two columns have the same name")
    yield header
    for number, cells in enumerate(lines, start=1):
        if len(cells) == len(header):
            yield cells
        elif cells:
            raise MappingFault(f"record {number} has {len(cells)} cells, the header has {len(header)}")


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """A CSV file's text; of a ``.zip``, that of the member that is called like it."""
    if path.suffix != ".zip":
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
        return
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise MappingFault("it is no zip file") from None
    with archive:
        if path.stem not in archive.namelist():
            raise MappingFault(f"it holds no file {path.stem}")
        with archive.open(path.stem) as member:
            yield io.TextIOWrapper(member, encoding="utf-8-sig", newline="")
