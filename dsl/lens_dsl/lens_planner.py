"""From a lens to the plans of its query and its expectations, for a subject of one kind."""

from __future__ import annotations

from dataclasses import replace

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.errors import LensViolation, QueryError, SemanticProblem, Span
from lens_dsl.functions import is_volatile
from lens_dsl.lens import SUBJECT, Lens
from lens_dsl.ontology import Ontology, did_you_mean
from lens_dsl.parser import parse
from lens_dsl.pattern import MatchBlock
from lens_dsl.plan import Anchor, Expansion, MatchStep, Plan
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_dsl.walk import free_variables, rewrite, walk

_MORE = (ast.Parameter, ast.PatternPredicate, ast.PatternComprehension, ast.Exists)


def plan_lens(lens: Lens, ontology: Ontology, kind: str, budget: Budget) -> Plan:
    """The plan of the lens's query, with ``subject`` narrowed to this kind.

    Raises LensViolation, or any other QueryError of the text, each with its place in query.lens. What this
    kind of subject cannot have is found nowhere, and is no fault.
    """
    pattern = validate(_narrowed(parse(lens.query), kind), ontology, lens.query, lens)
    plan = plan_query(replace(pattern, warnings=()), ontology, budget)
    return _checked(plan, lens)


def plan_expectations(
    lens: Lens, ontology: Ontology, kind: str, budget: Budget
) -> tuple[Plan, tuple[int, ...]] | None:
    """One plan that looks for every expected pattern, and which of ``lens.expect`` its columns answer.

    A pattern that this kind of subject cannot have is not expected of it; None where nothing is.
    """
    asked = tuple(
        position
        for position, expected in enumerate(lens.expect)
        if possible(expected.pattern, lens, ontology, kind)
    )
    if not asked:
        return None
    text, kept = f"MATCH ({SUBJECT} {{id: ${SUBJECT}}})", [SUBJECT]
    for position in asked:
        column = f"expected{position}"
        text += f" OPTIONAL MATCH p{position} = {lens.expect[position].pattern}"
        text += f" WITH {', '.join(kept)}, collect(p{position}) AS {column}"
        kept.append(column)
    text += f" RETURN {', '.join(kept)}"
    pattern = validate(_narrowed(parse(text), kind), ontology, text, lens)
    return _checked(plan_query(replace(pattern, warnings=()), ontology, budget), lens), asked


def possible(expected: str, lens: Lens, ontology: Ontology, kind: str) -> bool:
    """Whether a subject of this kind can have the pattern. Raises QueryError where it is none, or not allowed."""
    text = f"MATCH ({SUBJECT} {{id: ${SUBJECT}}}) MATCH p = {expected} RETURN {SUBJECT}, p"
    try:
        query = parse(text)
        clauses = query.parts[0].clauses
        if len(clauses) != 3 or not isinstance(clauses[1], ast.Match) or clauses[1].where is not None:
            raise SemanticProblem("UnexpectedSyntax", f"{expected} is not one pattern")
        pattern = validate(_narrowed(query, kind), ontology, text, lens)
    except QueryError as error:
        error.text = error.span = None
        raise
    blocks = [block for block in pattern.blocks if isinstance(block, MatchBlock)]
    return not any(slot.kinds == frozenset() for block in blocks for slot in block.nodes)


def action_condition(when: str, lens: Lens, ontology: Ontology) -> ast.Expression:
    """The condition of a next action: over authoritative fields of ``subject`` alone, else LensViolation."""
    query = parse(f"RETURN {when} AS permitted")
    clause = query.parts[0].clauses[0]
    if (
        len(query.parts[0].clauses) != 1
        or not isinstance(clause, ast.Return)
        or len(clause.projection.items) != 1
    ):
        raise LensViolation("LensAction", f"{when!r} is not one condition")
    expression = clause.projection.items[0].expression
    kinds = [ontology.kinds[name] for name in lens.subject_kinds if name in ontology.kinds]
    untrusted = {name for kind in kinds for name in kind.untrusted}
    trusted = {name for kind in kinds for name in kind.properties} - untrusted

    def without_fields(part: ast.Expression) -> ast.Expression | None:
        if not isinstance(part, ast.Property) or part.subject != ast.Variable(SUBJECT):
            return None
        if part.name not in trusted:
            raise LensViolation(
                "LensAction",
                f"{SUBJECT}.{part.name} is no authoritative field of {' or '.join(lens.subject_kinds)}",
                hint=did_you_mean(part.name, trusted),
            )
        return ast.Literal(None)

    rest = rewrite(expression, without_fields)
    if free_variables(rest) or any(map(_reads_more, walk(rest))):
        raise LensViolation(
            "LensAction",
            f"{when!r} reads something else than fields of {SUBJECT}",
            hint=f"write {SUBJECT}.field",
        )
    return expression


def _reads_more(part: ast.Expression) -> bool:
    return isinstance(part, _MORE) or (isinstance(part, ast.Call) and is_volatile(part.name))


def _narrowed(query: ast.Query, kind: str) -> ast.Query:
    def change(part: ast.Node) -> ast.Node | None:
        if isinstance(part, ast.NodePattern) and part.variable == SUBJECT:
            return replace(part, labels=(*part.labels, (kind,)))
        return None

    narrowed = rewrite(query, change)  # type: ignore[arg-type]
    assert isinstance(narrowed, ast.Query)
    return narrowed


def _checked(plan: Plan, lens: Lens) -> Plan:
    """The plan, if it starts from the subject alone and walks each type only as the lens allows."""
    try:
        for stage in plan.stages:
            for step in stage.matches:
                for action in step.actions:
                    _check_action(action, step, lens)
            if stage.produce is not None:
                _check_way(stage.produce.type, "out", stage.produce.span, lens)
    except QueryError as error:
        error.text = error.text or plan.text
        raise
    return plan


def _check_action(action: Anchor | Expansion, block: MatchStep, lens: Lens) -> None:
    if isinstance(action, Anchor):
        if action.variable != SUBJECT and action.kinds:
            raise LensViolation(
                "LensSubject",
                f"{action.variable.lstrip('#')} is not reached from {SUBJECT}",
                span=block.block.span,
                hint=f"join it to {SUBJECT} by a pattern",
            )
        return
    for name in action.slot.types:
        ways: tuple[ast.Direction, ...] = ("out", "in") if action.direction == "both" else (action.direction,)
        for direction in ways:
            _check_way(name, direction, action.slot.span, lens)


def _check_way(name: str, direction: ast.Direction, span: Span, lens: Lens) -> None:
    if not lens.allows(name, direction):
        raise LensViolation(
            "AgainstLens",
            f"the lens {lens.name} does not allow {name} to be walked {direction} from here",
            span=span,
            hint="turn the pattern, or allow the direction in lens.yml",
        )
