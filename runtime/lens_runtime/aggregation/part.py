"""The envelope's ``aggregates``: what producers made or took from the graph for an answer. Derived, never a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from lens_runtime.aggregation.production import Outcome, Production
from lens_runtime.encoding import Encoder, encode_coordinate


class AggregatePart(BaseModel):
    """One leaf. ``fields`` are its node's, absent where there is none; ``untrusted``: customers' text went into it.

    ``anchor`` is null where the whole batch has one leaf that belongs to no record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    producer: str
    anchor: dict[str, str] | None
    node: dict[str, str] | None
    band: str
    outcome: Outcome
    committed: bool
    trust: Literal["derived"]
    untrusted: bool
    fields: dict[str, object] | None
    inputs: int
    generated_at: str | None
    model: str | None
    fingerprint: str
    input_hash: str
    model_calls: int
    tokens_in: int | None
    tokens_out: int | None
    milliseconds: int
    reason: str | None


def aggregate_parts(log: Iterable[Production], encoder: Encoder) -> tuple[AggregatePart, ...]:
    """One part for each leaf that was asked for, in the order of the log."""
    return tuple(_part(production, encoder) for production in log)


def unknown_aggregates(
    log: Iterable[Production],
) -> Iterator[tuple[Literal["empty_group", "no_answer"], str]]:
    """Code and message of every leaf that is null: nothing to collect, or no answer in what was collected."""
    for one in log:
        where = "" if one.anchor is None else f" around {one.anchor}"
        if one.outcome == "empty":
            yield "empty_group", f"{one.producer} found nothing to collect{where}"
        elif one.outcome == "miss":
            yield "no_answer", f"what {one.producer} collected{where} does not hold the answer"


def _part(one: Production, encoder: Encoder) -> AggregatePart:
    node, made = one.node, one.made
    return AggregatePart(
        producer=one.producer,
        anchor=None if one.anchor is None else encode_coordinate(one.anchor),
        node=None if node is None else encode_coordinate(node.coordinate),
        band=one.band,
        outcome=one.outcome,
        committed=one.kept,
        trust="derived",
        untrusted=made is not None and made.untrusted,
        fields=None
        if node is None
        else {name: encoder.encode(value) for name, value in node.properties.items()},
        inputs=0 if made is None else made.count,
        generated_at=None if made is None else iso(made.generated_at),
        model=None if made is None else made.model,
        fingerprint=one.fingerprint,
        input_hash=one.input_hash,
        model_calls=one.calls,
        tokens_in=one.tokens_in,
        tokens_out=one.tokens_out,
        milliseconds=one.milliseconds,
        reason=one.reason,
    )


def iso(moment: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC."""
    when = datetime.fromtimestamp(moment // 1000, UTC).replace(microsecond=moment % 1000 * 1000)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
