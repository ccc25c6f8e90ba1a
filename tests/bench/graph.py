"""The graphs that are measured: seeded, with hubs, and the same planted part in every size."""

from __future__ import annotations

import random
from array import array
from dataclasses import dataclass, field
from itertools import accumulate

from lens_dsl.ontology import Kind, Ontology, RelationshipType

SEED = 20_261_130
PLANTED = 5_000
"""How many records the part has that every size holds: its relationships join its records alone."""
EDGES_A_NODE = 3
SECRET = 0.15
STARTED = 1_700_000_000_000  # milliseconds
SCRAMBLE, SPAN = 2_654_435_761, 2**32

KINDS = ("Party", "Account", "Case", "Document", "Device")
COMMON = (
    ("OWNS", "Party", "Account"),
    ("RAISED", "Account", "Case"),
    ("HOLDS", "Case", "Document"),
    ("SEEN_ON", "Document", "Device"),
)
RARE = (
    ("USES", "Party", "Device"),
    ("KNOWS", "Party", "Party"),
    ("LINKED", "Account", "Account"),
    ("FOLLOWS", "Case", "Case"),
    ("CITES", "Document", "Document"),
    ("PAIRED", "Device", "Device"),
)
TYPES = (*COMMON, *RARE)
MODULE = "records"
ONTOLOGY = Ontology(
    {kind: Kind(kind, MODULE, projected=("rank",), hydrated=("note",)) for kind in KINDS},
    {name: RelationshipType(name, MODULE, (source,), (target,)) for name, source, target in TYPES},
)


@dataclass
class Graph:
    """Records by number, relationships by position: their type, ends, and whether the reader may see them."""

    size: int
    hidden: bytearray = field(default_factory=bytearray)
    types: array[int] = field(default_factory=lambda: array("b"))
    sources: array[int] = field(default_factory=lambda: array("l"))
    targets: array[int] = field(default_factory=lambda: array("l"))
    secret: bytearray = field(default_factory=bytearray)

    @property
    def edges(self) -> range:
        """The positions of all relationships."""
        return range(len(self.types))

    def visible(self, edge: int) -> bool:
        """Whether the reader may see it: its own class is open, and so are both ends."""
        return not self.secret[edge]

    def around(self) -> Around:
        """The visible relationships at every record, by type and direction, newest first."""
        return Around(self)


def name_of(node: int) -> str:
    """The id of a record: its kind stands in its number."""
    return f"n{node}"


def kind_of(node: int) -> str:
    """A record's kind."""
    return KINDS[node % len(KINDS)]


def observed_at(edge: int) -> int:
    """When a relationship was seen: no two at the same time, and in no order."""
    return STARTED + edge * SCRAMBLE % SPAN


def hub_of(start: int) -> int:
    """The record of kind Account that a tenth of the records of its part point to."""
    return start + KINDS.index("Account")


def draw(size: int) -> Graph:
    """The graph of that many records; the first ``PLANTED`` of them and what joins them are alike in every size."""
    graph = Graph(size)
    planted = min(PLANTED, size)
    _draw_part(graph, 0, planted, random.Random(SEED))
    if size > planted:
        _draw_part(graph, planted, size, random.Random(SEED + size))
    return graph


def _draw_part(graph: Graph, start: int, end: int, chance: random.Random) -> None:
    """Records and relationships of a part: a few records have very many, one of them a tenth of all."""
    count, draw_one = end - start, chance.random
    graph.hidden.extend(draw_one() < SECRET for _ in range(count))
    graph.hidden[start] = graph.hidden[hub_of(start)] = 0
    blocks = count // len(KINDS)
    for _ in range(count * EDGES_A_NODE):
        number = int(draw_one() * 100)
        type_ = number // 23 if number < 92 else len(COMMON) + int(draw_one() * len(RARE))
        source = start + int(draw_one() * blocks) * len(KINDS)
        target = start + int(draw_one() ** 2 * blocks) * len(KINDS)  # the square: few have many
        _join(graph, type_, source, target, draw_one() < SECRET)
    for block in range(0, blocks, 2):  # every second record of kind Party
        _join(graph, 0, start + block * len(KINDS), start, draw_one() < SECRET)


def _join(graph: Graph, type_: int, source: int, target: int, secret: bool) -> None:
    _, from_, to = TYPES[type_]
    near, far = source + KINDS.index(from_), target + KINDS.index(to)
    if near == far:
        return
    graph.types.append(type_)
    graph.sources.append(near)
    graph.targets.append(far)
    graph.secret.append(secret or graph.hidden[near] or graph.hidden[far])


class Around:
    """An index of the visible relationships of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        degrees = array("l", bytes(8 * (graph.size + 1)))
        for edge in filter(graph.visible, graph.edges):
            degrees[graph.sources[edge]] += 1
            degrees[graph.targets[edge]] += 1
        self._ends = array("l", accumulate(degrees))
        self._places = array("l", bytes(8 * self._ends[-1]))
        at = array("l", self._ends)
        for edge in filter(graph.visible, graph.edges):
            for node in (graph.sources[edge], graph.targets[edge]):
                at[node] -= 1
                self._places[at[node]] = edge

    def hops(self, node: int, ways: frozenset[tuple[int, int]]) -> list[tuple[int, int]]:
        """(relationship, far record) of these types and directions (0 out, 1 in) at a record, newest first."""
        graph, found = self._graph, list[tuple[int, int]]()
        for edge in self._places[self._ends[node - 1] if node else 0 : self._ends[node]]:
            type_ = graph.types[edge]
            if graph.sources[edge] == node and (type_, 0) in ways:
                found.append((edge, graph.targets[edge]))
            elif graph.targets[edge] == node and (type_, 1) in ways:
                found.append((edge, graph.sources[edge]))
        found.sort(key=lambda hop: self.age(hop[0]))
        return found

    @staticmethod
    def age(edge: int) -> int:
        """Smaller for what is newer."""
        return -observed_at(edge)
