"""What one query lends to its producers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lens_dsl.budget import Budget
from lens_runtime.aggregation.producer import Producer, Role
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.hydration import Sources
from lens_runtime.meter import Meter
from lens_runtime.ports import Clock, Deadline, Reducer, Store
from lens_runtime.scope import Scope
from lens_runtime.worlds.policy import Policy


@dataclass(frozen=True, slots=True)
class Aggregation:
    """What a world declares for its virtual relationships, and the reducers by name."""

    policy: Policy
    producers: tuple[Producer, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    reducers: Mapping[str, Reducer] = field(default_factory=dict)

    def producer(self, type_: str, kind: str) -> Producer | None:
        """What makes that relationship for anchors of that kind."""
        made = (p for p in self.producers if p.edge_type == type_ and p.collect.anchor == kind)
        return next(made, None)


@dataclass(frozen=True, slots=True)
class Run:
    """One query, as far as a producer needs it."""

    aggregation: Aggregation
    store: Store
    sources: Sources
    scope: Scope
    budget: Budget
    deadline: Deadline
    clock: Clock
    meter: Meter
    evaluator: Evaluator
