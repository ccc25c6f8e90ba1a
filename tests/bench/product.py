"""The product under measurement: one query's stages, each by the function that the engine itself calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from lens_dsl.plan import Plan, Stage, Statement
from lens_runtime.aggregation.run import Aggregation
from lens_runtime.engine import Engine
from lens_runtime.envelope import ContextEnvelope, seal
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.graph import Value
from lens_runtime.hydration import Sources, hydrate
from lens_runtime.matching import Matcher
from lens_runtime.meter import Meter
from lens_runtime.ports import Reading, Store
from lens_runtime.pruning import prune
from lens_runtime.result import Result
from lens_runtime.seeding import statements_of
from lens_runtime.subgraph import Subgraph
from lens_runtime.subqueries import carried
from lens_runtime.table import Table
from lens_runtime.traversal import decoded, traverse
from lens_runtime.worlds.policy import Policy
from tests.bench.graph import KINDS, MODULE, ONTOLOGY, Graph, name_of
from tests.bench.oracle import Walk
from tests.bench.shapes import BUDGET
from tests.bench.world import SCOPE, WORLD, Module, Patience, Still


@dataclass
class Product:
    """A query engine on a built graph, taken apart."""

    graph: Graph
    store: Store
    plans: dict[str, Plan] = field(default_factory=dict)

    @cached_property
    def sources(self) -> Sources:
        """The module's reader and the vocabulary."""
        return Sources({MODULE: Module(self.graph)}, ONTOLOGY)

    @cached_property
    def engine(self) -> Engine:
        """The engine whole."""
        policy = Policy(("open", "secret"), dict.fromkeys(KINDS, MODULE), {}, {}, ())
        return Engine(self.store, self.sources, SCOPE, Still(), Aggregation(policy))

    def plan(self, text: str) -> Plan:
        """The plan of a query, made once."""
        if text not in self.plans:
            self.plans[text] = self.engine.plan(text, BUDGET)
        return self.plans[text]

    def seed(self, text: str, start: int) -> tuple[Stage, tuple[Statement, ...]]:
        """The one stage of a query, and its statements for a start."""
        plan = self.plan(text)
        (stage,) = plan.stages
        evaluator = Evaluator({"id": name_of(start)})
        return stage, statements_of(stage, Table.unit(), evaluator, plan, WORLD, Meter(), {})

    def traverse(self, stage: Stage, statements: tuple[Statement, ...]) -> Subgraph:
        """What the store brings."""
        return traverse(self.store, SCOPE, stage, statements, BUDGET, Patience(), Meter())

    def read(self, statements: tuple[Statement, ...]) -> Reading:
        """The store's rows."""
        return self.store.read(statements, SCOPE, Patience())

    def decode(self, reading: Reading, stage: Stage) -> Subgraph:
        """The subgraph in the store's rows."""
        return decoded(reading.results[0], stage, BUDGET, Meter())

    def hydrate(self, stage: Stage, subgraph: Subgraph) -> Subgraph:
        """What the module says of it."""
        known, _ = hydrate(subgraph, stage, self.sources, SCOPE, BUDGET, Patience(), Meter())
        return known

    def match(self, stage: Stage, subgraph: Subgraph, start: int) -> Table:
        """The rows that the matcher finds in a subgraph."""
        evaluator, table = Evaluator({"id": name_of(start)}), Table.unit()
        matcher = Matcher(subgraph, evaluator, BUDGET.steps, Patience(), Meter())
        for block in stage.blocks:
            table = carried(block, table, matcher)
        return table

    def traverse_only(self, text: str, start: int) -> Subgraph:
        """From values to subgraph."""
        return self.traverse(*self.seed(text, start))

    def traverse_and_match(self, text: str, start: int) -> tuple[Subgraph, Table]:
        """From values to rows, without asking the module."""
        stage, statements = self.seed(text, start)
        found = self.traverse(stage, statements)
        return found, self.match(stage, prune(stage, found), start)

    def whole(self, text: str, start: int) -> tuple[Result, ContextEnvelope]:
        """From text to envelope."""
        result = self.engine.run(text, {"id": name_of(start)}, BUDGET, Patience())
        return result, seal(result)


def walk_of(subgraph: Subgraph) -> Walk:
    """What a traversal brought, in the oracle's terms."""
    nodes = frozenset(int(node.coordinate.entity_id[1:]) for node in subgraph.nodes.values())
    edges = frozenset(int(one.provenance.entity_id[1:]) for one in subgraph.relationships.values())
    return Walk(nodes, edges)


def rows_of(table: Table) -> list[tuple[Value, ...]]:
    """The rows of a table, sorted."""
    return sorted((tuple(row.values()) for row in table.rows), key=str)
