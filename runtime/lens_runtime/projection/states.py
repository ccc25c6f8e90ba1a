"""What a module says of a record or a relationship, as far as the projection may keep it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lens_runtime.graph import Coordinate
from lens_runtime.scope import UNGUARDED


@dataclass(frozen=True, slots=True)
class NodeState:
    """A record: ``properties`` are its declared keys, indexed and projected properties, nothing else.

    ``keys`` are the properties a query may start from; ``guard`` is ``-`` or ``field=value``
    (``None`` where the guarding field is null: only actors with ``any`` see it).
    ``observed_at`` is in milliseconds since 1970 UTC.
    """

    coordinate: Coordinate
    revision: str
    label: str
    visibility: str
    context: str = "main"
    guard: str | None = UNGUARDED
    summary: str | None = None
    observed_at: int | None = None
    keys: tuple[str, ...] = ("id",)
    properties: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EdgeState:
    """A relationship, with the record that asserts it. Its target need not exist (yet)."""

    type: str
    source: Coordinate
    target: Coordinate
    visibility: str
    provenance_module: str
    provenance_entity_id: str
    provenance_revision: str
    provenance_event_id: str | None = None
    context: str = "main"
    observed_at: int | None = None
    properties: Mapping[str, object] = field(default_factory=dict)
