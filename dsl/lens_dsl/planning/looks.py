"""How many edges the steps of a plan may look at, and what that reads."""

from __future__ import annotations

from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.plan import Step
from lens_dsl.planning import row_prices


@dataclass(frozen=True, slots=True)
class Looks:
    """How many edges a step may look at, what each of them reads, and how many may come back."""

    edges: int
    price: int
    brought: int


def looks_of(step: Step, starts: int, groups: int, budget: Budget) -> Looks:
    """A node is looked at through each of its groups, and up to the fan-out or, where edges are tested, the window."""
    tested = bool(step.tests) or step.into is not None
    cap = budget.window if tested else min(budget.window, budget.fanout + 1)
    testing = len(step.into or ()) + sum(1 + _listed(test.value, budget) for test in step.tests)
    return Looks(starts * max(groups, cap), row_prices.LOOK + testing, starts * min(cap, budget.fanout + 1))


def rows_of(looks: list[Looks], ceiling: int) -> int:
    """What is read where all of these look at no more edges than the ceiling: the dearest of them."""
    rows, left = 0, ceiling
    for look in sorted(looks, key=lambda one: -one.price):
        edges = min(look.edges, left)
        left -= edges
        rows += edges * look.price
    return rows + min(sum(look.brought for look in looks), ceiling) * row_prices.BROUGHT


def _listed(value: ast.Expression | None, budget: Budget) -> int:
    """Values in the list of an IN test."""
    if isinstance(value, ast.ListLiteral):
        return len(value.items)
    return budget.anchors if isinstance(value, ast.Parameter) else 0
