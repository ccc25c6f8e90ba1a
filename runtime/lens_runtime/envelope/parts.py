"""From a result to the parts of an envelope."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from lens_runtime.aggregation.part import unknown_aggregates
from lens_runtime.cuts import Cut
from lens_runtime.encoding import Encoder
from lens_runtime.envelope.shape import (
    CoordinatePart,
    CutPart,
    Evidence,
    Fact,
    FreshnessPart,
    Link,
    Truncation,
    Unknown,
)
from lens_runtime.graph import Coordinate, Node, Relationship
from lens_runtime.result import Result
from lens_runtime.subgraph import Missing


def request_id(asked: Sequence[object], result: Result) -> str:
    """The same for the same question of the same actor at the same time, and for no other."""
    scope = result.scope
    told = [*asked, scope.world, scope.context, scope.actor.id, scope.policy_revision, result.as_of]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()[:32]


def iso(moment: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC."""
    whole = datetime.fromtimestamp(moment // 1000, UTC).replace(microsecond=moment % 1000 * 1000)
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def coordinate_part(coordinate: Coordinate) -> CoordinatePart:
    """The coordinate as the envelope has it."""
    return CoordinatePart(
        module=coordinate.module, entity_type=coordinate.entity_type, entity_id=coordinate.entity_id
    )


def fact(node: Node, result: Result, *, distance: int | None = None, stale: bool = False) -> Fact:
    """A record as its module gave it."""
    encoder = Encoder(result.ends)
    kind = result.ontology.kinds.get(node.coordinate.entity_type)
    untrusted = () if kind is None else kind.untrusted
    fields = {name: value for name, value in node.properties.items() if value is not None}
    return Fact(
        coordinate=coordinate_part(node.coordinate),
        revision=node.revision,
        observed_at=None if node.observed_at is None else iso(node.observed_at),
        fields={name: _compact(encoder.encode(value)) for name, value in fields.items()},
        untrusted_fields=tuple(name for name in untrusted if name in fields),
        trust="authoritative",
        stale=stale,
        distance=distance,
    )


def _compact(value: object) -> object:
    """The value without nulls in maps, and with a list of two or more like maps as one table."""
    if isinstance(value, dict):
        return {name: _compact(item) for name, item in value.items() if item is not None}
    if not isinstance(value, list):
        return value
    maps = [item for item in value if isinstance(item, dict)]
    if (
        len(value) > 1
        and len(maps) == len(value)
        and maps[0]
        and all(m.keys() == maps[0].keys() for m in maps)
    ):
        columns = list(maps[0])
        return {"$table": {"columns": columns, "rows": [[_compact(m[c]) for c in columns] for m in maps]}}
    return [_compact(item) for item in value]


def records(result: Result) -> tuple[Node, ...]:
    """The nodes of the result that modules own; what producers made is none, so that it is never a fact."""
    derived = {one.node.id for one in result.aggregates if one.node is not None}
    return tuple(node for node in result.nodes if node.id not in derived)


def link(relationship: Relationship, result: Result) -> Link:
    """A relationship between two of the records, and how it stands."""
    encoder = Encoder(result.ends)
    ends = (result.ends[relationship.source], result.ends[relationship.target])
    said = relationship.provenance
    asserting = next((c for c in ends if (c.module, c.entity_id) == (said.module, said.entity_id)), None)
    provenance = None
    if asserting is not None:
        provenance = Evidence(
            **dict(coordinate_part(asserting)), revision=said.revision, event_id=said.event_id
        )
    return Link(
        type=relationship.type,
        source=coordinate_part(ends[0]),
        target=coordinate_part(ends[1]),
        properties={name: encoder.encode(value) for name, value in relationship.properties.items()},
        state=(result.states or {}).get(relationship.id, "unverified"),
        provenance=provenance,
    )


def evidence(facts: Iterable[Fact], links: Iterable[Link]) -> tuple[Evidence, ...]:
    """What the relationships rest on and no fact says already: each once, a fact's own is not told again."""
    told = {(*_at(fact.coordinate), fact.revision) for fact in facts}
    found = (link.provenance for link in links if link.provenance is not None)
    return tuple(dict.fromkeys(each for each in found if (*_at(each), each.revision) not in told))


def _at(part: CoordinatePart | Evidence) -> tuple[str, str, str]:
    return part.module, part.entity_type, part.entity_id


def freshness(result: Result) -> tuple[FreshnessPart, ...]:
    """How each module's records were read."""
    as_of = iso(result.as_of)
    return tuple(
        FreshnessPart(module=f.module, source="live", read_at=as_of, records=f.read, lagging=f.lagging)
        for f in result.freshness
    )


def revisions(nodes: Iterable[Node]) -> dict[str, str]:
    """A hash for every module, of which of its records were used and at which revisions."""
    used: dict[str, list[list[str]]] = {}
    for node in nodes:
        at = node.coordinate
        used.setdefault(at.module, []).append([at.entity_type, at.entity_id, node.revision])
    return {
        module: hashlib.sha256(json.dumps(sorted(records)).encode()).hexdigest()[:12]
        for module, records in sorted(used.items())
    }


def unknowns(result: Result) -> Iterator[Unknown]:
    """Everything a result does not know: silent modules, leaves, what was withheld, what leads nowhere or two ways."""
    silent = [cut for cut in result.cuts if cut.ceiling == "source"]
    for cut in silent:
        yield Unknown(code="source_unavailable", message=str(cut), module=str(cut.limit))
    for cut in (cut for cut in result.cuts if cut.ceiling == "reducer"):
        yield Unknown(code="reduction_failed", message=str(cut))
    for code, message in unknown_aggregates(result.aggregates):
        yield Unknown(code=code, message=message)
    only_silent = bool(silent) and len(silent) == len(result.cuts)
    for reason in result.withheld:
        yield Unknown(code="source_unavailable" if only_silent else "budget", message=reason)
    yield from _missing(result.missing)
    if result.states is not None:
        yield from _contradictions(result, result.states)
        yield from _unverified(result, result.states)


def _missing(found: Iterable[Missing]) -> Iterator[Unknown]:
    for each in found:
        target = f"{each.target}, which its module does not have" if each.target is not None else "no record"
        yield Unknown(
            code="missing_target",
            message=f"{each.relationship.type} of {each.source} leads to {target}",
            module=each.source.module,
            about=coordinate_part(each.source),
        )


def _contradictions(result: Result, states: Mapping[str, str]) -> Iterator[Unknown]:
    found = {
        (r.type, result.ends[r.source]) for r in result.relationships if states.get(r.id) == "contradictory"
    }
    for type_, source in sorted(found, key=str):
        yield Unknown(
            code="contradictory",
            message=f"{type_} of {source} can lead to one record, and leads to several",
            module=source.module,
            about=coordinate_part(source),
        )


def _unverified(result: Result, states: Mapping[str, str]) -> Iterator[Unknown]:
    open_ = Counter(
        (r.provenance.module, r.type)
        for r in result.relationships
        if states.get(r.id) in ("unverified", "stale")
    )
    for (module, type_), count in sorted(open_.items()):
        yield Unknown(
            code="unverified_relationship",
            message=f"the module {module} could not say whether {count} {type_} still hold",
            module=module,
        )


def truncation(result: Result) -> Truncation:
    """What ceilings left out of a result."""
    cuts = tuple(_cut(cut) for cut in result.cuts if cut.ceiling not in ("source", "reducer"))
    return Truncation(
        complete=result.complete, cuts=cuts, bounds=dict(result.bounds), withheld=result.withheld
    )


def gathered(told: Truncation) -> Truncation:
    """The same with one line a ceiling, for an answer that has no columns and must stay small."""
    by_ceiling: dict[tuple[str, int], list[CutPart]] = {}
    for cut in told.cuts:
        by_ceiling.setdefault((cut.ceiling, cut.limit), []).append(cut)
    cuts = tuple(
        same[0] if len(same) == 1 else _several(ceiling, limit, len(same))
        for (ceiling, limit), same in by_ceiling.items()
    )
    return told.model_copy(update={"cuts": cuts, "bounds": {}})


def _several(ceiling: str, limit: int, count: int) -> CutPart:
    where = f"at {count} places"
    message = f"the ceiling {ceiling} of {limit:,} cut {where}"
    return CutPart(ceiling=ceiling, limit=limit, where=where, visible=None, message=message)


def _cut(cut: Cut) -> CutPart:
    return CutPart(
        ceiling=cut.ceiling, limit=int(cut.limit), where=cut.where, visible=cut.visible, message=str(cut)
    )
