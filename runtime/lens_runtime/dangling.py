"""Relationships that lead nowhere: visible edges of returned nodes whose target the projection never had (P54).

The target of such an edge has no class or guard that could hide it, so the edge's own class decides, and
whether this actor is given anything at all of the kinds that the type leads to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from lens_dsl.ontology import Ontology
from lens_dsl.plan import Plan, Statement
from lens_runtime.cuts import Cut
from lens_runtime.graph import Node, Provenance, Relationship
from lens_runtime.meter import Meter
from lens_runtime.ports import Cell, Deadline, Store
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Missing


def dangling(
    store: Store,
    scope: Scope,
    nodes: Sequence[Node],
    plan: Plan,
    ontology: Ontology,
    deadline: Deadline,
    meter: Meter,
) -> tuple[tuple[Missing, ...], tuple[Cut, ...]]:
    """What of the plan's relationship types leads from these nodes to nothing, and whether there is more of it.

    One read, none without nodes.
    """
    types = [
        [name, list(ontology.relationships[name].targets)]
        for name in plan.walked_types
        if name in ontology.relationships
    ]
    if not nodes or not types:
        return (), ()
    by_id = {node.id: node for node in nodes}
    most = meter.room(plan.budget).examined
    asked = {
        "world": scope.world, "f": plan.budget.fanout, "e": most, "ids": sorted(by_id), "types": types
    }  # fmt: skip
    parameter = json.dumps(asked, ensure_ascii=False, separators=(",", ":"))
    reading = store.read((Statement("dangling", (parameter,)),), scope, deadline)
    meter.reading(reading)
    rows = reading.results[0]
    meter.add(examined=min(len(rows), most))
    cuts = (Cut("examined", plan.budget.examined, "to targets that are missing"),) if len(rows) > most else ()
    return tuple(_missing(row, by_id[str(row[0])]) for row in rows[:most]), cuts


def _missing(row: tuple[Cell, ...], node: Node) -> Missing:
    _, edge_id, type_, target_id, module, entity_id, revision, visibility, observed = row
    relationship = Relationship(
        str(edge_id),
        str(type_),
        node.id,
        str(target_id),
        Provenance(str(module), str(entity_id), str(revision)),
        str(visibility),
        None if observed is None else int(observed),
    )
    return Missing(relationship, node.coordinate, None)
