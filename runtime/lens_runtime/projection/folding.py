"""From events of a feed to the difference they make: only the newest of each record, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lens_dsl.errors import ConfigurationError
from lens_runtime.graph import Coordinate
from lens_runtime.projection.batching import Difference
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.identity import node_id
from lens_runtime.projection.records import (
    EdgeRecord,
    NodeRecord,
    differs,
    edge_record,
    node_record,
    reasserted,
)
from lens_runtime.projection.states import Change
from lens_runtime.projection.tables import Tables


class Folder:
    """Compares a batch of events with the tables of one generation."""

    def __init__(self, tables: Tables, declared: Declared) -> None:
        self._tables = tables
        self._declared = declared

    def difference(self, module: str, changes: Sequence[Change]) -> Difference:
        """What these events change, in their order. ConfigurationError names what is not declared."""
        for change in changes:
            self._check(module, change)
        ids = {change.coordinate: self._ids(change.coordinate) for change in changes}
        stored = self._tables.nodes(sorted({id_ for each in ids.values() for id_ in each}))
        newest = _newest(changes, {at: _revision(stored, each) for at, each in ids.items()})
        asserted = self._tables.edges_asserted(module, sorted({at.entity_id for at in newest}))
        nodes: dict[str, NodeRecord] = {}
        edges: dict[str, EdgeRecord] = {}
        for change in newest.values():
            if change.node is not None:
                record = node_record(self._declared.world, change.node)
                nodes[record.id] = record
            for state in change.relationships:
                edge = edge_record(self._declared.world, state)
                _refuse_other(state, edge, edges.setdefault(edge.id, edge))
        held = [edge for edge in asserted if self._asserting(module, edge, ids, newest)]
        here = {id_: stored[id_] for at in newest for id_ in ids[at] if id_ in stored}
        return _compared(nodes, here, edges, {edge.id: edge for edge in held})

    def _check(self, module: str, change: Change) -> None:
        at = change.coordinate
        if at.module != module:
            raise ConfigurationError(
                "WrongModule", f"{at}: module {module} may not speak for module {at.module}"
            )
        if change.node is not None:
            self._declared.check_node(module, change.node)
        for state in change.relationships:
            self._declared.check_edge(module, state)
            if state.provenance_entity_id != at.entity_id:
                raise ConfigurationError(
                    "WrongAssertion", f"{at}: its event has a {state.type} that {at} does not assert"
                )

    def _ids(self, at: Coordinate) -> tuple[str, ...]:
        """The record's node ids: one a context, of which at most one is there."""
        return tuple(node_id(self._declared.world, context, at) for context in self._declared.contexts)

    def _asserting(
        self,
        module: str,
        edge: EdgeRecord,
        ids: Mapping[Coordinate, tuple[str, ...]],
        newest: Mapping[Coordinate, Change],
    ) -> bool:
        """Whether an edge is asserted by one of these records, and not by another kind's of the same id.

        The source asserts where it is the module's own, else the target.
        """
        ontology = self._declared.ontology
        declared = ontology.relationships.get(edge.type)
        for kind in declared.sources if declared else ():
            known = ontology.kinds.get(kind)
            at = Coordinate(module, kind, edge.entity_id)
            if known is not None and known.module == module and edge.source_id in self._ids(at):
                return at in newest
        return any(
            end in ids[at]
            for at in newest
            if at.entity_id == edge.entity_id
            for end in (edge.source_id, edge.target_id)
        )


def older(revision: str, than: str | None) -> bool:
    """Whether a counted revision comes before another; False where either is no whole number."""
    if than is None or not (revision.isdecimal() and than.isdecimal()):
        return False
    return int(revision) < int(than)


def _newest(changes: Iterable[Change], revisions: dict[Coordinate, str | None]) -> dict[Coordinate, Change]:
    """The last event of each record, without those that are older than what was known before them."""
    newest: dict[Coordinate, Change] = {}
    for change in changes:
        if older(change.revision, revisions[change.coordinate]):
            continue
        revisions[change.coordinate] = change.revision if change.node is not None else None
        newest[change.coordinate] = change
    return newest


def _revision(stored: Mapping[str, NodeRecord], ids: Iterable[str]) -> str | None:
    return next((stored[id_].revision for id_ in ids if id_ in stored), None)


def _refuse_other(what: object, first: EdgeRecord, second: EdgeRecord) -> None:
    if first.digest != second.digest:
        raise ConfigurationError("Contradiction", f"{what}: its event has it twice, with different content")


def _compared(
    nodes: Mapping[str, NodeRecord],
    stored_nodes: Mapping[str, NodeRecord],
    edges: Mapping[str, EdgeRecord],
    stored_edges: Mapping[str, EdgeRecord],
) -> Difference:
    kept = {
        id_: edge for id_, edge in stored_edges.items() if id_ in edges and not reasserted(edge, edges[id_])
    }
    return Difference(
        nodes={i: nodes[i] for i in sorted(nodes) if differs(stored_nodes.get(i), nodes[i])},
        stored_nodes=stored_nodes,
        nodes_gone=[node for id_, node in stored_nodes.items() if id_ not in nodes],
        edges={i: edges[i] for i in sorted(edges) if differs(kept.get(i), edges[i])},
        stored_edges=kept,
        edges_gone=[edge for id_, edge in stored_edges.items() if id_ not in kept],
    )
