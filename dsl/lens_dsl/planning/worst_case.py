"""The worst case of a plan, from the plan alone: what its stages, steps and ceilings allow, and no more.

Nothing is known of the data. A step starts at as many nodes as may hold its bits, looks at as many edges at each as
the fan-out or the window lets it, and all steps together at as many as ``examined``. docs/bounds.md has the formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lens_dsl.budget import Budget
from lens_dsl.cost import Cost, OperatorCost, WorstCase
from lens_dsl.ontology import Ontology
from lens_dsl.plan import Anchor, MatchStep, Plan, Stage, Step
from lens_dsl.planning import row_prices
from lens_dsl.planning.looks import Looks, looks_of, rows_of
from lens_dsl.planning.matcher_steps import Walker
from lens_dsl.planning.operator_names import matched, way
from lens_dsl.planning.starts import start_of
from lens_dsl.sql import MAX_CLASSES, MAX_GROUPS

READ_AT_ONCE = 200  # ids that one call of a reader takes
CALLS_A_LEAF = 2  # of a model, where its first reply cannot be read


def worst_case(plan: Plan, ontology: Ontology, *, verify: bool = False) -> WorstCase:
    """What the plan may cost at worst; with ``verify``, relationships are asked of their owners as well."""
    kinds = 1 if ontology.open else max(1, len(ontology.kinds))
    reckoner = _Reckoner(plan.budget, ontology, row_prices.state(kinds, plan.budget.scopes), kinds)
    for number, stage in enumerate(plan.stages, start=1):
        reckoner.stage(number, stage, verify=verify)
    if verify:
        reckoner.dangling(plan)
    operators = tuple(reckoner.operators)
    return WorstCase(operators, reckoner.in_sum(), reckoner.assumed(), reckoner.state)


@dataclass
class _Reckoner:
    budget: Budget
    ontology: Ontology
    state: int
    kinds: int
    operators: list[OperatorCost] = field(default_factory=list)
    looks: list[Looks] = field(default_factory=list)
    fixed: int = 0  # rows read, but for looking at edges
    unknown: bool = False  # a part of what is read that no plan tells
    walker: Walker = field(init=False)

    def __post_init__(self) -> None:
        self.walker = Walker(self.budget)

    def stage(self, number: int, stage: Stage, *, verify: bool) -> None:
        """Add what one stage may cost."""
        if stage.begins:
            self.walker.begin()
        if stage.produce is not None:
            self._produce(number, stage)
        held = _Held(self.budget.nodes)
        if stage.anchors:
            self._search(number, stage)
            self._open(number)
            for anchor in stage.anchors:
                self._anchor(number, anchor, held)
            for steps in _by_relationship(stage.steps):
                self._expand(number, stage, steps, held)
            self._hydrate(number, stage, held, verify=verify)
        self.walker.enter(stage, held.bits, held.edges)
        for block in stage.blocks:
            steps_taken = self.walker.take(block)
            if isinstance(block, MatchStep) or steps_taken:
                cost = Cost(matcher_steps=min(steps_taken, self.budget.steps))
                self._add(number, *matched(block), cost)

    def dangling(self, plan: Plan) -> None:
        """Add the one read for what leads nowhere."""
        types = self.ontology.relationships.keys() & plan.walked_types
        if not types:
            return
        self._open(len(plan.stages))
        classes = min(MAX_CLASSES, self.kinds * self.budget.scopes)
        found = self.budget.examined + self.budget.fanout + 1
        rows = row_prices.dangling(
            self.kinds, self.budget.scopes, self.budget.nodes, len(types), classes, found
        )
        self.fixed += rows
        cost = Cost(rows_read=rows, examined=self.budget.examined)
        advice = "name fewer relationship types"
        self._add(len(plan.stages), "Missing", "targets that are not there", cost, advice)

    def in_sum(self) -> Cost:
        """Everything, where operators share a ceiling no more than it allows."""
        budget, rows = self.budget, self.fixed + rows_of(self.looks, self.budget.examined)
        total = sum((operator.cost for operator in self.operators), Cost())
        ceilings = Cost(
            statements=total.statements,
            round_trips=total.round_trips,
            rows_read=None if self.unknown else rows,
            nodes=budget.nodes,
            edges=budget.edges,
            examined=budget.examined,
            matcher_steps=budget.steps,
            reader_calls=total.reader_calls,
            model_calls=budget.model_calls,
        )
        return replace(total.within(ceilings), rows_read=ceilings.rows_read)

    def assumed(self) -> Cost:
        """What of that rests on a ceiling alone."""
        total = sum((operator.assumed for operator in self.operators), Cost())
        looked = rows_of(self.looks, self.budget.examined)
        known = rows_of([look.known for look in self.looks], self.budget.examined)
        return replace(total, rows_read=(total.rows_read or 0) + looked - known)

    def _add(
        self, number: int, name: str, text: str, cost: Cost, advice: str = "", assumed: Cost | None = None
    ) -> None:
        self.operators.append(OperatorCost(number, name, text, cost, advice, assumed or Cost()))

    def _search(self, number: int, stage: Stage) -> None:
        """A round trip before the traversal: a statement for each anchor that full text finds."""
        searched = [anchor.variable.lstrip("#") for anchor in stage.anchors if anchor.search]
        if not searched:
            return
        rows = 2 * self.state + len(searched) * row_prices.SEARCHED
        self.fixed += rows
        cost = Cost(statements=len(searched), round_trips=1, rows_read=rows)
        self._add(number, "Search", f"full text for {', '.join(searched)}", cost, "search for less")

    def _open(self, number: int) -> None:
        """A round trip: the store looks twice at what the actor may see, before and with the statements."""
        rows = 2 * self.state + row_prices.STATEMENT
        self.fixed += rows
        advice = "lower --max-scopes"
        self._add(
            number,
            "Read",
            "what this actor may see",
            Cost(statements=1, round_trips=1, rows_read=rows),
            advice,
        )

    def _anchor(self, number: int, anchor: Anchor, held: _Held) -> None:
        start = start_of(anchor, self.walker.rows, self.walker.records, self.budget)
        most = min(start.found, held.ceiling + 1)
        rows = row_prices.seek(start.combinations, self.budget.scopes, start.found, most)
        held.add(anchor.bit, start.kept)
        self.fixed += rows
        name = "NodeScan" if anchor.scan else "NodeSeek"
        text = f"{anchor.variable.lstrip('#')}:{'|'.join(anchor.kinds)}"
        if not anchor.scan:
            text += f" by {anchor.key}"
        cost = Cost(rows_read=rows, nodes=start.kept)
        advice = "start from an id" if anchor.scan or anchor.key != "id" else "start from fewer values"
        assumed = Cost(rows_read=rows) if start.assumed else None
        self._add(number, name, text, cost, f"{advice}, or lower --max-nodes", assumed)

    def _expand(self, number: int, stage: Stage, steps: list[Step], held: _Held) -> None:
        budget, rows, edges, examined, reached = self.budget, 0, 0, 0, 0
        looks: list[Looks] = []
        for step in steps:
            starts = held.holding(step.origin)
            groups = min(MAX_GROUPS, sum(len(kinds) for _, _, kinds in step.go) * budget.scopes)
            rows += row_prices.step(held.entries, starts, groups)
            look = looks_of(step, starts, groups, budget)
            looks.append(look)
            examined += look.edges
            walked = min(starts * budget.fanout, look.edges, budget.examined)
            edges += walked
            held.edges += walked
            held.add(step.bit, min(walked, held.ceiling))
            reached += min(walked, held.ceiling)
        self.fixed += rows
        self.looks += looks
        cost = Cost(
            rows_read=rows + rows_of(looks, budget.examined),
            nodes=min(reached, budget.nodes),
            edges=min(edges, budget.edges),
            examined=min(examined, budget.examined),
        )
        name = "VarLengthExpand" if len(steps) > 1 else "Expand"
        advice = "name fewer relationship types or kinds, or lower --fanout, --max-nodes or --max-examined"
        clamped = any(
            slot.clamped and slot.name == steps[0].relationship
            for match in stage.matches
            for slot in match.block.relationships
        )
        self._add(number, name, way(stage, steps[0]), cost, advice, Cost(rows_read=rows) if clamped else None)

    def _hydrate(self, number: int, stage: Stage, held: _Held, *, verify: bool) -> None:
        """Reader calls; in an open world no module is asked for its records, and one for its relationships."""
        anything = {kind for anchor in stage.anchors if _of_any_kind(anchor) for kind in anchor.kinds}
        known = {kind for anchor in stage.anchors if not _of_any_kind(anchor) for kind in anchor.kinds}
        known |= {kind for step in stage.steps for _, _, some in step.go for kind in some}
        kinds, open_world = len(anything | known), self.ontology.open
        calls = 0 if open_world else _calls(held.nodes, kinds)
        assumed = 0 if open_world else calls - _calls(held.nodes, len(known))
        if verify:
            owners = {
                self.ontology.relationships[n].owner
                for n in _walked(stage)
                if n in self.ontology.relationships
            }
            calls += _calls(min(held.edges, self.budget.edges), 1 if open_world else len(owners))
        advice = "name the labels, or lower --max-nodes"
        self._add(
            number,
            "Hydrate",
            f"{kinds} kinds",
            Cost(reader_calls=calls),
            advice,
            Cost(reader_calls=assumed),
        )

    def _produce(self, number: int, stage: Stage) -> None:
        produce, budget = stage.produce, self.budget
        assert produce is not None
        leaves = min(self.walker.rows, budget.nodes)
        batches = len(produce.sources)  # one for the producer of each kind of anchor
        cost = Cost(
            statements=2 * batches,
            round_trips=batches,
            rows_read=None,
            nodes=budget.nodes,
            edges=budget.edges,
            examined=budget.examined,
            reader_calls=batches * _calls(budget.nodes, 2),
            model_calls=min(CALLS_A_LEAF * leaves, budget.model_calls),
        )
        self.unknown = True
        text = f"{produce.type} for each {produce.source}"
        self._add(number, "Produce", text, cost, "narrow what comes before, or lower --max-nodes")


@dataclass
class _Held:
    """How many nodes may hold each bit so far, under a ceiling of nodes in all."""

    ceiling: int
    bits: dict[int, int] = field(default_factory=dict)
    edges: int = 0

    def add(self, bit: int, nodes: int) -> None:
        self.bits[bit] = nodes

    def holding(self, mask: int) -> int:
        """Nodes that may hold one of these bits."""
        return min(self.ceiling, sum(nodes for bit, nodes in self.bits.items() if bit & mask))

    @property
    def entries(self) -> int:
        """Pairs of a node and a bit it holds."""
        return sum(self.bits.values())

    @property
    def nodes(self) -> int:
        return min(self.ceiling, self.entries)


def _calls(items: int, kinds: int) -> int:
    """Calls that bring so many items of so many kinds: whole batches, and one that is begun for each kind."""
    if items <= kinds:
        return items
    return kinds + (items - kinds) // READ_AT_ONCE


def _by_relationship(steps: tuple[Step, ...]) -> Iterator[list[Step]]:
    group: list[Step] = []
    for step in steps:
        if group and (step.hop == 1 or step.relationship != group[-1].relationship):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


def _of_any_kind(anchor: Anchor) -> bool:
    """Whether it seeks again whatever some variables hold: of all kinds, since none of them is known."""
    return anchor.computed and anchor.many and len(anchor.kinds) > 1


def _walked(stage: Stage) -> set[str]:
    return {name for step in stage.steps for name, _, _ in step.go}
