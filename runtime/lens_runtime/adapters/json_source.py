"""Records in one JSON file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lens_runtime.adapters.mapping import MappingFault, Row, walk
from lens_runtime.adapters.sources import FileSource, Stamp, WatchedFile
from lens_runtime.worlds.modules import ColumnType, Rows, Source
from lens_runtime.worlds.records import read_json


class JsonSource(FileSource):
    """A JSON document, walked by the ``each`` path of a mapping."""

    def __init__(self, module: str, source: Source) -> None:
        super().__init__()
        self._path = Path(source.path)
        self._file = WatchedFile(module, self._path, read_json)

    def stamp(self, rows: Rows) -> Stamp:
        """The file's state."""
        return self._file.content()[0]

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every record that the path reaches."""
        if rows.each is None:
            raise MappingFault("a JSON file needs 'each'")
        return walk(self._file.content()[1], rows.each)

    def place(self, rows: Rows, row: Row | None) -> str:
        """The file, and the keys or positions that a record stands under."""
        keys: list[str] = []
        while row is not None:
            keys.insert(0, str(row.key))
            row = row.parent
        at = f", {rows.each} at {' / '.join(keys)}" if keys else ""
        return f"{self._path.name}{at}"
