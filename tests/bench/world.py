"""The graphs as a world: what its module says, who may see what, and where the built projections are kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from lens_runtime.graph import Coordinate
from lens_runtime.ports import Answer, Assertion, Confirmation, Deadline, Forbidden, Found, Snapshot
from lens_runtime.projection.build import Policy
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.schema import DDL
from lens_runtime.projection.states import EdgeState, NodeState, Position
from lens_runtime.scope import Actor, Grant, Scope
from tests.bench.graph import (
    KINDS,
    MODULE,
    ONTOLOGY,
    PLANTED,
    STARTED,
    TYPES,
    Graph,
    draw,
    kind_of,
    name_of,
    observed_at,
)
from tests.bench.loading import load

WORLD = "bench"
OPEN, SECRET = "open", "secret"
READER = "reader"
POLICY = Policy("policy-1", {READER: tuple(Grant("reader", kind, OPEN) for kind in KINDS)})
SCOPE = Scope(WORLD, "main", Actor(READER), POLICY.revision)
DECLARED = Declared(WORLD, ONTOLOGY, frozenset({OPEN, SECRET}))


class Still:
    """A clock that stands still."""

    def now(self) -> int:
        return STARTED


class Patience:
    """A deadline that never comes."""

    def remaining(self) -> float:
        return 600.0

    def check(self) -> None:
        return None


class Module:
    """The module that owns the records of a graph: it makes each of them from its number."""

    module = MODULE

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        return {id_: self._answer(int(id_[1:])) for id_ in ids}

    def _answer(self, node: int) -> Answer:
        if self._graph.hidden[node]:
            return Forbidden()
        fields = {"id": name_of(node), "rank": node % 97, "note": f"what is known of record {node}"}
        return Found(fields, "1", OPEN, f"record {node}", STARTED + node)

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        return {one.id: "confirmed" for one in relationships}

    def changes(self, cursor: Position | None) -> None:
        """No feed: a build takes a snapshot."""

    def snapshot(self) -> Snapshot:
        return Snapshot(self.nodes(), self.edges())

    def nodes(self) -> Iterator[NodeState]:
        """Every record, by its number."""
        for node in range(self._graph.size):
            class_ = SECRET if self._graph.hidden[node] else OPEN
            kept = {"id": name_of(node), "rank": node % 97}
            yield NodeState(
                place(node), "1", f"record {node}", class_, observed_at=STARTED + node, properties=kept
            )

    def edges(self) -> Iterator[EdgeState]:
        """Every relationship, by its position."""
        graph = self._graph
        for edge in graph.edges:
            yield EdgeState(
                TYPES[graph.types[edge]][0],
                place(graph.sources[edge]),
                place(graph.targets[edge]),
                SECRET if graph.secret[edge] else OPEN,
                MODULE,
                f"e{edge}",
                "1",
                observed_at=observed_at(edge),
            )


def place(node: int) -> Coordinate:
    """The coordinate of a record."""
    return Coordinate(MODULE, kind_of(node), name_of(node))


def home() -> Path:
    """Where built graphs are kept: ``LENS_BENCH_HOME``, else the user's cache folder."""
    chosen = os.environ.get("LENS_BENCH_HOME")
    return Path(chosen) if chosen else user_cache_path("lensmith") / "bench"


def built(graph: Graph, folder: Path) -> Path:
    """The file with this graph's projection, made where it is not there yet."""
    target = folder / f"{graph.size}-{_fingerprint()}.sqlite"
    if not target.exists():
        making = target.with_suffix(".making")
        making.unlink(missing_ok=True)
        module = Module(graph)
        edges = zip(module.edges(), graph.sources, graph.targets, strict=True)
        load(making, DECLARED, POLICY, module.nodes(), edges, STARTED)
        making.rename(target)
    return target


@cache
def _fingerprint() -> str:
    """Changes with the tables, with how graphs are drawn, and with what is said of them."""
    sample = Module(draw(PLANTED + 500))
    said = [*DDL, *map(repr, sample.nodes()), *map(repr, sample.edges()), repr(POLICY)]
    return hashlib.sha256("".join(said).encode()).hexdigest()[:12]
