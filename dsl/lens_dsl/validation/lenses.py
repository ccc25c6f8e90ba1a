"""A lens's query against the lens: nothing but what it allows, from the subject, as records (P36)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lens_dsl import ast
from lens_dsl.errors import LensViolation, Span
from lens_dsl.functions import is_volatile
from lens_dsl.lens import FOCUS, SUBJECT, Lens
from lens_dsl.nesting import every_block
from lens_dsl.ontology import Ontology, did_you_mean
from lens_dsl.pattern import (
    Aggregate,
    Block,
    MatchBlock,
    Pattern,
    ProduceBlock,
    ProjectBlock,
    UnionBlock,
    UnwindBlock,
)
from lens_dsl.walk import walk

_KEEP_RECORDS = ("collect", "nodes", "relationships", "head", "last", "coalesce", "startnode", "endnode")


def check_pattern(query: ast.Query, pattern: Pattern, ontology: Ontology, lens: Lens) -> None:
    """Raise LensViolation at the first thing the lens does not allow; directions are the plan's to tell."""
    for part in walk(query):
        if isinstance(part, ast.Parameter) and part.name not in (SUBJECT, FOCUS):
            raise _violation(
                "LensParameter",
                f"a lens's query has no parameter ${part.name}",
                part.span,
                f"only ${SUBJECT}, the subject's id, and ${FOCUS} are given",
            )
        if isinstance(part, ast.Call) and is_volatile(part.name):
            raise _violation(
                "LensVolatile",
                f"{part.name}() makes a lens give another answer each time",
                part.span,
                "order by a property, and limit",
            )
    for block in every_block(pattern.blocks):
        if isinstance(block, MatchBlock):
            for slot in block.relationships:
                _check_types(slot.types, slot.span, lens)
        elif isinstance(block, ProduceBlock):
            _check_types((block.type,), block.span, lens)
    for single, blocks in zip(query.parts, _parts(pattern), strict=True):
        _check_subject(blocks)
        _check_columns(blocks, single.clauses[-1].span)


def _parts(pattern: Pattern) -> list[list[Block]]:
    """The blocks of each part of a UNION, each of which must be a lens's query by itself."""
    parts: list[list[Block]] = [[]]
    for block in pattern.blocks:
        if isinstance(block, UnionBlock):
            parts.append([])
        else:
            parts[-1].append(block)
    return parts


def _check_types(types: Collection[str], span: Span, lens: Lens) -> None:
    allowed = {each.type for each in lens.allow}
    for name in types:
        if name not in allowed:
            raise _violation(
                "OutsideLens",
                f"the lens {lens.name} does not allow {name}",
                span,
                did_you_mean(name, allowed),
            )


def _check_subject(blocks: Sequence[Block]) -> None:
    first = blocks[0]
    wanted = ast.Property(ast.Variable(SUBJECT), "id")
    bound = isinstance(first, MatchBlock) and any(
        isinstance(each, ast.Comparison)
        and each.first == wanted
        and each.rest == (("=", ast.Parameter(SUBJECT)),)
        for each in first.predicates
    )
    if not bound or (isinstance(first, MatchBlock) and first.optional):
        raise _violation(
            "LensSubject",
            "a lens's query starts from its subject",
            getattr(first, "span", ast.NOWHERE),
            f"begin with MATCH ({SUBJECT} {{id: ${SUBJECT}}})",
        )


def _check_columns(blocks: Sequence[Block], span: Span) -> None:
    """Records pass through MATCH, WITH and collect(); whatever is computed from them is none."""
    records: set[str] = set()
    returned: tuple[str, ...] = ()
    for block in blocks:
        if isinstance(block, MatchBlock):
            records |= set(block.introduces)
        elif isinstance(block, ProduceBlock):
            records.add(block.target)
        elif isinstance(block, UnwindBlock):
            records |= {block.variable} if _is_record(block.source, records) else set()
        elif isinstance(block, ProjectBlock):
            inside = {a.placeholder for a in block.aggregates if _collects(a, records)}
            known = records | inside
            records = {column.name for column in block.columns if _is_record(column.expression, known)}
            returned = tuple(column.name for column in block.columns)
    scalar = next((name for name in returned if name not in records), None)
    if scalar is not None:
        raise _violation(
            "LensColumn",
            f"the column {scalar} is no record",
            span,
            "return nodes, relationships, paths or lists of them; facts bring their fields along",
        )
    if SUBJECT not in returned:
        raise _violation("LensSubject", f"{SUBJECT} is not returned", span, f"add {SUBJECT} to RETURN")


def _collects(item: Aggregate, records: Collection[str]) -> bool:
    return item.function == "collect" and item.argument is not None and _is_record(item.argument, records)


def _is_record(expression: ast.Expression, records: Collection[str]) -> bool:
    if isinstance(expression, ast.Variable):
        return expression.name in records
    if isinstance(expression, ast.ListLiteral):
        return all(_is_record(item, records) for item in expression.items)
    if isinstance(expression, ast.Call) and expression.name.lower() in _KEEP_RECORDS:
        return all(_is_record(argument, records) for argument in expression.arguments)
    return False


def _violation(code: str, message: str, span: Span, hint: str) -> LensViolation:
    return LensViolation(code, message, span=None if span == ast.NOWHERE else span, hint=hint)
