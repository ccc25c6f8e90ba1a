"""What is asked: the shapes of query that are measured, their ceilings, and which records they start at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from lens_dsl.budget import Budget
from tests.bench.graph import COMMON, KINDS, PLANTED, SEED, TYPES, Around, Graph, hub_of
from tests.bench.oracle import Walk, chains, neighbourhood

BUDGET = Budget(depth=3, fanout=50, nodes=200, edges=20_000, rows=10_000, steps=5_000_000, seconds=300)
ALONG = ("OWNS", "RAISED", "HOLDS")
CHAIN = (
    "MATCH (a:Party {id: $id})-[:OWNS]->(b:Account)-[:RAISED]->(c:Case)-[:HOLDS]->(d:Document) "
    "RETURN a.id, b.id, c.id, d.id"
)
AROUND = "MATCH (a:%s {id: $id})-[:%s*1..3]-(b) RETURN DISTINCT b.id"


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A neighbourhood of three hops over these types, from records of a kind."""

    name: str
    kind: str
    types: tuple[str, ...]

    @property
    def text(self) -> str:
        """The query."""
        return AROUND % (self.kind, "|".join(self.types))

    def answer(self, around: Around, start: int) -> Walk:
        """What it must bring from one start."""
        return neighbourhood(around, start, self.types, depth=3, fanout=BUDGET.fanout, ceiling=BUDGET.nodes)


FOUR = Neighbourhood("neighbourhood, 4 types", "Party", tuple(name for name, _, _ in COMMON))
TEN = Neighbourhood("neighbourhood, 10 types", "Party", tuple(name for name, _, _ in TYPES))
HUB = Neighbourhood("neighbourhood of a hub", "Account", FOUR.types)


def chain_answer(around: Around, start: int) -> list[tuple[int, ...]]:
    """What the chain must bring from one start, sorted."""
    return sorted(chains(around, start, ALONG, BUDGET.fanout))


def planted_starts(graph: Graph, count: int) -> list[int]:
    """Visible records of kind Party in the part that every size holds: the same ones in each."""
    return _starts(graph, 0, min(PLANTED, graph.size), count)


def other_starts(graph: Graph, count: int) -> list[int]:
    """Visible records of kind Party in the part that grows, the whole graph where there is no such part."""
    return _starts(graph, PLANTED if graph.size > PLANTED else 0, graph.size, count)


def starts_beside_hub(graph: Graph, around: Around, count: int) -> list[int]:
    """Records of kind Party that point to the hub of the part that grows, where the reader sees that they do."""
    start = PLANTED if graph.size > PLANTED else 0
    pointing = around.hops(hub_of(start), frozenset({(0, 1)}))
    return sorted(random.Random(SEED).sample([far for _, far in pointing], count))


def planted_hub() -> int:
    """The record of kind Account in the planted part that has most relationships."""
    return hub_of(0)


def _starts(graph: Graph, start: int, end: int, count: int) -> list[int]:
    chance = random.Random(SEED + end)
    blocks: Iterator[int] = iter(lambda: chance.randrange(1, (end - start) // len(KINDS)), None)
    found: dict[int, None] = {}
    while len(found) < count:
        node = start + next(blocks) * len(KINDS)
        if not graph.hidden[node]:
            found[node] = None
    return list(found)
