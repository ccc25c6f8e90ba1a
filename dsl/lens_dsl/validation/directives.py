"""Directives: ``{ai: {...}}`` and ``{realm: {...}}`` on a virtual relationship. They steer; they are not data."""

from __future__ import annotations

from collections.abc import Iterator

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem
from lens_dsl.ontology import did_you_mean
from lens_dsl.pattern import Directives
from lens_dsl.walk import free_variables

AI_KEYS = ("wordcount", "hint", "voice", "model", "fresh")
MAPS = ("ai", "realm")


def read_directives(properties: ast.MapLiteral | ast.Parameter | None) -> tuple[Directives, tuple[str, ...]]:
    """The directives of a relationship's map, and a warning for every unknown ``ai`` key, which has no effect.

    SemanticProblem (InvalidDirective) for anything else that stands in the map.
    """
    if properties is None:
        return Directives(), ()
    if isinstance(properties, ast.Parameter):
        raise _invalid(
            properties,
            "a parameter cannot stand for the directives",
            "write them one by one: {ai: {hint: $hint}}",
        )
    found: dict[str, tuple[tuple[str, ast.Expression], ...]] = {}
    for key, value in properties.entries:
        if key not in MAPS:
            raise _invalid(value, f"{key} is no directive of a virtual relationship", _replacement(key))
        if not isinstance(value, ast.MapLiteral):
            raise _invalid(value, f"{key} takes a map", f"write {{{key}: {{...}}}} with a value for each key")
        found[key] = tuple(_constants(value))
    known = tuple(entry for entry in found.get("ai", ()) if entry[0] in AI_KEYS)
    unknown = (key for key, _ in found.get("ai", ()) if key not in AI_KEYS)
    warnings = tuple(
        f"ai has no directive {key}, so it has no effect; {did_you_mean(key, AI_KEYS)}" for key in unknown
    )
    return Directives(known, found.get("realm", ())), warnings


def refuse_directives(pattern: ast.RelationshipPattern, declared: frozenset[str]) -> None:
    """Raise SemanticProblem (InvalidDirective) for directives on a relationship that no producer makes."""
    if not isinstance(pattern.properties, ast.MapLiteral):
        return
    for key, value in pattern.properties.entries:
        if key in MAPS and key not in declared and isinstance(value, ast.MapLiteral):
            raise _invalid(
                value, f"{{{key}: {{...}}}} steers a producer, and no producer makes this relationship", None
            )


def _constants(value: ast.MapLiteral) -> Iterator[tuple[str, ast.Expression]]:
    for key, expression in value.entries:
        if free_variables(expression):
            raise _invalid(
                expression, f"the directive {key} depends on a row", "use a constant or a parameter"
            )
        yield key, expression


def _replacement(key: str) -> str:
    prefix, _, rest = key.partition("_")
    if prefix in MAPS and rest:
        return f"write {{{prefix}: {{{rest}: ...}}}}"
    return "directives stand in {ai: {...}} and {realm: {...}}; filter on the leaf's properties instead"


def _invalid(node: ast.Node, message: str, hint: str | None) -> SemanticProblem:
    return SemanticProblem("InvalidDirective", message, span=node.span, hint=hint)
