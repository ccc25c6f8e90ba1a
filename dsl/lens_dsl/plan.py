"""What runs: a plan is an ordered list of stages, a stage a list of bounded expansions and what is done with them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lens_dsl.ast import Direction, Expression
from lens_dsl.budget import Budget
from lens_dsl.cost import WorstCase
from lens_dsl.pattern import MatchBlock, ProduceBlock, ProjectBlock, RelationshipSlot

MAX_BITS = 50  # anchors and steps of a stage; a mask of them must fit 2^53 (JSON numbers of D1)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fixed SQL statement by name, and the values to bind to it (JSON texts, mostly)."""

    name: str
    parameters: tuple[int | str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a traversal starts: records of ``kinds`` whose ``key`` equals a value, or all of them (a scan).

    ``values`` is an expression over parameters; with ``many`` it is a list of values. With ``computed``
    it is over the rows of the stages before. ``key`` is "" for a scan, which has no ``values``.
    """

    bit: int
    variable: str
    kinds: tuple[str, ...]
    key: str
    values: Expression | None = None
    many: bool = False
    computed: bool = False

    @property
    def scan(self) -> bool:
        """Whether it starts from every record of its kinds, up to the ceiling."""
        return self.values is None


@dataclass(frozen=True, slots=True)
class Test:
    """A predicate on a projected property, by which SQL prunes; it is decided again after hydration."""

    property: str
    operator: str
    value: Expression | None
    predicate: Expression


@dataclass(frozen=True, slots=True)
class Step:
    """One hop, from the nodes that hold a bit of ``origin``: what it follows, and what its far nodes must be."""

    bit: int
    relationship: str
    hop: int
    origin: int
    skip: int
    into: tuple[int, ...] | None
    go: tuple[tuple[str, int, tuple[str, ...]], ...]
    tests: tuple[Test, ...] = ()
    need: bool = False


@dataclass(frozen=True, slots=True)
class Expansion:
    """How the matcher walks a relationship: from a bound ``origin`` to ``end``, along its ``steps``' bits.

    ``closes`` are the bits that the far end had to hold already, none where the walk opens new ground.
    """

    slot: RelationshipSlot
    origin: str
    end: str
    direction: Direction
    steps: tuple[int, ...]
    closes: tuple[int, ...] = ()

    @property
    def reversed(self) -> bool:
        """Whether it is walked from its target to its source."""
        return self.origin != self.slot.source


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One MATCH in a stage: anchors to bind and relationships to walk, in the order the matcher takes them."""

    block: MatchBlock
    actions: tuple[Anchor | Expansion, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """One round trip to the store, and the blocks that are evaluated on what it brings.

    A stage with ``produce`` has no anchors: its producer collects for the nodes of the stages before, and the
    leaves it makes are bound before the blocks are evaluated.
    """

    anchors: tuple[Anchor, ...]
    steps: tuple[Step, ...]
    blocks: tuple[MatchStep | ProjectBlock, ...]
    produce: ProduceBlock | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages of a query under a budget, and what they may cost."""

    text: str
    stages: tuple[Stage, ...]
    columns: tuple[str, ...]
    parameters: tuple[str, ...]
    warnings: tuple[str, ...]
    budget: Budget
    worst_case: WorstCase = field(default_factory=WorstCase)

    @property
    def scans(self) -> bool:
        """Whether a bounded scan is part of it: the result then says so."""
        return any(anchor.scan for stage in self.stages for anchor in stage.anchors)
