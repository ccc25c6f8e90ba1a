"""Records in a CSV file, or in a folder of them: a table is then a file's name without ``.csv``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.sources import FileSource, Stamp, WatchedFile
from lens_runtime.worlds.modules import ColumnType, Rows, Source
from lens_runtime.worlds.records import read_table

Line = tuple[int, Mapping[str, str | None]]


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
        for position, (line, cells) in enumerate(lines):
            try:
                record = typed(cells, types)
            except MappingFault as fault:
                raise MappingFault(f"in line {line} {fault}") from None
            yield Row(record, position, line=line)

    def place(self, rows: Rows, row: Row | None) -> str:
        """The file, and the line a record begins in."""
        name = self._at(rows).name
        return name if row is None else f"{name}, line {row.line}"

    def _at(self, rows: Rows) -> Path:
        return self._path / f"{rows.table}.csv" if rows.table is not None else self._path

    def _file(self, rows: Rows) -> WatchedFile[list[Line]]:
        path = self._at(rows)
        return self._files.setdefault(path, WatchedFile(self._module, path, self._parse))

    def _parse(self, path: Path) -> list[Line]:
        header, records = read_table(path)
        return [
            (
                line,
                {
                    name: None if cell == self._null else cell
                    for name, cell in zip(header, cells, strict=True)
                },
            )
            for line, cells in records
        ]
