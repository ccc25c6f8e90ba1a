"""What a query really cost, in what does not wobble."""

from __future__ import annotations

from dataclasses import dataclass

from lens_dsl.budget import Budget, Room
from lens_dsl.errors import OverBudget
from lens_runtime.ports import Reading


@dataclass
class Meter:
    """Counts as the query runs. ``rows_read`` is None where the store cannot count it (SQLite)."""

    statements: int = 0
    round_trips: int = 0
    rows_read: int | None = 0
    nodes: int = 0
    edges: int = 0
    examined: int = 0
    matcher_steps: int = 0
    reader_calls: int = 0
    model_calls: int = 0

    def reading(self, reading: Reading) -> None:
        """Add what one batch of reads cost."""
        self.statements += reading.statements
        self.round_trips += reading.round_trips
        known = self.rows_read is not None and reading.rows_read is not None
        self.rows_read = (self.rows_read or 0) + (reading.rows_read or 0) if known else None

    def add(self, *, nodes: int = 0, edges: int = 0, examined: int = 0) -> None:
        """Add nodes and edges that came back, and how many edges were looked at for them."""
        self.nodes += nodes
        self.edges += edges
        self.examined += examined

    def room(self, budget: Budget) -> Room:
        """What is left of the ceilings that the store keeps."""
        return Room(max(0, budget.nodes - self.nodes), max(0, budget.examined - self.examined))

    def model_call(self, ceiling: int) -> None:
        """Count one call of a reducer; OverBudget above the ceiling."""
        if self.model_calls >= ceiling:
            raise OverBudget(
                "ModelCallsExceeded",
                f"the query needs more than {ceiling:,} calls of a model",
                hint="narrow the query, or raise the ceiling (--max-model-calls)",
                phase="runtime",
            )
        self.model_calls += 1

    def reader_call(self, ceiling: int) -> None:
        """Count one call of a module's reader; OverBudget above the ceiling."""
        self.reader_calls += 1
        if self.reader_calls > ceiling:
            raise OverBudget(
                "ReaderCallsExceeded",
                f"the query needs more than {ceiling} calls of modules' readers",
                hint="narrow the pattern, or raise the ceiling (--max-reader-calls)",
            )
