"""The log of what producers did for a query."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from lens_runtime.graph import Coordinate, Node

Outcome = Literal["hit", "generated", "transient", "miss", "failed", "empty"]


@dataclass(frozen=True, slots=True)
class Made:
    """A value a reducer gave, once: from how many items, by what, when (milliseconds since 1970 UTC).

    ``untrusted``: customers' text went into it.
    """

    value: object
    count: int
    model: str
    untrusted: bool
    generated_at: int


@dataclass(frozen=True, slots=True)
class Production:
    """One anchor's leaf: where it came from and what it took.

    ``hit``: from the graph, without a call; ``generated``: made, and committed where ``kept``; ``transient``: made for
    this query alone; ``miss``: the reducer had no answer; ``failed``: it could not tell; ``empty``: nothing to collect.
    ``anchor`` is None where the whole batch has one leaf and the actor no principal of its own.
    """

    producer: str
    anchor: Coordinate | None
    band: str
    outcome: Outcome
    node: Node | None = None
    made: Made | None = None
    kept: bool = False
    calls: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    milliseconds: int = 0
    fingerprint: str = ""
    input_hash: str = ""
    reason: str | None = field(default=None)
