"""From a query as written to a pattern that means something in this world."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.errors import QueryError, SemanticProblem, SyntaxProblem
from lens_dsl.functions import is_volatile
from lens_dsl.lens import Lens
from lens_dsl.ontology import Ontology
from lens_dsl.parsing.limits import pinpointed
from lens_dsl.pattern import Block, Pattern, ProjectBlock, UnionBlock
from lens_dsl.validation.features import refuse_unevaluated
from lens_dsl.validation.lenses import check_pattern
from lens_dsl.validation.pipeline import read_clauses
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.subqueries import read_subquery
from lens_dsl.validation.suspicions import suspicions
from lens_dsl.validation.ways_out import WAYS_OUT
from lens_dsl.walk import walk


def validate(
    query: ast.Query,
    ontology: Ontology,
    text: str = "",
    lens: Lens | None = None,
    *,
    clamp: int | None = None,
) -> Pattern:
    """The blocks of the query, with every name resolved against the ontology; of a lens, within what it allows.

    ``clamp`` is how far a ``*`` without an upper bound is walked; None refuses it. Raises SyntaxProblem,
    SemanticProblem, UnsupportedFeature or LensViolation, each with its place in ``text``.
    """
    try:
        refuse_unevaluated(query)
        pattern = _validated(query, Reading(ontology, read_subquery, clamp), text)
        if lens is not None:
            check_pattern(query, pattern, ontology, lens)
        return pattern
    except QueryError as error:
        error.text = error.text or text
        error.hint = error.hint or WAYS_OUT.get(error.code)
        error.span = pinpointed(error.text, error.span, error.about)
        raise


def _validated(query: ast.Query, reading: Reading, text: str) -> Pattern:
    blocks: list[Block] = []
    warnings: list[str] = []
    for position, part in enumerate(query.parts):
        found, warned = read_clauses(part.clauses, {}, reading)
        if position:
            _check_union(blocks[-1], found[-1], part)
            blocks.append(UnionBlock())
        blocks += found
        warnings += warned
    if len(set(query.union_all)) > 1:
        raise SyntaxProblem(
            "InvalidClauseComposition",
            "UNION and UNION ALL cannot stand in one query",
            span=query.parts[-1].span,
        )
    if any(isinstance(part, ast.Call) and is_volatile(part.name) for part in walk(query)):
        warnings.append(
            "rand() gives another value each time: asked again, the query can give another answer"
        )
    parameters = sorted({part.name for part in walk(query) if isinstance(part, ast.Parameter)})
    warnings += suspicions(query, reading.ontology)
    distinct = False in query.union_all
    return Pattern(text, tuple(blocks), tuple(parameters), tuple(warnings), distinct)


def _check_union(before: Block, last: Block, part: ast.SingleQuery) -> None:
    assert isinstance(before, ProjectBlock)
    assert isinstance(last, ProjectBlock)
    columns, others = ({c.name for c in block.columns} for block in (before, last))
    if columns != others:
        raise SemanticProblem(
            "DifferentColumnsInUnion",
            f"the parts of a UNION have other columns: {', '.join(sorted(columns ^ others))} stands in one alone",
            span=part.span,
            hint="give them the same names with AS",
        )
