"""WITH and RETURN: scope, columns, grouping keys, aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem
from lens_dsl.functions import is_aggregate
from lens_dsl.pattern import Aggregate, Column, ProjectBlock, SortKey
from lens_dsl.renaming import renamed_apart
from lens_dsl.validation.conditions import read_condition, read_expression
from lens_dsl.validation.expressions import has_aggregate
from lens_dsl.validation.inference import type_of
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.variables import Environment, VariableType
from lens_dsl.walk import free_variables, rewrite, walk


def project(
    clause: ast.With | ast.Return, environment: Environment, reading: Reading
) -> tuple[ProjectBlock, dict[str, VariableType]]:
    """The block, and the variables in scope after it. SemanticProblem where the clause means nothing."""
    projection = clause.projection
    items = _items(clause, environment, reading)
    after = {name: type_of(expression, environment) for name, expression in items}
    grouped = any(has_aggregate(expression) for _, expression in items)
    narrow = grouped or projection.distinct
    columns, aggregates = _columns(items, grouped)
    visible = after if narrow else {**environment, **after}
    order = tuple(_sort_key(item, items, visible, reading, narrow) for item in projection.order)
    where = clause.where if isinstance(clause, ast.With) else None
    if where is not None:
        where = read_condition(where, visible, reading)
    block = ProjectBlock(
        columns,
        aggregates,
        projection.distinct,
        order,
        _count(projection.skip, "SKIP", reading),
        _count(projection.limit, "LIMIT", reading),
        where,
        isinstance(clause, ast.Return),
    )
    return block, after


def _items(
    clause: ast.With | ast.Return, environment: Environment, reading: Reading
) -> list[tuple[str, ast.Expression]]:
    items: list[tuple[str, ast.Expression]] = []
    if clause.projection.star:
        named = sorted(name for name in environment if not name.startswith("#"))
        if not named and isinstance(clause, ast.Return):
            raise SemanticProblem(
                "NoVariablesInScope", "RETURN * needs at least one variable in scope", span=clause.span
            )
        items += [(name, ast.Variable(name)) for name in named]
    for item in clause.projection.items:
        if (
            item.alias is None
            and isinstance(clause, ast.With)
            and not isinstance(item.expression, ast.Variable)
        ):
            raise SemanticProblem(
                "NoExpressionAlias",
                "an expression in WITH needs a name",
                span=item.span,
                hint=f"write {item.text} AS name",
            )
        expression = read_expression(item.expression, environment, reading, aggregates=True)
        variable = expression.name if isinstance(expression, ast.Variable) else item.text
        items.append((item.alias or variable, expression))
    seen: set[str] = set()
    for name, _ in items:
        if name in seen:
            raise SemanticProblem(
                "ColumnNameConflict",
                f"two columns are called {name}",
                span=clause.span,
                hint="rename one with AS",
            )
        seen.add(name)
    return items


def _columns(
    items: Sequence[tuple[str, ast.Expression]], grouped: bool
) -> tuple[tuple[Column, ...], tuple[Aggregate, ...]]:
    if not grouped:
        return tuple(Column(name, expression) for name, expression in items), ()
    keys = [(name, expression) for name, expression in items if not has_aggregate(expression)]
    aggregates: list[Aggregate] = []
    columns = []
    for name, expression in items:
        before = len(aggregates)
        if has_aggregate(expression):
            expression = _extract(expression, keys, aggregates)
        columns.append(Column(name, expression, tuple(a.placeholder for a in aggregates[before:])))
    return tuple(columns), tuple(aggregates)


def _extract(
    expression: ast.Expression, keys: list[tuple[str, ast.Expression]], aggregates: list[Aggregate]
) -> ast.Expression:
    """The expression over grouping keys and placeholders; what is neither is ambiguous, and refused."""

    def change(part: ast.Expression) -> ast.Expression | None:
        if isinstance(part, ast.Call) and is_aggregate(part.name):
            placeholder = f"#agg{len(aggregates)}"
            argument, fraction = (*part.arguments, None, None)[:2]
            aggregates.append(Aggregate(placeholder, part.name.lower(), argument, part.distinct, fraction))
            return ast.Variable(placeholder)
        return next((ast.Variable(name) for name, key in keys if key == part and _is_simple(key)), None)

    names = {name for name, _ in keys}
    changed = rewrite(renamed_apart(expression, _around(keys)), change)
    loose = {name for name in free_variables(changed) if not name.startswith("#agg")} - names
    if loose:
        part = next(p for p in walk(expression) if isinstance(p, ast.Variable) and p.name in loose)
        raise SemanticProblem(
            "AmbiguousAggregationExpression",
            f"{part.name} stands beside an aggregation but is no grouping key",
            span=part.span,
            hint=f"return {part.name} as a column of its own, or aggregate in a WITH first",
        )
    return changed


def _around(items: Sequence[tuple[str, ast.Expression]]) -> frozenset[str]:
    """The names that an expression cannot bind where these items can be put in for parts of it."""
    return frozenset(name for name, _ in items).union(*(free_variables(given) for _, given in items))


def _is_simple(key: ast.Expression) -> bool:
    """Whether a grouping key may stand beside an aggregation: a variable, or a property of one."""
    return isinstance(key, ast.Variable) or (isinstance(key, ast.Property) and _is_simple(key.subject))


def _sort_key(
    item: ast.SortItem,
    items: Sequence[tuple[str, ast.Expression]],
    visible: Environment,
    reading: Reading,
    narrow: bool,
) -> SortKey:
    beside = has_aggregate(item.expression)
    around = _around(items)
    whole = renamed_apart(item.expression, around)
    apart = [(name, renamed_apart(given, around)) for name, given in items]

    def change(part: ast.Expression) -> ast.Expression | None:
        usable = part is whole or not beside or _is_simple(part) or has_aggregate(part)
        found = (name for name, key in apart if usable and key == part)
        return next((replace(ast.Variable(name), span=part.span) for name in found), None)

    expression = rewrite(whole, change) if narrow else item.expression
    return SortKey(read_expression(expression, visible, reading), item.descending)


def _count(expression: ast.Expression | None, word: str, reading: Reading) -> ast.Expression | None:
    if expression is None:
        return None
    if free_variables(expression):
        raise SemanticProblem(
            "NonConstantExpression",
            f"{word} takes a number or a parameter, not a variable",
            span=expression.span,
        )
    if isinstance(expression, ast.Unary) and expression.operator == "-":
        expression = _negated(expression)
    if isinstance(expression, ast.Literal):
        if isinstance(expression.value, bool) or not isinstance(expression.value, int):
            raise SemanticProblem("InvalidArgumentType", f"{word} takes a whole number", span=expression.span)
        if expression.value < 0:
            raise SemanticProblem(
                "NegativeIntegerArgument", f"{word} cannot be negative", span=expression.span
            )
    return read_expression(expression, {}, reading)


def _negated(expression: ast.Unary) -> ast.Expression:
    operand = expression.operand
    if isinstance(operand, ast.Literal) and isinstance(operand.value, (int, float)):
        return ast.Literal(-operand.value, span=expression.span)
    return expression
