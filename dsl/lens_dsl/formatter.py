"""AST to text: ``parse(format_query(query)) == query``, with parentheses only where they are needed."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.formatting import clauses, expressions, patterns
from lens_dsl.formatting.core import write

_WRITERS = (clauses, expressions, patterns)
"""Importing them teaches ``write`` every kind of node."""


def format_query(query: ast.Query) -> str:
    """The query as text, one clause a line.

    An item of RETURN without an alias names its column after its text, in which spaces and parentheses
    may change.
    """
    return "\n".join(clauses.lines(query))


def format_expression(expression: ast.Expression) -> str:
    """The expression as text, on one line. A float that is not finite raises ValueError."""
    return write(expression)
