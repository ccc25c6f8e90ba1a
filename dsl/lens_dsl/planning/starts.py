"""How many records an anchor may be sought by, find and keep."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.plan import Anchor


@dataclass(frozen=True, slots=True)
class Start:
    """``combinations`` of kind and value are sought, each in every scope.

    ``assumed`` says that a ceiling alone bounds them: how many values there are shows as the query runs.
    """

    combinations: int
    found: int
    kept: int
    assumed: bool


def start_of(anchor: Anchor, rows: int, records: Collection[str], budget: Budget) -> Start:
    """What an anchor of a stage may cost, where so many rows come in and these variables surely are nodes."""
    values, assumed = _values(anchor, rows, records, budget)
    # A record is sought again by its own kind; what full text names comes with its kind as well.
    own = anchor.search or _is_record(anchor, records)
    combinations = values if own else values * len(anchor.kinds)
    unique = not anchor.scan and anchor.key == "id"
    found = combinations if unique else combinations * budget.scopes * (budget.nodes + 1)
    return Start(combinations, found, min(found, budget.nodes), assumed)


def _values(anchor: Anchor, rows: int, records: Collection[str], budget: Budget) -> tuple[int, bool]:
    if anchor.values is None:
        return 1, False
    if anchor.search:
        return budget.candidates, False
    if anchor.computed:
        single = not anchor.many and (_is_record(anchor, records) or _is_field(anchor.values, records))
        known = rows if single else budget.rows
        return min(known, budget.rows), not single or rows > budget.rows
    if anchor.many and isinstance(anchor.values, ast.ListLiteral):
        return min(len(anchor.values.items), budget.anchors), False
    return (budget.anchors, True) if anchor.many else (1, False)


def _is_record(anchor: Anchor, records: Collection[str]) -> bool:
    return anchor.computed and anchor.values == ast.Variable(anchor.variable) and anchor.variable in records


def _is_field(values: ast.Expression, records: Collection[str]) -> bool:
    """Whether it is a field of a record: one value; of any other map it could be a path of many records."""
    if not isinstance(values, ast.Property) or not isinstance(values.subject, ast.Variable):
        return False
    return values.subject.name in records
