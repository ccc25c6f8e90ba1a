"""What a lens is measured against: the same subject, actor, readers and envelope, gathered without a lens.

Both are bounded walks of the engine, so that there is no second door. Nothing is expected, weighted, offered
as a next action or packed: they give everything they find.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lens_dsl.budget import Budget
from lens_dsl.lens import SUBJECT, Lens
from lens_dsl.ontology import Ontology
from lens_dsl.walking import Way, plan_walk
from lens_runtime.context import Question
from lens_runtime.engine import Engine
from lens_runtime.ports import Deadline
from lens_runtime.result import Result

MOST_NODES = 500
FAR = 8
"""Hops after which a neighbourhood ends, if its ceiling of nodes has not ended it before."""
_NO_CEILING = 10_000_000
_WIDEST = 1_000


@dataclass(frozen=True, slots=True)
class Baseline:
    """A way to gather context about a subject: along which ways, how far, how many nodes, into which kinds."""

    name: str
    lens: Lens
    ways: tuple[Way, ...]
    into: Callable[[str], frozenset[str] | None]

    def gather(self, engine: Engine, question: Question, budget: Budget, deadline: Deadline) -> Result:
        """Everything on the way from the subject, as this actor may see it."""
        at = question.subject
        plan = plan_walk(
            self.ways, engine.sources.ontology, at.entity_type, budget, into=self.into(at.entity_type)
        )
        return engine.gather(plan, {SUBJECT: at.entity_id}, deadline)


def workspace(lens: Lens, ontology: Ontology) -> Baseline:
    """The subject, and what one call of its own module gives around it: its neighbours in that module."""

    def own(kind: str) -> frozenset[str]:
        module = ontology.kinds[kind].module
        return frozenset(name for name, each in ontology.kinds.items() if each.module == module)

    return Baseline("workspace", _plain(lens, "workspace", 1, MOST_NODES), _all_ways(lens, ontology), own)


def neighbourhood(lens: Lens, ontology: Ontology, max_nodes: int | None) -> Baseline:
    """Breadth first over every declared relationship type, to as many nodes as the lens may have."""
    plain = _plain(lens, "neighbourhood", FAR, lens.nodes(max_nodes))
    return Baseline("neighbourhood", plain, _all_ways(lens, ontology), _any)


def everything(lens: Lens, ontology: Ontology) -> Baseline:
    """All that the lens's own allowlist leads to within its depth: what its size is compared with."""
    ways = tuple((each.type, each.direction) for each in lens.allow)
    return Baseline("everything", _plain(lens, "everything", lens.depth, MOST_NODES), ways, _any)


def _any(_: str) -> None:
    return None


def _all_ways(lens: Lens, ontology: Ontology) -> tuple[Way, ...]:
    """Every type both ways, but for one that the lens allows one way: that one only so.

    Following it back leads from what all customers share to the other customers, and would make the baseline worse.
    """
    allowed = {each.type: each.direction for each in lens.allow}
    return tuple((name, allowed.get(name, "both")) for name in sorted(ontology.relationships))


def _plain(lens: Lens, name: str, depth: int, nodes: int) -> Lens:
    return replace(
        lens,
        name=name,
        query="",
        allow=(),
        depth=depth,
        max_nodes=nodes,
        fanout=_WIDEST,
        max_tokens=_NO_CEILING,
        weights={},
        expect=(),
        names=(),
        beyond=(),
        next_actions=(),
    )
