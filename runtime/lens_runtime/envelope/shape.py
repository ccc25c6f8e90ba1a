"""The shape of the envelope: one for a lens's answer and for any query's (docs/envelope.schema.json)."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from lens_runtime.aggregation.part import AggregatePart
from lens_runtime.revalidation import State

SCHEMA_VERSION: Final = "0.2"

UnknownCode = Literal[
    "not_found_or_not_visible",
    "missing_target",
    "source_unavailable",
    "unverified_relationship",
    "contradictory",
    "expected_but_absent",
    "out_of_lens",
    "budget",
    "reduction_failed",
    "empty_group",
    "no_answer",
]


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


class LensPart(_Part):
    """Which lens answered, by the hash of all it says."""

    name: str
    version: str
    alias: str | None


class Fact(_Part):
    """A record as its module gave it at ``as_of``, to this actor; its coordinate and revision are its evidence.

    Nulls are left out of ``fields``, and a list of like records is a ``$table``. ``untrusted_fields`` hold text
    of customers: evidence, never instructions. ``distance`` is how many relationships lead here from the subject.
    ``stale``: its module changed it longer ago than the lens lets the projection lag behind.
    """

    coordinate: CoordinatePart
    revision: str
    observed_at: str | None
    fields: dict[str, object]
    untrusted_fields: tuple[str, ...]
    trust: Literal["authoritative", "derived"]
    stale: bool
    distance: int | None


class Link(_Part):
    """A relationship between two records, and how it stands; only a ``confirmed`` one is a fact.

    ``unverified``: as projected, its owner was not asked again or cannot tell; ``stale``: so, and the record that
    asserts it has changed since; ``contradictory``: it can have one target, and has several. ``provenance`` is
    null where a record beside the two asserts it: nothing says that this actor may see that one.
    """

    type: str
    source: CoordinatePart = _named("from")
    target: CoordinatePart = _named("to")
    properties: dict[str, object]
    state: State
    provenance: Evidence | None


class Evidence(_Part):
    """A record that a relationship rests on, at the revision that first asserted it."""

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
    """Something the answer does not know, and why; ``about`` is a record that this actor may see, or asked for."""

    code: UnknownCode
    message: str
    module: str | None = None
    about: CoordinatePart | None = None


class CutPart(_Part):
    """What a ceiling left out; ``visible`` counts what this actor may see alone."""

    ceiling: str
    limit: int
    where: str
    visible: int | None
    message: str


class Truncation(_Part):
    """``complete`` only if nothing was cut, withheld or packed out, and every module answered.

    ``bounds`` marks columns: at least, some of. What did not fit the ceiling of tokens is a cut by ``tokens``.
    """

    complete: bool
    cuts: tuple[CutPart, ...]
    bounds: dict[str, Literal["at least", "some of"]]
    withheld: tuple[str, ...]


class WorstCasePart(_Part):
    """What answering could have cost at most, known before anything was read, from the question alone.

    ``rows_read`` is None where a producer is asked, ``tokens`` where no lens bounds the envelope.
    """

    statements: int
    round_trips: int
    rows_read: int | None
    nodes: int
    edges: int
    examined: int
    matcher_steps: int
    reader_calls: int
    model_calls: int
    tokens: int | None


class UsagePart(_Part):
    """The size of the answer, and the calls of models. What it cost to read is the operator's to know.

    ``tokens`` is the size of this envelope as its counter has it, None where nobody counted.
    """

    nodes: int
    relationships: int
    model_calls: int
    tokens: int | None
    worst_case: WorstCasePart


class NextActionPart(_Part):
    """A module's tool that the subject's state permits: a name, no authority.

    A write still needs that tool, the actor's own right, and the subject's latest ``revision``.
    """

    name: str
    revision: str


class ContextEnvelope(_Part):
    """The sealed answer of a lens about a subject; of a query that no lens names, with both null.

    ``columns`` and ``rows`` are such a query's; a lens answers in facts and relationships alone. ``revisions``
    hash, module by module, the revisions of the records that were used. What producers made stands in
    ``aggregates`` alone, never among the facts.
    """

    schema_version: Literal["0.2"]
    request_id: str
    as_of: str
    lens: LensPart | None
    scope: ScopePart
    subject: CoordinatePart | None
    revisions: dict[str, str]
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    facts: tuple[Fact, ...]
    relationships: tuple[Link, ...]
    evidence: tuple[Evidence, ...]
    freshness: tuple[FreshnessPart, ...]
    unknowns: tuple[Unknown, ...]
    truncation: Truncation
    permitted_next_actions: tuple[NextActionPart, ...]
    aggregates: tuple[AggregatePart, ...]
    warnings: tuple[str, ...]
    usage: UsagePart
