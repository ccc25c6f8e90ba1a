"""What every other engine is asked for: the hops at some records. The bounds of a neighbourhood are kept here."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tests.bench.graph import TYPES, Graph, observed_at
from tests.bench.oracle import Walk
from tests.bench.shapes import BUDGET

Hop = tuple[int, int, int, int]  # record, relationship, far record, when it was seen


class Engine(Protocol):
    """An engine with a graph in it."""

    def hops(self, nodes: Sequence[int], types: Sequence[str]) -> list[Hop]:
        """At each of these records, the newest ``BUDGET.fanout`` visible relationships of these types, both ways."""

    def chain(self, start: int) -> list[tuple[int, ...]]:
        """The visible walks along ``shapes.ALONG`` from a record, in any order."""

    def close(self) -> None:
        """Let go of files and memory."""


def walk(engine: Engine, start: int, types: Sequence[str]) -> Walk:
    """The bounded neighbourhood of three hops: one question to the engine a level."""
    known, level, edges = {start: None}, [start], set[int]()
    for _ in range(3):
        hops = engine.hops(level, types) if level else []
        newest = dict.fromkeys(hop[2] for hop in sorted(hops, key=lambda hop: -hop[3]))
        level = [far for far in newest if far not in known][: BUDGET.nodes - len(known)]
        known |= dict.fromkeys(level)
        edges.update(hop[1] for hop in hops if hop[2] in known)
    return Walk(frozenset(known), frozenset(edges))


def tables(graph: Graph, folder: Path) -> Path:
    """The folder of CSV files that engines are loaded from: the records, and a file a type of relationship."""
    target = folder / f"{graph.size}-tables"
    if target.is_dir():
        return target
    making = folder / f"{graph.size}-tables.making"
    making.mkdir(parents=True, exist_ok=True)
    with (making / "nodes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([node] for node in range(graph.size))
    files = [(making / f"{name}.csv").open("w", newline="") for name, _, _ in TYPES]
    writers = [csv.writer(file) for file in files]
    for edge in graph.edges:
        ends = (graph.sources[edge], graph.targets[edge])
        writers[graph.types[edge]].writerow([*ends, edge, observed_at(edge), graph.secret[edge]])
    for file in files:
        file.close()
    return making.rename(target)
