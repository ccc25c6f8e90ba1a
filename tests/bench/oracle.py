"""The answers, worked out in plain Python over a graph held in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.bench.graph import TYPES, Around

OUT, IN = 0, 1


@dataclass(frozen=True, slots=True)
class Walk:
    """A bounded neighbourhood: records by number, and relationships by position."""

    nodes: frozenset[int]
    edges: frozenset[int]


def both_ways(types: Sequence[str]) -> frozenset[tuple[int, int]]:
    """These types in both directions."""
    known = [name for name, _, _ in TYPES]
    return frozenset((known.index(name), way) for name in types for way in (OUT, IN))


def neighbourhood(
    around: Around, start: int, types: Sequence[str], *, depth: int, fanout: int, ceiling: int
) -> Walk:
    """Breadth first: at each record the newest ``fanout`` relationships, then the newest records up to ``ceiling``."""
    ways = both_ways(types)
    known, level, edges = {start: None}, [start], set[int]()
    for _ in range(depth):
        hops = [hop for node in level for hop in around.hops(node, ways)[:fanout]]
        newest = dict.fromkeys(far for _, far in sorted(hops, key=lambda hop: around.age(hop[0])))
        level = [far for far in newest if far not in known][: ceiling - len(known)]
        known |= dict.fromkeys(level)
        edges.update(edge for edge, far in hops if far in known)
    return Walk(frozenset(known), frozenset(edges))


def chains(around: Around, start: int, types: Sequence[str], fanout: int) -> Iterator[tuple[int, ...]]:
    """Every walk along these types, one after the other and forward, within the newest ``fanout`` at each record."""
    if not types:
        yield (start,)
        return
    way = frozenset({([name for name, _, _ in TYPES].index(types[0]), OUT)})
    for _, far in around.hops(start, way)[:fanout]:
        for rest in chains(around, far, types[1:], fanout):
            yield (start, *rest)
