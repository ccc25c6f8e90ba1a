"""The matcher: walks the authorized subgraph in the plan's order, as openCypher matches.

No relationship is used twice within one MATCH. Every node and relationship it looks at costs a step of the
budget, and touching a place that was cut marks what comes out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from lens_dsl import ast
from lens_dsl.pattern import NodeSlot, PathSlot
from lens_dsl.plan import Anchor, Expansion, MatchStep
from lens_dsl.walk import free_variables
from lens_runtime.cuts import Cut
from lens_runtime.evaluation.equality import equal
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.graph import Node, Path, Relationship, Value
from lens_runtime.meter import Meter
from lens_runtime.ports import Deadline
from lens_runtime.subgraph import Subgraph
from lens_runtime.table import Row, Table, doubtful, in_doubt

Walk = tuple[tuple[Relationship, ...], str]
Properties = tuple[tuple[str, ast.Expression], ...]
_CHECK_EVERY = 1_000


class _StepsSpent(Exception):
    """The ceiling of matcher steps is reached."""


@dataclass
class Matcher:
    """Matches one stage's MATCH clauses against its subgraph, under one budget of steps."""

    subgraph: Subgraph
    evaluator: Evaluator
    ceiling: int
    deadline: Deadline
    meter: Meter
    touched: set[Cut] = field(default_factory=set)

    def match(self, step: MatchStep, table: Table, needed: int | None = None) -> Table:
        """Every row extended by every match, up to ``needed`` rows; in an OPTIONAL MATCH by nulls where there is none.

        Where something was cut, or the MATCH hangs on a doubtful variable, such nulls are doubtful themselves.
        """
        if table.withheld:
            return table
        rows: list[Row] = []
        cuts: set[Cut] = set()
        clause = _Clause(step)
        used = sorted(clause.needs & table.bounds.keys())
        if used:
            return table.without_rows(f"what is matched by {', '.join(used)}, which is only a bound")
        for row in table.rows:
            if needed is not None and len(rows) >= needed:
                break
            self.touched = set()
            unsure = bool(clause.needs & doubtful(row))
            left = None if needed is None else needed - len(rows)
            found = [] if unsure else list(islice(self._matches(clause, row), left))
            rows += found
            cuts |= self.touched
            if step.block.optional and not found:
                new = step.block.introduces
                doubts = frozenset(new) if unsure or self.touched else frozenset()
                rows.append(in_doubt({**row, **dict.fromkeys(new)}, doubtful(row) | doubts))
        return replace(table, rows=rows, cuts=table.cuts | cuts)

    def _matches(self, clause: _Clause, row: Row) -> Iterator[Row]:
        try:
            if all(self._fits(clause, name, row[name]) for name in clause.bound):
                yield from self._go(clause, 0, dict(row), frozenset())
        except _StepsSpent:
            self.touched.add(Cut("steps", self.ceiling))

    def _go(
        self, clause: _Clause, position: int, row: dict[str, Value], used: frozenset[str]
    ) -> Iterator[Row]:
        if not all(self.evaluator.truth(p, row) for p in clause.early[position]):
            return
        if position == len(clause.step.actions):
            yield from self._finished(clause, row)
            return
        action = clause.step.actions[position]
        if isinstance(action, Anchor):
            yield from self._start(clause, position, action, row, used)
        else:
            yield from self._expand(clause, position, action, row, used)

    def _finished(self, clause: _Clause, row: dict[str, Value]) -> Iterator[Row]:
        for path in clause.step.block.paths:
            row = {**row, path.name: _path(path, row, self.subgraph)}
        if not all(
            self._holds(clause.forward[name], r, row) for name in clause.forward for r in _walked(row[name])
        ):
            return
        if all(self.evaluator.truth(p, row) for p in clause.late):
            yield {name: value for name, value in row.items() if name not in clause.hidden}

    def _start(
        self, clause: _Clause, position: int, anchor: Anchor, row: dict[str, Value], used: frozenset[str]
    ) -> Iterator[Row]:
        self._touch(anchor.bit, "")
        known = row.get(anchor.variable)
        held = [known.id] if isinstance(known, Node) else self.subgraph.held.get(anchor.bit, ())
        for node_id in held:
            self._spend()
            node = self.subgraph.nodes.get(node_id)
            if node is not None and self._fits(clause, anchor.variable, node):
                yield from self._go(clause, position + 1, {**row, anchor.variable: node}, used)

    def _expand(
        self, clause: _Clause, position: int, action: Expansion, row: dict[str, Value], used: frozenset[str]
    ) -> Iterator[Row]:
        origin = row[action.origin]
        assert isinstance(origin, Node)
        properties = clause.properties[action.slot.name]
        for walk, far_id in self._walks(action, origin.id, properties, row, used):
            far = self.subgraph.nodes[far_id]
            known = row.get(action.end)
            if (known is not None and known != far) or not self._fits(clause, action.end, far):
                continue
            taken = used | {relationship.id for relationship in walk}
            bound = {**row, action.end: far, action.slot.name: _bound(action, walk)}
            yield from self._go(clause, position + 1, bound, taken)

    def _walks(
        self, action: Expansion, start: str, properties: Properties, row: Row, used: frozenset[str]
    ) -> Iterator[Walk]:
        """Every walk of the right length from ``start``, none of whose relationships is used already."""
        slot = action.slot
        for bit in action.closes:
            self._touch(bit, "")
        stack: list[Walk] = [((), start)]
        while stack:
            walk, at = stack.pop()
            if len(walk) >= slot.low:
                yield walk, at
            if len(walk) == slot.high:
                continue
            for bit in action.steps:
                self._touch(bit, at)
            onward = []
            for relationship, far in self.subgraph.around(at, slot.types, action.direction):
                self._spend()
                fresh = relationship.id not in used and relationship not in walk
                if fresh and self._holds(properties, relationship, row):
                    onward.append(((*walk, relationship), far))
            stack.extend(reversed(onward))

    def _holds(self, properties: Properties, relationship: Relationship, row: Row) -> bool:
        return all(
            equal(relationship.properties.get(key), self.evaluator.value(value, row))
            for key, value in properties
        )

    def _fits(self, clause: _Clause, name: str, value: Value) -> bool:
        """Whether a value can stand for a node of the pattern: a node with its labels. Null fits none."""
        slot = clause.slots[name]
        return isinstance(value, Node) and all(
            any(label in value.labels for label in alternatives) for alternatives in slot.labels
        )

    def _touch(self, bit: int, node_id: str) -> None:
        self.touched |= self.subgraph.cuts.get((bit, node_id), frozenset())

    def _spend(self) -> None:
        if self.meter.matcher_steps >= self.ceiling:
            raise _StepsSpent
        self.meter.matcher_steps += 1
        if self.meter.matcher_steps % _CHECK_EVERY == 0:
            self.deadline.check()


class _Clause:
    """What the matcher needs to know of one MATCH, worked out once."""

    def __init__(self, step: MatchStep) -> None:
        self.step = step
        self.slots: dict[str, NodeSlot] = {slot.name: slot for slot in step.block.nodes}
        self.bound = tuple(slot.name for slot in step.block.nodes if slot.bound)
        self.hidden = frozenset(name for name in step.block.introduces if name.startswith("#"))
        self.early, self.late = self._scheduled()
        # An inline map may name what this MATCH binds later, even its own relationship: that part waits for the end.
        self.properties: dict[str, Properties] = {}
        self.forward: dict[str, Properties] = {}
        introduced = frozenset(step.block.introduces)
        for slot in step.block.relationships:
            later = tuple(entry for entry in slot.properties if free_variables(entry[1]) & introduced)
            self.properties[slot.name] = tuple(entry for entry in slot.properties if entry not in later)
            if later:
                self.forward[slot.name] = later

    @property
    def needs(self) -> frozenset[str]:
        """Every variable that decides what matches."""
        block = self.step.block
        values = [value for slot in block.relationships for _, value in slot.properties]
        return frozenset(self.slots).union(*map(free_variables, (*block.predicates, *values)))

    def _scheduled(self) -> tuple[list[list[ast.Expression]], list[ast.Expression]]:
        """Each predicate as soon as its variables are bound, if it can do nothing but hold or not."""
        introduced = set(self.step.block.introduces)
        records = {*self.slots, *(s.name for s in self.step.block.relationships if not s.many)}
        bound: list[set[str]] = [set()]
        for action in self.step.actions:
            names = {action.variable} if isinstance(action, Anchor) else {action.end, action.slot.name}
            bound.append(bound[-1] | names)
        early: list[list[ast.Expression]] = [[] for _ in bound]
        late = []
        for predicate in self.step.block.predicates:
            needs = free_variables(predicate) & introduced
            position = next((i for i, names in enumerate(bound) if needs <= names), None)
            if position is None or not _harmless(predicate, records):
                late.append(predicate)
            else:
                early[position].append(predicate)
        return early, late


def _harmless(predicate: ast.Expression, records: Collection[str]) -> bool:
    """Whether evaluating it on a row that is dropped later can never raise.

    ``records`` are the variables that surely are nodes or relationships, so that ``x.y`` has a value.
    """
    if isinstance(predicate, ast.Comparison):
        parts = (predicate.first, *(operand for _, operand in predicate.rest))
    elif isinstance(predicate, ast.IsNull):
        parts = (predicate.operand,)
    elif isinstance(predicate, ast.StringTest):
        parts = (predicate.left, predicate.right)
    else:
        return False
    return all(_sure(part, records) for part in parts)


def _sure(expression: ast.Expression, records: Collection[str]) -> bool:
    if isinstance(expression, ast.Property):
        return isinstance(expression.subject, ast.Variable) and expression.subject.name in records
    return isinstance(expression, (ast.Literal, ast.Parameter, ast.Variable))


def _bound(action: Expansion, walk: tuple[Relationship, ...]) -> Value:
    if not action.slot.many:
        return walk[0]
    return list(reversed(walk)) if action.reversed else list(walk)


def _walked(value: Value) -> list[Relationship]:
    """The relationships that a relationship variable of a pattern holds: one, or those of a walk."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Relationship)]


def _path(path: PathSlot, row: Row, subgraph: Subgraph) -> Path:
    """The nodes and relationships of a named path in the order it is written."""
    start = row[path.nodes[0]]
    assert isinstance(start, Node)
    nodes, relationships = [start], []
    for name in path.relationships:
        for relationship in _walked(row[name]):
            near = nodes[-1].id
            far = relationship.target if relationship.source == near else relationship.source
            relationships.append(relationship)
            nodes.append(subgraph.nodes[far])
    return Path(tuple(nodes), tuple(relationships))
