"""Records in one JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from lens_runtime.adapters.mapping import MappingFault, Row, walk
from lens_runtime.adapters.sources import FileSource, Stamp, WatchedFile
from lens_runtime.worlds.modules import ColumnType, Rows, Source


class JsonSource(FileSource):
    """A JSON document, walked by the ``each`` path of a mapping."""

    def __init__(self, module: str, source: Source) -> None:
        super().__init__()
        self._file = WatchedFile(module, Path(source.path), _parse)

    def stamp(self, rows: Rows) -> Stamp:
        """The file's state."""
        return self._file.content()[0]

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every record that the path reaches."""
        if rows.each is None:
            raise MappingFault("a JSON file needs 'each'")
        return walk(self._file.content()[1], rows.each)


def _parse(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8-sig"))
