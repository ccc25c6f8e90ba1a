"""Records in a CSV file, or in a folder of them: a table is then a file's name without ``.csv``."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.sources import FileSource, Stamp, WatchedFile
from lens_runtime.worlds.modules import ColumnType, Rows, Source

Line = Mapping[str, str | None]


class CsvSource(FileSource):
    """UTF-8 CSV with a header line; a cell is text unless the mapping's ``types`` say otherwise."""

    def __init__(self, module: str, source: Source) -> None:
        super().__init__()
        self._module = module
        self._path = Path(source.path)
        self._null = source.null_text
        self._files: dict[Path, WatchedFile[list[Line]]] = {}

    def stamp(self, rows: Rows) -> Stamp:
        """The file's state."""
        return self._file(rows).content()[0]

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every line below the header; ``@`` is a line's position, from 0."""
        _, lines = self._file(rows).content()
        return (Row(typed(line, types), position) for position, line in enumerate(lines))

    def _file(self, rows: Rows) -> WatchedFile[list[Line]]:
        path = self._path / f"{rows.table}.csv" if rows.table is not None else self._path
        return self._files.setdefault(path, WatchedFile(self._module, path, self._parse))

    def _parse(self, path: Path) -> list[Line]:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            try:
                return self._lines(reader)
            except csv.Error as fault:
                raise MappingFault(f"line {reader.line_num}: {fault}") from None

    def _lines(self, reader: Iterator[list[str]]) -> list[Line]:
        header = next(reader, None)
        if header is None:
            raise MappingFault("it has no header line")
        if len(set(header)) < len(header):
            raise MappingFault("two columns have the same name")
        return [self._line(header, cells, number) for number, cells in enumerate(reader, start=1) if cells]

    def _line(self, header: list[str], cells: list[str], number: int) -> Line:
        if len(cells) != len(header):
            raise MappingFault(f"record {number} has {len(cells)} cells, the header has {len(header)}")
        return {name: None if cell == self._null else cell for name, cell in zip(header, cells, strict=True)}
