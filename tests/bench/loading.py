"""Loading a large graph at once: the compiler's own records, rows and statements, without its comparisons.

The compiler writes atomic batches beside what is there already, which takes it many minutes for a million
records. Here nothing is there: no journal, and indexes at the end. A test holds the outcome to the compiler's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TypeVar

import apsw

from lens_dsl.plan import Statement
from lens_runtime.projection.build import Policy, grant_statements
from lens_runtime.projection.change import Batch, EdgeChange, NodeChange, Writer
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.generations import swap_statements
from lens_runtime.projection.intern import Interned
from lens_runtime.projection.records import NodeRecord, edge_record, node_record
from lens_runtime.projection.schema import DDL, VERSION
from lens_runtime.projection.sql import WRITES
from lens_runtime.projection.states import EdgeState, NodeState

PAGE = 20_000
CACHE_KB = 2_000_000
GENERATION = 1
T = TypeVar("T")


class Faces(Mapping[int, NodeRecord]):
    """What adjacency rows depend on, of every record by its surrogate: kept small, since there are a million."""

    def __init__(self) -> None:
        self._faces: dict[NodeRecord, NodeRecord] = {}
        self._of: list[NodeRecord] = []

    def add(self, node: NodeRecord) -> None:
        """Note a record; they come in the order of their surrogates, from 1."""
        face = NodeRecord(0, "", node.context, "", node.kind, "", "", "", None, *node.face, None, "", "", "")
        self._of.append(self._faces.setdefault(face, face))

    def __getitem__(self, nid: int) -> NodeRecord:
        return self._of[nid - 1]._replace(nid=nid)

    def __iter__(self) -> Iterator[int]:
        return iter(range(1, len(self._of) + 1))

    def __len__(self) -> int:
        return len(self._of)


def load(
    path: Path,
    declared: Declared,
    policy: Policy,
    nodes: Iterable[NodeState],
    edges: Iterable[tuple[EdgeState, int, int]],
    now: int,
) -> None:
    """Write a new file with these records and relationships, each of which names its ends' positions from 0."""
    connection = apsw.Connection(str(path))
    for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE_KB}"):
        connection.execute(f"PRAGMA {pragma}")
    later = [text for text in DDL if text.startswith("CREATE INDEX")]
    with connection:
        for text in DDL:
            if text not in later:
                connection.execute(text)
        _run(connection, [Statement("set_version", (VERSION,)), *grant_statements(policy)])
        writer = Writer(declared.world, GENERATION, Interned[str](()), Interned(()))
        faces = Faces()
        for nodes_put in _nodes(declared.world, nodes, faces):
            _run(connection, writer.statements(Batch(nodes_put, (), {}, {}), now))
        for edges_put in _edges(declared.world, edges):
            _run(connection, writer.statements(Batch((), edges_put, {}, faces), now))
        for text in later:
            connection.execute(text)
        _run(
            connection,
            swap_statements(declared.world, GENERATION, declared.ontology.digest, policy.revision, now),
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


def _nodes(world: str, states: Iterable[NodeState], faces: Faces) -> Iterator[list[NodeChange]]:
    for page in _pages(enumerate(states, 1)):
        records = [node_record(world, state)._replace(nid=nid) for nid, state in page]
        for record in records:
            faces.add(record)
        yield [NodeChange(None, record) for record in records]


def _edges(world: str, states: Iterable[tuple[EdgeState, int, int]]) -> Iterator[list[EdgeChange]]:
    for page in _pages(enumerate(states, 1)):
        yield [
            EdgeChange(None, edge_record(world, state)._replace(eid=eid, src=source + 1, dst=target + 1))
            for eid, (state, source, target) in page
        ]


def _pages(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while page := list(islice(rest, PAGE)):
        yield page


def _run(connection: apsw.Connection, statements: Iterable[Statement]) -> None:
    for statement in statements:
        connection.execute(WRITES[statement.name], statement.parameters)
