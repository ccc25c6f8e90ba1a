"""What one generation of the projection holds now, read back as records."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from lens_dsl.plan import Statement
from lens_runtime.ports import Cell, Store
from lens_runtime.projection.intern import chunks
from lens_runtime.projection.records import EdgeRecord, NodeRecord
from lens_runtime.projection.states import Position

PAGE = 5_000  # ids are hashes, so a batch touches pages all over: fewer batches write each page fewer times


class Tables:
    """Records and edges of one generation, by id or by surrogate."""

    def __init__(self, store: Store, generation: int) -> None:
        self._store = store
        self._generation = generation

    def nodes(self, ids: Collection[str]) -> dict[str, NodeRecord]:
        """The records among these ids."""
        return {
            node.id: node for node in map(_node, self._rows(chunks("nodes_by_id", ids, self._generation)))
        }

    def nodes_at(self, nids: Collection[int]) -> dict[int, NodeRecord]:
        """The records with these surrogates."""
        return {node.nid: node for node in map(_node, self._rows(chunks("nodes_by_nid", nids)))}

    def edges(self, ids: Collection[str]) -> dict[str, EdgeRecord]:
        """The edges among these ids."""
        return {
            edge.id: edge for edge in map(_edge, self._rows(chunks("edges_by_id", ids, self._generation)))
        }

    def edges_around(self, nids: Collection[int], ids: Collection[str]) -> list[EdgeRecord]:
        """The edges at these nodes, and the dangling ones that wait for records of these ids."""
        statements = [*chunks("edges_out", nids), *chunks("edges_in", nids)]
        for name in ("edges_without_source", "edges_without_target"):
            statements += chunks(name, ids, self._generation)
        found = {edge.eid: edge for edge in map(_edge, self._rows(statements))}
        return [found[eid] for eid in sorted(found)]

    def edges_asserted(self, module: str, entity_ids: Collection[str]) -> list[EdgeRecord]:
        """The edges that records of these ids assert, whatever their kind."""
        statements = chunks("edges_by_assertion", entity_ids, self._generation, module)
        return [_edge(row) for row in self._rows(statements)]

    def ids(self, name: str, module: str) -> Iterator[list[str]]:
        """The ids a module has, a page at a time; ``name`` is ``module_nodes`` or ``module_edges``."""
        after = 0
        while True:
            rows = self._rows([Statement(name, (self._generation, module, after, PAGE))])
            if not rows:
                return
            after = cast(int, rows[-1][0])
            yield [str(row[1]) for row in rows]

    def cursors(self) -> dict[str, Position]:
        """How far each module is projected."""
        rows = self._rows([Statement("cursors", (self._generation,))])
        return {str(module): Position.parse(str(cursor)) for module, cursor, _ in rows}

    def null_references(self, module: str) -> dict[str, int]:
        """What the module's last snapshot had of records that name no other end, by relationship type."""
        rows = self._rows([Statement("null_references", (self._generation,))])
        return {str(name): int(n or 0) for owner, name, n in rows if owner == module}

    def _rows(self, statements: list[Statement]) -> list[tuple[Cell, ...]]:
        if not statements:
            return []
        return [row for result in self._store.inspect(statements).results for row in result]


def _node(row: tuple[Cell, ...]) -> NodeRecord:
    return NodeRecord._make(row)


def _edge(row: tuple[Cell, ...]) -> EdgeRecord:
    return EdgeRecord._make(row)
