"""The oracle's expression evaluator: an expression of the AST and a row give a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lens_dsl import ast
from tests.oracle.values import (
    Fault,
    N,
    P,
    R,
    add,
    calculate,
    compares,
    equals,
    is_number,
    same_group,
    sort_key,
    text,
)

Row = Mapping[str, object]
AGGREGATES = {"count", "sum", "avg", "min", "max", "collect"}


@dataclass
class Evaluator:
    """``doubtful`` becomes true where an AND or OR is decided by one operand while another one has no value."""

    doubtful: bool = False
    match: Callable[[ast.Match, Row], Iterator[Row]] = lambda clause, row: iter(())

    def value(self, e: ast.Expression, row: Row, group: Sequence[Row] | None = None) -> object:
        """The value in a row; aggregations are over ``group``. Fault where there is none."""
        match e:
            case ast.Literal(value):
                return value
            case ast.Variable(name):
                return row[name]
            case ast.Property(subject, name):
                owner = self.value(subject, row, group)
                if owner is None:
                    return None
                if isinstance(owner, (N, R)):
                    return owner.properties.get(name)
                raise Fault("no properties")
            case ast.ListLiteral(items):
                return [self.value(item, row, group) for item in items]
            case ast.Unary("-", operand):
                return calculate("*", -1, self.value(operand, row, group))
            case ast.Arithmetic(operator, left, right):
                a, b = self.value(left, row, group), self.value(right, row, group)
                return add(a, b) if operator == "+" else calculate(operator, a, b)
            case ast.Comparison(first, rest):
                return self.chain(self.value(first, row, group), rest, row)
            case ast.Logical(operator, operands):
                return self.logical(operator, operands, row)
            case ast.Not(operand):
                truth = self.truth(operand, row)
                return None if truth is None else not truth
            case ast.IsNull(operand, negated):
                return (self.value(operand, row) is None) != negated
            case ast.In(item, container):
                return self.member(self.value(item, row), self.value(container, row))
            case ast.StringTest(operator, left, right):
                return self.string_test(operator, self.value(left, row), self.value(right, row))
            case ast.HasLabels(subject, labels):
                node = self.value(subject, row)
                if node is None:
                    return None
                assert isinstance(node, N)
                return all(label == node.kind for label in labels)
            case ast.Case(None, branches, default):
                for when, then in branches:
                    if self.truth(when, row):
                        return self.value(then, row)
                return None if default is None else self.value(default, row)
            case ast.PatternPredicate(pattern):
                return bool(list(self.match(ast.Match(False, (pattern,), None), row)))
            case ast.Exists(tuple(patterns), where):
                return bool(list(self.match(ast.Match(False, patterns, where), row)))
            case ast.PatternComprehension(pattern, where, result):
                found = self.match(ast.Match(False, (pattern,), where), row)
                return [self.value(result, inner) for inner in found]
            case ast.Call("exists", (ast.PatternPredicate() as inner,)):
                return self.value(inner, row)
            case ast.Call():
                return self.call(e, row, group)
        raise AssertionError(f"the oracle does not know {type(e).__name__}")

    def truth(self, e: ast.Expression, row: Row) -> bool | None:
        value = self.value(e, row)
        if value is None or isinstance(value, bool):
            return value
        raise Fault("no condition")

    def chain(self, left: object, rest: Sequence[tuple[str, ast.Expression]], row: Row) -> bool | None:
        found = []
        for operator, operand in rest:
            right = self.value(operand, row)
            found.append(compares(operator, left, right))
            left = right
        return False if False in found else None if None in found else True

    def logical(self, operator: str, operands: Sequence[ast.Expression], row: Row) -> bool | None:
        found: list[bool | None] = []
        faults = []
        for operand in operands:
            try:
                found.append(self.truth(operand, row))
            except Fault as fault:
                faults.append(fault)
        decisive = {"AND": False, "OR": True}.get(operator)
        if decisive is not None and decisive in found:
            self.doubtful |= bool(faults)
            return decisive
        if faults:
            raise faults[0]
        if None in found:
            return None
        return found.count(True) % 2 == 1 if operator == "XOR" else operator == "AND"

    def member(self, item: object, container: object) -> bool | None:
        if container is None:
            return None
        if not isinstance(container, list):
            raise Fault("no list")
        found = [equals(item, one) for one in container]
        return True if True in found else None if None in found else False

    def string_test(self, operator: str, left: object, right: object) -> bool | None:
        if not isinstance(left, str) or not isinstance(right, str):
            return None
        return {
            "STARTS WITH": left.startswith, "ENDS WITH": left.endswith, "CONTAINS": left.__contains__
        }[operator](right)  # fmt: skip

    def call(self, e: ast.Call, row: Row, group: Sequence[Row] | None) -> object:
        if e.name in AGGREGATES:
            assert group is not None
            return self.aggregate(e, group)
        values = [self.value(argument, row, group) for argument in e.arguments]
        if e.name == "coalesce":
            return next((value for value in values if value is not None), None)
        return None if values[0] is None else function(e.name, values[0])

    def aggregate(self, e: ast.Call, group: Sequence[Row]) -> object:
        if e.star:
            return len(group)
        values = [v for row in group if (v := self.value(e.arguments[0], row)) is not None]
        if e.distinct:
            values = list({same_group(v): v for v in reversed(values)}.values())
        if e.name == "count":
            return len(values)
        if e.name == "collect":
            return values
        if e.name in ("min", "max"):
            chosen = sorted(values, key=sort_key)
            return None if not chosen else chosen[0] if e.name == "min" else chosen[-1]
        if not all(is_number(v) for v in values):
            raise Fault("no number to add")
        total = sum(values)  # type: ignore[arg-type]
        return total if e.name == "sum" else total / len(values) if values else None


def function(name: str, value: object) -> object:
    """A scalar function of one argument that is not null."""
    if name == "toString":
        if isinstance(value, bool):
            return "true" if value else "false"
        return text(value)
    if name == "size" and isinstance(value, (list, str)):
        return len(value)
    if name in ("head", "last") and isinstance(value, list):
        return None if not value else value[0] if name == "head" else value[-1]
    if isinstance(value, N) and name == "labels":
        return [value.kind]
    if isinstance(value, R) and name in ("type", "startNode", "endNode"):
        return {"type": value.type, "startNode": value.source, "endNode": value.target}[name]
    if isinstance(value, P) and name in ("nodes", "relationships", "length"):
        walked = list(value.relationships)
        return {"nodes": list(value.nodes), "relationships": walked, "length": len(walked)}[name]
    raise Fault(f"{name} of a value it does not take")
