"""Graphs and queries made to cost as much as their plans say, one for each operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lens_dsl.budget import Budget
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.test_regressions import ONTOLOGY, link, record
from tests.oracle.worlds import CLASSES, Link, Record, SmallWorld

Graph = tuple[list[Record], list[Link]]
ROOMY = Budget(
    depth=4, fanout=40, window=1_000, examined=20_000, scopes=1, nodes=400, edges=20_000, steps=5_000,
    allow_scan=True,
)  # fmt: skip


@dataclass(frozen=True)
class Adversary:
    """A graph, a query, a budget; ``driven`` are the counts that must come to a quarter of what is stated."""

    name: str
    graph: Callable[[], Graph]
    text: str
    budget: Budget = ROOMY
    driven: tuple[str, ...] = ("rows_read",)
    verify: bool = False


def world(graph: Graph) -> SmallWorld:
    """The graph under a policy that opens everything to ann."""
    role = Role("all", ("*",), ("*",), CLASSES)
    actors = {name: Actor(name, ("all",), {}) for name in ("ann", "bob", "cyd")}
    policy = Policy(CLASSES, {"Ant": "m1", "Bee": "m2"}, {"all": role}, actors, ("ann",))
    return SmallWorld(ONTOLOGY, policy, tuple(graph[0]), tuple(graph[1]))


def ants(count: int = 400) -> Graph:
    return [record("Ant", f"a{n}", i=1, p=n) for n in range(count)], []


def hub(spokes: int = 1_200) -> Graph:
    """One record with many neighbours, all of one moment."""
    bees = [f"b{n}" for n in range(spokes)]
    records = [record("Ant", "a0"), *(record("Bee", b, p=1) for b in bees)]
    return records, [link("r", "a0", b) for b in bees]


def two_hops() -> Graph:
    """A hub whose neighbours are hubs over the same records."""
    first, second = [f"a{n}" for n in range(1, 41)], [f"b{n}" for n in range(60)]
    records = [record("Ant", "a0"), *(record("Ant", a) for a in first), *(record("Bee", b) for b in second)]
    links = [link("r", "a0", a) for a in first]
    return records, [*links, *(link("r", a, b) for a in first for b in second)]


def complete(size: int = 50) -> Graph:
    """K50: every record joined with every other one, in cycles of every length."""
    names = [f"a{n}" for n in range(size)]
    return [record("Ant", a) for a in names], [link("r", a, b) for a in names for b in names if a < b]


def many_groups() -> Graph:
    """Forty records, each with neighbours in every class along edges of every class and of both types."""
    centres, spokes = [f"b{n}" for n in range(40)], [f"bz{n}" for n in range(9)]
    records = [record("Ant", "a0"), *(record("Bee", b) for b in centres)]
    records += [record("Bee", b, CLASSES[n % 3]) for n, b in enumerate(spokes)]
    links = [link("r", "a0", b) for b in centres]
    links += [link("s", c, b, CLASSES[n // 3]) for c in centres for n, b in enumerate(spokes)]
    return records, links


def dangling() -> Graph:
    """Forty records joined with forty others, each with edges of every class to records that are not there."""
    names, bees = [f"a{n}" for n in range(40)], [f"b{n}" for n in range(40)]
    links = [link("r", a, b) for a in names for b in bees]
    links += [link("r", a, f"agone{n}", CLASSES[n % 3]) for a in names for n in range(30)]
    return [*(record("Ant", a) for a in names), *(record("Bee", b) for b in bees)], links


ADVERSARIES = (
    Adversary(
        "NodeSeek by ids",
        ants,
        f"MATCH (a:Ant) WHERE a.id IN {[f'a{n}' for n in range(200)]} RETURN count(a) AS n",
        driven=("rows_read", "nodes"),
    ),
    Adversary("NodeSeek by an index", ants, "MATCH (a:Ant {i: 1}) RETURN count(a) AS n", driven=("rows_read", "nodes")),
    Adversary("NodeScan", ants, "MATCH (a:Ant) RETURN count(a) AS n", driven=("rows_read", "nodes")),
    Adversary(
        "Expand at a hub, all of one moment",
        hub,
        "MATCH (a:Ant {id: 'a0'})-->(b:Bee) RETURN count(b) AS n",
        replace(ROOMY, fanout=90),
        ("rows_read", "nodes", "edges", "examined"),
    ),
    Adversary(
        "Expand along two hops",
        two_hops,
        "MATCH (a:Ant {id: 'a0'})-[:R]->(:Ant)-[:R]->(b:Bee) RETURN count(b) AS n",
        driven=("rows_read", "edges", "examined"),
    ),
    Adversary(
        "Expand with a predicate, through the whole window",
        hub,
        "MATCH (a:Ant {id: 'a0'})-->(b:Bee) WHERE b.p = 2 RETURN count(b) AS n",
        driven=("rows_read", "examined"),
    ),
    Adversary(
        "Expand that closes",
        complete,
        "MATCH (a:Ant {id: 'a0'})-[:R]-(b:Ant)-[:R]-(c:Ant)-[:R]-(a) RETURN count(*) AS n",
        replace(ROOMY, window=50, nodes=50),
        ("rows_read", "examined", "matcher_steps"),
    ),
    Adversary(
        "VarLengthExpand in cycles",
        complete,
        "MATCH (a:Ant {id: 'a0'})-[:R*1..3]-(b:Ant) RETURN count(*) AS n",
        replace(ROOMY, nodes=50, examined=2_100, edges=1_000),
        ("rows_read", "nodes", "edges", "matcher_steps"),
    ),
    Adversary(
        "Expand under a ceiling of what is looked at",
        complete,
        "MATCH (a:Ant {id: 'a0'})-[:R]-(b:Ant)-[:R]-(c:Ant) RETURN count(*) AS n",
        replace(ROOMY, nodes=50, examined=1_000),
        ("rows_read", "examined", "matcher_steps"),
    ),
    Adversary(
        "Expand through many types and scopes",
        many_groups,
        "MATCH (a:Ant {id: 'a0'})-[:R]->(b:Bee)-[:S]->(c:Bee) RETURN count(*) AS n",
        replace(ROOMY, scopes=12, window=9, fanout=40, nodes=60),
        ("rows_read",),
    ),
    Adversary(
        "Missing",
        dangling,
        f"MATCH (a:Ant) WHERE a.id IN {[f'a{n}' for n in range(40)]} OPTIONAL MATCH (a)-[:R]->(b:Bee) RETURN a, b",
        replace(ROOMY, nodes=80, rows=2_000, examined=2_000),
        ("rows_read",),
        verify=True,
    ),
)  # fmt: skip
