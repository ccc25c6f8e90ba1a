"""Blocks on a table, and subqueries: patterns in expressions, matched on what their stage brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lens_dsl.pattern import ProjectBlock, Subquery, UnwindBlock
from lens_dsl.plan import InnerBlock, InnerPlan
from lens_runtime.cuts import Untellable
from lens_runtime.graph import Value
from lens_runtime.matching import Matcher
from lens_runtime.projecting import project
from lens_runtime.table import Row, Table
from lens_runtime.unwinding import unwind


def carried(block: InnerBlock, table: Table, matcher: Matcher, needed: int | None = None) -> Table:
    """The table after one block; of a MATCH no more rows than are ``needed``, where that is known."""
    if isinstance(block, ProjectBlock):
        return project(block, table, matcher.evaluator)
    if isinstance(block, UnwindBlock):
        return unwind(block, table, matcher.evaluator)
    return matcher.match(block, table, needed)


def answer(asked: Subquery, plan: InnerPlan, row: Row, matcher: Matcher) -> Value:
    """Whether the pattern has a match for this row; of a comprehension the list of its values.

    Raises Untellable where that hangs on what a ceiling cut: a match that is found is sure, a missing one is not.
    """
    known = {name: matcher.evaluator.value(outer, row) for name, outer in asked.uses}
    tables = [_carried_through(part, known, replace(matcher, touched=set())) for part in plan.parts]
    cuts = frozenset().union(*(table.cuts for table in tables))
    unsure = any(table.withheld or table.bounds for table in tables)
    if asked.column is None and any(table.rows for table in tables):
        return True
    if cuts or unsure:
        raise Untellable(cuts)
    if asked.column is None:
        return False
    expression = asked.column.expression
    return [matcher.evaluator.value(expression, found) for table in tables for found in table.rows]


def _carried_through(part: tuple[InnerBlock, ...], known: Mapping[str, Value], matcher: Matcher) -> Table:
    """The rows of one part; what the subquery uses stays known throughout."""
    table = Table((dict(known),))
    for block in part:
        table = carried(block, table, matcher)
        if isinstance(block, ProjectBlock):
            table = replace(table, rows=[{**known, **row} for row in table.rows])
    return table
