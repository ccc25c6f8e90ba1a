"""WITH and RETURN on a table: columns, groups, DISTINCT, ORDER BY, SKIP, LIMIT, and what a cut does to each.

What stays right on a subset of the rows is passed on with its mark; what does not (architecture.md, "what a
cut does") is withheld: avg, min, max, sums that could shrink, top-k, and anything computed from a bound. A
variable in doubt may be passed on and adds nothing to an aggregation; a row that is told by it is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from lens_dsl import ast
from lens_dsl.errors import EvaluationProblem
from lens_dsl.pattern import Aggregate, Column, ProjectBlock
from lens_dsl.walk import free_variables
from lens_runtime.cuts import Untellable
from lens_runtime.evaluation.aggregates import aggregate
from lens_runtime.evaluation.equality import group_key
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.evaluation.kinds import kind_of
from lens_runtime.evaluation.ordering import order_key
from lens_runtime.graph import Value
from lens_runtime.table import Bound, Row, Table, doubtful, in_doubt

# Columns as projected, and the row that ORDER BY and WHERE can still see behind them.
Pair = tuple[Row, Row]

_BOUNDS: dict[str, Bound] = {"count": "at least", "collect": "some of"}
_NOT_NEGATIVE = ("size", "length", "abs", "count")


def project(block: ProjectBlock, table: Table, evaluator: Evaluator) -> Table:
    """The table after one WITH or RETURN."""
    try:
        return _projected(block, table, evaluator)
    except Untellable as unknown:
        told = replace(table, cuts=table.cuts | unknown.cuts)
        return told.without_rows("what hangs on a pattern in an expression")


def _projected(block: ProjectBlock, table: Table, evaluator: Evaluator) -> Table:
    reason = _untellable(block, table)
    if reason:
        return table.without_rows(reason)
    skip, limit = _number(block.skip, "SKIP", evaluator), _number(block.limit, "LIMIT", evaluator)
    found = _grouped(block, table, evaluator) if block.aggregates else _plain(block, table, evaluator)
    told = (pair for pair in found if not _hangs(block, pair))
    pairs = list(islice(told, _enough(block, skip or 0, limit)))
    if block.distinct:
        pairs = _distinct(pairs)
    pairs = _ordered(block, pairs, evaluator)
    taken = pairs[skip or 0 :][:limit] if limit is not None else pairs[skip or 0 :]
    if block.where is not None:
        where = block.where
        taken = [pair for pair in taken if evaluator.truth(where, pair[1])]
    sure = not any(doubtful(row) for row, _ in pairs)
    ordered = bool(block.order) or (table.ordered and not block.aggregates)
    filled = limit is not None and sure and not ordered and len(pairs) - (skip or 0) >= limit
    cuts = frozenset() if filled and not block.aggregates else table.cuts
    return replace(
        table,
        rows=[row for row, _ in taken],
        cuts=cuts,
        bounds=_bounds(block, table),
        told_by=_told_by(block, table),
        ordered=ordered,
    )


def _plain(block: ProjectBlock, table: Table, evaluator: Evaluator) -> Iterator[Pair]:
    for row in table.rows:
        doubts = doubtful(row)
        unsure = {c.name for c in block.columns if free_variables(c.expression) & doubts}
        if any(
            block.final or not isinstance(c.expression, ast.Variable)
            for c in block.columns
            if c.name in unsure
        ):
            continue
        projected = {c.name: evaluator.value(c.expression, row) for c in block.columns}
        behind = frozenset(doubts - projected.keys()) | unsure
        yield in_doubt(projected, frozenset(unsure)), in_doubt({**row, **projected}, behind)


def _enough(block: ProjectBlock, skip: int, limit: int | None) -> int | None:
    """How many rows will do, whatever the others are; None for all, so that an error in any of them is noticed."""
    passed_on = all(isinstance(column.expression, ast.Variable) for column in block.columns)
    if limit is None or block.distinct or block.order or block.aggregates or not passed_on:
        return None
    return skip + limit


def _hangs(block: ProjectBlock, pair: Pair) -> bool:
    """Whether the clause tells this row apart by a variable that is in doubt."""
    row, behind = pair
    doubts = doubtful(behind)
    later = [key.expression for key in block.order] + ([block.where] if block.where is not None else [])
    return bool(doubts) and (
        (block.distinct and bool(doubtful(row))) or any(free_variables(e) & doubts for e in later)
    )


def _grouped(block: ProjectBlock, table: Table, evaluator: Evaluator) -> Iterator[Pair]:
    keys = [column for column in block.columns if not column.aggregates]
    groups: dict[Hashable, tuple[Row, list[Row]]] = {}
    for row in table.rows:
        if any(free_variables(column.expression) & doubtful(row) for column in keys):
            continue
        values = {column.name: evaluator.value(column.expression, row) for column in keys}
        key = tuple(group_key(value) for value in values.values())
        groups.setdefault(key, (values, []))[1].append(row)
    if not keys and not groups:
        groups[()] = ({}, [])
    yield from (_group(block, values, rows, evaluator) for values, rows in groups.values())


def _group(block: ProjectBlock, keys: Row, rows: Sequence[Row], evaluator: Evaluator) -> Pair:
    computed = dict(keys)
    for item in block.aggregates:
        computed[item.placeholder] = _aggregate(item, rows, evaluator)
    projected = {
        c.name: evaluator.value(c.expression, computed) if c.aggregates else keys[c.name]
        for c in block.columns
    }
    return projected, projected


def _aggregate(item: Aggregate, rows: Sequence[Row], evaluator: Evaluator) -> Value:
    if item.argument is None:
        return len(rows)
    argument = item.argument
    names = free_variables(argument)
    values = [evaluator.value(argument, row) for row in rows if not names & doubtful(row)]
    fraction = evaluator.value(item.fraction, rows[0]) if item.fraction is not None and rows else None
    try:
        return aggregate(item.function, values, item.distinct, fraction)
    except EvaluationProblem as problem:
        problem.span = problem.span or argument.span
        raise


def _distinct(pairs: Sequence[Pair]) -> list[Pair]:
    seen: dict[Hashable, Pair] = {}
    for pair in pairs:
        seen.setdefault(tuple(group_key(value) for value in pair[0].values()), pair)
    return list(seen.values())


def _ordered(block: ProjectBlock, pairs: list[Pair], evaluator: Evaluator) -> list[Pair]:
    for key in reversed(block.order):
        expression = key.expression
        pairs = sorted(
            pairs,
            key=lambda pair, e=expression: order_key(evaluator.value(e, pair[1])),  # type: ignore[misc]
            reverse=key.descending,
        )
    return pairs


def _number(expression: ast.Expression | None, word: str, evaluator: Evaluator) -> int | None:
    if expression is None:
        return None
    value = evaluator.value(expression, {})
    if isinstance(value, bool) or not isinstance(value, int):
        raise EvaluationProblem(
            "InvalidArgumentType",
            f"{word} takes a whole number, not {kind_of(value)}",
            span=expression.span,
            type="SyntaxError",
        )
    if value < 0:
        raise EvaluationProblem(
            "NegativeIntegerArgument", f"{word} cannot be negative", span=expression.span, type="SyntaxError"
        )
    return value


# ------------------------------------------------------------------ what a cut does


def _untellable(block: ProjectBlock, table: Table) -> str:
    """What in this clause cannot be told from a subset of the rows, or from bounds; "" where all can."""
    if table.withheld:
        return f"what follows {table.withheld[-1]}"
    uses = [use for use in _uses(block, table) if free_variables(use) & table.bounds.keys()]
    if uses or (table.bounds and block.distinct):
        names = ", ".join(sorted(frozenset().union(*(free_variables(u) for u in uses)) & table.bounds.keys()))
        return f"what is computed from {names or 'a bound'}, which is only a bound"
    if not table.cuts:
        return ""
    first = block.skip is not None or block.limit is not None
    if first and (block.order or (table.ordered and not block.aggregates)):
        return "the first rows by ORDER BY"
    used = sorted(_used_at_once(block))
    if used:
        return f"what is computed from {', '.join(used)}, which is only a bound"
    inner = next((c.name for c in block.columns if c.aggregates and _function(c, block) is None), None)
    if inner is not None:
        return f"{inner}, which is computed from an aggregate over rows of which some are missing"
    return next((reason for item in block.aggregates if (reason := _unsure(item))), "")


def _used_at_once(block: ProjectBlock) -> frozenset[str]:
    """The aggregates that the clause itself tells rows apart by, in its DISTINCT, ORDER BY or WHERE."""
    computed = frozenset(column.name for column in block.columns if column.aggregates)
    if block.distinct:
        return computed
    later = [key.expression for key in block.order] + ([block.where] if block.where is not None else [])
    return computed & frozenset().union(*map(free_variables, later))


def _passed(block: ProjectBlock) -> dict[str, str]:
    """The new name of every variable that the clause passes on as it is."""
    return {c.expression.name: c.name for c in block.columns if isinstance(c.expression, ast.Variable)}


def _told_by(block: ProjectBlock, table: Table) -> dict[str, frozenset[str]]:
    """What tells each bound after the clause: the grouping keys, where they are passed on with it."""
    passed = _passed(block)
    told = {
        passed[name]: frozenset(passed[key] for key in keys)
        for name, keys in table.told_by.items()
        if name in passed and keys <= passed.keys()
    }
    if not block.aggregates:
        return told
    keys = frozenset(c.name for c in block.columns if not c.aggregates) - told.keys()
    return told | {c.name: keys for c in block.columns if c.aggregates}


def _uses(block: ProjectBlock, table: Table) -> list[ast.Expression]:
    """Every expression of the clause that does more than pass a variable on."""
    # A grouping key is used, not only passed on: a bound there would split or join groups, but beside what tells it.
    passed = _passed(block).keys()
    grouped = bool(block.aggregates)
    beside = {name for name, keys in table.told_by.items() if keys <= passed}
    computed = [
        c.expression
        for c in block.columns
        if not c.aggregates
        and not (isinstance(c.expression, ast.Variable) and (not grouped or c.expression.name in beside))
    ]
    given = (part for item in block.aggregates for part in (item.argument, item.fraction))
    arguments = [part for part in given if part is not None]
    rest = [key.expression for key in block.order]
    return [*computed, *arguments, *rest, *([block.where] if block.where is not None else [])]


def _unsure(item: Aggregate) -> str:
    if item.function in _BOUNDS or (item.function == "sum" and _not_negative(item.argument)):
        return ""
    return f"{item.function}() over rows of which some are missing"


def _not_negative(argument: ast.Expression | None) -> bool:
    if isinstance(argument, ast.Literal):
        return isinstance(argument.value, (int, float)) and argument.value >= 0
    return isinstance(argument, ast.Call) and argument.name.lower() in _NOT_NEGATIVE


def _bounds(block: ProjectBlock, table: Table) -> dict[str, Bound]:
    passed = {
        c.name: table.bounds[c.expression.name]
        for c in block.columns
        if isinstance(c.expression, ast.Variable) and c.expression.name in table.bounds
    }
    if not table.cuts:
        return passed
    return passed | {
        c.name: _BOUNDS.get(_function(c, block) or "", "at least") for c in block.columns if c.aggregates
    }


def _function(column: Column, block: ProjectBlock) -> str | None:
    """The aggregate a column consists of; ``size`` of a collect counts as a count; None for any other expression."""
    expression = column.expression
    functions = {item.placeholder: item.function for item in block.aggregates}
    if isinstance(expression, ast.Variable):
        return functions[expression.name]
    if isinstance(expression, ast.Call) and expression.name.lower() == "size":
        inner = expression.arguments[0]
        if isinstance(inner, ast.Variable) and functions.get(inner.name) == "collect":
            return "count"
    return None
