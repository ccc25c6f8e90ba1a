"""What runs: a plan is an ordered list of stages, a stage a list of bounded expansions and what is done with them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lens_dsl.ast import Direction, Expression
from lens_dsl.budget import Budget
from lens_dsl.cost import WorstCase
from lens_dsl.pattern import MatchBlock, ProduceBlock, ProjectBlock, RelationshipSlot, UnwindBlock

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
    it is over the rows of the stages before. ``key`` is "" for a scan, which has no ``values``; in an open
    world the ``label_key`` of the label that all of them have. With ``search`` it is a text, and the key's
    values are those of the records that full text finds for it.
    """

    bit: int
    variable: str
    kinds: tuple[str, ...]
    key: str
    values: Expression | None = None
    many: bool = False
    computed: bool = False
    search: bool = False

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

    ``closes`` are the bits that the far end had to hold already, none where the walk opens new ground. A slot that
    is bound has no steps: what its variable holds is walked again, and binds both of its ends. ``starts``
    are the bits of the nodes where the first step went on from.
    """

    slot: RelationshipSlot
    origin: str
    end: str
    direction: Direction
    steps: tuple[int, ...]
    closes: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()

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
class InnerPlan:
    """How the pattern of a subquery is matched, part by part, on what its stage brings."""

    name: str
    parts: tuple[tuple[InnerBlock, ...], ...]


InnerBlock = MatchStep | ProjectBlock | UnwindBlock


@dataclass(frozen=True, slots=True)
class Stage:
    """One round trip to the store, and the blocks that are evaluated on what it brings.

    A stage with ``produce`` has no anchors: its producer collects for the nodes of the stages before, and the
    leaves it makes are bound before the blocks are evaluated. ``inner`` are the subqueries in its blocks. One that
    ``begins`` a part of a UNION starts from nothing.
    """

    anchors: tuple[Anchor, ...]
    steps: tuple[Step, ...]
    blocks: tuple[InnerBlock, ...]
    produce: ProduceBlock | None = None
    inner: tuple[InnerPlan, ...] = ()
    begins: bool = False

    @property
    def matches(self) -> tuple[MatchStep, ...]:
        """Everything that is matched in it, subqueries included."""
        parts = [part for inner in self.inner for part in inner.parts]
        return tuple(
            block for part in (self.blocks, *parts) for block in part if isinstance(block, MatchStep)
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages of a query under a budget, and what they may cost.

    ``distinct``: rows that parts of a UNION have in common come once.
    """

    text: str
    stages: tuple[Stage, ...]
    columns: tuple[str, ...]
    parameters: tuple[str, ...]
    warnings: tuple[str, ...]
    budget: Budget
    distinct: bool = False
    worst_case: WorstCase = field(default_factory=WorstCase)

    @property
    def walked_types(self) -> tuple[str, ...]:
        """Every relationship type that it follows, in a fixed order."""
        matches = (match for stage in self.stages for match in stage.matches)
        named = {name for match in matches for slot in match.block.relationships for name in slot.types}
        walked = {name for stage in self.stages for step in stage.steps for name, _, _ in step.go}
        return tuple(sorted(named | walked))

    @property
    def scans(self) -> bool:
        """Whether a bounded scan is part of it: the result then says so."""
        return any(anchor.scan for stage in self.stages for anchor in stage.anchors)
