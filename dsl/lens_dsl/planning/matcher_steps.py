"""How many steps the matcher may take: rows that may come in, times what it may look at for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.pattern import ProjectBlock
from lens_dsl.plan import Anchor, Expansion, MatchStep

MOST = 10**12  # beyond every ceiling; products need not grow further


@dataclass
class Walker:
    """``rows`` is how many rows there may be after the blocks so far."""

    budget: Budget
    rows: int = 1
    held: Mapping[int, int] = field(default_factory=dict)
    edges: int = 0

    def enter(self, held: Mapping[int, int], edges: int) -> None:
        """Begin a stage whose bits so many nodes may hold, with so many edges between them."""
        self.held, self.edges = held, min(edges, self.budget.edges)

    def match(self, step: MatchStep) -> int:
        """The steps of one MATCH."""
        bound = {slot.name for slot in step.block.nodes if slot.bound}
        rows, steps = self.rows, 0
        for action in step.actions:
            if isinstance(action, Anchor):
                nodes = 1 if action.variable in bound else self.held.get(action.bit, 0)
                steps += rows * nodes
                rows *= max(1, nodes)
            else:
                looked, walks = self._expansion(action)
                steps += rows * looked
                rows *= max(1, walks)
            rows, steps = min(rows, MOST), min(steps, MOST)
        self.rows = rows
        return steps

    def project(self, block: ProjectBlock) -> None:
        """A projection gives no more rows than come in, and one where it only aggregates."""
        if block.aggregates and all(column.aggregates for column in block.columns):
            self.rows = 1
        if isinstance(block.limit, ast.Literal) and isinstance(block.limit.value, int):
            self.rows = min(self.rows, max(0, block.limit.value))

    def _expansion(self, action: Expansion) -> tuple[int, int]:
        """What is looked at from one node, and how many walks there are: at each of them every edge of the stage."""
        looked, walks, ends = 0, 1, 0
        for hop in range(action.slot.high + 1):
            ends += walks if hop >= action.slot.low else 0
            if hop < action.slot.high:
                looked += walks * self.edges
                walks = min(walks * self.edges, MOST)
        return min(looked, MOST), min(max(ends, 1), MOST)
