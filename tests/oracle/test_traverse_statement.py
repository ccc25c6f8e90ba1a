"""The one traversal statement brings what its comment says, on the SQLite of the standard library and on apsw's."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable

import apsw
import pytest

from tests.oracle.statement import CLASSES, KINDS, TYPES, Anchor, Connection, Graph, run, vis_of
from tests.share import is_full

GRAPHS, CASES = (800, 25) if is_full() else (150, 20)
TESTS = [
    ("=", 1),
    ("<>", 2),
    ("IN", [1, "a"]),
    ("IS NULL", None),
    ("IS NOT NULL", None),
    (">", 1),
    ("<=", "a"),
]


def scopes(chance: random.Random) -> dict[str, list[int]]:
    return {
        kind: [vis_of(kind, level) for level in range(CLASSES) if chance.random() < 0.6] for kind in KINDS
    }


def anchor(chance: random.Random, bit: int, size: int) -> Anchor:
    values = [
        f"s:{chance.choice([1, 2, chance.randint(1, size + 1)])}" for _ in range(chance.choice([1, 1, 4]))
    ]
    return (bit, chance.choice([["A"], ["A", "B"], ["B"]]), "id", list(dict.fromkeys(values)))


def step(chance: random.Random, bits: list[int], bit: int) -> dict[str, object]:
    types = chance.sample(range(1, TYPES + 1), chance.randint(1, TYPES))
    ways = {name: chance.choice([[0], [1], [0, 1]]) for name in types}
    return {
        "bit": bit,
        "from": chance.choice(bits) | chance.choice([0, *bits]),
        "skip": chance.choice([0, 0, 0, *bits]),
        "into": chance.sample(bits, 1) if chance.random() < 0.25 else None,
        "go": [[f"t{t}", way, chance.choice([["A"], ["B"], ["A", "B"]])] for t in types for way in ways[t]],
        "tests": [["$.x", *chance.choice(TESTS)]] if chance.random() < 0.3 else [],
        "need": chance.choice([0, 0, 1]),
    }


def case(chance: random.Random, size: int) -> tuple[dict[str, list[int]], list[Anchor], dict[str, object]]:
    anchors = [anchor(chance, 1 << number, size) for number in range(chance.choice([1, 1, 2]))]
    bits = [one[0] for one in anchors]
    steps = []
    for _ in range(chance.randint(0, 5)):
        steps.append(step(chance, bits, bits[-1] << 1))
        bits.append(bits[-1] << 1)
    plan = {"world": "w", "n": chance.choice([1, 3, 10, 100]), "f": chance.choice([1, 2, 5, 50]), "s": steps}
    ceilings = {"w": chance.choice([1, 3, 10, 1000]), "e": chance.choice([1, 5, 20, 100, 1000, 1000])}
    return scopes(chance), anchors, {**plan, **ceilings}


@pytest.mark.parametrize("connect", [sqlite3.connect, apsw.Connection], ids=["sqlite3", "apsw"])
def test_it_brings_what_its_comment_says(connect: Callable[[str], Connection]) -> None:
    for seed in range(GRAPHS):
        chance = random.Random(seed)
        graph, connection = Graph.draw(chance), connect(":memory:")
        graph.store(connection)
        for number in range(CASES):
            asked = case(chance, len(graph.vertices))
            got, want = run(connection, *asked), graph.traverse(*asked)
            assert (got.nodes, got.edges, got.windows) == (want.nodes, want.edges, want.windows), (
                seed,
                number,
                asked,
            )
            assert got.anchors == want.anchors, (seed, number)
        connection.close()  # type: ignore[attr-defined]


def test_the_oracle_is_asked_something() -> None:
    """The drawn cases reach cuts of every sort, closings, tests and ends of traversals."""
    found, cut, windows = 0, 0, 0
    for seed in range(60):
        chance = random.Random(seed)
        graph = Graph.draw(chance)
        for _ in range(20):
            asked = case(chance, len(graph.vertices))
            seen = graph.traverse(*asked)
            found += len(seen.edges)
            cut += sum(edge[4] == asked[2]["f"] for edge in seen.edges)
            windows += len(seen.windows)
    assert found > 500
    assert min(cut, windows) > 50
