"""One MATCH as the matcher takes it: which predicate is decided when, and what must be bound for it."""

from __future__ import annotations

from collections.abc import Collection

from lens_dsl import ast
from lens_dsl.pattern import NodeSlot
from lens_dsl.plan import Anchor, MatchStep
from lens_dsl.walk import free_variables

Properties = tuple[tuple[str, ast.Expression], ...]


class Clause:
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
        again = frozenset(slot.name for slot in block.relationships if slot.bound)
        return again.union(self.slots, *map(free_variables, (*block.predicates, *values)))

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
