"""The plan of a plain walk from one record, breadth first: no pattern, nothing to match."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl.ast import Direction, Parameter
from lens_dsl.budget import Budget
from lens_dsl.lens import SUBJECT
from lens_dsl.ontology import Ontology
from lens_dsl.plan import Anchor, Plan, Stage, Step

Way = tuple[str, Direction]
"""A relationship type, and the direction it is walked in, seen from the record that the walk starts from."""

_CODES: dict[Direction, tuple[int, ...]] = {"out": (0,), "in": (1,), "both": (0, 1)}


def plan_walk(
    ways: Sequence[Way], ontology: Ontology, kind: str, budget: Budget, *, into: frozenset[str] | None = None
) -> Plan:
    """The walk from the record of this kind that ``$subject`` names, ``budget.depth`` hops far.

    A virtual relationship is never walked. ``into`` narrows what is walked to by kind; None is any.
    """
    anchor = Anchor(1, SUBJECT, (kind,), "id", Parameter(SUBJECT))
    steps, near, met = [], frozenset({kind}), anchor.bit
    frontier = anchor.bit
    for hop in range(1, budget.depth + 1):
        go = tuple(_go(ways, ontology, near, into))
        if not go:
            break
        step = Step(frontier << 1, "", hop, frontier, met & ~frontier, None, go)
        steps.append(step)
        near = frozenset(far for _, _, kinds in go for far in kinds)
        met, frontier = met | step.bit, step.bit
    stage = Stage((anchor,), tuple(steps), ())
    return Plan("", (stage,), (), (SUBJECT,), (), budget)


def _go(
    ways: Sequence[Way], ontology: Ontology, near: frozenset[str], into: frozenset[str] | None
) -> list[tuple[str, int, tuple[str, ...]]]:
    go = []
    for name, direction in ways:
        declared = ontology.relationships[name]
        if declared.producer is not None:
            continue
        for code in _CODES[direction]:
            here, there = (declared.sources, declared.targets)[:: -1 if code else 1]
            far = set(there) if into is None else set(there) & into
            if far and near & set(here):
                go.append((name, code, tuple(sorted(far))))
    return go
