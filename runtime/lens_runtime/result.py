"""What a query gives: rows, what was left out, how fresh it is, what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lens_dsl.ontology import Ontology
from lens_dsl.plan import Plan
from lens_runtime.aggregation.production import Production
from lens_runtime.cuts import Cut
from lens_runtime.graph import Coordinate, Node, Path, Relationship, Value
from lens_runtime.hydration import Freshness, merge
from lens_runtime.meter import Meter
from lens_runtime.revalidation import State
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Missing
from lens_runtime.table import Bound, Table


@dataclass(frozen=True)
class Result:
    """Rows in the order of ``columns``. ``complete`` only if nothing was cut, withheld or unknown.

    ``cuts`` say what was left out and why; ``bounds`` which columns are only lower bounds or parts of lists;
    ``withheld`` what could not be told at all, in which case there are no rows. ``aggregates`` is the log of what
    producers made or took from the graph; ``usage`` has the calls of models. ``ends`` has the coordinates
    of the nodes that the rows' relationships join, by node id. ``states`` say how relationships stand, by id (None
    where nobody was asked), and ``missing`` which of the records' relationships lead nowhere.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    cuts: tuple[Cut, ...]
    bounds: Mapping[str, Bound]
    withheld: tuple[str, ...]
    warnings: tuple[str, ...]
    freshness: tuple[Freshness, ...]
    scope: Scope
    plan: Plan
    usage: Meter
    as_of: int
    ontology: Ontology = field(default_factory=Ontology, repr=False)
    ends: Mapping[str, Coordinate] = field(default_factory=dict, repr=False)
    states: Mapping[str, State] | None = field(default=None, repr=False)
    missing: tuple[Missing, ...] = ()
    aggregates: tuple[Production, ...] = ()

    def __iter__(self) -> Iterator[dict[str, Value]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def complete(self) -> bool:
        """Whether the answer is whole: nothing cut, nothing withheld, every module answered."""
        return not (self.cuts or self.bounds or self.withheld)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node in the rows, lists and paths flattened, each once, in order of appearance."""
        found = {node.id: node for row in self.rows for value in row for node in _nodes(value)}
        return tuple(found.values())

    @cached_property
    def relationships(self) -> tuple[Relationship, ...]:
        """Every relationship in the rows, lists and paths flattened, each once, in order of appearance."""
        found = {r.id: r for row in self.rows for value in row for r in _relationships(value)}
        return tuple(found.values())

    def produced(self, log: tuple[Production, ...], warnings: tuple[str, ...]) -> Result:
        """The same with the log of the producers, and what they warn of."""
        return replace(self, aggregates=log, warnings=(*self.warnings, *warnings))

    def described(self, ontology: Ontology, nodes: Mapping[str, Node]) -> Result:
        """The same, able to say what its properties and the ends of its relationships are."""
        ids = {end for r in self.relationships for end in (r.source, r.target)}
        return replace(self, ontology=ontology, ends={end: nodes[end].coordinate for end in sorted(ids)})


def conclude(
    plan: Plan,
    table: Table,
    freshness: tuple[Freshness, ...],
    meter: Meter,
    scope: Scope,
    as_of: int,
) -> Result:
    """The result of a plan: the last table's rows under the ceiling of rows, with every mark."""
    ceiling = plan.budget.rows
    rows = tuple(tuple(row[name] for name in plan.columns) for row in table.rows)
    cuts = set(table.cuts)
    if len(rows) > ceiling:
        cuts.add(Cut("rows", ceiling))
    scanned = ("the query started from a bounded scan, not from a key",) if plan.scans else ()
    return Result(
        plan.columns,
        rows[:ceiling],
        tuple(sorted(cuts, key=str)),
        table.bounds,
        table.withheld,
        (*plan.warnings, *scanned),
        merge(freshness),
        scope,
        plan,
        meter,
        as_of,
    )


def _nodes(value: Value) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, Path):
        yield from value.nodes
    else:
        for item in _items(value):
            yield from _nodes(item)


def _relationships(value: Value) -> Iterator[Relationship]:
    if isinstance(value, Relationship):
        yield value
    elif isinstance(value, Path):
        yield from value.relationships
    else:
        for item in _items(value):
            yield from _relationships(item)


def _items(value: Value) -> Sequence[Value]:
    if isinstance(value, (list, tuple)):
        return value
    return tuple(value.values()) if isinstance(value, Mapping) else ()
