"""How many rows a MATCH needs to give: LIMIT without ORDER BY is filled by any of them."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl import ast
from lens_dsl.nesting import subqueries_of
from lens_dsl.pattern import MatchBlock, ProjectBlock
from lens_dsl.plan import InnerBlock, MatchStep
from lens_runtime.evaluation.expressions import Evaluator


def enough(blocks: Sequence[InnerBlock], position: int, evaluator: Evaluator) -> int | None:
    """Rows after which the MATCH at this position may stop; None where it must not, and of any other block.

    What the projection computes must be sure to have a value, so that an error in any row is noticed.
    """
    block = blocks[position]
    following = blocks[position + 1] if position + 1 < len(blocks) else None
    if not isinstance(block, MatchStep) or not isinstance(following, ProjectBlock) or following.limit is None:
        return None
    if following.aggregates or following.distinct or following.order or subqueries_of(block.block):
        return None
    if not all(_sure(column.expression, block.block) for column in following.columns):
        return None
    counts = [_count(each, evaluator) for each in (following.skip, following.limit) if each is not None]
    return sum(each for each in counts if each is not None) if None not in counts else None


def _sure(expression: ast.Expression, block: MatchBlock) -> bool:
    """Whether it has a value in every row of this MATCH."""
    if isinstance(expression, ast.Property) and isinstance(expression.subject, ast.Variable):
        nodes = {slot.name for slot in block.nodes}
        return expression.subject.name in nodes.union(r.name for r in block.relationships if not r.many)
    return isinstance(expression, (ast.Variable, ast.Literal))


def _count(expression: ast.Expression, evaluator: Evaluator) -> int | None:
    """The number that is written there; None for what the projection may refuse."""
    if not isinstance(expression, (ast.Literal, ast.Parameter)):
        return None
    value = evaluator.value(expression, {})
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
