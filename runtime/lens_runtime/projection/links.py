"""What is derived from records and edges: adjacency rows and key rows. Pure: the same input, the same rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from lens_dsl.values import index_text
from lens_runtime.projection.identity import tie_of
from lens_runtime.projection.records import EdgeRecord, NodeRecord
from lens_runtime.scope import ANY, UNGUARDED

OUT, IN = 0, 1

ScopeKey = tuple[str, str, str, str, str]  # context, kind, guard, class, edge class
Intern = Callable[[ScopeKey], int]
AdjacencyRow = tuple[int, int, int, int, int, int, int, int]  # node, dir, etype, vis, nobs, tie, eid, other
KeyRow = tuple[str, str, str, int, int, int, int]  # kind, property, value, vis, nobs, tie, nid


def guards(guard: str | None) -> tuple[str, ...]:
    """The guards a record is entered under: ``-`` alone, or its value and ``any``; ``any`` alone for null."""
    if guard == UNGUARDED:
        return (UNGUARDED,)
    return (ANY,) if guard is None else (guard, ANY)


def scopes(node: NodeRecord, vis: Intern, edge_class: str = "") -> tuple[int, ...]:
    """The scopes of a record, of an edge of this class towards it when one is given."""
    _, _, context, _, kind, _, _, _, _, class_, guard, *_ = node
    joined = "" if edge_class == class_ else edge_class
    return tuple([vis((context, kind, one, class_, joined)) for one in guards(guard)])


def adjacency(
    edge: EdgeRecord, source: NodeRecord, target: NodeRecord, etype: int, vis: Intern
) -> Iterator[AdjacencyRow]:
    """The rows by which an edge is walked: out of its source and into its target, under the far end's scopes."""
    nobs, tie = -(edge.observed_at or 0), tie_of(edge.id)
    for near, far, direction in ((source, target, OUT), (target, source, IN)):
        for scope in scopes(far, vis, edge.visibility):
            yield (near.nid, direction, etype, scope, nobs, tie, edge.eid, far.nid)


def key_rows(node: NodeRecord, vis: Intern) -> Iterator[KeyRow]:
    """The rows by which a record is found: by each of its keys, and (property ``''``) by its kind alone."""
    nobs, tie = -(node.observed_at or 0), tie_of(node.id)
    values = {"id": node.entity_id, **json.loads(node.properties)}
    texts = [("", ""), *((name, index_text(values.get(name))) for name in json.loads(node.keys))]
    for scope in scopes(node, vis):
        for name, text in texts:
            if text is not None:
                yield (node.kind, name, text, scope, nobs, tie, node.nid)
