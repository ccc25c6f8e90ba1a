"""What is a query and can hardly be meant: it is answered as written, with a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lens_dsl import ast
from lens_dsl.ontology import Ontology
from lens_dsl.walk import walk


def suspicions(query: ast.Query, ontology: Ontology) -> Iterator[str]:
    """A warning for each forgotten colon, comparison with null, and walk that can have no length."""
    for part in walk(query):
        if isinstance(part, ast.NodePattern):
            yield from _forgotten_colon(part.variable, part.labels, "label", ontology.kind)
        elif isinstance(part, ast.RelationshipPattern):
            yield from _forgotten_colon(part.variable, part.types, "type", ontology.relationship)
            yield from _no_length(part.hops)
        elif isinstance(part, ast.Comparison):
            yield from _null(part)


def _forgotten_colon(
    variable: str | None, names: tuple[object, ...], what: str, known: Callable[[str], object]
) -> Iterator[str]:
    if variable and not names and known(variable) is not None:
        yield f"{variable} is a variable here, so anything matches: write :{variable} for the {what}"


def _no_length(hops: tuple[int | None, int | None] | None) -> Iterator[str]:
    low, high = hops or (None, None)
    if low is not None and high is not None and low > high:
        yield f"*{low}..{high} matches nothing: its lower bound is above the upper one"


def _null(part: ast.Comparison) -> Iterator[str]:
    operands = (part.first, *(operand for _, operand in part.rest))
    if any(isinstance(operand, ast.Literal) and operand.value is None for operand in operands):
        yield "a comparison with null is never true: write IS NULL or IS NOT NULL"
