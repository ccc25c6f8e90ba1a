"""What a fault of a module's data is called: in a build configuration, else a record that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lens_dsl.errors import ConfigurationError, ReaderError
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.sources import RecordSource, unavailable
from lens_runtime.worlds.modules import RecordMapping, RelationshipMapping, Rows
from lens_runtime.worlds.records import DataFault
from lens_runtime.worlds.templates import TemplateFault

FAULTS = (MappingFault, TemplateFault, RecursionError)
"""What a record that does not fit its mapping raises."""


@dataclass(frozen=True, slots=True)
class RawRecords:
    """A module's raw records as a build reads them: where they are at fault, so is the configuration.

    Raises ConfigurationError (``RecordUnreadable``) that names module, kind or type, file and, where known, line.
    """

    module: str
    source: RecordSource

    def of(self, what: str, mapping: RecordMapping | RelationshipMapping) -> Iterator[Row]:
        """The raw records of a mapping, their cells typed."""
        with self.at(what, mapping.rows):
            yield from self.source.rows(mapping.rows, mapping.types)

    def untyped(self, what: str, rows: Rows) -> Iterator[Row]:
        """The raw records of a table or path, their cells as they stand."""
        with self.at(what, rows):
            yield from self.source.rows(rows, {})

    @contextmanager
    def at(self, what: str, rows: Rows, row: Row | None = None) -> Iterator[None]:
        """Let the faults of ``row``, or of all these rows, out under their name and with their place."""
        try:
            yield
        except DataFault as fault:
            raise ConfigurationError(
                "RecordUnreadable",
                f"module {self.module}, {what}: {fault}",
                hint="correct the file, then build again",
            ) from None
        except FAULTS as fault:
            raise ConfigurationError(
                "RecordUnreadable",
                f"module {self.module}, {what}: {told(fault)} ({self.source.place(rows, row)})",
                hint=f"correct the record, or the mapping of {what} in modules.yml",
            ) from None


@contextmanager
def asked(module: str, what: str) -> Iterator[None]:
    """Let the faults of a source that a reader was asked for out as ReaderError."""
    try:
        yield
    except DataFault as fault:
        raise unavailable(module, str(fault)) from None
    except FAULTS as fault:
        raise ReaderError("RecordUnreadable", f"module {module}, {what}: {told(fault)}") from None


def told(fault: Exception) -> str:
    """The fault in words; never a value of the record."""
    return "it is nested too deeply" if isinstance(fault, RecursionError) else str(fault)
