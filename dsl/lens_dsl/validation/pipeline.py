"""Clauses in their order: what each binds, and what it leaves in scope for the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem, SyntaxProblem
from lens_dsl.pattern import Block, MatchBlock, UnwindBlock
from lens_dsl.validation.conditions import read_expression
from lens_dsl.validation.inference import element_type, type_of
from lens_dsl.validation.matches import MatchReader
from lens_dsl.validation.projections import project
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.variables import VariableType
from lens_dsl.validation.virtual import refuse_made_kinds, split


def read_clauses(
    clauses: Sequence[ast.Clause],
    environment: dict[str, VariableType],
    reading: Reading,
    *,
    outer: Mapping[str, VariableType] | None = None,
) -> tuple[tuple[Block, ...], tuple[str, ...]]:
    """The blocks of one single query, and warnings. ``outer`` are variables that stay in scope throughout."""
    blocks: list[Block] = []
    warnings: list[str] = []
    for clause in clauses:
        if isinstance(clause, ast.Match):
            reader = MatchReader(reading, environment)
            block = reader.read(clause)
            refuse_made_kinds(block, reader.virtual, reading.ontology)
            warnings += [*_impossible(block), *reader.warnings]
            blocks += split(block, reader.virtual)
        elif isinstance(clause, ast.Unwind):
            blocks.append(_unwind(clause, environment, reading))
        else:
            projected, environment = project(clause, environment, reading)
            environment = {**(outer or {}), **environment}
            blocks.append(projected)
    if outer is None and (not clauses or not isinstance(clauses[-1], ast.Return)):
        span = clauses[-1].span if clauses else ast.NOWHERE
        raise SyntaxProblem("InvalidClauseComposition", "a query ends with RETURN", span=span)
    return tuple(blocks), tuple(warnings)


def _unwind(clause: ast.Unwind, environment: dict[str, VariableType], reading: Reading) -> UnwindBlock:
    source = read_expression(clause.source, environment, reading)
    if clause.variable in environment:
        raise SemanticProblem(
            "VariableAlreadyBound",
            f"the variable {clause.variable} is bound already",
            span=clause.span,
            hint="use another name",
        )
    environment[clause.variable] = element_type(type_of(source, environment))
    return UnwindBlock(clause.variable, source)


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
