"""From a pattern to a plan under a budget: stages, anchors, steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.cost import check_ceilings
from lens_dsl.errors import QueryError
from lens_dsl.nesting import bound_names, clamped_walks, subqueries_in, subqueries_of
from lens_dsl.ontology import ANYTHING, Ontology
from lens_dsl.pattern import (
    Block,
    MatchBlock,
    NodeSlot,
    Pattern,
    ProduceBlock,
    ProjectBlock,
    RelationshipSlot,
    Subquery,
    UnwindBlock,
)
from lens_dsl.plan import Anchor, Expansion, InnerBlock, InnerPlan, MatchStep, Plan, Stage
from lens_dsl.planning.anchors import Candidate, candidates, kinds_of, no_anchor, scan_key
from lens_dsl.planning.stages import StageBuilder, longest_clamped
from lens_dsl.planning.worst_case import worst_case
from lens_dsl.walk import free_variables


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
    within: bool = False
    longest: int = 0

    def plan(self, pattern: Pattern) -> Plan:
        self.longest = longest_clamped(clamped_walks(pattern.blocks), self.budget)
        self.stage = self._builder()
        for block in pattern.blocks:
            self._block(block)
        self.stages.append(self.stage.build())
        return Plan(
            pattern.text,
            tuple(self.stages),
            pattern.columns,
            pattern.parameters,
            pattern.warnings,
            self.budget,
            pattern.distinct,
        )

    def _builder(self, *, begins: bool = False) -> StageBuilder:
        return StageBuilder(self.ontology, self.budget, self.longest, begins=begins)

    def _block(self, block: Block) -> None:
        if isinstance(block, MatchBlock):
            step = self._match(block)  # which may begin a new stage
            self.stage.blocks.append(step)
        elif isinstance(block, ProduceBlock):
            self._produce(block)
        elif isinstance(block, ProjectBlock):
            self._project(block)
        elif isinstance(block, UnwindBlock):
            self._inner(block)
            self.stage.blocks.append(block)
            self.bound |= {block.variable}
        else:
            self._begin()

    def _begin(self) -> None:
        """The next part of a UNION: nothing of the parts before is there."""
        self._new_stage()
        self.stage = self._builder(begins=True)
        self.bound = self.inputs = frozenset()

    def _project(self, block: ProjectBlock) -> None:
        self._inner(block)
        kept = {c.name: c.expression.name for c in block.columns if isinstance(c.expression, ast.Variable)}
        self.stage.project(block, kept)
        self.stage.blocks.append(block)
        self.bound = frozenset(column.name for column in block.columns)
        self.inputs = frozenset(
            name for name, source in kept.items() if name == source and name in self.inputs
        )

    def _match(self, block: MatchBlock) -> MatchStep:
        parts = _components(block)
        starts = [self._start(block, part) for part in parts]
        if not self.within and any(start is not None and not self._available(start) for start in starts):
            self._new_stage()
            starts = [self._start(block, part) for part in parts]
        actions: list[Anchor | Expansion] = []
        for part, start in zip(parts, starts, strict=True):
            if start is not None:
                actions.append(self._anchor(start))
            for candidate in self._further(block, part, start):
                self._anchor(candidate)
            actions += self.stage.expand(block, part)
        self.bound |= frozenset(block.introduces)
        self._inner(block)
        return MatchStep(block, tuple(actions))

    def _inner(self, block: Block) -> None:
        """Plan the subqueries of a block beside it; in a new stage where they start from what this one computes."""
        found = subqueries_of(block)
        if not self.within and not isinstance(block, MatchBlock) and any(map(self._starts_anew, found)):
            self._new_stage()
        for subquery in found:
            self._subquery(subquery)

    def _starts_anew(self, subquery: Subquery) -> bool:
        """Whether it goes on from a variable of which this stage holds nothing."""
        needed = {
            name for name, outer in subquery.uses if not free_variables(outer) <= self.stage.bits.keys()
        }
        return bool(needed & bound_names(subquery) & (self.bound - self.inputs))

    def _subquery(self, subquery: Subquery) -> None:
        stage, outside = self.stage, (self.bound, self.within)
        bits, depths = self._entered(subquery)
        known = stage.bits, stage.depths, stage.tentative
        self.within = True
        parts = []
        for part in subquery.parts:
            stage.bits, stage.depths, stage.tentative = dict(bits), dict(depths), True
            self.bound |= {name for name, _ in subquery.uses}
            parts.append(tuple(self._inner_block(block) for block in part))
            for nested in subqueries_in(subquery.column.expression) if subquery.column else ():
                self._subquery(nested)
            stage.bits, stage.depths, stage.tentative = known
        self.bound, self.within = outside
        self.stage.inner.append(InnerPlan(subquery.name, tuple(parts)))

    def _entered(self, subquery: Subquery) -> tuple[dict[str, int], dict[str, int]]:
        """The bits and depths of the variables that it uses, by their names within it."""
        stage, depths = self.stage, {}
        bits: dict[str, int] = {}
        for name, outer in subquery.uses:
            known = outer.name if isinstance(outer, ast.Variable) else ""
            if known not in stage.bits and name not in bound_names(subquery):
                continue
            if known in stage.bits:
                depths[name] = stage.depths.get(known, 0)
            elif known in self.inputs:
                self._seek(known, (known,))
            bits[name] = stage.bits.get(known) or self._anything(name)
        return bits, depths

    def _anything(self, name: str) -> int:
        """The bits of what an element of a list, or a value computed here, can be: any record there is so far."""
        held = self.stage.everything
        return held | self._seek(f"#any-{name}", sorted(self.inputs)) if self.inputs else held

    def _seek(self, variable: str, names: Sequence[str]) -> int:
        """Seek again what these variables of the stages before hold."""
        kinds = (ANYTHING,) if self.ontology.open else tuple(sorted(self.ontology.kinds))
        values = ast.ListLiteral(tuple(ast.Variable(name) for name in names))
        return self.stage.anchor(variable, kinds, "id", values, many=True, computed=True).bit

    def _inner_block(self, block: Block) -> InnerBlock:
        if isinstance(block, MatchBlock):
            return self._match(block)
        assert isinstance(block, (ProjectBlock, UnwindBlock))
        self._inner(block)
        if isinstance(block, ProjectBlock):
            kept = {
                c.name: c.expression.name for c in block.columns if isinstance(c.expression, ast.Variable)
            }
            self.stage.project(block, kept, within=True)
        return block

    def _produce(self, block: ProduceBlock) -> None:
        self._new_stage()
        self.stage.produce = block
        self.bound |= {block.target}

    def _start(self, block: MatchBlock, part: list[NodeSlot]) -> Candidate | None:
        """What this connected part starts from; None where a variable that this stage holds will do."""
        names = {slot.name for slot in part}
        walked = [slot for slot in block.relationships if slot.source in names]
        held = names | {slot.name for slot in walked if slot.bound}
        if held & self.stage.bits.keys():
            return None
        again = next((slot for slot in walked if slot.bound), None)
        if again is not None:
            return self._ends_of(again, part, alone=all(slot.bound for slot in walked))
        impossible = next((slot for slot in part if slot.kinds == frozenset()), None)
        if impossible is not None:
            return Candidate(impossible, "id", ast.ListLiteral(()), many=True)
        keys = [c for slot in part for c in candidates(block, slot, self.ontology)]
        if any(c.unique for c in keys):  # an exact identifier is enough (P23)
            keys = [c for c in keys if not c.search]
        best = min(keys, key=lambda c: c.rank, default=None)
        bound = next((slot for slot in part if slot.bound), None)
        exact = best is not None and not best.needs and not best.search
        if best is not None and (exact or bound is None):
            return best
        if bound is not None:
            return Candidate(bound, "id", ast.Variable(bound.name), needs=frozenset({bound.name}))
        if not self.budget.allow_scan:
            raise no_anchor(block, part, self.ontology)
        narrowest = min(part, key=lambda slot: (not slot.labels, len(slot.kinds or ()), slot.name))
        return Candidate(narrowest, scan_key(self.ontology, narrowest), None)

    def _ends_of(self, slot: RelationshipSlot, part: list[NodeSlot], *, alone: bool) -> Candidate | None:
        """What a walk on from a bound relationship starts at: its ends, which a stage before has."""
        if alone:
            return None
        source = next(node for node in part if node.name == slot.source)
        value = ast.Variable(slot.name)
        return Candidate(source, "id", value, many=True, needs=frozenset({slot.name}))

    def _available(self, start: Candidate) -> bool:
        return start.needs <= self.inputs and self.stage.produce is None

    def _further(self, block: MatchBlock, part: list[NodeSlot], start: Candidate | None) -> list[Candidate]:
        """Other nodes of the part that a key names: sought as well, so that walks close on them alone."""
        taken = {start.slot.name} if start else set()
        found = []
        if start is not None and start.values is not None:
            for each in block.relationships:
                if each.bound and start.values == ast.Variable(each.name):
                    target = next(slot for slot in part if slot.name == each.target)
                    found.append(Candidate(target, "id", start.values, many=True, needs=start.needs))
                    taken.add(target.name)
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
            search=start.search,
        )

    def _new_stage(self) -> None:
        self.stages.append(self.stage.build())
        self.stage = self._builder()
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
