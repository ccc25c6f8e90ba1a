"""What is read together: the names of a query's parts, and patterns that stand in expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lens_dsl import ast
from lens_dsl.ontology import Ontology
from lens_dsl.validation.variables import Environment

SubqueryReader = Callable[[ast.Expression, Environment, "Reading"], ast.Expression]


@dataclass(frozen=True)
class Reading:
    """One query being read against one ontology.

    ``clamp`` is how far a ``*`` without an upper bound is walked, None where it is refused.
    """

    ontology: Ontology
    subqueries: SubqueryReader
    clamp: int | None = None
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1_000_000)))

    def name(self, kind: str = "") -> str:
        """A name of its own for what has none; no query can write it."""
        return f"#{kind}{next(self.numbers)}"
