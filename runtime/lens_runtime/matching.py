"""The matcher: walks the authorized subgraph in the plan's order, as openCypher matches.

No relationship is used twice within one MATCH. Every node and relationship it looks at costs a step of the
budget, and touching a place that was cut marks what comes out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from lens_dsl import ast
from lens_dsl.pattern import RelationshipSlot
from lens_dsl.plan import Anchor, Expansion, MatchStep
from lens_runtime.cuts import Cut, Untellable
from lens_runtime.evaluation.equality import equal
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.graph import Node, Relationship, Value
from lens_runtime.match_clause import Clause, Properties
from lens_runtime.meter import Meter
from lens_runtime.ports import Deadline
from lens_runtime.subgraph import Subgraph
from lens_runtime.table import Row, Table, doubtful, in_doubt
from lens_runtime.walking import bound_to, path_of, walked, ways_along

Walk = tuple[tuple[Relationship, ...], str]
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
        clause = Clause(step)
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

    def _matches(self, clause: Clause, row: Row) -> Iterator[Row]:
        try:
            if all(self._fits(clause, name, row[name]) for name in clause.bound):
                yield from self._go(clause, 0, dict(row), frozenset())
        except _StepsSpent:
            self.touched.add(Cut("steps", self.ceiling))

    def _go(
        self, clause: Clause, position: int, row: dict[str, Value], used: frozenset[str]
    ) -> Iterator[Row]:
        if not all(self._true(p, row) for p in clause.early[position]):
            return
        if position == len(clause.step.actions):
            yield from self._finished(clause, row)
            return
        action = clause.step.actions[position]
        if isinstance(action, Anchor):
            yield from self._start(clause, position, action, row, used)
        elif action.slot.bound:
            yield from self._again(clause, position, action, row, used)
        else:
            yield from self._expand(clause, position, action, row, used)

    def _finished(self, clause: Clause, row: dict[str, Value]) -> Iterator[Row]:
        for path in clause.step.block.paths:
            row = {**row, path.name: path_of(path, row, self._node)}
        if not all(
            self._holds(clause.forward[name], r, row) for name in clause.forward for r in walked(row[name])
        ):
            return
        if all(self._true(p, row) for p in clause.late):
            yield {name: value for name, value in row.items() if name not in clause.hidden}

    def _start(
        self, clause: Clause, position: int, anchor: Anchor, row: dict[str, Value], used: frozenset[str]
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
        self, clause: Clause, position: int, action: Expansion, row: dict[str, Value], used: frozenset[str]
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
            bound = {**row, action.end: far, action.slot.name: bound_to(action, walk)}
            yield from self._go(clause, position + 1, bound, taken)

    def _again(
        self, clause: Clause, position: int, action: Expansion, row: dict[str, Value], used: frozenset[str]
    ) -> Iterator[Row]:
        """What is bound already, walked from its first node to its last."""
        slot = action.slot
        walk = walked(row[slot.name])
        properties = clause.properties[slot.name]
        if not walk or not slot.low <= len(walk) <= slot.high or any(r.id in used for r in walk):
            return
        if not all(self._may_be(slot, r) and self._holds(properties, r, row) for r in walk):
            return
        for start, end in ways_along(walk, slot.direction):
            self._spend()
            if slot.source == slot.target and start != end:
                continue
            ends = {slot.source: self._node(start), slot.target: self._node(end)}
            bound = {**row, **ends}
            known = all(row.get(name) in (None, node) for name, node in ends.items())
            if known and all(self._fits(clause, name, bound[name]) for name in ends):
                yield from self._go(clause, position + 1, bound, used | {r.id for r in walk})

    @staticmethod
    def _may_be(slot: RelationshipSlot, relationship: Relationship) -> bool:
        return not slot.types or relationship.type in slot.types

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
            if len(walk) == slot.high and not slot.clamped:
                continue
            for bit in action.steps:
                self._touch(bit, at)
            onward = []
            for relationship, far in self.subgraph.around(at, slot.types, action.direction):
                self._spend()
                fresh = relationship.id not in used and relationship not in walk
                if fresh and self._holds(properties, relationship, row):
                    onward.append(((*walk, relationship), far))
            if slot.clamped and ((onward and len(walk) == slot.high) or self._unseen(action, at)):
                self.touched.add(Cut("depth", slot.high))
            elif len(walk) < slot.high:
                stack.extend(reversed(onward))

    def _unseen(self, action: Expansion, at: str) -> bool:
        """Whether a clamped walk comes to a node from which none of its steps went on."""
        held = self.subgraph.held
        if at not in held.get(action.steps[-1], ()):
            return False
        return not any(at in held.get(bit, ()) for bit in (*action.steps[:-1], *action.starts))

    def _holds(self, properties: Properties, relationship: Relationship, row: Row) -> bool:
        try:
            return all(
                equal(relationship.properties.get(key), self.evaluator.value(value, row))
                for key, value in properties
            )
        except Untellable as unknown:
            self.touched |= unknown.cuts
            return False

    def _fits(self, clause: Clause, name: str, value: Value) -> bool:
        """Whether a value can stand for a node of the pattern: a node with its labels. Null fits none."""
        slot = clause.slots[name]
        return isinstance(value, Node) and all(
            any(label in value.labels for label in alternatives) for alternatives in slot.labels
        )

    def _true(self, predicate: ast.Expression, row: Row) -> bool:
        """Whether it holds; where that hangs on what was cut, it does not, and the cut marks the result."""
        try:
            return bool(self.evaluator.truth(predicate, row))
        except Untellable as unknown:
            self.touched |= unknown.cuts
            return False

    def _node(self, node_id: str) -> Node | None:
        """A node of this stage or of one before."""
        found = self.subgraph.nodes.get(node_id)
        return (
            found if found is not None or self.evaluator.graph is None else self.evaluator.graph.node(node_id)
        )

    def _touch(self, bit: int, node_id: str) -> None:
        self.touched |= self.subgraph.cuts.get((bit, node_id), frozenset())

    def _spend(self) -> None:
        if self.meter.matcher_steps >= self.ceiling:
            raise _StepsSpent
        self.meter.matcher_steps += 1
        if self.meter.matcher_steps % _CHECK_EVERY == 0:
            self.deadline.check()
