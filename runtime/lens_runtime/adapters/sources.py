"""What a module reader needs of the place its records lie in, and what the file sources share."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from lens_dsl.errors import ReaderError
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.record import RecordReader
from lens_runtime.ports import Deadline
from lens_runtime.worlds.modules import ColumnType, Rows
from lens_runtime.worlds.records import DataFault

T = TypeVar("T")
Stamp = tuple[int, int]
CHECK_EVERY = 1_000


class RecordSource(Protocol):
    """A place with raw records.

    ``rows`` and ``find`` raise ReaderError (``ReaderUnavailable``) where it cannot be reached, DataFault where
    it is reached and cannot be understood, MappingFault where a record does not fit.
    """

    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every raw record of a table or path, streamed, in the source's own order."""

    def find(self, reader: RecordReader, ids: Sequence[str], deadline: Deadline) -> Mapping[str, Row]:
        """The raw records with these ids, as they are now; what is not there is left out."""

    def place(self, rows: Rows, row: Row | None) -> str:
        """Where these records lie, or where one of them does, in words."""


def unavailable(module: str, why: str, hint: str | None = None) -> ReaderError:
    """The error for a module whose source cannot be read."""
    return ReaderError("ReaderUnavailable", f"module {module}: {why}", retryable=True, hint=hint)


class WatchedFile(Generic[T]):
    """A file's parsed content, kept until the file changes (by modification time and size)."""

    def __init__(self, module: str, path: Path, parse: Callable[[Path], T]) -> None:
        self._module = module
        self._path = path
        self._parse = parse
        self._lock = threading.Lock()
        self._kept: tuple[Stamp, T] | None = None

    def content(self) -> tuple[Stamp, T]:
        """The content, with the stamp that tells one state of the file from the next."""
        with self._lock:
            try:
                status = self._path.stat()
                stamp = (status.st_mtime_ns, status.st_size)
                if self._kept is None or self._kept[0] != stamp:
                    self._kept = (stamp, self._parse(self._path))
            except OSError as fault:
                why = f"its file {self._path.name} cannot be read: {fault.strerror}"
                raise unavailable(self._module, why) from fault
            except DataFault as fault:
                raise DataFault(f"its file {self._path.name} {fault}") from None
            return self._kept


class FileSource(ABC):
    """A source that is read whole; records are found by an index that lives as long as the file's content."""

    def __init__(self) -> None:
        self._indexes: dict[str, tuple[Stamp, Mapping[str, Row]]] = {}
        self._lock = threading.Lock()

    @abstractmethod
    def stamp(self, rows: Rows) -> Stamp:
        """What tells one state of the records from the next."""

    @abstractmethod
    def rows(self, rows: Rows, types: Mapping[str, ColumnType]) -> Iterator[Row]:
        """Every raw record of a table or path."""

    @abstractmethod
    def place(self, rows: Rows, row: Row | None) -> str:
        """Where these records lie, or where one of them does, in words."""

    def find(self, reader: RecordReader, ids: Sequence[str], deadline: Deadline) -> Mapping[str, Row]:
        """The raw records with these ids, as they are now."""
        index = self._index(reader, deadline)
        return {record_id: index[record_id] for record_id in ids if record_id in index}

    def _index(self, reader: RecordReader, deadline: Deadline) -> Mapping[str, Row]:
        mapping = reader.mapping
        with self._lock:
            stamp = self.stamp(mapping.rows)
            kept = self._indexes.get(mapping.kind)
            if kept is None or kept[0] != stamp:
                kept = (stamp, self._built(reader, deadline))
                self._indexes[mapping.kind] = kept
            return kept[1]

    def _built(self, reader: RecordReader, deadline: Deadline) -> Mapping[str, Row]:
        index: dict[str, Row] = {}
        for position, row in enumerate(self.rows(reader.mapping.rows, reader.mapping.types)):
            if position % CHECK_EVERY == 0:
                deadline.check()
            record_id = reader.id(row)
            if record_id is None:
                raise MappingFault(f"a {reader.mapping.kind} has no id")
            if record_id in index:
                raise MappingFault(f"two records of {reader.mapping.kind} have the same id")
            index[record_id] = row
        return index
