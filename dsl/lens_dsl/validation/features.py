"""What the language can read but does not evaluate yet: refused by name, with its position and a way out."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.errors import UnsupportedFeature
from lens_dsl.functions import NOT_YET
from lens_dsl.walk import children

_NOT_EVALUATED: dict[type[ast.Node], tuple[str, str]] = {
    ast.Unwind: ("UNWIND", "pass the list as a parameter and use IN $list"),
    ast.PatternPredicate: ("a pattern as a predicate", "use OPTIONAL MATCH and count() in a WITH"),
    ast.PatternComprehension: ("pattern comprehension", "use OPTIONAL MATCH and collect()"),
    ast.Exists: ("exists { }", "use OPTIONAL MATCH and count() in a WITH"),
}


def refuse_unevaluated(query: ast.Query) -> None:
    """Raise UnsupportedFeature at the first construct that is not evaluated yet; a part is never skipped."""
    if len(query.parts) > 1:
        raise _refusal("UNION", query.parts[1], "run the parts as two queries")
    for part in query.parts:
        _check(part)


def _check(node: ast.Node) -> None:
    refused = _NOT_EVALUATED.get(type(node))
    if refused:
        raise _refusal(refused[0], node, refused[1])
    if isinstance(node, ast.Call) and node.name.lower() in NOT_YET:
        raise _refusal(f"{node.name}()", node, "docs/language.md lists what is evaluated")
    for child in children(node):
        _check(child)


def _refusal(name: str, node: ast.Node, way_out: str) -> UnsupportedFeature:
    return UnsupportedFeature(
        "UnsupportedFeature", f"{name} is not evaluated in this version", span=node.span, hint=way_out
    )
