"""A small world for the store tests, and what its derived tables must hold, computed from scratch."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_dsl.plan import Statement
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Snapshot, Store
from lens_runtime.projection.build import Built, Policy, build
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.identity import edge_id, node_id
from lens_runtime.projection.states import EdgeState, NodeState
from lens_runtime.scope import Actor, Grant, Scope

WORLD = "toy"
NOW = 1_750_000_000_000

ONTOLOGY = Ontology(
    kinds={
        "Party": Kind("Party", "people", keys=("id", "email"), projected=("rank",)),
        "Case": Kind("Case", "desk", keys=("id",)),
    },
    relationships={
        "involves": RelationshipType("involves", "desk", ("Case",), ("Party",)),
        "follows": RelationshipType("follows", "desk", ("Case",), ("Case",)),
        "knows": RelationshipType("knows", "people", ("Party",), ("Party",)),
    },
)
DECLARED = Declared(WORLD, ONTOLOGY, frozenset({"public", "internal", "secret"}), {"Case": "team"})

POLICY = Policy(
    "policy-1",
    {
        "ana": (
            Grant("agent", "Party", "public"),
            Grant("agent", "Party", "internal"),
            Grant("agent", "Case", "internal", "team=red"),
        ),
        "eve": (Grant("reader", "Party", "public"),),
        "root": tuple(
            Grant("all", kind, name, guard)
            for kind, guard in (("Party", "-"), ("Case", "any"))
            for name in ("public", "internal", "secret")
        ),
    },
)


class FixedClock:
    """Always the same moment."""

    def now(self) -> int:
        """NOW."""
        return NOW


class Patience:
    """A deadline that never comes."""

    def remaining(self) -> float:
        """A minute."""
        return 60.0

    def check(self) -> None:
        """Never raises."""


@dataclass
class Facts:
    """What the two modules say, by module."""

    nodes: dict[str, list[NodeState]] = field(default_factory=lambda: {"people": [], "desk": []})
    edges: dict[str, list[EdgeState]] = field(default_factory=lambda: {"people": [], "desk": []})

    def snapshots(self) -> list[tuple[str, Snapshot]]:
        """One snapshot a module, streamed."""
        return [(m, Snapshot(iter(self.nodes[m]), iter(self.edges[m]))) for m in ("people", "desk")]


def party(name: str, visibility: str = "internal", **more: object) -> NodeState:
    """A record of kind Party; properties by name, ``observed_at`` and ``revision`` aside."""
    observed = more.pop("observed_at", None)
    revision = str(more.pop("revision", "1"))
    return NodeState(
        Coordinate("people", "Party", name),
        revision,
        f"party {name}",
        visibility,
        observed_at=observed if isinstance(observed, int) else None,
        keys=("id", "email"),
        properties={"id": name, **more},
    )


def case(
    name: str, visibility: str = "internal", team: str | None = "red", observed_at: int | None = None
) -> NodeState:
    """A record of kind Case, guarded by its team."""
    return NodeState(
        Coordinate("desk", "Case", name),
        "1",
        f"case {name}",
        visibility,
        guard=None if team is None else f"team={team}",
        observed_at=observed_at,
        properties={"id": name},
    )


def edge(
    type_: str,
    source: str,
    target: str,
    visibility: str = "internal",
    *,
    by: str | None = None,
    observed_at: int | None = None,
    revision: str = "1",
) -> EdgeState:
    """A relationship, asserted by its source's record unless ``by`` names another."""
    ends = {"involves": ("Case", "Party"), "follows": ("Case", "Case"), "knows": ("Party", "Party")}[type_]
    module = "people" if type_ == "knows" else "desk"
    at = {"Case": "desk", "Party": "people"}
    return EdgeState(
        type_,
        Coordinate(at[ends[0]], ends[0], source),
        Coordinate(at[ends[1]], ends[1], target),
        visibility,
        module,
        by or source,
        revision,
        observed_at=observed_at,
    )


def project(store: Store, facts: Facts, *, rebuild: bool = False, policy: Policy = POLICY) -> Built:
    """Build the toy world from these facts."""
    return build(store, DECLARED, policy, facts.snapshots(), clock=FixedClock(), rebuild=rebuild)


def scope(actor: str) -> Scope:
    """The scope of an actor in the toy world."""
    return Scope(WORLD, "main", Actor(actor), POLICY.revision)


def id_of(state: NodeState) -> str:
    """The node id of a record."""
    return node_id(WORLD, state.context, state.coordinate)


def dump(store: Store, name: str) -> list[tuple[object, ...]]:
    """All rows of one of the tests' inspections, sorted."""
    return sorted(store.inspect([Statement(name)]).results[0], key=str)


def expected_adjacency(facts: Facts) -> list[tuple[object, ...]]:
    """The rows that the edges with both ends give, by names in place of surrogates."""
    nodes = {id_of(state): state for states in facts.nodes.values() for state in states}
    rows: set[tuple[object, ...]] = set()
    for states in facts.edges.values():
        for one in states:
            ends = [node_id(WORLD, one.context, end) for end in (one.source, one.target)]
            if not all(end in nodes for end in ends):
                continue
            id_ = edge_id(one.type, ends[0], ends[1], one.provenance_module, one.provenance_entity_id)
            for direction, (near, far) in enumerate((ends, ends[::-1])):
                for entry in _entries(nodes[far]):
                    joined = "" if one.visibility == nodes[far].visibility else one.visibility
                    rows.add((near, direction, one.type, *entry, joined, -(one.observed_at or 0), id_, far))
    return sorted(rows, key=str)


def expected_fan(adjacency: Iterable[Sequence[object]]) -> list[tuple[object, ...]]:
    """How many rows each node has by direction, type and scope."""
    return sorted(((*group, n) for group, n in Counter(tuple(row[:8]) for row in adjacency).items()), key=str)


def expected_keys(facts: Facts, generation: int) -> list[tuple[object, ...]]:
    """The rows by which each record is found."""
    rows: set[tuple[object, ...]] = set()
    for states in facts.nodes.values():
        for state in states:
            texts = {"": ""}
            for name in state.keys:
                value = state.properties.get(name)
                if isinstance(value, str):
                    texts[name] = "s:" + value
            for _, kind, guard, class_ in _entries(state):
                for name, text in texts.items():
                    nobs = -(state.observed_at or 0)
                    rows.add((generation, kind, name, text, guard, class_, "", nobs, id_of(state)))
    return sorted(rows, key=str)


def expected_text(facts: Facts) -> list[tuple[object, ...]]:
    """Which records each word of a label or summary finds, and under which scopes; these use plain words."""
    rows = {
        (word, id_of(state), kind, guard, class_)
        for states in facts.nodes.values()
        for state in states
        for word in f"{state.label} {state.summary or ''}".lower().split()
        for _, kind, guard, class_ in _entries(state)
    }
    return sorted(rows, key=str)


def dump_text(store: Store, facts: Facts, *more: str) -> list[tuple[object, ...]]:
    """What the index holds under the words of these facts, and under more of them."""
    words = sorted({"party", "case", *more, *(str(row[0]) for row in expected_text(facts))})
    return sorted(store.inspect([Statement("dump_text", (json.dumps(words),))]).results[0], key=str)


def _entries(state: NodeState) -> list[tuple[str, str, str, str]]:
    guards: Mapping[bool, list[str]] = {True: ["-"], False: [*filter(None, [state.guard]), "any"]}
    kind = state.coordinate.entity_type
    return [(state.context, kind, guard, state.visibility) for guard in guards[state.guard == "-"]]
