"""The ceilings of one query. Every one of them is stated in the plan and, when it cuts, in the result."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from lens_dsl.errors import OverBudget

# One level of a traversal comes back as one JSON text, which D1 bounds at 2,000,000 bytes.
MAX_EDGES_A_STEP = 40_000
# Values that a stage may start from, and rows of the index of keys that they may be sought in.
MAX_ANCHORS = 10_000
MAX_SOUGHT = 5_000_000
LARGEST = {
    "depth": 64,
    "fanout": 1_000,
    "window": 10_000,
    "examined": 100_000,
    "scopes": 256,
    "nodes": 10_000,
    "edges": 100_000,
    "rows": 100_000,
    "anchors": 200,
    "candidates": 1_000,
    "steps": 10_000_000,
    "reader_calls": 1_000,
    "model_calls": 10_000,
    "rows_read": 100_000_000,
    "seconds": 300,
}


@dataclass(frozen=True, slots=True)
class Room:
    """What the stages before have left of a query's ceilings.

    ``state`` is how many rows the store may read to learn what the actor may see; None where that was asked before.
    """

    nodes: int
    examined: int
    state: int | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """Ceilings per query; ``fanout`` and ``window`` are per node and step, ``scopes`` per kind.

    ``examined`` counts the relationships that the store looks at; ``rows_read`` what it may read at worst.
    With ``clamp_unbounded`` a ``*`` without an upper bound is walked as far as ``depth``, else it is refused.
    """

    depth: int = 5
    fanout: int = 50
    window: int = 1_000
    examined: int = 10_000
    scopes: int = 16
    nodes: int = 500
    edges: int = 5_000
    rows: int = 1_000
    anchors: int = 200
    candidates: int = 200
    steps: int = 200_000
    reader_calls: int = 100
    model_calls: int = 50
    rows_read: int = 5_000_000
    seconds: float = 10.0
    allow_scan: bool = False
    clamp_unbounded: bool = False

    def __post_init__(self) -> None:
        for name, largest in LARGEST.items():
            value = getattr(self, name)
            if not 0 < value <= largest:
                raise OverBudget(
                    "InvalidBudget",
                    f"the ceiling {name} is {value}; it must be above 0 and at most {largest:,}",
                )
        if self.nodes * self.fanout > MAX_EDGES_A_STEP:
            raise OverBudget(
                "InvalidBudget",
                f"nodes x fanout is {self.nodes * self.fanout:,}; "
                f"one step may bring at most {MAX_EDGES_A_STEP:,} edges",
                hint=f"lower --fanout to {max(1, MAX_EDGES_A_STEP // self.nodes)} or --max-nodes to "
                f"{max(1, MAX_EDGES_A_STEP // self.fanout)}",
            )

    def ceilings(self) -> dict[str, int | float]:
        """The ceilings by name, in the order they are stated to a user."""
        return {name: value for name, value in asdict(self).items() if name in LARGEST}
