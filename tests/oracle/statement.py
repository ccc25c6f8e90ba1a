"""The traversal statement's answer, worked out in plain Python over a graph held in dicts; and that graph in SQLite."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from lens_dsl.sql import TRAVERSE
from lens_runtime.projection.schema import DDL

KINDS, CLASSES, TYPES = ("A", "B"), 3, 4

Step = Mapping[str, Any]
Anchor = tuple[int, list[str], str, list[str]]


class Connection(Protocol):
    """What ``sqlite3`` and ``apsw`` have in common."""

    def execute(self, statement: str, parameters: Sequence[Any] = ..., /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Vertex:
    kind: str
    vis: int
    nobs: int
    tie: int
    x: object


@dataclass(frozen=True, slots=True, order=True)
class Near:
    """An edge as one of its ends sees it, sorted newest first."""

    nobs: int
    tie: int
    eid: int
    dir: int
    other: int
    etype: int
    vis: int


@dataclass
class Seen:
    """The statement's rows by their tag, as sets: nodes held, edges seen, full windows, anchors' counts."""

    nodes: set[tuple[int, int, int]] = field(default_factory=set)
    edges: set[tuple[int, int, int, int, int, str]] = field(default_factory=set)
    windows: set[tuple[int, int, int, int, int]] = field(default_factory=set)
    anchors: dict[int, int] = field(default_factory=dict)


@dataclass
class Graph:
    """Vertices by nid, and what each of them is joined with."""

    vertices: dict[int, Vertex]
    around: dict[int, list[Near]]

    @classmethod
    def draw(cls, chance: random.Random) -> Graph:
        """A random graph with hubs, loops, parallel edges and ties."""
        size = chance.choice([3, 10, 40])
        vertices = {}
        for nid in range(1, size + 1):
            kind, level = chance.choice(KINDS), chance.randrange(CLASSES)
            x = chance.choice([None, 1, 2, 3, "a"])
            vertices[nid] = Vertex(kind, vis_of(kind, level), -chance.randrange(20), chance.randrange(4), x)
        around: dict[int, list[Near]] = defaultdict(list)
        for eid in range(1, chance.choice([5, 60, 200]) + 1):
            source = chance.choice([1, 2]) if chance.random() < 0.2 else chance.randint(1, size)
            target, etype = chance.randint(1, size), chance.randint(1, TYPES)
            nobs, tie = -chance.randrange(10), chance.randrange(4)
            around[source].append(Near(nobs, tie, eid, 0, target, etype, vertices[target].vis))
            around[target].append(Near(nobs, tie, eid, 1, source, etype, vertices[source].vis))
        return cls(vertices, around)

    def store(self, connection: Connection) -> None:
        """Write the tables that the statement reads."""
        for statement in DDL:
            connection.execute(statement)
        connection.execute("INSERT INTO context_generation VALUES ('w', 1, '', '', 0)")
        for etype in range(1, TYPES + 1):
            connection.execute("INSERT INTO context_types VALUES (?, ?)", (etype, f"t{etype}"))
        for nid, vertex in self.vertices.items():
            connection.execute(
                "INSERT INTO context_nodes (nid, generation, id, world, context, module, entity_type, entity_id,"
                " module_revision, label, visibility, guard, vis, observed_at, projected_at, keys,"
                " properties, digest, text_row, words)"
                " VALUES (?, 1, ?, 'w', 'main', 'm', ?, ?, '1', '', '', '-', ?, ?, 0, '[]', ?, '', ?, '')",
                (
                    nid,
                    f"id{nid}",
                    vertex.kind,
                    str(nid),
                    vertex.vis,
                    -vertex.nobs,
                    json.dumps({"x": vertex.x}),
                    nid,
                ),
            )
            key = (vertex.kind, f"s:{nid}", vertex.vis, vertex.nobs, vertex.tie, nid)
            connection.execute("INSERT INTO context_keys VALUES (1, ?, 'id', ?, ?, ?, ?, ?)", key)
        for nid, joined in self.around.items():
            for near in joined:
                row = (nid, near.dir, near.etype, near.vis, near.nobs, near.tie, near.eid, near.other)
                connection.execute("INSERT INTO context_adjacency VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
                if near.dir == 0:
                    connection.execute(
                        "INSERT INTO context_edges (eid, generation, id, from_node_id, edge_type, to_node_id,"
                        " provenance_module, provenance_entity_id, provenance_revision, visibility,"
                        " projected_at, properties, src, dst, digest)"
                        " VALUES (?, 1, ?, '', '', '', '', '', '', '', 0, '{}', ?, ?, '')",
                        (near.eid, f"e{near.eid}", nid, near.other),
                    )
            for group, n in Counter((nid, e.dir, e.etype, e.vis) for e in joined).items():
                connection.execute("INSERT INTO context_fan VALUES (?, ?, ?, ?, ?)", (*group, n))

    def traverse(self, scopes: Mapping[str, list[int]], anchors: Sequence[Anchor], plan: Step) -> Seen:
        """What the statement must bring, by its comment in ``lens_dsl.sql``."""
        allowed = {vis for some in scopes.values() for vis in some}
        seen, known, left = Seen(), dict[int, None](), int(plan["e"])
        for bit, kinds, _, values in anchors:
            found = [n for n in (int(v[2:]) for v in values) if n in self.vertices]
            found = [n for n in found if self.vertices[n].kind in kinds and self.vertices[n].vis in allowed]
            found = sorted(found, key=self._place)[: plan["n"] + 1]
            if found:
                seen.anchors[bit] = len(found)
            self._keep(seen, known, bit, found, plan["n"])
        for number, step in enumerate(plan["s"], 1):
            held = {bit for _, bit, _ in seen.nodes}
            if not held or (
                number > 1 and plan["s"][number - 2]["need"] and plan["s"][number - 2]["bit"] not in held
            ):
                break
            best, spent = self._look(seen, number, step, {**plan, "e": left}, known, allowed)
            left -= spent
            self._keep(seen, known, step["bit"], sorted(best, key=lambda n: (best[n], n)), plan["n"])
        return seen

    def _look(
        self, seen: Seen, number: int, step: Step, plan: Step, known: Mapping[int, None], allowed: set[int]
    ) -> tuple[dict[int, tuple[int, int]], int]:
        """What one step sees: the far nodes, each with its newest edge, and how many edges it looked at."""
        holding = {(nid, bit) for nid, bit, _ in seen.nodes}
        start = {n for n, bit in holding if bit & step["from"]} - {
            n for n, bit in holding if bit & step["skip"]
        }
        best: dict[int, tuple[int, int]] = {}
        total, spent = 0, 0
        for nid in (n for n in known if n in start):
            visible = sorted(e for e in self.around[nid] if e.vis in allowed and self._goes(step, e))
            tested = step["tests"] or step["into"] is not None
            groups = len({(e.dir, e.etype, e.vis) for e in visible})
            need = max(groups, min(len(visible), plan["w"], len(visible) if tested else plan["f"] + 1))
            total += need
            passed = total > plan["e"]
            spent += 0 if passed else need
            fitting = [e for e in visible[: plan["w"]] if self._fits(step, e, holding)][: plan["f"] + 1]
            fitting = [] if passed else fitting
            if len(visible) > min(plan["w"], plan["f"]) or (passed and visible):
                seen.windows.add((number, nid, len(visible), len(fitting), int(passed)))
            for rank, edge in enumerate(fitting):
                seen.edges.add((number, nid, edge.other, edge.dir, rank, f"e{edge.eid}"))
                if rank < plan["f"]:
                    best[edge.other] = min(best.get(edge.other, (edge.nobs, edge.tie)), (edge.nobs, edge.tie))
        return best, spent

    def _place(self, nid: int) -> tuple[int, int, int]:
        return (self.vertices[nid].nobs, self.vertices[nid].tie, nid)

    def _goes(self, step: Step, edge: Near) -> bool:
        far = self.vertices[edge.other].kind
        return any(
            (name, way) == (f"t{edge.etype}", edge.dir) and far in kinds for name, way, kinds in step["go"]
        )

    def _fits(self, step: Step, edge: Near, holding: set[tuple[int, int]]) -> bool:
        closes = step["into"] is None or any((edge.other, bit) in holding for bit in step["into"])
        return closes and all(holds(self.vertices[edge.other].x, op, value) for _, op, value in step["tests"])

    @staticmethod
    def _keep(seen: Seen, known: dict[int, None], bit: int, found: list[int], ceiling: int) -> None:
        for nid in found:
            fresh = nid not in known
            if not fresh or len(known) < ceiling:
                known[nid] = None
                seen.nodes.add((nid, bit, int(fresh)))


def vis_of(kind: str, level: int) -> int:
    return KINDS.index(kind) * CLASSES + level + 1


def holds(x: Any, operator: str, value: Any) -> bool:
    """A test as SQL decides it: nothing holds of null but IS NULL, and every text is above every number."""
    if operator in ("IS NULL", "IS NOT NULL"):
        return (x is None) == (operator == "IS NULL")
    if x is None:
        return False
    if operator in ("IN", "=", "<>"):
        same = x in value if operator == "IN" else x == value
        return same != (operator == "<>")
    order = (
        (isinstance(x, str), x) > (isinstance(value, str), value)
        if type(x) is type(value)
        else isinstance(x, str)
    )
    return order if operator == ">" else not order


def run(connection: Connection, scopes: object, anchors: object, plan: object) -> Seen:
    """The statement's own answer."""
    seen = Seen()
    for row in connection.execute(TRAVERSE, tuple(json.dumps(one) for one in (scopes, anchors, plan))):
        if row[0] == "n":
            seen.nodes.add((row[2], row[1], row[3]))
        elif row[0] == "e":
            seen.edges.add(row[1:7])
        elif row[0] == "w":
            seen.windows.add(row[1:6])
        else:
            seen.anchors[row[1]] = row[2]
    return seen
