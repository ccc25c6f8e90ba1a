"""A result as a picture's content: which records and relationships are drawn, where, and in which colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lens_kernel.layout import layout
from lens_kernel.text import clean, counted, shorten, show
from lens_runtime.graph import Coordinate, Node, Relationship
from lens_runtime.result import Result

DRAWN = 300
"""Records that a picture draws."""
DRAWN_RELATIONSHIPS = 900
TABLE_ABOVE = 2_000
"""Records above which there is no picture: the table says more."""
LABEL, VALUE, FACTS = 40, 160, 12

Style = Literal["unverified", "stale"]
STYLES: Mapping[Style, str] = {
    "unverified": "as projected, not asked of its owner again",
    "stale": "a record at one of its ends has changed since it was projected",
}
PALETTE = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
    "#ee7733", "#009988", "#997700", "#994455", "#6699cc", "#777777",
)  # fmt: skip
"""Told apart by people who see few colours, too (after Paul Tol); a world with more kinds uses them again."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A record: its place in units of its own width, and its facts as this actor was given them, as text."""

    kind: str
    label: str
    coordinate: str
    colour: str
    x: float
    y: float
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A relationship between two dots, by their numbers."""

    source: int
    target: int
    type: str
    style: Style


@dataclass(frozen=True, slots=True)
class Network:
    """What a picture shows. ``legend`` has each kind with its colour and how many are drawn.

    Every text is on one line, and what cannot be seen in it is escaped; it is still to be escaped for its page.
    ``records`` and ``relationships`` count what the result has, drawn or not.
    """

    dots: tuple[Dot, ...]
    lines: tuple[Line, ...]
    legend: tuple[tuple[str, str, int], ...]
    records: int
    relationships: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What the picture leaves out, in words, with the way to see it."""
        return tuple(_notes(self))

    @property
    def summary(self) -> str:
        """The picture in words, for those who do not see it."""
        kinds = ", ".join(f"{number} {kind}" for kind, _, number in self.legend)
        types = Counter(line.type for line in self.lines)
        joined = ", ".join(f"{number} {name}" for name, number in sorted(types.items()))
        return f"Graph of {kinds or 'no records'}; {joined or 'no relationships'}"


def network_of(result: Result) -> Network:
    """The picture of the records and relationships in a result's rows; the same result gives the same picture.

    Above ``TABLE_ABOVE`` records nothing is drawn. A record that only a relationship names is drawn by its coordinate.
    """
    nodes = {node.id: node for node in result.nodes}
    ends = {**{id_: node.coordinate for id_, node in nodes.items()}, **result.ends}
    names = list(nodes) + [end for end in ends if end not in nodes]
    drawn = names[:DRAWN] if len(names) <= TABLE_ABOVE else []
    numbers = {name: number for number, name in enumerate(drawn)}
    lines = tuple(_lines(result.relationships, numbers, nodes))[:DRAWN_RELATIONSHIPS]
    places = layout(len(drawn), [(line.source, line.target) for line in lines])
    colours = _colours(result, [ends[name].entity_type for name in drawn])
    dots = tuple(
        _dot(nodes.get(name), ends[name], colours, place) for name, place in zip(drawn, places, strict=True)
    )
    kinds = Counter(dot.kind for dot in dots)
    legend = tuple((kind, colours[kind], kinds[kind]) for kind in sorted(kinds))
    return Network(dots, lines, legend, len(names), len(result.relationships))


def _lines(
    relationships: Sequence[Relationship], numbers: Mapping[str, int], nodes: Mapping[str, Node]
) -> Iterator[Line]:
    for one in relationships:
        if one.source in numbers and one.target in numbers:
            changed = any(_changed(nodes.get(end)) for end in (one.source, one.target))
            name = shorten(clean(one.type), LABEL)
            yield Line(numbers[one.source], numbers[one.target], name, "stale" if changed else "unverified")


def _changed(node: Node | None) -> bool:
    return node is not None and node.projected_revision not in (None, node.revision)


def _colours(result: Result, kinds: Sequence[str]) -> dict[str, str]:
    """A colour for each kind, by its place in the ontology: the same in every picture of a world."""
    order = [*result.ontology.kinds, *sorted(set(kinds) - set(result.ontology.kinds))]
    return {clean(kind): PALETTE[place % len(PALETTE)] for place, kind in enumerate(order)}


def _dot(
    node: Node | None, coordinate: Coordinate, colours: Mapping[str, str], place: tuple[float, float]
) -> Dot:
    kind = clean(coordinate.entity_type)
    label = clean(node.label if node is not None and node.label else coordinate.entity_id)
    facts = tuple(_facts(node)) if node is not None else ()
    return Dot(kind, shorten(label, LABEL), clean(str(coordinate)), colours[kind], *place, facts)


def _facts(node: Node) -> Iterator[tuple[str, str]]:
    known = [(name, value) for name, value in node.properties.items() if value is not None]
    for name, value in known[:FACTS]:
        yield clean(name), shorten(show(value), VALUE)
    if len(known) > FACTS:
        yield "…", f"{counted(len(known) - FACTS, 'more property', 'more properties')}"


def _notes(network: Network) -> Iterator[str]:
    if network.records > TABLE_ABOVE:
        yield (
            f"{network.records:,} records are too many for a picture (at most {TABLE_ABOVE:,}): the table has them; "
            "a LIMIT, or a smaller --max-nodes or --fanout, gives fewer"
        )
        return
    left = network.records - len(network.dots)
    if left:
        yield f"the first {len(network.dots):,} of {network.records:,} records are drawn; a LIMIT gives fewer"
    left = network.relationships - len(network.lines)
    if left:
        yield f"{counted(left, 'relationship')} of {network.relationships:,} not drawn"
