"""A query that means something here: names resolved, variables typed, predicates split.

``validate`` makes it from an ``ast.Query`` and an ontology; ``plan_query`` makes a plan of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lens_dsl.ast import NOWHERE, Direction, Expression, Node
from lens_dsl.errors import Span


@dataclass(frozen=True, slots=True)
class NodeSlot:
    """A node of a pattern. ``kinds`` are those it can be of; None in an open world: any.

    ``labels`` is what a hydrated node is tested for: a conjunction of alternatives.
    """

    name: str
    labels: tuple[tuple[str, ...], ...]
    kinds: frozenset[str] | None
    bound: bool = False


@dataclass(frozen=True, slots=True)
class RelationshipSlot:
    """A relationship of a pattern, as written: from ``source`` to ``target`` in ``direction``.

    ``many`` says that its variable is a list (a ``*`` was written); ``properties`` must hold on each. ``clamped``
    says that no upper bound was written, so that ``high`` is the session's. One that is ``bound`` is walked again.
    No ``types`` are all of them, in an open world.
    """

    name: str
    source: str
    target: str
    types: tuple[str, ...]
    direction: Direction
    low: int = 1
    high: int = 1
    many: bool = False
    properties: tuple[tuple[str, Expression], ...] = ()
    span: Span = NOWHERE
    clamped: bool = False
    bound: bool = False


@dataclass(frozen=True, slots=True)
class PathSlot:
    """A named path: the names of its nodes, and of the relationships between them."""

    name: str
    nodes: tuple[str, ...]
    relationships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchBlock:
    """One MATCH or OPTIONAL MATCH; ``predicates`` are the terms of its AND, inline maps of nodes included."""

    optional: bool
    nodes: tuple[NodeSlot, ...]
    relationships: tuple[RelationshipSlot, ...]
    paths: tuple[PathSlot, ...]
    predicates: tuple[Expression, ...]
    introduces: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Column:
    """One item of a projection. ``aggregates`` are the placeholders that its expression refers to."""

    name: str
    expression: Expression
    aggregates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregation within a projection, computed once a group and bound to ``placeholder``.

    ``fraction`` is the second argument of a percentile, the same for all rows of a group.
    """

    placeholder: str
    function: str
    argument: Expression | None
    distinct: bool
    fraction: Expression | None = None


@dataclass(frozen=True, slots=True)
class SortKey:
    """One expression of ORDER BY."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class ProjectBlock:
    """One WITH or RETURN. Columns without aggregates are the grouping keys where there are aggregates."""

    columns: tuple[Column, ...]
    aggregates: tuple[Aggregate, ...] = ()
    distinct: bool = False
    order: tuple[SortKey, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None
    final: bool = False


@dataclass(frozen=True, slots=True)
class Directives:
    """What steers a producer: constant expressions by name, of the closed ``ai`` map and of the open ``realm`` map."""

    ai: tuple[tuple[str, Expression], ...] = ()
    realm: tuple[tuple[str, Expression], ...] = ()


@dataclass(frozen=True, slots=True)
class ProduceBlock:
    """One virtual relationship: a leaf ``target`` of ``kind`` is made for every node that ``source`` holds.

    ``sources`` are the kinds it can be made for. ``predicates`` are those that name the leaf; in an OPTIONAL
    MATCH all of its clause.
    """

    type: str
    source: str
    sources: frozenset[str]
    target: str
    kind: str
    directives: Directives
    predicates: tuple[Expression, ...] = ()
    optional: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class UnwindBlock:
    """One UNWIND: a row for each element of ``source``, none for null."""

    variable: str
    source: Expression


@dataclass(frozen=True, slots=True)
class UnionBlock:
    """The rows so far are one part of a UNION; what follows begins anew."""


Block = MatchBlock | ProduceBlock | ProjectBlock | UnwindBlock | UnionBlock


@dataclass(frozen=True, slots=True)
class Subquery(Node):
    """A pattern that stands in an expression: whether there is a match, or with ``column`` the list of its values.

    ``uses`` are the variables that it takes from outside, each with what it is there. It has a match where one of
    its ``parts`` has (those of a UNION). ``name`` tells it from any other of the query; ``text`` is how it is written.
    """

    name: str
    text: str
    uses: tuple[tuple[str, Expression], ...]
    parts: tuple[tuple[Block, ...], ...]
    column: Column | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """The blocks in order, the last of them the RETURN; ``parameters`` are the names it needs.

    ``distinct`` says that rows which parts of a UNION have in common come once.
    """

    text: str
    blocks: tuple[Block, ...]
    parameters: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    distinct: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the result's columns: those of a UNION's first part."""
        returns = (block for block in self.blocks if isinstance(block, ProjectBlock) and block.final)
        return tuple(column.name for column in next(returns).columns)
