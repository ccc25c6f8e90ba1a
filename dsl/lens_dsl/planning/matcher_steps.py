"""How many steps the matcher may take: rows that may come in, times what it may look at for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.nesting import expressions_of, subqueries_in
from lens_dsl.pattern import ProjectBlock, Subquery, UnwindBlock
from lens_dsl.plan import Anchor, Expansion, InnerBlock, InnerPlan, MatchStep, Stage
from lens_dsl.walk import children

MOST = 10**12  # beyond every ceiling; products need not grow further

# What evaluates each of its parts once at most. A comprehension does so for each element of a list.
_ONCE = (ast.Logical, ast.Not, ast.IsNull, ast.Call, ast.Arithmetic)


@dataclass
class Walker:
    """``rows`` is how many rows there may be after the blocks so far, ``records`` which variables surely are nodes."""

    budget: Budget
    rows: int = 1
    records: frozenset[str] = frozenset()
    held: Mapping[int, int] = field(default_factory=dict)
    edges: int = 0
    inner: Mapping[str, InnerPlan] = field(default_factory=dict)

    def enter(self, stage: Stage, held: Mapping[int, int], edges: int) -> None:
        """Begin a stage whose bits so many nodes may hold, with so many edges between them."""
        self.held, self.edges = held, min(edges, self.budget.edges)
        self.inner = {inner.name: inner for inner in stage.inner}

    def begin(self) -> None:
        """Begin a part of a UNION."""
        self.rows, self.records = 1, frozenset()

    def take(self, block: InnerBlock) -> int:
        """The steps of one block, those of the subqueries in it included."""
        if isinstance(block, MatchStep):
            steps = self._match(block)
            where = self._asked(block.block.predicates, self.rows)
            within = [value for slot in block.block.relationships for _, value in slot.properties]
            return min(MOST, steps + where + (MOST if any(map(subqueries_in, within)) else 0))
        steps = self._asked(expressions_of(block), max(1, self.rows))
        if isinstance(block, ProjectBlock):
            self._project(block)
        else:
            self._unwind(block)
        return steps

    def _match(self, step: MatchStep) -> int:
        bound = {slot.name for slot in step.block.nodes if slot.bound}
        rows, steps = self.rows, 0
        for action in step.actions:
            if isinstance(action, Anchor):
                looked = 1 if action.variable in bound else self.held.get(action.bit, 0)
                found = looked
            else:
                looked, found = (2, 2) if action.slot.bound else self._expansion(action)
            steps += rows * looked
            rows *= max(1, found)
            rows, steps = min(rows, MOST), min(steps, MOST)
        self.rows = rows
        # A bound value that is no node matches nothing; an OPTIONAL MATCH passes it on.
        self.records |= {slot.name for slot in step.block.nodes if not (slot.bound and step.block.optional)}
        return steps

    def _project(self, block: ProjectBlock) -> None:
        """A projection gives no more rows than come in, and one where it only aggregates."""
        if block.aggregates and all(column.aggregates for column in block.columns):
            self.rows = 1
        if isinstance(block.limit, ast.Literal) and isinstance(block.limit.value, int):
            self.rows = min(self.rows, max(0, block.limit.value))
        passed = {c.name: c.expression.name for c in block.columns if isinstance(c.expression, ast.Variable)}
        self.records = frozenset(name for name, source in passed.items() if source in self.records)

    def _unwind(self, block: UnwindBlock) -> None:
        """As many rows as the list has elements; how many a computed one has, nobody can tell."""
        length = len(block.source.items) if isinstance(block.source, ast.ListLiteral) else MOST
        self.rows = min(self.rows * length, MOST)
        self.records -= {block.variable}

    def _expansion(self, action: Expansion) -> tuple[int, int]:
        """What is looked at from one node, and how many walks there are: at each of them every edge of the stage."""
        slot, looked, walks, ends = action.slot, 0, 1, 0
        for hop in range(slot.high + 1):
            ends += walks if hop >= slot.low else 0
            if hop < slot.high or slot.clamped:  # whether anything lies beyond the last hop of a clamped walk
                looked += walks * self.edges
                walks = min(walks * self.edges, MOST)
        return min(looked, MOST), min(max(ends, 1), MOST)

    def _asked(self, expressions: Iterable[ast.Expression], times: int) -> int:
        """The steps of the subqueries in these expressions, which are evaluated so many times."""
        steps = 0
        for expression in expressions:
            once = set(_asked_once(expression))
            for subquery in subqueries_in(expression):
                each = self._subquery(subquery)
                steps += each * (times if subquery.name in once else MOST)
        return min(steps, MOST)

    def _subquery(self, subquery: Subquery) -> int:
        """The steps of a pattern in an expression, for one row."""
        steps = 0
        for part in self.inner[subquery.name].parts:
            within = replace(self, rows=1)
            steps += sum(within.take(block) for block in part)
            if subquery.column is not None:
                steps += within._asked((subquery.column.expression,), within.rows)
        return min(steps, MOST)


def _asked_once(expression: ast.Node) -> Iterator[str]:
    """The names of the subqueries that are asked once at most where an expression is evaluated."""
    if isinstance(expression, Subquery):
        yield expression.name
    elif isinstance(expression, _ONCE) or (
        isinstance(expression, ast.Comparison) and len(expression.rest) == 1
    ):
        for child in children(expression):
            yield from _asked_once(child)
