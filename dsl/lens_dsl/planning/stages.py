"""Building one stage: which bits mark which nodes, and the steps between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lens_dsl.ast import Direction, Expression
from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget
from lens_dsl.ontology import ANYTHING, Ontology
from lens_dsl.pattern import MatchBlock, NodeSlot, ProduceBlock, ProjectBlock, RelationshipSlot
from lens_dsl.plan import MAX_BITS, Anchor, Expansion, InnerBlock, InnerPlan, Stage, Step
from lens_dsl.planning.pushdown import tests_for

_FLIPPED: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
_CODES: dict[Direction, tuple[int, ...]] = {"out": (0,), "in": (1,), "both": (0, 1)}


@dataclass
class StageBuilder:
    """Collects the anchors, steps and blocks of one stage, or what it produces.

    ``bits`` tells which bits a variable's nodes hold, those at the ends of a relationship. What is ``tentative``, as
    in a subquery, prunes nothing and ends nothing.
    """

    ontology: Ontology
    budget: Budget
    longest: int
    anchors: list[Anchor] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    blocks: list[InnerBlock] = field(default_factory=list)
    inner: list[InnerPlan] = field(default_factory=list)
    bits: dict[str, int] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    ends_pending: bool = False
    produce: ProduceBlock | None = None
    begins: bool = False
    tentative: bool = False

    def build(self) -> Stage:
        """The finished stage."""
        return Stage(
            tuple(self.anchors),
            tuple(self.steps),
            tuple(self.blocks),
            self.produce,
            tuple(self.inner),
            self.begins,
        )

    @property
    def everything(self) -> int:
        """The bits of all that it holds so far."""
        return (1 << (len(self.anchors) + len(self.steps))) - 1

    def project(self, block: ProjectBlock, kept: dict[str, str], *, within: bool = False) -> None:
        """Go on after a projection; ``kept`` maps the names after it to the plain variables they were."""
        outer = self.bits if within else {}
        self.bits = {**outer, **{name: self.bits[old] for name, old in kept.items() if old in self.bits}}
        self.depths = {name: self.depths[old] for name, old in kept.items() if old in self.depths}
        self.ends_pending |= bool(block.aggregates)

    def anchor(
        self,
        variable: str,
        kinds: tuple[str, ...],
        key: str,
        values: Expression | None,
        *,
        many: bool,
        computed: bool,
        search: bool = False,
    ) -> Anchor:
        """A new place to start, with a bit of its own."""
        self._keep_going()
        anchor = Anchor(self._bit(), variable, kinds, key, values, many, computed, search)
        self.anchors.append(anchor)
        self.bits[variable] = anchor.bit
        self.depths.setdefault(variable, 0)
        return anchor

    def expand(self, block: MatchBlock, part: list[NodeSlot]) -> list[Expansion]:
        """Steps for every relationship of a connected part, from what is held already outwards."""
        self._keep_going()
        names = {slot.name for slot in part}
        reached = names & set(self.bits) - self._ends_only(block, part)
        waiting = [slot for slot in block.relationships if slot.source in names]
        expansions = []
        for slot in [slot for slot in waiting if slot.bound]:
            waiting.remove(slot)
            reached |= {slot.source, slot.target}
            expansions.append(self._again(slot))
        while waiting:
            slot = min(
                (s for s in waiting if s.source in reached or s.target in reached),
                key=lambda s: (not (s.source in reached and s.target in reached), waiting.index(s)),
            )
            waiting.remove(slot)
            origin, end = (slot.source, slot.target) if slot.source in reached else (slot.target, slot.source)
            expansions.append(self._walk(block, slot, origin, end))
            reached |= {origin, end}
        return expansions

    def _ends_only(self, block: MatchBlock, part: list[NodeSlot]) -> set[str]:
        """Anchors after the first of a part are there to be closed on, not to start from."""
        held = [slot.name for slot in part if slot.name in self.bits]
        started = {slot.name for slot in part if slot.bound} & set(held)
        first = next((a.variable for a in self.anchors if a.variable in held), None)
        keep = started or ({first} if first else set())
        return set(held) - keep

    def _again(self, slot: RelationshipSlot) -> Expansion:
        """A relationship that is bound already: both of its ends are among those that it was found between."""
        ends = self.bits.get(slot.name, self.everything)
        for name in (slot.source, slot.target):
            self.bits.setdefault(name, ends)
            self.depths.setdefault(name, self.depths.get(slot.name, 0))
        return Expansion(slot, slot.source, slot.target, slot.direction, ())

    def _walk(self, block: MatchBlock, slot: RelationshipSlot, origin: str, end: str) -> Expansion:
        self._check_depth(block, slot, origin, end)
        direction = slot.direction if origin == slot.source else _FLIPPED[slot.direction]
        nodes = {node.name: node for node in block.nodes}
        closing = self.bits.get(end) if end != origin else self.bits[origin]
        into = _bits(closing) if closing is not None and slot.high == 1 and not slot.clamped else None
        start = frontier = self.bits[origin]
        near, skip, hops = nodes[origin].kinds, 0, []
        # Where a walk is clamped, one hop more tells whether anything lies beyond.
        longest = min(slot.high + 1, self.longest) if slot.clamped else slot.high
        for hop in range(1, longest + 1):
            last = hop == longest and not slot.clamped
            target = nodes[end] if last else None
            go = self._go(slot, direction, near, target)
            step = Step(
                self._bit(),
                slot.name,
                hop,
                frontier,
                skip,
                into,
                go,
                ()
                if not last or closing is not None or self.tentative
                else tests_for(block, nodes[end], self.ontology),
                # Later hops skip what an earlier one met, so that finding nothing there proves nothing.
                need=not block.optional and not self.tentative and hop == 1 <= slot.low,
            )
            self.steps.append(step)
            hops.append(step.bit)
            skip |= frontier
            frontier = step.bit
            near = None if near is None else frozenset(kind for _, _, kinds in go for kind in kinds)
        ends = sum(hops) | (start if slot.low == 0 or slot.high > 1 else 0)
        self.bits[end] = ends if closing is None else self.bits[end] | ends
        self.bits[slot.name] = self.bits[origin] | sum(hops)
        self.depths[slot.name] = self.depths.get(end, 0)
        return Expansion(slot, origin, end, direction, tuple(hops), into or (), _bits(start))

    def _go(
        self,
        slot: RelationshipSlot,
        direction: Direction,
        near: frozenset[str] | None,
        target: NodeSlot | None,
    ) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
        if self.ontology.open:
            types = slot.types or (ANYTHING,)
            return tuple((name, code, (ANYTHING,)) for name in types for code in _CODES[direction])
        go = []
        for name in slot.types:
            declared = self.ontology.relationships[name]
            for code in _CODES[direction]:
                here, there = (declared.sources, declared.targets)[:: -1 if code else 1]
                far = set(there) if target is None or target.kinds is None else set(there) & target.kinds
                if far and (near is None or near & set(here)):
                    go.append((name, code, tuple(sorted(far))))
        return tuple(go)

    def _check_depth(self, block: MatchBlock, slot: RelationshipSlot, origin: str, end: str) -> None:
        # A walk that is clamped goes as far as the ceiling, wherever it starts.
        depth = slot.low if slot.clamped else self.depths.get(origin, 0) + slot.high
        if depth > self.budget.depth:
            raise OverBudget(
                "DepthExceeded",
                f"the pattern walks {depth} hops from where it starts; the ceiling depth is {self.budget.depth}",
                span=slot.span,
                hint="shorten the pattern, start nearer to what you want, or raise the ceiling (--depth)",
            )
        self.depths[end] = min(self.depths.get(end, depth), depth)

    def _keep_going(self) -> None:
        """After an aggregation an empty step no longer means an empty result: nothing may end the traversal."""
        if self.ends_pending:
            self.steps = [replace(step, need=False) for step in self.steps]

    def _bit(self) -> int:
        count = len(self.anchors) + len(self.steps)
        if count >= MAX_BITS:
            raise OverBudget(
                "TooManySteps",
                f"the query needs more than {MAX_BITS} anchors and hops in one stage",
                hint="split it into two queries",
            )
        return 1 << count


def longest_clamped(walks: int, budget: Budget) -> int:
    """How many hops each of so many walks without an upper bound may take, so that all of them fit into a stage."""
    return min(budget.depth + 1, (MAX_BITS - 10) // max(walks, 1))


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(1 << position for position in range(mask.bit_length()) if mask >> position & 1)
