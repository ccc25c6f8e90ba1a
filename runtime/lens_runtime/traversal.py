"""From a stage's statements to the subgraph the store found for this actor."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lens_dsl.budget import Budget
from lens_dsl.plan import Stage, Statement, Step
from lens_runtime.cuts import Cut, at
from lens_runtime.graph import Coordinate, Node, Provenance, Relationship, Value
from lens_runtime.meter import Meter
from lens_runtime.ports import Cell, Deadline, Store
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Place, Subgraph

Row = Sequence[Cell]


def traverse(
    store: Store,
    scope: Scope,
    stage: Stage,
    statements: Sequence[Statement],
    budget: Budget,
    deadline: Deadline,
    meter: Meter,
) -> Subgraph:
    """Everything the stage reaches within its ceilings, visible to this actor and not hydrated yet."""
    if not statements:
        return Subgraph()
    reading = store.read(statements, scope, deadline)
    meter.reading(reading)
    return decoded(reading.results[0], stage, budget, meter)


def decoded(rows: Sequence[Row], stage: Stage, budget: Budget, meter: Meter) -> Subgraph:
    """The subgraph in the rows of a traversal, within what the query has left of its ceiling of edges."""
    room = max(0, budget.edges - meter.edges)
    subgraph = _Decoder(stage, budget, room).decode(rows)
    left = next((int(row[4] or 0) for row in rows if row[0] == "n"), None)
    examined = 0 if left is None else meter.room(budget).examined - left
    meter.add(nodes=len(subgraph.nodes), edges=len(subgraph.relationships), examined=examined)
    return subgraph


class _Decoder:
    """Reads the rows of ``lens_dsl.sql.TRAVERSE``; surrogates live only in here."""

    def __init__(self, stage: Stage, budget: Budget, room: int) -> None:
        self.stage = stage
        self.budget = budget
        self.room = room
        self.nodes: dict[int, Node] = {}
        self.relationships: dict[str, Relationship] = {}
        self.held: dict[int, dict[int, None]] = {}
        self.walked: dict[int, list[tuple[str, str, str]]] = {}
        self.cuts: dict[Place, frozenset[Cut]] = {}

    def decode(self, rows: Sequence[Row]) -> Subgraph:
        by_tag: dict[object, list[Row]] = {"n": [], "e": [], "w": [], "a": []}
        for row in rows:
            by_tag[row[0]].append(row)
        for row in by_tag["n"]:
            self._node(row)
        for row in by_tag["a"]:
            self._anchor(row)
        windows = {(int(row[1] or 0), int(row[2] or 0)): row for row in by_tag["w"]}
        for row in sorted(by_tag["e"], key=lambda r: (r[1], self._id(r[2]), r[5])):
            self._edge(row, windows)
        for (step, nid), row in windows.items():
            self._window(step, nid, row)
        return Subgraph(
            {node.id: node for node in self.nodes.values()},
            self.relationships,
            {bit: [self.nodes[nid].id for nid in nids] for bit, nids in self.held.items()},
            self.cuts,
            self.walked,
        )

    def _id(self, nid: Cell) -> str:
        return self.nodes[int(nid or 0)].id

    def _node(self, row: Row) -> None:
        bit, nid, fresh = int(row[1] or 0), int(row[2] or 0), row[3]
        if fresh:
            self.nodes[nid] = _node(row[6:])
        self.held.setdefault(bit, {})[nid] = None

    def _anchor(self, row: Row) -> None:
        bit, found = int(row[1] or 0), int(row[2] or 0)
        if found > len(self.held.get(bit, ())):
            anchor = next(anchor for anchor in self.stage.anchors if anchor.bit == bit)
            where = f"at the start, {' or '.join(anchor.kinds)}"
            self._cut((bit, ""), Cut("nodes", self.budget.nodes, where))

    def _edge(self, row: Row, windows: dict[tuple[int, int], Row]) -> None:
        step = self.stage.steps[int(row[1] or 0) - 1]
        near, far, rank = int(row[2] or 0), int(row[3] or 0), int(row[5] or 0)
        place = (step.bit, self.nodes[near].id)
        if rank >= self.budget.fanout:
            window = windows.get((int(row[1] or 0), near))
            counted = window is not None and not step.tests and step.into is None
            visible = int(window[3] or 0) if window and counted else None
            self._cut(place, Cut("fanout", self.budget.fanout, self._where(near, step), visible))
        elif far not in self.nodes or far not in self.held.get(step.bit, ()):
            self._cut(place, Cut("nodes", self.budget.nodes, self._where(near, step)))
        elif len(self.relationships) >= self.room and row[6] not in self.relationships:
            self._cut(place, Cut("edges", self.budget.edges, self._where(near, step)))
        else:
            ends = (self.nodes[near].id, self.nodes[far].id)
            self._keep(row, *(ends if row[4] == 0 else ends[::-1]))
            self.walked.setdefault(step.bit, []).append((ends[0], str(row[6]), ends[1]))

    def _keep(self, row: Row, source: str, target: str) -> None:
        relationship = _relationship(row[6:], source, target)
        self.relationships.setdefault(relationship.id, relationship)

    def _window(self, number: int, nid: int, row: Row) -> None:
        step = self.stage.steps[number - 1]
        visible, seen = int(row[3] or 0), int(row[4] or 0)
        if row[5]:
            cut = Cut("examined", self.budget.examined, self._where(nid, step))
            self._cut((step.bit, self.nodes[nid].id), cut)
        elif visible > self.budget.window and seen <= self.budget.fanout:
            cut = Cut("window", self.budget.window, self._where(nid, step), visible)
            self._cut((step.bit, self.nodes[nid].id), cut)

    def _cut(self, place: Place, cut: Cut) -> None:
        self.cuts[place] = self.cuts.get(place, frozenset()) | {cut}

    def _where(self, near: int, step: Step) -> str:
        types = "|".join(dict.fromkeys(name for name, _, _ in step.go))
        return at(self.nodes[near].coordinate, types)


def _node(row: Row) -> Node:
    node_id, module, kind, entity_id, revision, label, summary, visibility, observed, properties = row
    return Node(
        str(node_id),
        Coordinate(str(module), str(kind), str(entity_id)),
        str(revision),
        str(label),
        str(visibility),
        None if observed is None else int(observed),
        _properties(str(properties)),
        (str(kind),),
        None if summary is None else str(summary),
        str(revision),
    )


def _relationship(row: Row, source: str, target: str) -> Relationship:
    edge_id, module, kind, entity_id, revision, event, _, visibility, observed, properties = row
    return Relationship(
        str(edge_id),
        str(kind),
        source,
        target,
        Provenance(str(module), str(entity_id), str(revision), None if event is None else str(event)),
        str(visibility),
        None if observed is None else int(observed),
        _properties(str(properties)),
    )


def _properties(text: str) -> dict[str, Value]:
    """The properties of a row; most relationships have none, and need no parser."""
    return {} if text == "{}" else json.loads(text)
