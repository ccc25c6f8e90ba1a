"""The step between hydrate and match: a virtual relationship's leaf for every row that is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lens_dsl.pattern import ProduceBlock
from lens_dsl.walk import free_variables
from lens_runtime.aggregation.produce import Bench
from lens_runtime.aggregation.producer import Producer
from lens_runtime.aggregation.production import Production
from lens_runtime.aggregation.run import Run
from lens_runtime.aggregation.steering import steering_of
from lens_runtime.cuts import Cut, at
from lens_runtime.graph import Node
from lens_runtime.hydration import Freshness
from lens_runtime.table import Row, Table, doubtful, in_doubt


@dataclass(frozen=True, slots=True)
class Produced:
    """The table with the leaves bound, the log of how each came about, and how modules were read for them."""

    table: Table
    log: tuple[Production, ...] = ()
    freshness: tuple[Freshness, ...] = ()
    warnings: tuple[str, ...] = ()


def aggregate(block: ProduceBlock, table: Table, run: Run) -> Produced:
    """Bind the leaf in every row, and decide the predicates that name it.

    The leaf is null where there was nothing to collect or no answer. Where it is not known, since a reduction
    failed or a ceiling cut what it is made from, the row is left out and marked. Raises OverBudget before the
    first call where more calls of a model are needed than the ceiling allows.
    """
    used = sorted({name for p in block.predicates for name in free_variables(p)} & table.bounds.keys())
    if table.withheld or used:
        reason = f"what is matched by {', '.join(used)}, which is only a bound"
        return Produced(table if table.withheld else table.without_rows(reason))
    leaves: dict[str, Production | Cut] = {}
    freshness: list[Freshness] = []
    warnings: list[str] = []
    for producer, nodes in _by_producer(block, table, run, warnings):
        bench = Bench(producer, steering_of(block.directives, run.evaluator, run.aggregation.roles), run)
        leaves.update(_made(bench, nodes))
        freshness += bench.freshness
        warnings += bench.warnings
    shared = {id(leaf): leaf for leaf in leaves.values() if isinstance(leaf, Production)}
    bound = _bound(block, table, leaves, run)
    return Produced(bound, tuple(shared.values()), tuple(freshness), tuple(warnings))


def _by_producer(
    block: ProduceBlock, table: Table, run: Run, warnings: list[str]
) -> Iterator[tuple[Producer, Sequence[Node]]]:
    """The anchors in the rows, each once, by what makes their leaf; none for an actor who may not see that kind."""
    visibility = run.sources.ontology.relationships[block.type].visibility
    if not run.aggregation.policy.permits(run.scope.actor, block.kind, visibility, {}):
        return
    anchors = {node.id: node for row in table.rows if isinstance(node := row[block.source], Node)}
    kinds: dict[str, list[Node]] = {}
    for node in sorted(anchors.values(), key=lambda node: str(node.coordinate)):
        if node.coordinate.entity_type in block.sources:
            kinds.setdefault(node.coordinate.entity_type, []).append(node)
    for kind, nodes in sorted(kinds.items()):
        producer = run.aggregation.producer(block.type, kind)
        if producer is None:
            warnings.append(f"no producer makes {block.type} for {kind}")
        else:
            yield producer, nodes


def _made(bench: Bench, nodes: Sequence[Node]) -> dict[str, Production | Cut]:
    """What each anchor's leaf is, by the anchor's id."""
    if bench.producer.collect.anchor_key is None:
        task = bench.shared_task(nodes)
        (shared,) = bench.produce([task], authorize=task.anchor is not None)
        return dict.fromkeys((node.id for node in nodes), shared)
    made = bench.produce([bench.task(node) for node in nodes], authorize=False)
    return {node.id: leaf for node, leaf in zip(nodes, made, strict=True)}


def _bound(block: ProduceBlock, table: Table, leaves: Mapping[str, Production | Cut], run: Run) -> Table:
    rows: list[Row] = []
    cuts: set[Cut] = set()
    needs = {block.source}.union(*map(free_variables, block.predicates)) - {block.target}
    for row in table.rows:
        if needs & doubtful(row):
            rows += _in_doubt(block, row)
            continue
        anchor = row[block.source]
        leaf = leaves.get(anchor.id) if isinstance(anchor, Node) else None
        unknown = _unknown(leaf)
        if unknown is not None:
            cuts.add(unknown)
            rows += _in_doubt(block, row)
            continue
        bound = {**row, block.target: leaf.node if isinstance(leaf, Production) else None}
        if leaf is not None and all(run.evaluator.truth(p, bound) for p in block.predicates):
            rows.append(bound)
        elif block.optional:
            rows.append({**row, block.target: None})
    return replace(table, rows=rows, cuts=table.cuts | cuts)


def _in_doubt(block: ProduceBlock, row: Row) -> list[Row]:
    """The row of an OPTIONAL MATCH with a leaf that nobody can tell, null for now; of any other, no row."""
    if not block.optional:
        return []
    return [in_doubt({**row, block.target: None}, doubtful(row) | {block.target})]


def _unknown(leaf: Production | Cut | None) -> Cut | None:
    """What left this leaf unknown, if anything did."""
    if isinstance(leaf, Production):
        failed = leaf.outcome == "failed"
        where = "" if leaf.anchor is None else at(leaf.anchor, leaf.producer)
        return Cut("reducer", leaf.reason or "", where) if failed else None
    return leaf
