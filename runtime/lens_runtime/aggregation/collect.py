"""Collecting what an anchor's leaf is made from: one round trip for all anchors, and through the readers' door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens_dsl import ast
from lens_dsl.compiler import Seed, compile_stage
from lens_dsl.plan import Anchor, Stage, Statement, Step
from lens_runtime.aggregation.fingerprint import canonical
from lens_runtime.aggregation.producer import Collect
from lens_runtime.aggregation.run import Run
from lens_runtime.cuts import Cut
from lens_runtime.evaluation.ordering import order_key
from lens_runtime.graph import Node
from lens_runtime.hydration import Freshness, hydrate
from lens_runtime.ports import Cell
from lens_runtime.projection.identity import digest
from lens_runtime.subgraph import Place, Subgraph
from lens_runtime.traversal import decoded
from lens_runtime.worlds.templates import TemplateFault

_ANCHOR, _STEP = 1, 2


@dataclass(frozen=True, slots=True)
class Group:
    """What is collected for one leaf, of what this actor may see: (id, text) of each item in order.

    ``audience`` tells apart actors who see different kinds of records. With a ``cut`` something visible is
    missing; with a ``fault`` a record could not be rendered. In both cases there are no items.
    """

    items: tuple[tuple[str, str], ...] = ()
    inputs: tuple[str, ...] = ()
    audience: str = ""
    untrusted: bool = False
    cut: Cut | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Collected:
    """One group for each that was asked for, how the modules were read, and the rows of the further statement."""

    groups: tuple[Group, ...]
    freshness: tuple[Freshness, ...]
    rows: Sequence[Sequence[Cell]] = ()


def collect(
    rule: Collect, asked: Sequence[Sequence[str]], further: Statement | None, run: Run, *, authorize: bool
) -> Collected:
    """Collect around the anchors of every group, given by their records' ids, in one round trip to the store.

    ``further`` is read in the same one. ``authorize``: the anchors were not read at their module yet.
    """
    stage = _stage(rule)
    ids = tuple(dict.fromkeys(entity_id for group in asked for entity_id in group))
    seeds = {_ANCHOR: (Seed((rule.anchor,), ids),)}
    statements = compile_stage(stage, run.budget, run.scope.world, seeds, {}, run.meter.room(run.budget))
    reading = run.store.read((*statements, *([further] if further else [])), run.scope, run.deadline)
    run.meter.reading(reading)
    found = decoded(reading.results[0], stage, run.budget, run.meter)
    authorized, freshness = _authorized(found, stage, run, authorize)
    anchors = {found.nodes[node].coordinate.entity_id: node for node in found.held.get(_ANCHOR, ())}
    if authorize:
        anchors = {entity_id: node for entity_id, node in anchors.items() if node in authorized.nodes}
    around = _Around(rule, run, found, authorized, anchors)
    rows = reading.results[1] if further else ()
    return Collected(tuple(around.group(group) for group in asked), freshness, rows)


def _stage(rule: Collect) -> Stage:
    direction = 1 if rule.incoming else 0
    go = tuple((name, direction, (rule.target,)) for name in rule.via)
    anchor = Anchor(_ANCHOR, "#anchor", (rule.anchor,), "id", ast.Variable("#anchor"), computed=True)
    return Stage((anchor,), (Step(_STEP, "#collect", 1, _ANCHOR, 0, None, go),), ())


def _authorized(
    found: Subgraph, stage: Stage, run: Run, anchors: bool
) -> tuple[Subgraph, tuple[Freshness, ...]]:
    """What the modules say of the collected records; the anchors were asked for already, but for ``anchors``."""
    wanted = {far for _, _, far in found.walked.get(_STEP, ())}
    wanted |= set(found.held.get(_ANCHOR, ())) if anchors else set()
    nodes = {node_id: node for node_id, node in found.nodes.items() if node_id in wanted}
    # Anchors that were asked for already are not asked again: then the inputs are where this starts.
    held = found.held if anchors else {_ANCHOR: tuple(nodes)}
    inputs = Subgraph(nodes, {}, held, found.cuts, found.walked)
    return hydrate(inputs, stage, run.sources, run.scope, run.budget, run.deadline, run.meter)


@dataclass(frozen=True, slots=True)
class _Around:
    rule: Collect
    run: Run
    found: Subgraph
    authorized: Subgraph
    anchors: Mapping[str, str]

    def group(self, entity_ids: Sequence[str]) -> Group:
        ids = [self.anchors[entity_id] for entity_id in entity_ids if entity_id in self.anchors]
        cut = self._cut(ids, complete=len(ids) == len(entity_ids))
        if cut is not None:
            return Group(cut=cut)
        far = {far for near, _, far in self.found.walked.get(_STEP, ()) if near in ids}
        nodes = sorted((self.authorized.nodes[n] for n in far if n in self.authorized.nodes), key=self._order)
        try:
            items = tuple((node.coordinate.entity_id, self._text(node)) for node in nodes)
        except TemplateFault as fault:
            return Group(fault=f"RecordUnreadable: {fault}")
        return Group(
            items, tuple(node.id for node in nodes), self._audience(nodes), any(map(self._untrusted, nodes))
        )

    def _cut(self, ids: Sequence[str], *, complete: bool) -> Cut | None:
        places: list[Place] = [(_STEP, node_id) for node_id in ids]
        places += [] if complete else [(_ANCHOR, "")]
        cuts = {**self.found.cuts, **self.authorized.cuts}
        return next((min(cuts[place], key=str) for place in places if place in cuts), None)

    def _order(self, node: Node) -> tuple[Any, ...]:
        declared = tuple(order_key(node.properties.get(name)) for name in self.rule.order_by)
        return (*(declared or (node.observed_at or 0,)), node.coordinate.entity_id)

    def _text(self, node: Node) -> str:
        kind = self.run.sources.ontology.kinds[self.rule.target]
        return self.rule.text.render({name: node.properties.get(name) for name in kind.properties})

    def _untrusted(self, node: Node) -> bool:
        kind = self.run.sources.ontology.kinds[self.rule.target]
        names = self.rule.text.names.intersection(kind.untrusted)
        return any(node.properties.get(name) is not None for name in names)

    def _audience(self, nodes: Sequence[Node]) -> str:
        return digest(canonical(sorted(set(self._tokens(nodes)))))

    def _tokens(self, nodes: Sequence[Node]) -> Iterator[tuple[str, str, str]]:
        guard = self.run.aggregation.policy.guard
        for node in nodes:
            kind = node.coordinate.entity_type
            yield kind, node.visibility, guard(kind, node.properties) or ""
