"""Asking the owning modules: every node is read at its module, for this actor, or it is gone.

SQL has pruned by the projection's scopes already; the readers are the second door. What a reader denies or
no longer has is dropped, and nothing of it comes out. What could not be asked is unknown, and is said to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from lens_dsl.budget import Budget
from lens_dsl.errors import ExecutionError, ReaderError
from lens_dsl.ontology import Ontology
from lens_dsl.plan import Stage
from lens_runtime.cuts import Cut
from lens_runtime.deadline import PartDeadline
from lens_runtime.graph import Node
from lens_runtime.meter import Meter
from lens_runtime.open_graph import opened
from lens_runtime.ports import Answer, Deadline, Found, ModuleReader, NotFound, Unreadable
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Missing, Place, Subgraph

BATCH = 200  # ids a reader call takes
WORKERS = 16


@dataclass(frozen=True, slots=True)
class Sources:
    """The modules' readers by module name, and the ontology that says what they own."""

    readers: Mapping[str, ModuleReader]
    ontology: Ontology


@dataclass(frozen=True, slots=True)
class Freshness:
    """How one module's records were read: how many live, and how many of them the projection lags behind."""

    module: str
    read: int
    lagging: int


def hydrate(
    subgraph: Subgraph,
    stage: Stage,
    sources: Sources,
    scope: Scope,
    budget: Budget,
    deadline: Deadline,
    meter: Meter,
) -> tuple[Subgraph, tuple[Freshness, ...]]:
    """The subgraph as the modules say it is for this actor, with their fields in place of projected ones."""
    if sources.ontology.open:
        return _opened(subgraph)
    batches = list(_batches(subgraph.nodes.values()))
    for _ in batches:
        meter.reader_call(budget.reader_calls)
    answers, silent = _read_all(batches, sources, scope, deadline)
    found = {
        node.id: _hydrated(node, answer, sources.ontology)
        for node in subgraph.nodes.values()
        if isinstance(answer := answers.get(node.id), Found)
    }
    nodes = _reached(subgraph, stage, found)
    cuts = _visible_cuts(subgraph, nodes)
    for place, cut in _unknown(subgraph, stage, silent):
        cuts[place] = cuts.get(place, frozenset()) | {cut}
    known = replace(subgraph.restricted(nodes, cuts), missing=tuple(_missing(subgraph, nodes, answers)))
    return known, _freshness(nodes.values())


def _opened(subgraph: Subgraph) -> tuple[Subgraph, tuple[Freshness, ...]]:
    """An open world has no modules to ask: the projection's scopes have authorized what they let through."""
    nodes = {node_id: opened(node) for node_id, node in subgraph.nodes.items()}
    return replace(subgraph, nodes=nodes), _freshness(nodes.values())


@dataclass(frozen=True, slots=True)
class _Batch:
    module: str
    kind: str
    nodes: tuple[Node, ...]


def _batches(nodes: Iterable[Node]) -> Iterator[_Batch]:
    groups: dict[tuple[str, str], list[Node]] = {}
    for node in nodes:
        groups.setdefault((node.coordinate.module, node.coordinate.entity_type), []).append(node)
    for (module, kind), members in sorted(groups.items()):
        members.sort(key=lambda node: node.coordinate.entity_id)
        for start in range(0, len(members), BATCH):
            yield _Batch(module, kind, tuple(members[start : start + BATCH]))


def _read_all(
    batches: Sequence[_Batch], sources: Sources, scope: Scope, deadline: Deadline
) -> tuple[dict[str, Answer], dict[str, str]]:
    """Answers by node id; and for nodes that their module did not or cannot read, the module's name.

    Modules are read side by side, and have half of the time that is left: one that is too slow is unavailable
    then, and what follows has the other half. Nothing waits for a read that was given up.
    """
    answers: dict[str, Answer] = {}
    silent: dict[str, str] = {}
    part = PartDeadline.half(deadline)
    pool = ThreadPoolExecutor(max_workers=max(1, min(WORKERS, len(batches))))
    try:
        futures: list[tuple[_Batch, Future[Mapping[str, Answer]]]] = [
            (batch, pool.submit(_read, batch, sources, scope, part)) for batch in batches
        ]
        for batch, future in futures:
            found = _outcome(future, part, deadline)
            for node in batch.nodes:
                answer = None if found is None else found[node.coordinate.entity_id]
                if answer is None or isinstance(answer, Unreadable):
                    silent[node.id] = batch.module
                else:
                    answers[node.id] = answer
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return answers, silent


def _outcome(
    future: Future[Mapping[str, Answer]], part: Deadline, deadline: Deadline
) -> Mapping[str, Answer] | None:
    """What a module answered; None where it is unavailable, or too slow while there is time for the rest."""
    try:
        return future.result(timeout=part.remaining())
    except ReaderError:
        return None
    except (ExecutionError, TimeoutError):
        deadline.check()
        return None


def _read(batch: _Batch, sources: Sources, scope: Scope, deadline: Deadline) -> Mapping[str, Answer]:
    reader = sources.readers.get(batch.module)
    if reader is None:
        raise ReaderError("ReaderUnavailable", f"the module {batch.module} has no reader")
    ids = [node.coordinate.entity_id for node in batch.nodes]
    return reader.read(scope.actor, scope.context, batch.kind, ids, deadline)


def _hydrated(node: Node, found: Found, ontology: Ontology) -> Node:
    kind = ontology.kinds.get(node.coordinate.entity_type)
    names = found.fields.keys() if kind is None else kind.properties
    fields = {name: found.fields[name] for name in names if found.fields.get(name) is not None}
    return replace(
        node,
        properties=fields,
        revision=found.revision,
        label=found.label,
        summary=found.summary,
        visibility=found.visibility,
        observed_at=found.observed_at if found.observed_at is not None else node.observed_at,
        hydrated=True,
    )


def _reached(subgraph: Subgraph, stage: Stage, nodes: Mapping[str, Node]) -> dict[str, Node]:
    """What is left when everything is gone that hangs on the start only through a record that was denied."""
    reached = {
        node for anchor in stage.anchors for node in subgraph.held.get(anchor.bit, ()) if node in nodes
    }
    # A step starts at what earlier steps reached, so that one pass in their order finds everything.
    for step in stage.steps:
        walked = subgraph.walked.get(step.bit, ())
        reached |= {far for near, _, far in walked if near in reached and far in nodes}
    return {node_id: node for node_id, node in nodes.items() if node_id in reached}


def _missing(
    subgraph: Subgraph, nodes: Mapping[str, Node], answers: Mapping[str, Answer]
) -> Iterator[Missing]:
    """The relationships of these nodes whose target is not found any more; one that is forbidden gives nothing."""
    for relationship in subgraph.relationships.values():
        source, target = nodes.get(relationship.source), relationship.target
        if source is not None and isinstance(answers.get(target), NotFound):
            yield Missing(relationship, source.coordinate, subgraph.nodes[target].coordinate)


def _visible_cuts(subgraph: Subgraph, nodes: Mapping[str, Node]) -> dict[Place, frozenset[Cut]]:
    """A cut at a node that was denied says nothing to this actor, and goes with it.

    Where something beyond a cut was denied, the count of what is visible there is no longer true, and goes too.
    """
    lost = {
        (bit, near) for bit, walked in subgraph.walked.items() for near, _, far in walked if far not in nodes
    }
    kept = {place: cuts for place, cuts in subgraph.cuts.items() if not place[1] or place[1] in nodes}
    return {
        place: frozenset(replace(cut, visible=None) for cut in cuts) if place in lost else cuts
        for place, cuts in kept.items()
    }


def _unknown(subgraph: Subgraph, stage: Stage, silent: Mapping[str, str]) -> Iterator[tuple[Place, Cut]]:
    """Marks wherever the walk would have gone on into a module that did not answer."""
    for step in stage.steps:
        for near, _, far in subgraph.walked.get(step.bit, ()):
            if far in silent:
                yield (step.bit, near), Cut("source", silent[far])
    for anchor in stage.anchors:
        modules = {silent[node] for node in subgraph.held.get(anchor.bit, ()) if node in silent}
        for module in sorted(modules):
            yield (anchor.bit, ""), Cut("source", module)


def _freshness(nodes: Iterable[Node]) -> tuple[Freshness, ...]:
    by_module: dict[str, list[Node]] = {}
    for node in nodes:
        by_module.setdefault(node.coordinate.module, []).append(node)
    return tuple(
        Freshness(module, len(members), sum(node.revision != node.projected_revision for node in members))
        for module, members in sorted(by_module.items())
    )


def merge(parts: Iterable[Freshness]) -> tuple[Freshness, ...]:
    """One line a module, over all stages."""
    merged: dict[str, Freshness] = {}
    for part in parts:
        before = merged.get(part.module, Freshness(part.module, 0, 0))
        merged[part.module] = Freshness(part.module, before.read + part.read, before.lagging + part.lagging)
    return tuple(merged[module] for module in sorted(merged))
