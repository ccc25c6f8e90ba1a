"""From a pattern to a plan under a budget: stages, anchors, steps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.cost import check_ceilings
from lens_dsl.errors import QueryError
from lens_dsl.ontology import Ontology
from lens_dsl.pattern import MatchBlock, NodeSlot, Pattern, ProduceBlock, ProjectBlock
from lens_dsl.plan import Anchor, Expansion, MatchStep, Plan, Stage
from lens_dsl.planning.anchors import Candidate, candidates, kinds_of, no_anchor
from lens_dsl.planning.stages import StageBuilder
from lens_dsl.planning.worst_case import worst_case


def plan_query(pattern: Pattern, ontology: Ontology, budget: Budget) -> Plan:
    """The plan of a pattern. Raises OverBudget where nothing bounds it, or its worst case is over a ceiling."""
    try:
        plan = _Planner(ontology, budget).plan(pattern)
        stated = worst_case(plan, ontology)
        check_ceilings(stated, budget)
        return replace(plan, worst_case=stated)
    except QueryError as error:
        error.text = error.text or pattern.text
        raise


@dataclass
class _Planner:
    ontology: Ontology
    budget: Budget
    stages: list[Stage] = field(default_factory=list)
    bound: frozenset[str] = frozenset()
    inputs: frozenset[str] = frozenset()

    def plan(self, pattern: Pattern) -> Plan:
        self.stage = StageBuilder(self.ontology, self.budget)
        for block in pattern.blocks:
            if isinstance(block, MatchBlock):
                self._match(block)
            elif isinstance(block, ProduceBlock):
                self._produce(block)
            else:
                self._project(block)
        self.stages.append(self.stage.build())
        return Plan(
            pattern.text,
            tuple(self.stages),
            pattern.columns,
            pattern.parameters,
            pattern.warnings,
            self.budget,
        )

    def _project(self, block: ProjectBlock) -> None:
        kept = {c.name: c.expression.name for c in block.columns if isinstance(c.expression, ast.Variable)}
        self.stage.project(block, kept)
        self.bound = frozenset(column.name for column in block.columns)
        self.inputs = frozenset(
            name for name, source in kept.items() if name == source and name in self.inputs
        )

    def _match(self, block: MatchBlock) -> None:
        parts = _components(block)
        starts = [self._start(block, part) for part in parts]
        if any(start is not None and not self._available(start) for start in starts):
            self._new_stage()
            starts = [self._start(block, part) for part in parts]
        actions: list[Anchor | Expansion] = []
        for part, start in zip(parts, starts, strict=True):
            if start is not None:
                actions.append(self._anchor(start))
            for candidate in self._further(block, part, start):
                self._anchor(candidate)
            actions += self.stage.expand(block, part)
        self.stage.blocks.append(MatchStep(block, tuple(actions)))
        self.bound |= frozenset(block.introduces)

    def _produce(self, block: ProduceBlock) -> None:
        self._new_stage()
        self.stage.produce = block
        self.bound |= {block.target}

    def _start(self, block: MatchBlock, part: list[NodeSlot]) -> Candidate | None:
        """What this connected part starts from; None where a variable that this stage holds will do."""
        if any(slot.name in self.stage.bits for slot in part):
            return None
        impossible = next((slot for slot in part if slot.kinds == frozenset()), None)
        if impossible is not None:
            return Candidate(impossible, "id", ast.ListLiteral(()), many=True)
        keys = [c for slot in part for c in candidates(block, slot, self.ontology)]
        best = min(keys, key=lambda c: c.rank, default=None)
        bound = next((slot for slot in part if slot.bound), None)
        if best is not None and (not best.needs or bound is None):
            return best
        if bound is not None:
            return Candidate(bound, "id", ast.Variable(bound.name), needs=frozenset({bound.name}))
        if not self.budget.allow_scan:
            raise no_anchor(block, part, self.ontology)
        narrowest = min(part, key=lambda slot: (len(slot.kinds or ()), slot.name))
        return Candidate(narrowest, "", None)

    def _available(self, start: Candidate) -> bool:
        return start.needs <= self.inputs and self.stage.produce is None

    def _further(self, block: MatchBlock, part: list[NodeSlot], start: Candidate | None) -> list[Candidate]:
        """Other nodes of the part that a key names: sought as well, so that walks close on them alone."""
        taken = {start.slot.name} if start else set()
        found = []
        for slot in part:
            keys = [c for c in candidates(block, slot, self.ontology) if c.unique and not c.needs]
            if keys and slot.name not in taken and slot.name not in self.stage.bits:
                found.append(keys[0])
        return found

    def _anchor(self, start: Candidate) -> Anchor:
        return self.stage.anchor(
            start.slot.name,
            kinds_of(self.ontology, start.slot, start.key),
            start.key,
            start.values,
            many=start.many,
            computed=bool(start.needs),
        )

    def _new_stage(self) -> None:
        self.stages.append(self.stage.build())
        self.stage = StageBuilder(self.ontology, self.budget)
        self.inputs = self.bound


def _components(block: MatchBlock) -> list[list[NodeSlot]]:
    """The connected parts of a MATCH, in the order they are written."""
    group = {slot.name: slot.name for slot in block.nodes}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for slot in block.relationships:
        group[root(slot.target)] = root(slot.source)
    parts: dict[str, list[NodeSlot]] = {}
    for node in block.nodes:
        parts.setdefault(root(node.name), []).append(node)
    return list(parts.values())
