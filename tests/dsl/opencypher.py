"""The grammar that the openCypher project publishes, as an independent parser, and our extensions of it.

The parser is generated from the published ``Cypher.g4``; gsql2rsql ships it, and adds ``reduce()``, which openCypher 9
describes but its grammar lacks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from typing import Any

from antlr4 import CommonTokenStream, InputStream
from antlr4.error.ErrorListener import ErrorListener
from gsql2rsql.parser.grammar.CypherLexer import CypherLexer
from gsql2rsql.parser.grammar.CypherParser import CypherParser

from lens_dsl import ast
from lens_dsl.formatter import format_query
from lens_dsl.formatting.atoms import name_text

UNLISTED = frozenset({"CALL", "YIELD", "REDUCE"})
"""Words of the grammar that it forgets among those that may name a label, a type or a property."""

_BESIDE_BRACKET = re.compile(r"""(?<=\w)(?=[(\[{'"$])|(?<=[)\]}'"])(?=\w)""")


class _Faults(ErrorListener):  # type: ignore[misc]
    """What the parser complains about, in its own words."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def syntaxError(self, recognizer, symbol, line, column, message, error) -> None:  # noqa: N802
        self.found.append(f"line {line}, column {column + 1}: {message}")


def faults(text: str) -> list[str]:
    """What makes the text no openCypher; none for openCypher."""
    listener = _Faults()
    lexer = CypherLexer(InputStream(text))
    parser = CypherParser(CommonTokenStream(lexer))
    for reader in (lexer, parser):
        reader.removeErrorListeners()
        reader.addErrorListener(listener)
    with _deep():
        parser.oC_Cypher()
    return listener.found


@contextmanager
def _deep() -> Iterator[None]:
    """The generated parser takes some 20 calls for each level of an expression."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def extensions(text: str, query: ast.Query) -> set[str]:
    """The extensions of openCypher that a query and its text hold, by the names that docs/language.md gives them."""
    found = set()
    for node in _nodes(query):
        if isinstance(node, ast.MapProjection):
            found.add("map projection")
        if isinstance(node, ast.NodePattern) and any(len(group) > 1 for group in node.labels):
            found.add("`:A|B` between labels")
        if isinstance(node, ast.StringTest) and node.operator == "=~":
            found.add("`=~`")
        if any(name != name_text(name) and f"{name_text(name)}" not in text for name in _names(node)):
            found.add("keywords as names")
        if isinstance(node, ast.Projection) and node.skip is not None and re.search(r"(?i)\boffset\b", text):
            found.add("`OFFSET`")
    if not found and faults(text) and not faults(_BESIDE_BRACKET.sub(" ", text)):
        found.add("no space beside brackets")
    return found


def _names(node: ast.Node) -> Iterator[str]:
    """The names that a node has where a variable, an alias, a parameter or a function stands."""
    holders: tuple[str, ...] = ("variable", "alias", "accumulator")
    if isinstance(node, (ast.Variable, ast.Parameter, ast.Call)):
        holders += ("name",)
    for field in holders:
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name


def standard(query: ast.Query) -> str:
    """The query without extensions, as text: SKIP for OFFSET, reserved words in backticks, one of several labels."""
    return format_query(_standard(query))


def _standard(node: Any) -> Any:
    if isinstance(node, tuple):
        return tuple(map(_standard, node))
    if isinstance(node, ast.MapProjection):
        return ast.MapLiteral(tuple(_entry(item) for item in node.items))
    if isinstance(node, str) and node.upper() in UNLISTED:
        return f"{node}_"
    if not isinstance(node, ast.Node):
        return node
    changed = {field.name: _standard(getattr(node, field.name)) for field in fields(node)}
    if isinstance(node, ast.NodePattern):
        changed["labels"] = tuple(group[:1] for group in changed["labels"])
    if isinstance(node, ast.StringTest) and node.operator == "=~":
        changed["operator"] = "CONTAINS"
    return replace(node, **changed)


def _entry(item: tuple[Any, ...]) -> tuple[str, Any]:
    kind, *values = item
    return ("x", _standard(values[1])) if kind == "entry" else ("x", ast.Literal(None))


def _nodes(part: object) -> Iterator[ast.Node]:
    if isinstance(part, tuple):
        for each in part:
            yield from _nodes(each)
    elif isinstance(part, ast.Node):
        yield part
        for field in fields(part):
            yield from _nodes(getattr(part, field.name))
