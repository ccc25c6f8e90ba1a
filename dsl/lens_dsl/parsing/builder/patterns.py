"""The builder's rules of patterns, and of parenthesised expressions that turn out to be nodes."""

from __future__ import annotations

from typing import Any, Final

from lark import Token

from lens_dsl import ast
from lens_dsl.errors import SyntaxProblem
from lens_dsl.parsing.builder.parts import Children, Part, find, span_of, token_span
from lens_dsl.parsing.literals import INT64_MAX, integer_overflow, read_integer

LabelGroups = tuple[tuple[str, ...], ...]

_DIRECTIONS: Final[dict[tuple[str, str], ast.Direction]] = {
    ("REL_BARE", "REL_BARE"): "both",
    ("REL_BARE_OUT", "REL_BARE_OUT"): "out",
    ("REL_BARE_IN", "REL_BARE_IN"): "in",
    ("REL_BARE_BOTH", "REL_BARE_BOTH"): "both",
    ("REL_OPEN", "MINUS"): "both",
    ("REL_OPEN", "REL_ARROW"): "out",
    ("REL_OPEN_IN", "MINUS"): "in",
    ("REL_OPEN_IN", "REL_ARROW"): "both",
}


class PatternRules:
    """Paths, nodes, relationships."""

    def path_pattern(self, children: Children) -> ast.PathPattern:
        return ast.PathPattern(
            variable=find(children, "name"), elements=_elements(children), span=span_of(children)
        )

    def node(self, children: Children) -> ast.NodePattern:
        return ast.NodePattern(
            variable=find(children, "name"),
            labels=find(children, "labels") or (),
            properties=_properties(children),
            span=span_of(children),
        )

    def node_labels(self, children: Children) -> Part:
        return Part("labels", _label_groups((), children), span_of(children))

    def alternatives(self, children: Children) -> Part:
        return Part("alternatives", children, span_of(children))

    def relationship(self, children: Children) -> ast.RelationshipPattern:
        return ast.RelationshipPattern(
            variable=find(children, "name"),
            types=find(children, "types") or (),
            direction=_DIRECTIONS[children[0].type, children[-1].type],
            hops=find(children, "hops"),
            properties=_properties(children),
            span=span_of(children),
        )

    def type_names(self, children: Children) -> Part:
        names = tuple(child.value for child in children if isinstance(child, Part))
        return Part("types", names, span_of(children))

    def hops(self, children: Children) -> Part:
        low = high = None
        after_range = False
        for child in children:
            if child.type == "RANGE":
                after_range = True
            elif child.type == "INTEGER":
                low, high = (low, _hop_count(child)) if after_range else (_hop_count(child), high)
        bounds = (low, high if after_range else low)
        return Part("hops", bounds, span_of(children))

    def bare_node(self, children: Children) -> ast.NodePattern:
        """A node that no expression in parentheses could be: ``()``, ``(:A)``, ``(a:A {k: 1})``, ``(a:A|B)``."""
        variable, labels = None, find(children, "labels") or ()
        if (
            len(children) > 2
            and isinstance(children[1], ast.Expression)
            and children[1] is not _properties(children)
        ):
            variable, labels = _variable_and_labels(children[1])
        labels = _label_groups(labels, find(children, "alternatives") or [])
        return ast.NodePattern(
            variable=variable, labels=labels, properties=_properties(children), span=span_of(children)
        )

    def pattern_expression(self, children: Children) -> ast.PatternPredicate:
        span = span_of(children)
        first = children[0]
        node = first if isinstance(first, ast.NodePattern) else read_as_node(first)
        pattern = ast.PathPattern(variable=None, elements=(node, *_elements(children[1:])), span=span)
        return ast.PatternPredicate(pattern=pattern, span=span)


def read_as_node(paren: Part) -> ast.NodePattern:
    """The node that ``(expression)`` is when a relationship follows it."""
    expression = paren.value
    if paren.kind == "nested":
        raise _not_a_node(paren)
    if isinstance(expression, (ast.MapLiteral, ast.Parameter)):
        return ast.NodePattern(variable=None, properties=expression, span=paren.span)
    if isinstance(expression, ast.MapProjection):
        return ast.NodePattern(
            variable=expression.subject.name, properties=_map_of(expression, paren), span=paren.span
        )
    if isinstance(expression, (ast.Variable, ast.HasLabels)):
        variable, labels = _variable_and_labels(expression)
        return ast.NodePattern(variable=variable, labels=labels, span=paren.span)
    raise _not_a_node(paren)


def _map_of(projection: ast.MapProjection, paren: Part) -> ast.MapLiteral:
    """``(n {k: 1})`` was read as the map projection ``n {k: 1}``."""
    entries: list[tuple[str, Any]] = []
    for item in projection.items:
        if item[0] != "entry":
            raise _not_a_node(paren)
        entries.append((str(item[1]), item[2]))
    return ast.MapLiteral(entries=tuple(entries), span=projection.span)


def _variable_and_labels(expression: ast.Expression) -> tuple[str, LabelGroups]:
    if isinstance(expression, ast.Variable):
        return expression.name, ()
    if isinstance(expression, ast.HasLabels):
        subject = expression.subject
        if isinstance(subject, ast.Variable) and subject.span.start == expression.span.start:
            return subject.name, tuple((label,) for label in expression.labels)
    raise _not_a_node(expression)


def _not_a_node(found: Part | ast.Expression) -> SyntaxProblem:
    return SyntaxProblem(
        "UnexpectedSyntax",
        "a relationship stands between two nodes, and this is no node pattern",
        span=found.span,
        hint="a node is written (name:Label {property: value}), each part optional",
    )


def _elements(children: Children) -> tuple[ast.NodePattern | ast.RelationshipPattern, ...]:
    return tuple(child for child in children if isinstance(child, (ast.NodePattern, ast.RelationshipPattern)))


def _properties(children: Children) -> ast.MapLiteral | ast.Parameter | None:
    found = (child for child in children if isinstance(child, (ast.MapLiteral, ast.Parameter)))
    return next(found, None)


def _label_groups(groups: LabelGroups, children: Children) -> LabelGroups:
    """``:A|B:C`` is ((A, B), (C,)): a colon begins a group, a bar goes on with the last one."""
    lists = [list(group) for group in groups]
    for separator, name in zip(children[::2], children[1::2], strict=True):
        if separator.type == "COLON":
            lists.append([name.value])
        else:
            lists[-1].append(name.value)
    return tuple(tuple(group) for group in lists)


def _hop_count(token: Token) -> int:
    count = read_integer(token, token_span(token))
    if count > INT64_MAX:
        raise integer_overflow(token, token_span(token))
    return count
