"""MATCH and OPTIONAL MATCH: slots, inline maps as predicates, and the kinds each node can be of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem, Span, UnsupportedFeature
from lens_dsl.ontology import Ontology
from lens_dsl.pattern import Directives, MatchBlock, NodeSlot, PathSlot, RelationshipSlot
from lens_dsl.validation.conditions import read_condition, read_expression
from lens_dsl.validation.directives import read_directives, refuse_directives
from lens_dsl.validation.names import check_relationship_property, kind_name, type_name
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.variables import (
    AnyType,
    NodeType,
    PathType,
    RelationshipType,
    ScalarType,
    VariableType,
    describe,
)
from lens_dsl.validation.virtual import is_virtual, refuse_leaf

Hops = tuple[int, int]
ANY_LENGTH = 2**31
"""A list that is bound already is as long as it is."""


@dataclass
class MatchReader:
    """Reads one MATCH clause; ``environment`` grows by what the clause introduces.

    ``virtual`` names the relationships of the block that a producer makes, with what steers it.
    """

    reading: Reading
    environment: dict[str, VariableType]
    nodes: dict[str, NodeSlot] = field(default_factory=dict)
    relationships: dict[str, RelationshipSlot] = field(default_factory=dict)
    paths: list[PathSlot] = field(default_factory=list)
    inline: list[ast.Expression] = field(default_factory=list)
    virtual: dict[str, Directives] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def ontology(self) -> Ontology:
        """The vocabulary of the world."""
        return self.reading.ontology

    def read(self, clause: ast.Match) -> MatchBlock:
        """The block of this clause. SemanticProblem or UnsupportedFeature where it means nothing here."""
        known = dict(self.environment)
        for pattern in clause.patterns:
            self._path(pattern)
        self._narrow()
        for slot in self.nodes.values():
            # An OPTIONAL MATCH says nothing of what was bound before it.
            kept = clause.optional and slot.bound
            self.environment[slot.name] = (
                known[slot.name] if kept else NodeType(slot.kinds, slot.name in self._leaves)
            )
        predicates = [*self.inline, *conjuncts(clause.where)]
        checked = tuple(read_condition(p, self.environment, self.reading) for p in predicates)
        introduces = tuple(name for name in self.environment if name not in known)
        return MatchBlock(
            clause.optional,
            tuple(self.nodes.values()),
            tuple(self.relationships.values()),
            tuple(self.paths),
            checked,
            introduces,
            clause.span,
        )

    def _path(self, pattern: ast.PathPattern) -> None:
        elements = pattern.elements
        names = [self._node(element) for element in elements if isinstance(element, ast.NodePattern)]
        walked = []
        for position, element in enumerate(e for e in elements if isinstance(e, ast.RelationshipPattern)):
            walked.append(self._relationship(element, names[position], names[position + 1]))
        if pattern.variable is not None:
            self._introduce(pattern.variable, PathType(), pattern.span)
            self.paths.append(PathSlot(pattern.variable, tuple(names), tuple(walked)))

    def _node(self, pattern: ast.NodePattern) -> str:
        name = pattern.variable or self.reading.name()
        known = self.environment.get(name)
        if known is not None and not isinstance(known, (NodeType, AnyType)):
            raise self._conflict(pattern, name, known, "a node")
        if isinstance(known, NodeType) and known.leaf:
            raise refuse_leaf(name, pattern.span)
        labels = tuple(
            tuple(kind_name(self.ontology, label, pattern.span) for label in alternatives)
            for alternatives in pattern.labels
        )
        earlier = self.nodes.get(name)
        kinds = self._kinds(labels, earlier.kinds if earlier else getattr(known, "kinds", None))
        if earlier is not None:
            self.nodes[name] = replace(earlier, labels=(*earlier.labels, *labels), kinds=kinds)
        else:
            self.nodes[name] = NodeSlot(name, labels, kinds, bound=known is not None)
        self.environment[name] = NodeType(kinds)
        self._inline_node(name, pattern)
        return name

    def _kinds(
        self, labels: tuple[tuple[str, ...], ...], known: frozenset[str] | None
    ) -> frozenset[str] | None:
        if self.ontology.open:
            return None
        kinds = frozenset(self.ontology.kinds) if known is None else known
        for alternatives in labels:
            kinds &= frozenset(alternatives)
        return kinds

    def _inline_node(self, name: str, pattern: ast.NodePattern) -> None:
        for key, value in self._entries(pattern.properties):
            subject = ast.Variable(name, span=pattern.span)
            self.inline.append(
                ast.Comparison(ast.Property(subject, key, span=value.span), (("=", value),), span=value.span)
            )

    def _relationship(self, pattern: ast.RelationshipPattern, source: str, target: str) -> str:
        name = pattern.variable or self.reading.name()
        if pattern.variable is not None and name in self.environment:
            known = self.environment[name]
            if not _may_be_walked(known, many=pattern.hops is not None):
                raise self._conflict(pattern, name, known, "a relationship")
            if name in self.relationships:
                raise SemanticProblem(
                    "RelationshipUniquenessViolation",
                    f"the relationship {name} stands twice in one MATCH, where no relationship is used twice",
                    span=pattern.span,
                )
        types = tuple(dict.fromkeys(type_name(self.ontology, t, pattern.span) for t in pattern.types))
        types = types or tuple(
            n for n, declared in self.ontology.relationships.items() if declared.producer is None
        )
        many = pattern.hops is not None
        bound = name in self.environment
        low, high = self._hops(pattern, bound=bound)
        if not bound:
            self._introduce(name, RelationshipType(types, many), pattern.span)
        properties = self._properties(name, pattern, types)
        self.relationships[name] = RelationshipSlot(
            name,
            source,
            target,
            types,
            pattern.direction,
            low,
            high,
            many,
            properties,
            pattern.span,
            clamped=not bound and many and pattern.hops is not None and pattern.hops[1] is None,
            bound=bound,
        )
        return name

    def _properties(
        self, name: str, pattern: ast.RelationshipPattern, types: tuple[str, ...]
    ) -> tuple[tuple[str, ast.Expression], ...]:
        """What must hold on the relationship: of a virtual one nothing, its map steers."""
        if is_virtual(pattern, types, self.ontology):
            self.virtual[name], warnings = read_directives(pattern.properties)
            self.warnings += warnings
            return ()
        declared = (
            self.ontology.relationships[t].properties for t in types if t in self.ontology.relationships
        )
        refuse_directives(pattern, frozenset(name for names in declared for name in names))
        properties = []
        for key, value in self._entries(pattern.properties):
            check_relationship_property(self.ontology, types, key, value.span)
            properties.append((key, read_expression(value, self.environment, self.reading)))
        return tuple(properties)

    @property
    def _leaves(self) -> set[str]:
        slots = (self.relationships[name] for name in self.virtual)
        return {slot.target if slot.direction == "out" else slot.source for slot in slots}

    def _hops(self, pattern: ast.RelationshipPattern, *, bound: bool) -> Hops:
        if pattern.hops is None:
            return 1, 1
        low, high = pattern.hops
        if high is None and bound:
            return (1 if low is None else low), ANY_LENGTH
        if high is None and self.reading.clamp is None:
            low = 1 if low is None else low
            raise UnsupportedFeature(
                "UnboundedPath",
                "a * without an upper bound can walk the whole graph",
                span=pattern.span,
                hint=f"write the bound, such as *{low}..{max(low, 1) + 2}",
            )
        low = 1 if low is None else low
        return low, (max(low, self.reading.clamp or 0) if high is None else high)

    def _entries(
        self, properties: ast.MapLiteral | ast.Parameter | None
    ) -> tuple[tuple[str, ast.Expression], ...]:
        if isinstance(properties, ast.Parameter):
            raise SemanticProblem(
                "InvalidParameterUse",
                "a parameter cannot stand for a whole property map in a pattern",
                span=properties.span,
                hint="write the properties one by one: {key: $value}",
            )
        return () if properties is None else properties.entries

    def _introduce(self, name: str, kind: VariableType, span: Span) -> None:
        if name in self.environment:
            raise SemanticProblem(
                "VariableAlreadyBound",
                f"the variable {name} is bound already",
                span=span,
                hint="use another name",
            )
        self.environment[name] = kind

    @staticmethod
    def _conflict(pattern: ast.Node, name: str, known: VariableType, wanted: str) -> SemanticProblem:
        return SemanticProblem(
            "VariableTypeConflict",
            f"{name} is {describe(known)} and stands here as {wanted}",
            span=pattern.span,
        )

    def _narrow(self) -> None:
        """Keep the kinds that the relationships around a node allow, until nothing changes."""
        changed = not self.ontology.open
        while changed:
            changed = False
            for slot in self.relationships.values():
                if slot.high == 1 and slot.low == 1:
                    changed |= self._narrow_ends(slot)

    def _narrow_ends(self, slot: RelationshipSlot) -> bool:
        near, far = self.nodes[slot.source], self.nodes[slot.target]
        pairs = set(end_kinds(self.ontology, slot))
        pairs = {(a, b) for a, b in pairs if a in (near.kinds or ()) and b in (far.kinds or ())}
        narrowed = (frozenset(a for a, _ in pairs), frozenset(b for _, b in pairs))
        if narrowed == (near.kinds, far.kinds):
            return False
        self.nodes[near.name] = replace(self.nodes[near.name], kinds=narrowed[0])
        again = self.nodes[far.name]  # the same node as ``near`` where a relationship loops
        self.nodes[far.name] = replace(again, kinds=narrowed[1] & (again.kinds or frozenset()))
        return (near.kinds, far.kinds) != (self.nodes[near.name].kinds, self.nodes[far.name].kinds)


def _may_be_walked(known: VariableType, *, many: bool) -> bool:
    """Whether what is bound already can stand for a relationship of a pattern, or for a walk of several."""
    if many and isinstance(known, ScalarType) and known.name == "List":
        return known.items is None or isinstance(known.items, (RelationshipType, AnyType))
    return isinstance(known, AnyType) or (isinstance(known, RelationshipType) and known.many == many)


def end_kinds(ontology: Ontology, slot: RelationshipSlot) -> Iterator[tuple[str, str]]:
    """The (source kind, target kind) pairs that the ontology allows one hop of this slot to join."""
    for name in slot.types:
        declared = ontology.relationships[name]
        for a in declared.sources:
            for b in declared.targets:
                if slot.direction in ("out", "both"):
                    yield a, b
                if slot.direction in ("in", "both"):
                    yield b, a


def conjuncts(where: ast.Expression | None) -> tuple[ast.Expression, ...]:
    """The terms of a WHERE's AND; a chain of comparisons stays one term."""
    if where is None:
        return ()
    if isinstance(where, ast.Logical) and where.operator == "AND":
        return tuple(term for operand in where.operands for term in conjuncts(operand))
    return (where,)
