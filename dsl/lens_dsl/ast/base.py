"""What every part of a query has: a place in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal as Choice

from lens_dsl.errors import Span

NOWHERE = Span(0, 0, 1, 1)

Direction = Choice["out", "in", "both"]
Scalar = None | bool | int | float | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Anything with a place in the text."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)
