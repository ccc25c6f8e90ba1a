"""How many edges the steps of a plan may look at, and what that reads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.plan import Step
from lens_dsl.planning import row_prices


@dataclass(frozen=True, slots=True)
class Looks:
    """How many edges a step may look at, what each of them reads, and how many may come back.

    ``assumed`` is the part of the price that is for lists whose length shows as the query runs.
    """

    edges: int
    price: int
    brought: int
    assumed: int = 0

    @property
    def known(self) -> Looks:
        """The same without what is assumed."""
        return replace(self, price=self.price - self.assumed, assumed=0)


def looks_of(step: Step, starts: int, groups: int, budget: Budget) -> Looks:
    """A node is looked at through each of its groups, and up to the fan-out or, where edges are tested, the window."""
    tested = bool(step.tests) or step.into is not None
    cap = budget.window if tested else min(budget.window, budget.fanout + 1)
    lists = [test.value for test in step.tests if test.operator == "IN"]
    written = sum(len(each.items) for each in lists if isinstance(each, ast.ListLiteral))
    assumed = budget.anchors * sum(not isinstance(each, ast.ListLiteral) for each in lists)
    price = row_prices.LOOK + len(step.into or ()) + len(step.tests) + written + assumed
    return Looks(starts * max(groups, cap), price, starts * min(cap, budget.fanout + 1), assumed)


def rows_of(looks: list[Looks], ceiling: int) -> int:
    """What is read where all of these look at no more edges than the ceiling: the dearest of them."""
    rows, left = 0, ceiling
    for look in sorted(looks, key=lambda one: -one.price):
        edges = min(look.edges, left)
        left -= edges
        rows += edges * look.price
    return rows + min(sum(look.brought for look in looks), ceiling) * row_prices.BROUGHT
