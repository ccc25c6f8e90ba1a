"""The path of one query: text to an authorized, bounded answer. Read ``run`` from top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from lens_dsl.budget import Budget
from lens_dsl.cost import check_ceilings
from lens_dsl.errors import QueryError
from lens_dsl.pattern import Subquery
from lens_dsl.plan import InnerPlan, Plan, Stage
from lens_dsl.planning.worst_case import worst_case
from lens_runtime.aggregation.aggregate import Produced, aggregate
from lens_runtime.aggregation.production import Production
from lens_runtime.aggregation.run import Aggregation, Run
from lens_runtime.dangling import dangling
from lens_runtime.enough import enough
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.evaluation.patience import check_weight, within
from lens_runtime.graph import Node, Relationship, Value
from lens_runtime.hydration import Freshness, Sources, hydrate
from lens_runtime.matching import Matcher
from lens_runtime.meter import Meter
from lens_runtime.parameters import check_parameters
from lens_runtime.plans import PlanCache
from lens_runtime.ports import Clock, Deadline, Store
from lens_runtime.pruning import prune
from lens_runtime.result import Result, conclude
from lens_runtime.revalidation import Revalidated, State, contradictions, missing_at, revalidate
from lens_runtime.scope import Scope
from lens_runtime.searching import search
from lens_runtime.seeding import statements_of
from lens_runtime.subgraph import Missing, Subgraph
from lens_runtime.subqueries import answer, carried
from lens_runtime.table import Table
from lens_runtime.traversal import traverse
from lens_runtime.uniting import united

Pruning = Callable[[Stage, Subgraph], Subgraph]


@dataclass(frozen=True)
class Engine:
    """What a query runs on: a store, the modules' readers, and the scope fixed at authentication."""

    store: Store
    sources: Sources
    scope: Scope
    clock: Clock
    aggregation: Aggregation
    plans: PlanCache = field(default_factory=PlanCache)

    def plan(self, text: str, budget: Budget) -> Plan:
        """What the query would do, without doing any of it; kept for when it is asked again."""
        return self.plans.plan(text, self.sources.ontology, budget)

    def run(
        self,
        text: str,
        parameters: Mapping[str, object],
        budget: Budget,
        deadline: Deadline,
        *,
        verify: bool = False,
    ) -> Result:
        """The answer of a query for this scope. What a ceiling cut is data in it; errors are ``lens_dsl.errors``.

        With ``verify`` the owners of relationships are asked again, and what leads nowhere is looked for.
        """
        return self.carry_out(self.plan(text, budget), parameters, deadline, verify=verify)

    def carry_out(
        self, plan: Plan, parameters: Mapping[str, object], deadline: Deadline, *, verify: bool = False
    ) -> Result:
        """As ``run``, for a plan made before."""
        try:
            plan = self._verifying(plan) if verify else plan
            work = _Work(check_parameters(plan.parameters, parameters), verify=verify)
            with within(deadline):
                for stage in plan.stages:
                    self._carry_out(stage, plan, work, deadline)
                table = work.whole(plan)
                check_weight(table.rows)
        except QueryError as error:
            error.text = error.text or plan.text
            raise
        result = conclude(plan, table, tuple(work.freshness), work.meter, self.scope, self.clock.now())
        result = result.produced(tuple(work.productions), tuple(work.warnings))
        result = result.described(self.sources.ontology, work.nodes)
        return self._verified(result, work, deadline) if verify else result

    def gather(self, plan: Plan, parameters: Mapping[str, object], deadline: Deadline) -> Result:
        """All that a walk of ``lens_dsl.walking`` reaches, in one row: its records, and its relationships asked again.

        The same store, readers, ceilings and scope as for a query; only nothing is matched, and what it may cost is
        stated, and never a reason to refuse it.
        """
        plan = replace(plan, worst_case=worst_case(plan, self.sources.ontology, verify=True))
        work = _Work(check_parameters(plan.parameters, parameters), verify=True)
        for stage in plan.stages:
            found = self._fetched(stage, plan, work, deadline, prune=lambda _, reached: reached)
            found = found.connected(
                node for anchor in stage.anchors for node in found.held.get(anchor.bit, ())
            )
            row = {"records": list(found.nodes.values()), "relationships": list(found.relationships.values())}
            cuts = frozenset(cut for place in found.cuts.values() for cut in place)
            work.table = Table((row,), cuts)
        whole = replace(plan, columns=("records", "relationships"))
        result = conclude(whole, work.table, tuple(work.freshness), work.meter, self.scope, self.clock.now())
        return self._verified(result.described(self.sources.ontology, work.nodes), work, deadline)

    def _verifying(self, plan: Plan) -> Plan:
        """The plan with what asking owners again may cost as well; OverBudget where that is too much."""
        stated = worst_case(plan, self.sources.ontology, verify=True)
        check_ceilings(stated, plan.budget)
        return replace(plan, worst_case=stated)

    def nothing(self) -> Result:
        """An answer for which nothing was read."""
        plan = Plan("", (), (), (), (), Budget())
        return conclude(plan, Table(()), (), Meter(), self.scope, self.clock.now())

    def _verified(self, result: Result, work: _Work, deadline: Deadline) -> Result:
        contradictory = contradictions(work.relationships.values(), self.sources.ontology)
        states = work.states | dict.fromkeys(contradictory, "contradictory")
        nowhere, cuts = dangling(
            self.store, self.scope, result.nodes, result.plan, self.sources.ontology, deadline, work.meter
        )
        missing = missing_at((*work.missing, *nowhere), result.nodes)
        return replace(result, states=states, missing=missing, cuts=(*result.cuts, *cuts))

    def _fetched(
        self, stage: Stage, plan: Plan, work: _Work, deadline: Deadline, prune: Pruning = prune
    ) -> Subgraph:
        """What the store and the modules have for a stage, for this actor."""
        named = search(self.store, self.scope, stage, work.evaluator, plan, deadline, work.meter)
        statements = statements_of(
            stage, work.table, work.evaluator, plan, self.scope.world, work.meter, named.seeds
        )
        found = traverse(self.store, self.scope, stage, statements, plan.budget, deadline, work.meter)
        candidates = prune(stage, named.marked(found))
        authorized, freshness = hydrate(
            candidates, stage, self.sources, self.scope, plan.budget, deadline, work.meter
        )
        if work.verify:
            checked = revalidate(authorized, self.sources, self.scope, plan.budget, deadline, work.meter)
            authorized = checked.subgraph
            work.check(checked)
        work.keep(authorized, freshness)
        return authorized

    def _carry_out(self, stage: Stage, plan: Plan, work: _Work, deadline: Deadline) -> None:
        if stage.begins:
            work.begin()
        authorized = self._fetched(stage, plan, work, deadline)
        if stage.produce is not None:
            work.take(aggregate(stage.produce, work.table, self._run(work, plan.budget, deadline)))
        work.matcher = Matcher(authorized, work.evaluator, plan.budget.steps, deadline, work.meter)
        work.inner = {inner.name: inner for inner in stage.inner}
        for position, block in enumerate(stage.blocks):
            needed = enough(stage.blocks, position, work.evaluator)
            work.table = carried(block, work.table, work.matcher, needed)

    def _run(self, work: _Work, budget: Budget, deadline: Deadline) -> Run:
        return Run(
            self.aggregation,
            self.store,
            self.sources,
            self.scope,
            budget,
            deadline,
            self.clock,
            work.meter,
            work.evaluator,
        )


@dataclass
class _Work:
    """What is carried from one stage to the next."""

    parameters: Mapping[str, Value]
    table: Table = field(default_factory=Table.unit)
    parts: list[Table] = field(default_factory=list)
    matcher: Matcher | None = None
    inner: Mapping[str, InnerPlan] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)
    freshness: list[Freshness] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    verify: bool = False
    relationships: dict[str, Relationship] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)
    productions: list[Production] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.parameters, self)

    def node(self, node_id: str) -> Node | None:
        """The authorized node of that id, of any stage so far."""
        return self.nodes.get(node_id)

    def subquery(self, asked: Subquery, row: Mapping[str, Value]) -> Value:
        """What a pattern in an expression gives for a row, on what this stage brought."""
        assert self.matcher is not None
        return answer(asked, self.inner[asked.name], row, self.matcher)

    def begin(self) -> None:
        """Put by the rows so far: they are one part of a UNION."""
        self.parts.append(self.table)
        self.table = Table.unit()

    def whole(self, plan: Plan) -> Table:
        """The rows of all parts of a UNION, or of the one query there is."""
        return united([*self.parts, self.table], plan.columns, distinct=plan.distinct)

    def take(self, produced: Produced) -> None:
        """Go on with what a producer made."""
        self.table = produced.table
        self.freshness += produced.freshness
        self.productions += produced.log
        self.warnings += produced.warnings

    def keep(self, authorized: Subgraph, freshness: tuple[Freshness, ...]) -> None:
        """Remember a stage's nodes, and how its modules were read."""
        self.nodes.update(authorized.nodes)
        self.freshness += freshness

    def check(self, checked: Revalidated) -> None:
        """Remember how a stage's relationships stand."""
        self.relationships.update(checked.subgraph.relationships)
        self.states.update(checked.states)
        self.missing += checked.subgraph.missing
