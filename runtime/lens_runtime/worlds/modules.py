"""Where a module's records live and how they are mapped to kinds and relationship types, as modules.yml says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

SourceKind = Literal["json", "csv", "sqlite", "generated", "http", "graph"]
ColumnType = Literal["int", "float", "bool", "json"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder; ``path`` is absolute, save for ``generated``: a database that the world's generator makes.

    ``null_text`` is the text that stands for null in a CSV file. ``package`` is the installed Python package
    whose files these are. ``feed`` is the table of a database that holds its change feed. A module that is
    read over ``http`` has its URL for a path. A ``graph`` is the JSON file of an open world.
    """

    kind: SourceKind
    path: str
    null_text: str | None = None
    package: str | None = None
    feed: str | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """Which records a mapping walks: a path into a JSON document, or a table (of a folder of CSV files: a file)."""

    each: str | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True)
class RecordMapping:
    """How records become nodes of a kind. Expressions are paths (``^.user_id``) or templates (``{{ a }}-{{ b }}``).

    ``computed`` names, by property, a callable ``package.module:function`` that gives its value at read time.
    ``base`` is the table that is written where the records are read from a view.
    """

    kind: str
    rows: Rows
    id: str
    visibility: str
    context: str = "main"
    fields: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    observed_at: str | None = None
    revision: str | None = None
    computed: Mapping[str, str] = field(default_factory=dict)
    base: str | None = None


@dataclass(frozen=True, slots=True)
class RelationshipMapping:
    """How records become relationships of a type; a null at either end is no relationship."""

    type: str
    rows: Rows
    source_kind: str
    source: str
    target_kind: str
    target: str
    fields: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    observed_at: str | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """A business module: its source, and the records and relationships it owns."""

    name: str
    source: Source
    records: tuple[RecordMapping, ...] = ()
    relationships: tuple[RelationshipMapping, ...] = ()

    def record(self, kind: str) -> RecordMapping | None:
        """The mapping of that kind, if the module has it."""
        return next((mapping for mapping in self.records if mapping.kind == kind), None)


def csv_files(source: Source, table: str | None) -> tuple[Path, ...]:
    """The files that may hold a table of a CSV source, plain before zipped; without a table, the source itself."""
    if table is None:
        return (Path(source.path),)
    return tuple(Path(source.path) / f"{table}{suffix}" for suffix in (".csv", ".csv.zip"))


def csv_file(source: Source, table: str | None) -> Path:
    """The file that holds a table of a CSV source; the first that may hold it, where there is none."""
    files = csv_files(source, table)
    return next((file for file in files if file.is_file()), files[0])
