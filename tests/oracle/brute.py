"""The oracle: every assignment of a small visible graph is tried, and those that openCypher's text allows are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from lens_dsl import ast
from tests.oracle.evaluator import AGGREGATES, Evaluator, Row
from tests.oracle.values import N, P, R, equals, same_group, sort_key
from tests.oracle.worlds import SmallWorld

Element = ast.NodePattern | ast.RelationshipPattern


@dataclass(frozen=True)
class Visible:
    """What one actor may see of a world."""

    nodes: tuple[N, ...]
    relationships: tuple[R, ...]

    def without(self, ids: Collection[str]) -> Visible:
        """The graph without these records, and without what hangs on them."""
        return Visible(
            tuple(node for node in self.nodes if node.id not in ids),
            tuple(r for r in self.relationships if r.source.id not in ids and r.target.id not in ids),
        )


@dataclass(frozen=True)
class Answer:
    """All rows of RETURN before SKIP and LIMIT, in order as far as ``keys`` (equal ones: any order) say."""

    rows: tuple[tuple[object, ...], ...]
    keys: tuple[tuple[object, ...], ...]
    skip: int
    limit: int | None
    ordered: bool
    doubtful: bool


def visible(world: SmallWorld, actor: str) -> Visible:
    """A relationship shows where both its ends do and its own class is one that the actor reads at both."""
    nodes = {
        (r.kind, r.id): N(r.kind, r.id, {k: v for k, v in r.fields.items() if v is not None})
        for r in world.records
        if world.permits(actor, r)
    }
    found = []
    for link in world.links:
        source, target = nodes.get(link.source), nodes.get(link.target)
        if source and target and world.shows(actor, link):
            found.append(R(link.by, link.type, source, target, link.properties))
    return Visible(tuple(nodes.values()), tuple(found))


@dataclass
class Oracle:
    """Answers one query over one visible graph. Fault where the query has no answer."""

    graph: Visible
    evaluator: Evaluator

    def answer(self, query: ast.Query) -> Answer:
        rows: list[Row] = [{}]
        for clause in query.parts[0].clauses:
            if isinstance(clause, ast.Match):
                rows = [found for row in rows for found in self.match(clause, row)]
            elif isinstance(clause, ast.Unwind):
                rows = list(self.unwound(clause, rows))
            elif isinstance(clause, ast.With):
                rows = self.with_(clause, rows)
            elif isinstance(clause, ast.Return):
                return self.returned(clause.projection, rows)
        raise AssertionError("a query ends with RETURN")

    def unwound(self, clause: ast.Unwind, rows: list[Row]) -> Iterator[Row]:
        for row in rows:
            value = self.evaluator.value(clause.source, row)
            for item in value if isinstance(value, list) else [] if value is None else [value]:
                yield {**row, clause.variable: item}

    # ------------------------------------------------------------------ MATCH

    def match(self, clause: ast.Match, row: Row) -> Iterator[Row]:
        found = False
        for bound in self.assignments(list(clause.patterns), row, frozenset()):
            terms = [term for pattern in clause.patterns for term in inline(pattern)]
            terms += [clause.where] if clause.where is not None else []
            fits = all(self.walked(pattern, bound) for pattern in clause.patterns)
            if fits and (not terms or self.evaluator.logical("AND", terms, bound) is True):
                found = True
                yield {name: value for name, value in bound.items() if not name.startswith("#")}
        if clause.optional and not found:
            yield {**dict.fromkeys(names(clause)), **row}

    def assignments(self, patterns: list[ast.PathPattern], row: Row, used: frozenset[R]) -> Iterator[Row]:
        if not patterns:
            yield row
            return
        first, rest = patterns[0], patterns[1:]
        for bound, nodes, walk in self.paths(first.elements, row, used):
            if first.variable is not None:
                bound = {**bound, first.variable: P(nodes, walk)}
            yield from self.assignments(rest, bound, used | set(walk))

    def paths(
        self, elements: Sequence[Element], row: Row, used: frozenset[R]
    ) -> Iterator[tuple[Row, tuple[N, ...], tuple[R, ...]]]:
        for node in self.graph.nodes:
            for bound in bind(elements[0], node, row):
                yield from self.onward(elements[1:], bound, used, (node,), ())

    def onward(
        self,
        elements: Sequence[Element],
        row: Row,
        used: frozenset[R],
        nodes: tuple[N, ...],
        walk: tuple[R, ...],
    ) -> Iterator[tuple[Row, tuple[N, ...], tuple[R, ...]]]:
        if not elements:
            yield row, nodes, walk
            return
        pattern, end = elements[0], elements[1]
        assert isinstance(pattern, ast.RelationshipPattern)
        low, high = (
            (1, 1)
            if pattern.hops is None
            else (1 if pattern.hops[0] is None else pattern.hops[0], pattern.hops[1])
        )
        assert high is not None
        for met, taken in self.walks(pattern, nodes[-1], high, used | set(walk)):
            if len(taken) < low:
                continue
            name = pattern.variable or f"#{id(pattern)}"
            held = {**row, name: list(taken) if pattern.hops is not None else taken[0]}
            if name in row and row[name] != held[name]:
                continue
            for bound in bind(end, met[-1] if met else nodes[-1], held):
                yield from self.onward(elements[2:], bound, used, nodes + met, walk + taken)

    def walks(
        self, pattern: ast.RelationshipPattern, at: N, most: int, used: frozenset[R]
    ) -> Iterator[tuple[tuple[N, ...], tuple[R, ...]]]:
        """Every walk of at most so many relationships of the pattern, none of them used already."""
        yield (), ()
        if not most:
            return
        for relationship in self.graph.relationships:
            if relationship in used or (pattern.types and relationship.type not in pattern.types):
                continue
            ways = {
                "out": [(relationship.source, relationship.target)],
                "in": [(relationship.target, relationship.source)],
            }
            for near, far in dict.fromkeys(ways.get(pattern.direction, ways["out"] + ways["in"])):
                if near == at:
                    for nodes, taken in self.walks(pattern, far, most - 1, used | {relationship}):
                        yield (far, *nodes), (relationship, *taken)

    def walked(self, pattern: ast.PathPattern, row: Row) -> bool:
        """Whether the inline maps of the pattern's relationships hold."""
        for element in pattern.elements:
            if isinstance(element, ast.RelationshipPattern) and isinstance(
                element.properties, ast.MapLiteral
            ):
                found = row[element.variable or f"#{id(element)}"]
                for one in found if isinstance(found, list) else [found]:
                    assert isinstance(one, R)
                    for key, value in element.properties.entries:
                        if not equals(one.properties.get(key), self.evaluator.value(value, row)):
                            return False
        return True

    # ------------------------------------------------------------------ WITH and RETURN

    def with_(self, clause: ast.With, rows: list[Row]) -> list[Row]:
        pairs = self.projected(clause.projection, rows)
        pairs = [pair for _, pair in self.sorted(clause.projection, pairs)]
        skip, limit = self.number(clause.projection.skip) or 0, self.number(clause.projection.limit)
        pairs = pairs[skip:] if limit is None else pairs[skip : skip + limit]
        return [
            new
            for new, old in pairs
            if clause.where is None or self.evaluator.truth(clause.where, {**old, **new})
        ]

    def returned(self, projection: ast.Projection, rows: list[Row]) -> Answer:
        ordered = self.sorted(projection, self.projected(projection, rows))
        return Answer(
            tuple(tuple(new.values()) for _, (new, _) in ordered),
            tuple(key for key, _ in ordered),
            self.number(projection.skip) or 0,
            self.number(projection.limit),
            bool(projection.order),
            self.evaluator.doubtful,
        )

    def projected(self, projection: ast.Projection, rows: list[Row]) -> list[tuple[Row, Row]]:
        """Each new row, and what ORDER BY and WHERE still see behind it."""
        items = [(name_of(item), item.expression) for item in projection.items]
        pairs: list[tuple[Row, Row]]
        if any(aggregates(e) for _, e in items):
            pairs = [(new, {}) for new in self.grouped(items, rows)]
        else:
            pairs = [({name: self.evaluator.value(e, row) for name, e in items}, row) for row in rows]
        if projection.distinct:
            kept = {tuple(same_group(v) for v in new.values()): new for new, _ in reversed(pairs)}
            pairs = [(new, {}) for new in kept.values()]
        return pairs

    def grouped(self, items: list[tuple[str, ast.Expression]], rows: list[Row]) -> list[Row]:
        keys = [e for _, e in items if not aggregates(e)]
        groups: dict[object, list[Row]] = {} if keys else {(): []}
        for row in rows:
            groups.setdefault(tuple(same_group(self.evaluator.value(e, row)) for e in keys), []).append(row)
        return [
            {name: self.evaluator.value(e, group[0] if group else {}, group) for name, e in items}
            for group in groups.values()
        ]

    def sorted(
        self, projection: ast.Projection, pairs: list[tuple[Row, Row]]
    ) -> list[tuple[tuple[object, ...], tuple[Row, Row]]]:
        keyed: list[tuple[tuple[object, ...], tuple[Row, Row]]] = []
        for new, old in pairs:
            values = [self.evaluator.value(item.expression, {**old, **new}) for item in projection.order]
            keyed.append((tuple(sort_key(value) for value in values), (new, old)))
        for position in reversed(range(len(projection.order))):
            keyed.sort(key=lambda pair, p=position: pair[0][p], reverse=projection.order[position].descending)  # type: ignore[misc]
        return keyed

    def number(self, e: ast.Expression | None) -> int | None:
        value = None if e is None else self.evaluator.value(e, {})
        assert value is None or isinstance(value, int)
        return value


def bind(element: Element, node: N, row: Row) -> Iterator[Row]:
    """The row with this node for the pattern, if its labels allow and it is not another one already."""
    assert isinstance(element, ast.NodePattern)
    if not all(node.kind in alternatives for alternatives in element.labels):
        return
    name = element.variable or f"#{id(element)}"
    if name not in row:
        yield {**row, name: node}
    elif row[name] == node:
        yield row


def inline(pattern: ast.PathPattern) -> list[ast.Expression]:
    return [
        ast.Comparison(ast.Property(ast.Variable(e.variable or f"#{id(e)}"), key), (("=", value),))
        for e in pattern.elements
        if isinstance(e, ast.NodePattern) and isinstance(e.properties, ast.MapLiteral)
        for key, value in e.properties.entries
    ]


def names(clause: ast.Match) -> list[str]:
    found = [pattern.variable for pattern in clause.patterns]
    found += [element.variable for pattern in clause.patterns for element in pattern.elements]
    return [name for name in found if name is not None]


def name_of(item: ast.Item) -> str:
    return item.alias or (item.expression.name if isinstance(item.expression, ast.Variable) else item.text)


def aggregates(e: ast.Expression) -> bool:
    if isinstance(e, ast.Call):
        return e.name in AGGREGATES or any(aggregates(argument) for argument in e.arguments)
    return isinstance(e, ast.Arithmetic) and (aggregates(e.left) or aggregates(e.right))
