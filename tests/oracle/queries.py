"""Random queries of the evaluated part over a small world, as ASTs; ``format_query`` gives their text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from hypothesis import strategies as st

from lens_dsl import ast
from tests.oracle.expressions import IDS, Expressions, Names, number
from tests.oracle.patterns import pattern_condition, pattern_count, unwind
from tests.oracle.worlds import SmallWorld

AGGREGATES = ("count", "count", "collect", "sum", "min", "max", "avg")


@dataclass
class Writer:
    """Writes one query clause by clause."""

    draw: st.DrawFn
    world: SmallWorld
    names: Names = field(default_factory=Names)
    clauses: list[ast.Clause] = field(default_factory=list)
    fresh: Iterator[int] = field(default_factory=count)

    @property
    def expressions(self) -> Expressions:
        return Expressions(self.draw, self.names)

    def often(self, of: int = 3) -> bool:
        """True in one of so many draws, and where a failure is shrunk, never."""
        return self.draw(st.integers(1, of)) == of

    def name(self, prefix: str) -> str:
        return f"{prefix}{next(self.fresh)}"

    def query(self) -> ast.Query:
        for number_ in range(self.draw(st.integers(1, 3))):
            self.match(optional=number_ > 0 and self.often(2))
            if self.often(5):
                self.clauses.append(unwind(self.draw, self.names, self.name("u")))
            if self.often(3):
                self.clauses.append(self.with_())
        self.clauses.append(ast.Return(self.projection(final=True)))
        return ast.Query((ast.SingleQuery(tuple(self.clauses)),))

    # ------------------------------------------------------------------ MATCH

    def match(self, *, optional: bool) -> None:
        before = self.names.copy()
        patterns = tuple(self.path() for _ in range(2 if self.often(3) else 1))
        # A path has no value yet where the WHERE of its own clause names it in an inline map: only WHERE may.
        where = [self.condition() for _ in range(self.draw(st.sampled_from([0, 0, 1, 2])))]
        for name in self.names.nodes:
            if name not in before.nodes and self.often(6):
                ids = self.draw(st.lists(st.sampled_from(IDS), min_size=2, max_size=6))
                where.append(
                    ast.In(ast.Property(ast.Variable(name), "id"), ast.ListLiteral(tuple(map(number, ids))))
                )
        self.clauses.append(ast.Match(optional, patterns, conjunction(where)))

    def path(self) -> ast.PathPattern:
        elements: list[ast.NodePattern | ast.RelationshipPattern] = [self.node(first=True)]
        for _ in range(self.draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3]))):
            elements += [self.relationship(), self.node(first=False)]
        name = self.name("p") if self.often(4) else None
        if name:
            self.names.paths.append(name)
        return ast.PathPattern(name, tuple(elements))

    def node(self, *, first: bool) -> ast.NodePattern:
        again = bool(self.names.nodes) and self.draw(
            st.booleans() if first else st.integers(0, 3).map(lambda n: n == 3)
        )
        name = self.draw(st.sampled_from(self.names.nodes)) if again else self.name("n")
        labels: tuple[tuple[str, ...], ...] = ()
        if self.often(6):
            kinds = sorted(self.world.ontology.kinds)
            labels = (
                tuple(self.draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2, unique=True))),
            )
        properties = self.anchor() if first and not again else self.inline() if self.often(12) else None
        if not again:
            if not first and self.often(4):
                return ast.NodePattern(None, labels, properties)
            self.names.nodes.append(name)
        return ast.NodePattern(name, labels, properties)

    def anchor(self) -> ast.MapLiteral | None:
        """What a path starts from: a key, an indexed property, a computed key, or nothing (a bounded scan)."""
        way = self.draw(st.sampled_from(["id", "id", "i", "scalar", "scalar", "scan", "scan"]))
        if way == "id":
            return ast.MapLiteral((("id", ast.Literal(self.draw(st.sampled_from(IDS[:4])))),))
        if way == "i":
            return ast.MapLiteral((("i", self.expressions.literal()),))
        if way == "scalar" and self.names.scalars:
            name = self.draw(st.sampled_from(self.names.scalars))
            return ast.MapLiteral(((self.draw(st.sampled_from(["id", "i"])), ast.Variable(name)),))
        return None

    def inline(self) -> ast.MapLiteral:
        name = self.draw(st.sampled_from(["i", "p", "q", "h"]))
        return ast.MapLiteral(((name, self.expressions.operand()),))

    def relationship(self) -> ast.RelationshipPattern:
        types = self.types
        hops = None
        if self.often(4):
            hops = self.draw(
                st.sampled_from([(0, 1), (0, 2), (1, 2), (2, 2), (1, 1), (None, 2), (0, 0), (1, 3)])
            )
        name = self.name("r") if self.often(2) else None
        if name:
            (self.names.walks if hops else self.names.relationships).append(name)
        held = ast.MapLiteral((("w", self.expressions.operand()),)) if self.often(12) else None
        return ast.RelationshipPattern(
            name,
            tuple(self.draw(st.lists(st.sampled_from(types), max_size=2, unique=True)))
            if self.often(3)
            else (),
            self.draw(st.sampled_from(["out", "in", "both", "both"])),
            hops,
            held,
        )

    # ------------------------------------------------------------------ WITH and RETURN

    def with_(self) -> ast.With:
        if self.names.nodes and self.often(4):
            return self.with_limit()
        projection = self.projection(final=False)
        where = self.condition() if self.often(3) else None
        return ast.With(projection, where)

    def condition(self) -> ast.Expression:
        """A predicate on values, or on a pattern."""
        if self.names.nodes and self.often(4):
            return pattern_condition(self.draw, self.names, self.types, self.name)
        return self.expressions.predicate()

    @property
    def types(self) -> list[str]:
        return sorted(self.world.ontology.relationships)

    def with_limit(self) -> ast.With:
        """The one shape of WITH ... LIMIT whose answer does not depend on how ties are broken."""
        key, name = (
            ast.Property(ast.Variable(self.draw(st.sampled_from(self.names.nodes))), "id"),
            self.name("k"),
        )
        self.names = Names(scalars=[name])
        order = (ast.SortItem(ast.Variable(name), self.draw(st.booleans())),)
        return ast.With(
            ast.Projection((ast.Item(key, name),), order=order, skip=self.count_(), limit=self.count_()), None
        )

    def count_(self) -> ast.Expression | None:
        return self.draw(st.sampled_from([None, *map(ast.Literal, (0, 1, 2, 3))]))

    def projection(self, *, final: bool) -> ast.Projection:
        after, old = Names(), self.names
        grouped = self.often(3)
        items = [*self.passed(after, final=final, grouped=grouped)]
        for _ in range(self.draw(st.integers(1 if final or not items else 0, 2))):
            name = self.name("v")
            counted = bool(self.names.nodes) and self.often(6)
            value = (
                pattern_count(self.draw, self.names, self.types, self.name)
                if counted
                else self.expressions.value()
            )
            items.append(ast.Item(value, name))
            after.scalars.append(name)
        sortable = [item for item in items if item.alias in after.scalars and is_plain(item.expression)]
        for _ in range(self.draw(st.integers(1, 2)) if grouped else 0):
            items.append(self.aggregate(after))
        if grouped:
            sortable += [item for item in items if item.alias and item.alias.startswith("c")]
        distinct = not after.lists and self.often(4)
        order = self.order(sortable)
        self.names = after if not final else old
        limited = final and self.often(3)
        return ast.Projection(
            tuple(items), False, distinct, order,
            self.count_() if limited else None, self.count_() if limited else None,
        )  # fmt: skip

    def passed(self, after: Names, *, final: bool, grouped: bool) -> Iterator[ast.Item]:
        """Variables passed on as they are or under another name; a list without order is no grouping key."""
        if final:
            if self.names.lists and not grouped and self.often(2):
                after.lists.append(self.names.lists[0])
                yield ast.Item(ast.Variable(self.names.lists[0]), self.names.lists[0])
            return
        for known, kept in zip(kinds_of(self.names), kinds_of(after), strict=True):
            if known is self.names.lists and grouped:
                continue
            for name in known:
                if self.draw(st.integers(0, 3)):
                    alias = (
                        self.name(name[:1] if known is not self.names.lists else "xs")
                        if self.often(4)
                        else name
                    )
                    kept.append(alias)
                    yield ast.Item(ast.Variable(name), alias)

    def aggregate(self, after: Names) -> ast.Item:
        function = self.draw(st.sampled_from(AGGREGATES))
        if function == "count" and self.often(2):
            call: ast.Expression = ast.Call("count", (), star=True)
        else:
            argument = (
                self.expressions.value() if function in ("count", "collect") else self.expressions.property()
            )
            call = ast.Call(function, (argument,), self.often(3))
        if function == "collect":
            if self.often(2):
                call = ast.Call("size", (call,))
            else:
                name = self.name("xs")
                after.lists.append(name)
                return ast.Item(call, name)
        elif function == "count" and self.often(5):
            call = ast.Arithmetic("+", call, ast.Literal(1))
        name = self.name("c")
        after.scalars.append(name)
        return ast.Item(call, name)

    def order(self, sortable: list[ast.Item]) -> tuple[ast.SortItem, ...]:
        if not sortable or not self.often(2):
            return ()
        chosen = self.draw(st.lists(st.sampled_from(sortable), min_size=1, max_size=2))
        return tuple(
            ast.SortItem(ast.Variable(item.alias or ""), self.draw(st.booleans())) for item in chosen
        )


def kinds_of(names: Names) -> tuple[list[str], ...]:
    return (names.nodes, names.relationships, names.walks, names.paths, names.scalars, names.lists)


def is_plain(expression: ast.Expression) -> bool:
    """Whether its values have an order that the oracle knows: no records, no paths."""
    return isinstance(expression, (ast.Property, ast.Literal, ast.Comparison, ast.In, ast.IsNull))


def conjunction(terms: list[ast.Expression]) -> ast.Expression | None:
    if len(terms) < 2:
        return terms[0] if terms else None
    flat = [
        part
        for term in terms
        for part in (term.operands if isinstance(term, ast.Logical) and term.operator == "AND" else (term,))
    ]
    return ast.Logical("AND", tuple(flat))


@st.composite
def queries(draw: st.DrawFn, world: SmallWorld) -> ast.Query:
    """A query that the world's ontology allows."""
    return Writer(draw, world).query()
