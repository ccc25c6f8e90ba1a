"""How many rows a MATCH needs to give: LIMIT without ORDER BY is filled by any of them."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl import ast
from lens_dsl.pattern import ProjectBlock
from lens_dsl.plan import MatchStep
from lens_runtime.evaluation.expressions import Evaluator


def enough(blocks: Sequence[MatchStep | ProjectBlock], position: int, evaluator: Evaluator) -> int | None:
    """Rows after which the MATCH at this position may stop; None where it must not."""
    following = blocks[position + 1] if position + 1 < len(blocks) else None
    if not isinstance(following, ProjectBlock) or following.limit is None:
        return None
    if following.aggregates or following.distinct or following.order:
        return None
    counts = [_count(each, evaluator) for each in (following.skip, following.limit) if each is not None]
    return sum(each for each in counts if each is not None) if None not in counts else None


def _count(expression: ast.Expression, evaluator: Evaluator) -> int | None:
    """The number that is written there; None for what the projection may refuse."""
    if not isinstance(expression, (ast.Literal, ast.Parameter)):
        return None
    value = evaluator.value(expression, {})
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
