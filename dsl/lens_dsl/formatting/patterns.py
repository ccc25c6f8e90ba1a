"""Paths, nodes and relationships as text."""

from __future__ import annotations

from typing import Final

from lens_dsl import ast
from lens_dsl.formatting.atoms import key_text, name_text
from lens_dsl.formatting.core import write

_ARROWS: Final = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}


@write.register
def _(path: ast.PathPattern) -> str:
    name = "" if path.variable is None else f"{name_text(path.variable)} = "
    return name + "".join(map(write, path.elements))


@write.register
def _(node: ast.NodePattern) -> str:
    name = "" if node.variable is None else name_text(node.variable)
    labels = "".join(f":{'|'.join(map(key_text, group))}" for group in node.labels)
    return f"({_with_properties(name + labels, node.properties)})"


@write.register
def _(relationship: ast.RelationshipPattern) -> str:
    name = "" if relationship.variable is None else name_text(relationship.variable)
    types = "|".join(map(key_text, relationship.types))
    described = name + (types and f":{types}") + _hops(relationship.hops)
    inside = _with_properties(described, relationship.properties)
    left, right = _ARROWS[relationship.direction]
    return f"{left}[{inside}]{right}" if inside else f"{left}{right}"


def _hops(hops: tuple[int | None, int | None] | None) -> str:
    if hops is None:
        return ""
    low, high = hops
    if low is None and high is None:
        return "*"
    if low == high:
        return f"*{low}"
    return f"*{'' if low is None else low}..{'' if high is None else high}"


def _with_properties(described: str, properties: ast.MapLiteral | ast.Parameter | None) -> str:
    if properties is None:
        return described
    return f"{described} {write(properties)}" if described else write(properties)
