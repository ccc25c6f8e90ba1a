"""The graphs of all scenarios, projected into one store: a context each, so that none sees another."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lens_dsl.budget import Budget
from lens_dsl.ontology import ANYTHING, Ontology
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.aggregation.run import Aggregation
from lens_runtime.clock import FixedClock
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.engine import Engine
from lens_runtime.hydration import Sources
from lens_runtime.open_graph import OpenGraph, OpenNode, OpenRelationship
from lens_runtime.ports import Snapshot, Store
from lens_runtime.projection.build import Policy as StoredPolicy
from lens_runtime.projection.build import build
from lens_runtime.projection.declared import Declared
from lens_runtime.result import Result
from lens_runtime.scope import Actor, Scope
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.costs import overspent

WORLD = "conformance"
MODULE = "graph"
UNMARKED = "-"
NOW = 1_750_000_000_000
ONTOLOGY = Ontology(open=True)
Graph = Mapping[str, Any]
Opener = Callable[[str], Store]


@dataclass(frozen=True)
class Asked:
    """One query to run: on which graph, as a reader of which classes (None: of all), under which budget."""

    graph: Graph
    query: str
    parameters: Mapping[str, object]
    budget: Budget
    classes: tuple[str, ...] | None = None

    @property
    def context(self) -> str:
        return hashlib.sha256(json.dumps(self.graph, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def actor(self) -> str:
        return "everyone" if self.classes is None else "reader-" + "-".join(self.classes)


@dataclass(frozen=True)
class Graphs:
    """A store that holds the graphs of these queries, and who may ask it."""

    opener: Opener
    policy: Policy

    def run(self, asked: Asked) -> Result:
        """The answer, on the path that every query takes."""
        actor = self.policy.actor(asked.actor)
        scope = Scope(WORLD, asked.context, actor, self.policy.revision)
        engine = Engine(
            self.opener(actor.id), Sources({}, ONTOLOGY), scope, FixedClock(NOW), Aggregation(self.policy)
        )
        deadline = MonotonicDeadline.after(asked.budget.seconds)
        result = engine.run(asked.query, asked.parameters, asked.budget, deadline)
        assert overspent(result) == {}
        return result


def load(store: Store, opener: Opener, queries: Iterable[Asked]) -> Graphs:
    """Project every graph that these queries ask, once, with the projection's own compiler."""
    asked = list(queries)
    graphs = {one.context: one.graph for one in asked}
    opened = [
        OpenGraph(MODULE, UNMARKED, tuple(_nodes(graph)), tuple(_edges(graph)), context)
        for context, graph in graphs.items()
    ]
    nodes = list(chain.from_iterable(graph.node_states() for graph in opened))
    edges = list(chain.from_iterable(graph.edge_states() for graph in opened))
    classes = {UNMARKED, *(node.visibility for node in nodes), *(edge.visibility for edge in edges)}
    policy = _policy(sorted(classes), {one.actor: one.classes for one in asked})
    declared = Declared(WORLD, ONTOLOGY, frozenset(policy.classes), contexts=tuple(graphs))
    grants = {name: policy.grants(actor) for name, actor in policy.actors.items()}
    stored = StoredPolicy(policy.revision, grants)
    build(store, declared, stored, [(MODULE, Snapshot(nodes, edges))], clock=FixedClock(NOW))
    return Graphs(opener, policy)


@contextmanager
def in_sqlite(queries: Iterable[Asked]) -> Iterator[Graphs]:
    """In a SQLite file that is gone afterwards."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "graph.sqlite", world=WORLD)
        try:
            yield load(store, lambda actor: store, queries)
        finally:
            store.close()


def most_at_a_node(graph: Graph) -> int:
    """The largest number of relationships at one node."""
    ends = Counter(end for edge in graph["edges"] for end in (edge["from"], edge["to"]))
    return max(ends.values(), default=0)


def _policy(classes: list[str], actors: Mapping[str, tuple[str, ...] | None]) -> Policy:
    roles = {
        name: Role(name, (MODULE,), (ANYTHING,), tuple(classes) if held is None else (UNMARKED, *held))
        for name, held in actors.items()
    }
    known = {name: Actor(name, (name,)) for name in actors}
    return Policy(tuple(classes), {ANYTHING: MODULE}, roles, known)


def _nodes(graph: Graph) -> Iterator[OpenNode]:
    return (OpenNode(node["id"], tuple(node["labels"]), node["props"]) for node in graph["nodes"])


def _edges(graph: Graph) -> Iterator[OpenRelationship]:
    return (
        OpenRelationship(edge["id"], edge["type"], edge["from"], edge["to"], edge["props"])
        for edge in graph["edges"]
    )
