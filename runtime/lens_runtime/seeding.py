"""The values a stage starts from: constants of the query, or what the rows so far hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lens_dsl.budget import Budget
from lens_dsl.compiler import Seed, compile_stage
from lens_dsl.errors import OverBudget
from lens_dsl.plan import Anchor, Plan, Stage, Statement, Test
from lens_runtime.evaluation.equality import group_key
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.graph import Node, Path, Relationship, Value
from lens_runtime.meter import Meter
from lens_runtime.table import Table


def statements_of(
    stage: Stage,
    table: Table,
    evaluator: Evaluator,
    plan: Plan,
    world: str,
    meter: Meter,
    named: Mapping[int, tuple[Seed, ...]],
) -> tuple[Statement, ...]:
    """The stage's statements, its anchors' and tests' values filled in. OverBudget where a list is too long.

    ``named`` are the values of the anchors that full text found.
    """
    seeds = {
        anchor.bit: named[anchor.bit] if anchor.search else _seeds(anchor, table, evaluator, plan.budget)
        for anchor in stage.anchors
    }
    constants: dict[Test, Value] = {
        test: evaluator.value(test.value, {})
        for step in stage.steps
        for test in step.tests
        if test.value is not None
    }
    room = replace(meter.room(plan.budget), state=plan.worst_case.state)
    return compile_stage(stage, plan.budget, world, seeds, constants, room)


def _seeds(anchor: Anchor, table: Table, evaluator: Evaluator, budget: Budget) -> tuple[Seed, ...]:
    if anchor.values is None:
        return ()
    if not anchor.computed:
        constants = _flat(evaluator.value(anchor.values, {}), anchor.many)
        return (Seed(anchor.kinds, _bounded(constants, budget.anchors, "anchors", anchor)),)
    expression = anchor.values
    values = (evaluator.value(expression, row) for row in table.rows)
    found = [v for value in values for v in _found(value, anchor, evaluator)]
    unique = list({group_key(value): value for value in found if value is not None}.values())
    return _by_kind(anchor, _bounded(unique, budget.rows, "rows", anchor))


def _found(value: Value, anchor: Anchor, evaluator: Evaluator) -> Iterator[Value]:
    """The values that a row gives: of records, wherever they stand in it, the records."""
    if isinstance(value, Relationship):
        ends = (evaluator.graph.node(end) for end in (value.source, value.target)) if evaluator.graph else ()
        yield from (node for node in ends if node is not None)
    elif isinstance(value, Path):
        yield from value.nodes
    elif anchor.many and isinstance(value, list):
        for item in value:
            yield from _found(item, anchor, evaluator) if anchor.key == "id" else (item,)
    else:
        yield value


def _flat(value: Value, many: bool) -> list[Value]:
    if not many:
        return [value]
    return value if isinstance(value, list) else []


def _bounded(values: Iterable[Value], ceiling: int, name: str, anchor: Anchor) -> tuple[Value, ...]:
    kept = tuple(values)
    if len(kept) > ceiling:
        raise OverBudget(
            "TooManyAnchors",
            f"{len(kept):,} values to start from at {anchor.variable.lstrip('#')}; the ceiling {name} is {ceiling:,}",
            hint="narrow what comes before, or split the list over several queries",
        )
    return kept


def _by_kind(anchor: Anchor, values: tuple[Value, ...]) -> tuple[Seed, ...]:
    """Nodes are sought again by their own kind and id; plain values in every kind of the anchor."""
    nodes = [value for value in values if isinstance(value, Node)]
    plain = tuple(value for value in values if not isinstance(value, Node))
    seeds = [Seed(anchor.kinds, plain)] if plain else []
    kinds = {node.coordinate.entity_type for node in nodes if node.coordinate.entity_type in anchor.kinds}
    for kind in sorted(kinds):
        ids = tuple(n.coordinate.entity_id for n in nodes if n.coordinate.entity_type == kind)
        seeds.append(Seed((kind,), ids))
    return tuple(seeds)
