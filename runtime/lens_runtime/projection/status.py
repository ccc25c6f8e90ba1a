"""What the projection holds, counted and exported: the operator's view, never an actor's."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lens_dsl.errors import StoreError
from lens_dsl.plan import Statement
from lens_runtime.ports import Cell, Store
from lens_runtime.projection.generations import Live, live, schema_version
from lens_runtime.projection.states import Position
from lens_runtime.projection.tables import PAGE

_NODE = (
    "id",
    "world",
    "context",
    "module",
    "entity_type",
    "entity_id",
    "module_revision",
    "label",
    "summary",
    "visibility",
    "guard",
    "observed_at",
    "keys",
    "properties",
)
_EDGE = (
    "id",
    "from_node_id",
    "edge_type",
    "to_node_id",
    "provenance_module",
    "provenance_entity_id",
    "provenance_revision",
    "provenance_event_id",
    "visibility",
    "observed_at",
    "properties",
    "source_missing",
    "target_missing",
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a module is projected: the sequence number of its last change, and when it was written (ms UTC).

    ``mark`` tells what stands there in the module's feed; it is empty where the module has none.
    """

    cursor: str
    updated_at: int
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The live projection in numbers.

    Per relationship type, ``dangling`` counts edges of which an end is missing, ``absent`` the different records
    that these name, and ``null_references`` what names no other end, as the modules' last snapshots had it.
    """

    live: Live
    nodes: Mapping[str, int]
    edges: Mapping[str, int]
    dangling: Mapping[str, int]
    absent: Mapping[str, int]
    null_references: Mapping[str, int]
    cursors: Mapping[str, Cursor]


def status(store: Store, world: str) -> Status:
    """Counts per kind and type, and the cursors. StoreError (NotBuilt) before the first build."""
    found = built(store, world)
    names = ("count_nodes", "count_edges", "cursors", "null_references")
    nodes, edges, cursors, nulls = store.inspect(
        [Statement(name, (found.generation,)) for name in names]
    ).results
    return Status(
        found,
        {str(kind): int(n or 0) for kind, n in nodes},
        {str(name): int(n or 0) for name, n, _, _ in edges},
        {str(name): int(n or 0) for name, _, n, _ in edges if n},
        {str(name): int(n or 0) for name, _, _, n in edges if n},
        _by_type(nulls),
        {str(module): _cursor(str(cursor), int(at or 0)) for module, cursor, at in cursors},
    )


def _by_type(rows: Iterable[tuple[Cell, ...]]) -> dict[str, int]:
    """Counts of several modules, added up by relationship type."""
    found: Counter[str] = Counter()
    for _, name, n in rows:
        found[str(name)] += int(n or 0)
    return dict(found)


def _cursor(text: str, updated_at: int) -> Cursor:
    position = Position.parse(text)
    return Cursor(str(position.seq), updated_at, position.mark)


def export(store: Store, world: str) -> Iterator[str]:
    """Canonical JSON lines: all nodes, then all edges, by id, without surrogates and ``projected_at``.

    Two builds of the same data export the same lines. StoreError (NotBuilt) before the first build.
    """
    generation = built(store, world).generation
    for table, statement, names in (("node", "export_nodes", _NODE), ("edge", "export_edges", _EDGE)):
        for row in _pages(store, statement, generation):
            values: dict[str, object] = dict(zip(names, row, strict=True))
            for name in ("keys", "properties"):
                if name in values:
                    values[name] = json.loads(str(values[name]))
            for name in ("source_missing", "target_missing"):
                if name in values:
                    values[name] = bool(values[name])
            yield json.dumps({table: values}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _pages(store: Store, statement: str, generation: int) -> Iterator[tuple[Cell, ...]]:
    after = ""
    while rows := store.inspect([Statement(statement, (generation, after, PAGE))]).results[0]:
        yield from rows
        after = str(rows[-1][0])


def built(store: Store, world: str) -> Live:
    """The live generation. StoreError (NotBuilt) before the first build."""
    found = live(store, world) if schema_version(store) is not None else None
    if found is None:
        raise StoreError("NotBuilt", f"world {world} is not built", hint=f"lens world build {world}")
    return found
