"""From a query as written to a pattern that means something in this world."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.errors import QueryError, SyntaxProblem
from lens_dsl.lens import Lens
from lens_dsl.ontology import Ontology
from lens_dsl.parsing.limits import pinpointed
from lens_dsl.pattern import Block, MatchBlock, Pattern
from lens_dsl.validation.features import refuse_unevaluated
from lens_dsl.validation.lenses import check_pattern
from lens_dsl.validation.matches import MatchReader
from lens_dsl.validation.projections import project
from lens_dsl.validation.suspicions import suspicions
from lens_dsl.validation.variables import VariableType
from lens_dsl.validation.virtual import refuse_made_kinds, split
from lens_dsl.validation.ways_out import WAYS_OUT
from lens_dsl.walk import walk


def validate(query: ast.Query, ontology: Ontology, text: str = "", lens: Lens | None = None) -> Pattern:
    """The blocks of the query, with every name resolved against the ontology; of a lens, within what it allows.

    Raises SyntaxProblem, SemanticProblem, UnsupportedFeature or LensViolation, each with its place in ``text``.
    """
    try:
        refuse_unevaluated(query)
        pattern = _validated(query, ontology, text)
        if lens is not None:
            check_pattern(query, pattern, ontology, lens)
        return pattern
    except QueryError as error:
        error.text = error.text or text
        error.hint = error.hint or WAYS_OUT.get(error.code)
        error.span = pinpointed(error.text, error.span, error.about)
        raise


def _validated(query: ast.Query, ontology: Ontology, text: str) -> Pattern:
    environment: dict[str, VariableType] = {}
    blocks: list[Block] = []
    warnings: list[str] = []
    anonymous = iter(range(1_000_000))
    clauses = query.parts[0].clauses
    for clause in clauses:
        if isinstance(clause, ast.Match):
            reader = MatchReader(ontology, environment, anonymous=anonymous)
            block = reader.read(clause)
            refuse_made_kinds(block, reader.virtual, ontology)
            warnings += [*_impossible(block), *reader.warnings]
            blocks += split(block, reader.virtual)
        elif isinstance(clause, (ast.With, ast.Return)):
            projected, environment = project(clause, environment, ontology)
            blocks.append(projected)
    if not clauses or not isinstance(clauses[-1], ast.Return):
        raise SyntaxProblem("InvalidClauseComposition", "a query ends with RETURN", span=query.span)
    parameters = sorted({part.name for part in walk(query) if isinstance(part, ast.Parameter)})
    warnings += suspicions(query, ontology)
    return Pattern(text, tuple(blocks), tuple(parameters), tuple(warnings))


def _impossible(block: MatchBlock) -> list[str]:
    """A pattern that the ontology rules out finds nothing; say so, since a wrong direction is easily written."""
    for slot in block.relationships:
        ends = {node.name: node for node in block.nodes}
        empty = [ends[name] for name in (slot.source, slot.target) if ends[name].kinds == frozenset()]
        if empty:
            names = " or ".join(slot.types)
            return [f"no {names} can stand here between such nodes: check its direction and the labels"]
    if any(node.kinds == frozenset() for node in block.nodes):
        return ["no node can have these labels together: a record has one kind"]
    return []
