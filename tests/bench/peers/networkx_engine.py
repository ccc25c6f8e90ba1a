"""NetworkX: the whole graph in memory, loaded at every start."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from pathlib import Path

import networkx

from tests.bench.graph import TYPES, Graph, observed_at
from tests.bench.peers.walking import Hop
from tests.bench.shapes import ALONG, BUDGET


class NetworkxEngine:
    """Dictionaries of Python: a bound has to look at every relationship of a record first."""

    def __init__(self, graph: Graph, folder: Path) -> None:
        self._graph = networkx.MultiDiGraph()
        self._graph.add_nodes_from(range(graph.size))
        self._graph.add_edges_from(
            (
                graph.sources[edge],
                graph.targets[edge],
                edge,
                {
                    "type": TYPES[graph.types[edge]][0],
                    "seen": observed_at(edge),
                    "secret": bool(graph.secret[edge]),
                },
            )
            for edge in graph.edges
        )

    def hops(self, nodes: Sequence[int], types: Sequence[str]) -> list[Hop]:
        """A pass over all relationships of each of them."""
        wanted, found = set(types), list[Hop]()
        for node in nodes:
            ways = (self._graph.succ[node], self._graph.pred[node])
            here = (
                (node, edge, far, data["seen"])
                for way in ways
                for far, edges in way.items()
                for edge, data in edges.items()
                if data["type"] in wanted and not data["secret"]
            )
            found += nlargest(BUDGET.fanout, here, key=lambda hop: hop[3])
        return found

    def chain(self, start: int) -> list[tuple[int, ...]]:
        """A loop a step."""
        walks: list[tuple[int, ...]] = [(start,)]
        for name in ALONG:
            walks = [(*walk, far) for walk in walks for far in self._forward(walk[-1], name)]
        return walks

    def _forward(self, node: int, name: str) -> list[int]:
        edges = self._graph.out_edges(node, data=True)
        return [far for _, far, data in edges if data["type"] == name and not data["secret"]]

    def close(self) -> None:
        """Let go of the memory."""
        self._graph = networkx.MultiDiGraph()
