"""A plan in words, as plain data: what each stage does, where each predicate is decided, and the ceilings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.cost import WorstCase
from lens_dsl.formatter import format_expression
from lens_dsl.ontology import Ontology
from lens_dsl.pattern import (
    Column,
    MatchBlock,
    NodeSlot,
    ProduceBlock,
    ProjectBlock,
    RelationshipSlot,
    SortKey,
    UnwindBlock,
)
from lens_dsl.plan import Anchor, Expansion, MatchStep, Plan, Stage
from lens_dsl.planning.anchors import searched

PRUNED = "pruned in SQL, decided again after hydration"
HYDRATED = "after hydration"
PRODUCED = "once the leaf is made"
PROJECTED = "in memory, on the relationship as projected"

_UNNAMED = re.compile(r"`(#\w+)`")
_ARROWS = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}


@dataclass(frozen=True, slots=True)
class Operator:
    """One step of a stage: NodeSeek, NodeScan, TextSeek, Expand, VarLengthExpand, Filter, Projection, Aggregate, ..."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A predicate of the query as text, and where it is decided."""

    predicate: str
    decided: str


@dataclass(frozen=True, slots=True)
class StageExplanation:
    """One round trip at most. ``begins`` says why there is a stage here; operators stand in the order they run."""

    number: int
    begins: str
    operators: tuple[Operator, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a query would do, and cost at worst. ``ceilings`` are those of its budget, by name."""

    stages: tuple[StageExplanation, ...]
    columns: tuple[str, ...]
    parameters: tuple[str, ...]
    ceilings: Mapping[str, int | float]
    warnings: tuple[str, ...]
    worst_case: WorstCase


def explain(plan: Plan, ontology: Ontology) -> Explanation:
    """The plan in words. Nothing is read."""
    stages = (
        _Reader(stage, ontology, plan).explain(number) for number, stage in enumerate(plan.stages, start=1)
    )
    return Explanation(
        tuple(stages), plan.columns, plan.parameters, plan.budget.ceilings(), plan.warnings, plan.worst_case
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    stage: Stage
    ontology: Ontology
    plan: Plan

    def explain(self, number: int) -> StageExplanation:
        operators: list[Operator] = []
        decisions: list[Decision] = []
        seen: set[int] = set()
        if self.stage.produce is not None:
            operators += _produced(self.stage.produce)
            decisions += [Decision(_text(p), PRODUCED) for p in self.stage.produce.predicates]
        for block in self.stage.blocks:
            if isinstance(block, ProjectBlock):
                operators += _projection(block)
                decisions += [Decision(_text(block.where), HYDRATED)] if block.where else []
            elif isinstance(block, UnwindBlock):
                operators.append(Operator("Unwind", f"{_text(block.source)} AS {block.variable}"))
            else:
                operators += self._match(block, seen, "optional: " if block.block.optional else "")
                decisions += self._decisions(block.block)
        for inner in self.stage.inner:
            for step in (step for part in inner.parts for step in part if isinstance(step, MatchStep)):
                operators += self._match(step, seen, "in an expression: ")
        return StageExplanation(number, self._begins(number), tuple(operators), tuple(decisions))

    def _begins(self, number: int) -> str:
        if self.stage.produce is not None:
            return f"one more round trip: what a producer collects for each {self.stage.produce.source}"
        if not self.stage.anchors:
            return "reads nothing from the store"
        computed = [anchor for anchor in self.stage.anchors if anchor.computed]
        if number == 1 or not computed:
            searching = any(anchor.search for anchor in self.stage.anchors)
            return (
                "two round trips to the store: full text first"
                if searching
                else "one round trip to the store"
            )
        starts = ", ".join(f"{a.variable} starts from {_text(a.values)}" for a in computed)
        return f"one more round trip: {starts}, which the stage before gives"

    def _match(self, step: MatchStep, seen: set[int], prefix: str) -> Iterator[Operator]:
        names = {slot.name: slot for slot in step.block.nodes}
        further = [a for a in self.stage.anchors if a.variable in names and a not in step.actions]
        for anchor in (*(a for a in step.actions if isinstance(a, Anchor)), *further):
            if anchor.bit not in seen:
                seen.add(anchor.bit)
                yield self._anchor(anchor, prefix)
        for action in step.actions:
            if isinstance(action, Expansion):
                yield self._expansion(action, names, prefix)
        if step.block.predicates:
            yield Operator("Filter", prefix + " AND ".join(map(_text, step.block.predicates)))

    def _anchor(self, anchor: Anchor, prefix: str) -> Operator:
        what = f"{prefix}{anchor.variable}:{'|'.join(anchor.kinds)}"
        if anchor.scan:
            ceiling = self.plan.budget.nodes
            return Operator(
                "NodeScan", f"{what}, every one this actor may see, up to the ceiling of {ceiling:,} nodes"
            )
        if anchor.values == ast.Variable(anchor.variable):
            return Operator("NodeSeek", f"{what}, the nodes that the stage before bound")
        if anchor.search:
            kept = self.plan.budget.candidates
            return Operator(
                "TextSeek", f"{what} by the words of {_text(anchor.values)}, the {kept:,} newest of them"
            )
        sign = "IN" if anchor.many else "="
        return Operator("NodeSeek", f"{what} by the {self._entry(anchor)} {sign} {_text(anchor.values)}")

    def _entry(self, anchor: Anchor) -> str:
        kinds = [kind for name in anchor.kinds if (kind := self.ontology.kinds.get(name))]
        word = "key" if all(anchor.key in kind.keys for kind in kinds) else "index"
        return f"{word} {'|'.join(anchor.kinds)}.{anchor.key}"

    def _expansion(self, walk: Expansion, names: Mapping[str, NodeSlot], prefix: str) -> Operator:
        slot, many = walk.slot, walk.slot.many
        hops = ("*" if slot.bound else f"*{slot.low}..{slot.high}") if many else ""
        left, right = _ARROWS[walk.direction]
        name = "" if slot.name.startswith("#") else slot.name
        types = f":{'|'.join(slot.types)}" if slot.types else ""
        label = f"{name}{types}{hops}"
        end = names[walk.end]
        kinds = "" if end.kinds is None else ":" + "|".join(sorted(end.kinds))
        text = f"({walk.origin}){left}[{label}]{right}({walk.end}{kinds})"
        closing = ", closing on nodes found already" if walk.closes else ""
        limit = f", at most {self.plan.budget.fanout:,} relationships a node"
        if slot.bound:
            return Operator("Again", f"{prefix}{text}, as it is bound already")
        return Operator("VarLengthExpand" if many else "Expand", f"{prefix}{text}{limit}{closing}")

    def _decisions(self, block: MatchBlock) -> Iterator[Decision]:
        pruned = [test.predicate for step in self.stage.steps for test in step.tests]
        for predicate in block.predicates:
            anchor = next((a for a in self.stage.anchors if _seeks(a, predicate)), None)
            if anchor is not None:
                how = "sought in full text" if anchor.search else f"sought by the {self._entry(anchor)}"
                yield Decision(_text(predicate), f"{how}, decided again after hydration")
            else:
                yield Decision(_text(predicate), PRUNED if predicate in pruned else HYDRATED)
        for slot in block.relationships:
            yield from _on_relationship(slot)


def _seeks(anchor: Anchor, predicate: ast.Expression) -> bool:
    """Whether this predicate is the one that gave the anchor its values."""
    if anchor.search:
        return searched(predicate, anchor.variable) == anchor.values
    subject = ast.Property(ast.Variable(anchor.variable), anchor.key)
    if isinstance(predicate, ast.In):
        return anchor.many and (predicate.item, predicate.container) == (subject, anchor.values)
    if isinstance(predicate, ast.Comparison) and len(predicate.rest) == 1 and predicate.rest[0][0] == "=":
        sides = (predicate.first, predicate.rest[0][1])
        return not anchor.many and sides in ((subject, anchor.values), (anchor.values, subject))
    return False


def _on_relationship(slot: RelationshipSlot) -> Iterator[Decision]:
    for key, value in slot.properties:
        yield Decision(f"{slot.name}.{key} = {_text(value)}", PROJECTED)


def _produced(block: ProduceBlock) -> Iterator[Operator]:
    optional = "optional: " if block.optional else ""
    pairs = [(f"ai.{key}", value) for key, value in block.directives.ai]
    pairs += [(f"realm.{key}", value) for key, value in block.directives.realm]
    steered = ", ".join(f"{name} = {_text(value)}" for name, value in pairs)
    text = f"{optional}({block.source})-[:{block.type}]->({block.target}:{block.kind}), made or taken from the graph"
    yield Operator("Produce", text + (f", steered by {steered}" if steered else ""))
    if block.predicates:
        yield Operator("Filter", optional + " AND ".join(map(_text, block.predicates)))


def _projection(block: ProjectBlock) -> Iterator[Operator]:
    word = "RETURN" if block.final else "WITH"
    items = ", ".join(_item(column, block) for column in block.columns)
    if block.aggregates:
        keys = [column.name for column in block.columns if not column.aggregates]
        groups = f" for each {', '.join(keys)}" if keys else " over all rows"
        yield Operator("Aggregate", f"{word} {items}{groups}")
    else:
        yield Operator("Projection", f"{word} {items}")
    if block.distinct:
        yield Operator("Distinct", "rows that differ")
    if block.order:
        yield Operator("Sort", "by " + ", ".join(_sort_key(key, block) for key in block.order))
    if block.skip is not None:
        yield Operator("Skip", _text(block.skip))
    if block.limit is not None:
        yield Operator("Limit", _text(block.limit))
    if block.where is not None:
        yield Operator("Filter", _text(block.where))


def _item(column: Column, block: ProjectBlock) -> str:
    """The column as it is computed, with its name where that is another."""
    text = _text(column.expression)
    for item in reversed(block.aggregates):
        argument = "*" if item.argument is None else _text(item.argument)
        distinct = "DISTINCT " if item.distinct else ""
        text = text.replace(item.placeholder, f"{item.function}({distinct}{argument})")
    return text if text == column.name else f"{text} AS {column.name}"


def _sort_key(key: SortKey, block: ProjectBlock) -> str:
    text = _text(key.expression)
    for column in block.columns:  # a column is called after its text: `p.id` is p.id
        text = text.replace(f"`{column.name}`", column.name)
    return f"{text} descending" if key.descending else text


def _text(expression: ast.Expression | None) -> str:
    return "" if expression is None else _UNNAMED.sub(r"\1", format_expression(expression))
