"""Asking the owners of relationships again: what is gone is no fact, what cannot be asked is marked (P52-P55)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

from lens_dsl.budget import Budget
from lens_dsl.errors import ReaderError
from lens_dsl.ontology import Ontology
from lens_runtime.graph import Coordinate, Node, Relationship
from lens_runtime.hydration import BATCH, WORKERS, Sources
from lens_runtime.meter import Meter
from lens_runtime.ports import Assertion, Confirmation, Deadline
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Missing, Subgraph

State = Literal["confirmed", "unverified", "stale", "contradictory"]


@dataclass(frozen=True, slots=True)
class Revalidated:
    """A subgraph without the relationships that are gone, and the state of each that is left, by its id."""

    subgraph: Subgraph
    states: Mapping[str, State]


def revalidate(
    subgraph: Subgraph, sources: Sources, scope: Scope, budget: Budget, deadline: Deadline, meter: Meter
) -> Revalidated:
    """The hydrated subgraph, each of its relationships asked of the module that asserts it."""
    places = {node.id: node.coordinate for node in subgraph.nodes.values()}
    asked = [_assertion(r, places[r.source], places[r.target]) for r in subgraph.relationships.values()]
    asked += [
        _assertion(m.relationship, m.source, m.target) for m in subgraph.missing if m.target is not None
    ]
    batches = _batches(asked)
    for _ in batches:
        meter.reader_call(budget.reader_calls)
    said = _confirm_all(batches, sources, scope, deadline)
    kept = {id_: r for id_, r in subgraph.relationships.items() if said[id_] != "gone"}
    missing = tuple(m for m in subgraph.missing if said.get(m.relationship.id) != "gone")
    states = {id_: _state(r, said[id_], subgraph.nodes) for id_, r in kept.items()}
    return Revalidated(replace(subgraph, relationships=kept, missing=missing), states)


def contradictions(relationships: Iterable[Relationship], ontology: Ontology) -> frozenset[str]:
    """The ids of functional relationships that lead from one source to several targets."""
    by_source: defaultdict[tuple[str, str], list[Relationship]] = defaultdict(list)
    for relationship in relationships:
        declared = ontology.relationships.get(relationship.type)
        if declared is not None and declared.functional:
            by_source[relationship.type, relationship.source].append(relationship)
    return frozenset(
        r.id for group in by_source.values() if len({r.target for r in group}) > 1 for r in group
    )


def _assertion(relationship: Relationship, source: Coordinate, target: Coordinate) -> Assertion:
    return Assertion(relationship.id, relationship.type, source, target, relationship.provenance)


def _batches(asked: Sequence[Assertion]) -> list[tuple[str, list[Assertion]]]:
    by_module: defaultdict[str, list[Assertion]] = defaultdict(list)
    for each in sorted(asked, key=lambda assertion: assertion.id):
        by_module[each.provenance.module].append(each)
    return [
        (module, members[start : start + BATCH])
        for module, members in sorted(by_module.items())
        for start in range(0, len(members), BATCH)
    ]


def _confirm_all(
    batches: Sequence[tuple[str, list[Assertion]]], sources: Sources, scope: Scope, deadline: Deadline
) -> dict[str, Confirmation]:
    said: dict[str, Confirmation] = {}
    with ThreadPoolExecutor(max_workers=max(1, min(WORKERS, len(batches)))) as pool:
        futures: list[tuple[list[Assertion], Future[Mapping[str, Confirmation]]]] = [
            (asked, pool.submit(_confirm, module, asked, sources, scope, deadline))
            for module, asked in batches
        ]
        for asked, future in futures:
            try:
                said.update(future.result())
            except ReaderError:
                # Its records were read a moment ago, or it says nothing here: either way, unverified.
                said.update({each.id: "unknown" for each in asked})
    return said


def _confirm(
    module: str, asked: list[Assertion], sources: Sources, scope: Scope, deadline: Deadline
) -> Mapping[str, Confirmation]:
    reader = sources.readers.get(module)
    if reader is None:
        raise ReaderError("ReaderUnavailable", f"the module {module} has no reader")
    return reader.confirm(scope.actor, scope.context, asked, deadline)


def _state(relationship: Relationship, said: Confirmation, nodes: Mapping[str, Node]) -> State:
    if said == "confirmed":
        return "confirmed"
    by = relationship.provenance
    ends = (nodes[relationship.source], nodes[relationship.target])
    moved = any(
        (end.coordinate.module, end.coordinate.entity_id) == (by.module, by.entity_id)
        and end.revision != end.projected_revision
        for end in ends
    )
    return "stale" if moved else "unverified"


def missing_at(found: Iterable[Missing], nodes: Iterable[Node]) -> tuple[Missing, ...]:
    """Those of the missing targets that these nodes' relationships lead to, each once, in a fixed order."""
    shown = {node.coordinate for node in nodes}
    unique = {m.relationship.id: m for m in found if m.source in shown}
    return tuple(
        sorted(unique.values(), key=lambda m: (str(m.source), m.relationship.type, m.relationship.id))
    )
