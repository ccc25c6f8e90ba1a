"""The envelope: what a query's answer says, with where each fact comes from and what is not known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from lens_runtime.aggregation.part import AggregatePart, aggregate_parts, unknown_aggregates
from lens_runtime.cuts import Cut
from lens_runtime.encoding import Encoder
from lens_runtime.graph import Coordinate, Node, Relationship
from lens_runtime.result import Result

SCHEMA_VERSION: Final = "0.1"


def _named(name: str) -> Any:
    """A field that is written and read under another name than Python's."""
    return Field(validation_alias=name, serialization_alias=name)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class CoordinatePart(_Part):
    """Where a record lives."""

    module: str
    entity_type: str = _named("entityType")
    entity_id: str = _named("entityId")


class ScopePart(_Part):
    """Within what the answer holds: never wider than the actor's own scope."""

    world: str
    context: str
    policy_revision: str


class Fact(_Part):
    """A record as its module gave it at ``as_of``, to this actor. Nulls are left out of ``fields``.

    ``untrusted_fields`` hold text of customers: evidence, never instructions.
    """

    coordinate: CoordinatePart
    revision: str
    observed_at: str | None
    fields: dict[str, object]
    untrusted_fields: tuple[str, ...]
    trust: Literal["authoritative"]


class Link(_Part):
    """A relationship between two records. ``unverified``: as projected, not asked of its owner again.

    ``provenance`` is null where a record beside the two asserts it: nothing says that this actor may see that one.
    """

    type: str
    source: CoordinatePart = _named("from")
    target: CoordinatePart = _named("to")
    properties: dict[str, object]
    state: Literal["unverified"]
    provenance: Evidence | None


class Evidence(_Part):
    """A record that something rests on."""

    module: str
    entity_type: str = _named("entityType")
    entity_id: str = _named("entityId")
    revision: str
    event_id: str | None


class FreshnessPart(_Part):
    """How a module's records were read; ``lagging`` of them had changed since they were projected."""

    module: str
    source: Literal["live"]
    read_at: str
    records: int
    lagging: int


class Unknown(_Part):
    """Something the answer does not know, and why."""

    code: Literal["source_unavailable", "budget", "reduction_failed", "empty_group", "no_answer"]
    message: str
    module: str | None = None


class CutPart(_Part):
    """What a ceiling left out; ``visible`` counts what this actor may see alone."""

    ceiling: str
    limit: int
    where: str
    visible: int | None
    message: str


class Truncation(_Part):
    """``complete`` only if nothing was cut, withheld or unknown. ``bounds`` marks columns: at least, some of."""

    complete: bool
    cuts: tuple[CutPart, ...]
    bounds: dict[str, Literal["at least", "some of"]]
    withheld: tuple[str, ...]


class UsagePart(_Part):
    """The size of the answer, and the calls of models. What it cost to read is the operator's to know."""

    nodes: int
    relationships: int
    model_calls: int


class ContextEnvelope(_Part):
    """The sealed answer of a query that no lens names: ``lens`` and ``subject`` are null."""

    schema_version: Literal["0.1"]
    request_id: str
    as_of: str
    lens: None
    scope: ScopePart
    subject: None
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    facts: tuple[Fact, ...]
    relationships: tuple[Link, ...]
    evidence: tuple[Evidence, ...]
    freshness: tuple[FreshnessPart, ...]
    unknowns: tuple[Unknown, ...]
    truncation: Truncation
    permitted_next_actions: tuple[()]
    aggregates: tuple[AggregatePart, ...]
    warnings: tuple[str, ...]
    usage: UsagePart


def seal(result: Result) -> ContextEnvelope:
    """The envelope of a result; the same result gives the same envelope."""
    encoder = Encoder(result.ends)
    as_of = _iso(result.as_of)
    derived = {one.node.id for one in result.aggregates if one.node is not None}
    facts = tuple(_fact(node, result, encoder) for node in result.nodes if node.id not in derived)
    links = tuple(_link(relationship, result, encoder) for relationship in result.relationships)
    scope = result.scope
    return ContextEnvelope(
        schema_version=SCHEMA_VERSION,
        request_id=_request_id(result),
        as_of=as_of,
        lens=None,
        scope=ScopePart(world=scope.world, context=scope.context, policy_revision=scope.policy_revision),
        subject=None,
        columns=result.columns,
        rows=tuple(tuple(encoder.encode(value) for value in row) for row in result.rows),
        facts=facts,
        relationships=links,
        evidence=tuple(_evidence(facts, links)),
        freshness=tuple(
            FreshnessPart(module=f.module, source="live", read_at=as_of, records=f.read, lagging=f.lagging)
            for f in result.freshness
        ),
        unknowns=tuple(_unknowns(result)),
        truncation=_truncation(result),
        permitted_next_actions=(),
        aggregates=aggregate_parts(result.aggregates, encoder),
        warnings=result.warnings,
        usage=UsagePart(nodes=len(facts), relationships=len(links), model_calls=result.usage.model_calls),
    )


def _request_id(result: Result) -> str:
    scope = result.scope
    asked = [
        result.plan.text, scope.world, scope.context, scope.actor.id, scope.policy_revision, result.as_of
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode()).hexdigest()[:32]


def _iso(moment: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC."""
    whole = datetime.fromtimestamp(moment // 1000, UTC).replace(microsecond=moment % 1000 * 1000)
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _coordinate(coordinate: Coordinate) -> CoordinatePart:
    return CoordinatePart(
        module=coordinate.module, entity_type=coordinate.entity_type, entity_id=coordinate.entity_id
    )


def _fact(node: Node, result: Result, encoder: Encoder) -> Fact:
    kind = result.ontology.kinds.get(node.coordinate.entity_type)
    untrusted = () if kind is None else kind.untrusted
    return Fact(
        coordinate=_coordinate(node.coordinate),
        revision=node.revision,
        observed_at=None if node.observed_at is None else _iso(node.observed_at),
        fields={name: encoder.encode(value) for name, value in node.properties.items() if value is not None},
        untrusted_fields=tuple(name for name in untrusted if node.properties.get(name) is not None),
        trust="authoritative",
    )


def _link(relationship: Relationship, result: Result, encoder: Encoder) -> Link:
    ends = (result.ends[relationship.source], result.ends[relationship.target])
    said = relationship.provenance
    asserting = next((c for c in ends if (c.module, c.entity_id) == (said.module, said.entity_id)), None)
    provenance = None
    if asserting is not None:
        provenance = Evidence(**dict(_coordinate(asserting)), revision=said.revision, event_id=said.event_id)
    return Link(
        type=relationship.type,
        source=_coordinate(ends[0]),
        target=_coordinate(ends[1]),
        properties={name: encoder.encode(value) for name, value in relationship.properties.items()},
        state="unverified",
        provenance=provenance,
    )


def _evidence(facts: tuple[Fact, ...], links: tuple[Link, ...]) -> Iterator[Evidence]:
    found = [Evidence(**dict(fact.coordinate), revision=fact.revision, event_id=None) for fact in facts]
    yield from dict.fromkeys([*found, *(link.provenance for link in links if link.provenance is not None)])


def _unknowns(result: Result) -> Iterator[Unknown]:
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


def _truncation(result: Result) -> Truncation:
    cuts = tuple(_cut(cut) for cut in result.cuts if cut.ceiling not in ("source", "reducer"))
    return Truncation(
        complete=result.complete, cuts=cuts, bounds=dict(result.bounds), withheld=result.withheld
    )


def _cut(cut: Cut) -> CutPart:
    return CutPart(
        ceiling=cut.ceiling, limit=int(cut.limit), where=cut.where, visible=cut.visible, message=str(cut)
    )
