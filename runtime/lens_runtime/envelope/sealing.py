"""Sealing a query's result that no lens names."""

from __future__ import annotations

from dataclasses import asdict

from lens_dsl.cost import Cost
from lens_runtime.aggregation.part import aggregate_parts
from lens_runtime.encoding import Encoder
from lens_runtime.envelope import parts
from lens_runtime.envelope.shape import SCHEMA_VERSION, ContextEnvelope, ScopePart, UsagePart, WorstCasePart
from lens_runtime.result import Result
from lens_runtime.scope import Scope


def seal(result: Result) -> ContextEnvelope:
    """The envelope of a result; the same result gives the same envelope."""
    encoder = Encoder(result.ends)
    records = parts.records(result)
    facts = tuple(parts.fact(node, result) for node in records)
    links = tuple(parts.link(relationship, result) for relationship in result.relationships)
    return ContextEnvelope(
        schema_version=SCHEMA_VERSION,
        request_id=parts.request_id([result.plan.text], result),
        as_of=parts.iso(result.as_of),
        lens=None,
        scope=scope_part(result.scope),
        subject=None,
        revisions=parts.revisions(records),
        columns=result.columns,
        rows=tuple(tuple(encoder.encode(value) for value in row) for row in result.rows),
        facts=facts,
        relationships=links,
        evidence=parts.evidence(facts, links),
        freshness=parts.freshness(result),
        unknowns=tuple(parts.unknowns(result)),
        truncation=parts.truncation(result),
        permitted_next_actions=(),
        aggregates=aggregate_parts(result.aggregates, encoder),
        warnings=result.warnings,
        usage=UsagePart(
            nodes=len(facts),
            relationships=len(links),
            model_calls=result.usage.model_calls,
            tokens=None,
            worst_case=worst_case_part(result.plan.worst_case.in_sum),
        ),
    )


def scope_part(scope: Scope) -> ScopePart:
    """Within what an answer holds."""
    return ScopePart(world=scope.world, context=scope.context, policy_revision=scope.policy_revision)


def worst_case_part(cost: Cost) -> WorstCasePart:
    """What an answer could have cost."""
    return WorstCasePart(**asdict(cost))
