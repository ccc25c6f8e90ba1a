"""Subqueries: where they stand in the blocks of a query, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lens_dsl.ast import Expression, Node
from lens_dsl.pattern import Block, MatchBlock, ProduceBlock, ProjectBlock, Subquery, UnwindBlock
from lens_dsl.walk import walk


def subqueries_of(block: Block) -> tuple[Subquery, ...]:
    """The subqueries in the expressions of a block; not those within them."""
    return tuple(found for expression in expressions_of(block) for found in subqueries_in(expression))


def every_block(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, and those of the subqueries in them, however deep."""
    for block in blocks:
        yield block
        for subquery in subqueries_of(block):
            yield from _blocks_of(subquery)


def _blocks_of(subquery: Subquery) -> Iterator[Block]:
    for part in subquery.parts:
        yield from every_block(part)
    for nested in subqueries_in(subquery.column.expression) if subquery.column is not None else ():
        yield from _blocks_of(nested)


def expressions_of(block: Block) -> Iterator[Expression]:
    """Every expression that a block evaluates."""
    if isinstance(block, MatchBlock):
        yield from block.predicates
        for slot in block.relationships:
            yield from (value for _, value in slot.properties)
    elif isinstance(block, ProjectBlock):
        yield from (column.expression for column in block.columns)
        for item in block.aggregates:
            yield from _given(item.argument, item.fraction)
        yield from (key.expression for key in block.order)
        yield from _given(block.where)
    elif isinstance(block, UnwindBlock):
        yield block.source
    elif isinstance(block, ProduceBlock):
        yield from block.predicates


def clamped_walks(blocks: Iterable[Block]) -> int:
    """How many walks have no upper bound of their own, subqueries included."""
    matches = (block for block in every_block(blocks) if isinstance(block, MatchBlock))
    return sum(slot.clamped for block in matches for slot in block.relationships)


def names_a_subquery(expression: Node) -> bool:
    """Whether a subquery stands in it."""
    return bool(subqueries_in(expression))


def bound_names(subquery: Subquery) -> frozenset[str]:
    """The variables that its patterns take from outside."""
    blocks = (block for part in subquery.parts for block in part if isinstance(block, MatchBlock))
    found: set[str] = set()
    for block in blocks:
        found |= {node.name for node in block.nodes if node.bound}
        found |= {walk.name for walk in block.relationships if walk.bound}
    return frozenset(found)


def subqueries_in(expression: Node) -> list[Subquery]:
    """The subqueries in an expression; not those within them."""
    parts: Iterable[Node] = walk(expression)
    return [part for part in parts if isinstance(part, Subquery)]


def _given(*expressions: Expression | None) -> Iterator[Expression]:
    return (expression for expression in expressions if expression is not None)
