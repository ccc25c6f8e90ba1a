"""The answer of a lens about a subject. Read ``answer`` from top to bottom: it is the recipe.

The actor was authenticated and its scope fixed when the engine was made; nothing a caller says widens it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lens_dsl.ast import Expression
from lens_dsl.budget import Budget
from lens_dsl.cost import Cost
from lens_dsl.errors import EvaluationProblem
from lens_dsl.lens import FOCUS, SUBJECT, Lens
from lens_dsl.lens_planner import action_condition, plan_expectations, plan_lens
from lens_runtime.aggregation.part import aggregate_parts
from lens_runtime.encoding import Encoder
from lens_runtime.engine import Engine
from lens_runtime.envelope import parts
from lens_runtime.envelope.packing import Offer, pack
from lens_runtime.envelope.ranking import distances, ranked
from lens_runtime.envelope.sealing import scope_part, worst_case_part
from lens_runtime.envelope.shape import (
    SCHEMA_VERSION,
    ContextEnvelope,
    LensPart,
    NextActionPart,
    Truncation,
    Unknown,
    UsagePart,
)
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.focus import unanswered
from lens_runtime.graph import Coordinate, Node
from lens_runtime.ports import Deadline, TokenCounter
from lens_runtime.result import Result


@dataclass(frozen=True, slots=True)
class Question:
    """What a caller asks a lens. ``max_nodes`` above the lens's ceiling is clamped to it, never refused."""

    lens: Lens
    subject: Coordinate
    focus: str | None = None
    max_nodes: int | None = None


Asking = Callable[[Engine, Question, Budget, Deadline], Result]


def answer(
    engine: Engine,
    question: Question,
    counter: TokenCounter,
    deadline: Deadline,
    asking: Asking | None = None,
) -> ContextEnvelope:
    """The sealed envelope. What is hidden, absent, cut or unknown is data in it; errors are the lens's own or
    those of a store that is unavailable.

    ``asking`` gathers the records in place of the lens's query: what a lens is measured against does.
    """
    lens, budget = question.lens, question.lens.budget(question.max_nodes)
    if question.subject.entity_type not in lens.subject_kinds:
        return _refused(engine, question, counter, _out_of_lens(question))
    resolved = _resolve(engine, question, budget, deadline)
    subject = next(iter(resolved.nodes), None)
    if subject is None or subject.coordinate != question.subject:
        return _refused(engine, question, counter, _not_there(question, resolved))
    found = (asking or _ask)(engine, question, budget, deadline)
    expected = _expect(engine, question, budget, deadline)
    asked = [resolved, found, *([expected.result] if expected else [])]
    stated = sum((each.plan.worst_case.in_sum for each in asked), Cost(tokens=lens.max_tokens))
    absent = _absent(question, expected) if expected else iter(())
    return _seal(question, subject, found, absent, stated, counter)


def _resolve(engine: Engine, question: Question, budget: Budget, deadline: Deadline) -> Result:
    """The subject by its exact id, read at its module for this actor."""
    at = question.subject
    text = f"MATCH ({SUBJECT}:`{at.entity_type}` {{id: ${SUBJECT}}}) RETURN {SUBJECT}"
    return engine.run(text, {SUBJECT: at.entity_id}, budget, deadline)


def _ask(engine: Engine, question: Question, budget: Budget, deadline: Deadline) -> Result:
    """The lens's own query, its relationships asked of their owners again."""
    at = question.subject
    plan = plan_lens(question.lens, engine.sources.ontology, at.entity_type, budget)
    given: dict[str, object] = {SUBJECT: at.entity_id, FOCUS: question.focus}
    return engine.carry_out(plan, {name: given[name] for name in plan.parameters}, deadline, verify=True)


@dataclass(frozen=True, slots=True)
class _Expected:
    """What was found of ``lens.expect[position]``, in the column ``expected<position>`` of the one row."""

    result: Result
    positions: tuple[int, ...]


def _expect(engine: Engine, question: Question, budget: Budget, deadline: Deadline) -> _Expected | None:
    """What there is of the lens's expectations; None where it expects nothing of such a subject."""
    at = question.subject
    planned = plan_expectations(question.lens, engine.sources.ontology, at.entity_type, budget)
    if planned is None:
        return None
    plan, positions = planned
    return _Expected(engine.carry_out(plan, {SUBJECT: at.entity_id}, deadline, verify=True), positions)


def _absent(question: Question, found: _Expected) -> Iterator[Unknown]:
    """The expectations that the subject does not meet, where that can be told."""
    at = question.subject
    for row in found.result:
        for position in found.positions:
            expected, column = question.lens.expect[position], f"expected{position}"
            if row[column] == [] and column not in found.result.bounds:
                yield Unknown(
                    code="expected_but_absent",
                    message=f"{expected.code}: {at} has no {expected.pattern}",
                    module=at.module,
                    about=parts.coordinate_part(at),
                )


def _out_of_lens(question: Question) -> Unknown:
    lens = question.lens
    return Unknown(
        code="out_of_lens",
        message=f"the lens {lens.name} answers about {' or '.join(lens.subject_kinds)}, "
        f"not about {question.subject.entity_type}",
        about=parts.coordinate_part(question.subject),
    )


def _not_there(question: Question, resolved: Result) -> Unknown:
    """The same for a record that does not exist and for one that this actor may not see."""
    about = parts.coordinate_part(question.subject)
    silent = next((cut for cut in resolved.cuts if cut.ceiling == "source"), None)
    if silent is not None:
        return Unknown(code="source_unavailable", message=str(silent), module=str(silent.limit), about=about)
    return Unknown(
        code="not_found_or_not_visible",
        message=f"{question.subject} does not exist, or may not be seen",
        about=about,
    )


def _refused(engine: Engine, question: Question, counter: TokenCounter, unknown: Unknown) -> ContextEnvelope:
    """An envelope that holds nothing but why it does."""
    unread, stated = engine.nothing(), Cost(tokens=question.lens.max_tokens)
    whole = Truncation(complete=unknown.code != "source_unavailable", cuts=(), bounds={}, withheld=())
    empty = _empty(question, unread, stated).model_copy(update={"truncation": whole})
    return pack(empty, Offer(unknowns=(unknown,)), question.lens.max_tokens, counter)


def _seal(
    question: Question,
    subject: Node,
    found: Result,
    absent: Iterator[Unknown],
    stated: Cost,
    counter: TokenCounter,
) -> ContextEnvelope:
    lens = question.lens
    others = [node for node in parts.records(found) if node.id != subject.id]
    far = distances(subject.id, found.relationships)
    order = [subject, *ranked(others, lens, question.focus, far, found.relationships)]
    facts = [
        parts.fact(node, found, distance=far.get(node.id), stale=_stale(node, found, lens)) for node in order
    ]
    links = [parts.link(each, found) for each in sorted(found.relationships, key=lambda r: (r.type, r.id))]
    empty = _empty(question, found, stated).model_copy(
        update={
            "revisions": parts.revisions(order),
            "freshness": parts.freshness(found),
            "truncation": parts.gathered(parts.truncation(found)),
            "permitted_next_actions": tuple(_permitted(question, subject, found)),
        }
    )
    unknowns = [*absent, *unanswered(lens, question.focus, found), *parts.unknowns(found)]
    made = aggregate_parts(found.aggregates, Encoder(found.ends))
    return pack(empty, Offer(facts, links, unknowns, made), lens.max_tokens, counter)


def _empty(question: Question, result: Result, stated: Cost) -> ContextEnvelope:
    lens = question.lens
    asked = [
        lens.name, lens.version, str(question.subject), question.focus, lens.nodes(question.max_nodes)
    ]  # fmt: skip
    return ContextEnvelope(
        schema_version=SCHEMA_VERSION,
        request_id=parts.request_id(asked, result),
        as_of=parts.iso(result.as_of),
        lens=LensPart(name=lens.name, version=lens.version, alias=None),
        scope=scope_part(result.scope),
        subject=parts.coordinate_part(question.subject),
        revisions={},
        columns=(),
        rows=(),
        facts=(),
        relationships=(),
        evidence=(),
        freshness=(),
        unknowns=(),
        truncation=parts.truncation(result),
        permitted_next_actions=(),
        aggregates=(),
        warnings=result.warnings,
        usage=UsagePart(
            nodes=0,
            relationships=0,
            model_calls=result.usage.model_calls,
            tokens=None,
            worst_case=worst_case_part(stated),
        ),
    )


def _stale(node: Node, result: Result, lens: Lens) -> bool:
    """Whether the projection has missed a change of the record for longer than the lens allows."""
    if node.revision == node.projected_revision:
        return False
    return node.observed_at is None or result.as_of - node.observed_at > lens.max_age_s * 1_000


def _permitted(question: Question, subject: Node, found: Result) -> Iterator[NextActionPart]:
    """The names of the tools that the subject's own fields permit; authority never follows a relationship."""
    evaluator = Evaluator({})
    for action in question.lens.next_actions:
        if _holds(evaluator, action_condition(action.when, question.lens, found.ontology), subject):
            yield NextActionPart(name=action.name, revision=subject.revision)


def _holds(evaluator: Evaluator, condition: Expression, subject: Node) -> bool:
    try:
        return evaluator.truth(condition, {SUBJECT: subject}) is True
    except EvaluationProblem:
        # A value that the rule cannot take permits nothing.
        return False
