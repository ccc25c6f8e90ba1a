"""Where a module's records live and how they are mapped to kinds and relationship types, as modules.yml says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SourceKind = Literal["json", "csv", "sqlite", "generated"]
ColumnType = Literal["int", "float", "bool", "json"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder; ``path`` is absolute, save for ``generated``: a database that the world's generator makes.

    ``null_text`` is the text that stands for null in a CSV file.
    """

    kind: SourceKind
    path: str
    null_text: str | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """Which records a mapping walks: a path into a JSON document, or a table (of a folder of CSV files: a file)."""

    each: str | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True)
class RecordMapping:
    """How records become nodes of a kind. Expressions are paths (``^.user_id``) or templates (``{{ a }}-{{ b }}``)."""

    kind: str
    rows: Rows
    id: str
    visibility: str
    context: str = "main"
    fields: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    observed_at: str | None = None
    revision: str | None = None


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
