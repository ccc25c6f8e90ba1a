"""What the language can read but does not evaluate yet: refused by name, with its position and a way out."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.errors import UnsupportedFeature
from lens_dsl.functions import NOT_YET
from lens_dsl.walk import children


def refuse_unevaluated(query: ast.Query) -> None:
    """Raise UnsupportedFeature at the first construct that is not evaluated yet; a part is never skipped."""
    _check(query)


def _check(node: ast.Node) -> None:
    if isinstance(node, ast.Call) and node.name.lower() in NOT_YET:
        raise _refusal(f"{node.name}()", node, "docs/language.md lists what is evaluated")
    for child in children(node):
        _check(child)


def _refusal(name: str, node: ast.Node, way_out: str) -> UnsupportedFeature:
    return UnsupportedFeature(
        "UnsupportedFeature", f"{name} is not evaluated in this version", span=node.span, hint=way_out
    )
