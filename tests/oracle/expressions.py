"""Random expressions over the variables in scope, as a query of the evaluated part may hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st

from lens_dsl import ast
from tests.oracle.worlds import NAMES, VALUES

SCALARS = tuple(value for value in VALUES if not isinstance(value, list))
IDS = tuple("0123456789")
Operator = Literal["=", "<>", "<", "<=", ">", ">="]
COMPARISONS: tuple[Operator, ...] = ("=", "=", "=", "<>", "<", "<=", ">", ">=")
ARITHMETIC: tuple[Literal["+", "-", "*"], ...] = ("+", "+", "-", "*")
STRING_TESTS: tuple[Literal["STARTS WITH", "ENDS WITH", "CONTAINS"], ...] = (
    "STARTS WITH",
    "ENDS WITH",
    "CONTAINS",
)


@dataclass
class Names:
    """The variables in scope by what they are; ``lists`` are collected, in no order."""

    nodes: list[str] = field(default_factory=list)
    relationships: list[str] = field(default_factory=list)
    walks: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)

    def copy(self) -> Names:
        return Names(*(list(names) for names in (
            self.nodes, self.relationships, self.walks, self.paths, self.scalars, self.lists
        )))  # fmt: skip


@dataclass(frozen=True)
class Expressions:
    """Draws expressions; ``names`` may grow while a clause is written."""

    draw: st.DrawFn
    names: Names

    def one_of(self, items: Sequence[object]) -> object:
        return self.draw(st.sampled_from(items))

    def choose(self, *ways: Callable[[], ast.Expression]) -> ast.Expression:
        return self.draw(st.sampled_from(ways))()

    def literal(self) -> ast.Expression:
        value = self.one_of(VALUES)
        if isinstance(value, list):
            return ast.ListLiteral(tuple(ast.Literal(item) for item in value))
        return number(value) if isinstance(value, (int, float)) else ast.Literal(value)  # type: ignore[arg-type]

    def property(self) -> ast.Expression:
        """A property of a node or relationship in scope; a literal where there is none."""
        names = self.names
        owners = [*names.nodes, *names.nodes, *names.relationships]
        if not owners:
            return self.literal()
        owner = self.draw(st.sampled_from(owners))
        name = "w" if owner in names.relationships else self.draw(st.sampled_from((*NAMES, "id")))
        return ast.Property(ast.Variable(owner), name)

    def scalar(self) -> ast.Expression:
        if not self.names.scalars:
            return self.property()
        return ast.Variable(self.draw(st.sampled_from(self.names.scalars)))

    def operand(self) -> ast.Expression:
        return self.choose(self.property, self.property, self.scalar, self.literal)

    def value(self) -> ast.Expression:
        """Anything that a column may hold."""
        return self.choose(
            self.property, self.property, self.scalar, self.entity, self.entity, self.computed, self.predicate
        )

    def entity(self) -> ast.Expression:
        names = self.names
        known = [*names.nodes, *names.relationships, *names.walks, *names.paths]
        return ast.Variable(self.draw(st.sampled_from(known))) if known else self.scalar()

    def computed(self) -> ast.Expression:
        names = self.names
        calls = [("coalesce", (self.property(), self.operand())), ("toString", (self.scalar(),))]
        calls += [("labels", (ast.Variable(n),)) for n in names.nodes]
        for name in ("type", "startNode", "endNode"):
            calls += [(name, (ast.Variable(n),)) for n in names.relationships]
        calls += [(name, (ast.Variable(n),)) for name in ("size", "head", "last") for n in names.walks]
        calls += [
            (name, (ast.Variable(n),)) for name in ("length", "nodes", "relationships") for n in names.paths
        ]
        calls += [("size", (ast.Variable(n),)) for n in names.lists]
        name, arguments = self.draw(st.sampled_from(calls))
        return self.choose(lambda: ast.Call(name, arguments), self.arithmetic, self.case)

    def arithmetic(self) -> ast.Expression:
        operator = self.draw(st.sampled_from(ARITHMETIC))
        return ast.Arithmetic(operator, self.operand(), self.operand())

    def case(self) -> ast.Expression:
        return ast.Case(
            None, ((self.predicate(), self.operand()),), self.draw(st.sampled_from([None, ast.Literal(0)]))
        )

    def predicate(self, depth: int = 1) -> ast.Expression:
        ways: list[Callable[[], ast.Expression]] = [
            self.comparison, self.comparison, self.membership, self.null_test, self.string_test, self.label_test
        ]  # fmt: skip
        if depth:
            ways += [
                lambda: ast.Not(self.predicate(depth - 1)),
                lambda: ast.Logical(
                    self.draw(st.sampled_from(["OR", "XOR", "AND"])),
                    (self.predicate(0), self.predicate(0)),
                ),
            ]
        return self.choose(*ways)

    def comparison(self) -> ast.Expression:
        pairs = [(self.draw(st.sampled_from(COMPARISONS)), self.operand())]
        if self.draw(st.integers(0, 7)) == 7:
            pairs.append((self.draw(st.sampled_from(COMPARISONS)), self.operand()))
        return ast.Comparison(self.operand(), tuple(pairs))

    def membership(self) -> ast.Expression:
        if bool(self.names.lists) and self.draw(st.booleans()):
            return ast.In(self.operand(), ast.Variable(self.names.lists[0]))
        some: st.SearchStrategy[list[object]] = st.lists(st.sampled_from(SCALARS), max_size=3)
        items = self.draw(some)
        return ast.In(self.operand(), ast.ListLiteral(tuple(map(number, items))))

    def null_test(self) -> ast.Expression:
        return ast.IsNull(self.choose(self.operand, self.entity), self.draw(st.booleans()))

    def string_test(self) -> ast.Expression:
        operator = self.draw(st.sampled_from(STRING_TESTS))
        return ast.StringTest(
            operator, self.operand(), ast.Literal(self.draw(st.sampled_from(["a", "b", ""])))
        )

    def label_test(self) -> ast.Expression:
        if not self.names.nodes:
            return self.comparison()
        return ast.HasLabels(
            ast.Variable(self.draw(st.sampled_from(self.names.nodes))),
            (self.draw(st.sampled_from(["Ant", "Bee"])),),
        )


def number(value: object) -> ast.Expression:
    """A literal as some text writes it: a negative number is a minus and a number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value < 0:
        return ast.Unary("-", ast.Literal(-value))
    return ast.Literal(value)  # type: ignore[arg-type]
