"""From the names in a query to the names of the ontology, with a hint where there is none."""

from __future__ import annotations

from collections.abc import Iterable

from lens_dsl.errors import SemanticProblem, Span
from lens_dsl.ontology import Ontology, did_you_mean


def kind_name(ontology: Ontology, label: str, span: Span) -> str:
    """The stored name of a label; SemanticProblem (UnknownLabel) where the ontology has none like it."""
    kind = ontology.kind(label)
    if kind is not None:
        return kind.name
    if ontology.open:
        return label
    raise _unknown(
        "UnknownLabel", f"no kind is called {label}", span, label, did_you_mean(label, ontology.kinds)
    )


def type_name(ontology: Ontology, name: str, span: Span) -> str:
    """The stored name of a relationship type; SemanticProblem (UnknownRelationshipType) where there is none."""
    found = ontology.relationship(name)
    if found is not None:
        return found.name
    if ontology.open:
        return name
    known = {spelling for stored in ontology.relationships for spelling in (stored, stored.upper())}
    near = known if name.upper() == name else ontology.relationships
    hint = did_you_mean(name, near)
    raise _unknown("UnknownRelationshipType", f"no relationship type is called {name}", span, name, hint)


def check_node_property(ontology: Ontology, kinds: Iterable[str] | None, name: str, span: Span) -> None:
    """Raise SemanticProblem (UnknownProperty) where no kind that the node can be of declares the property."""
    if ontology.open or kinds is None:
        return
    declared = {p for kind in kinds for p in ontology.kinds[kind].properties}
    if declared and name not in declared:
        where = " or ".join(sorted(kinds))
        hint = did_you_mean(name, declared)
        raise _unknown("UnknownProperty", f"{where} has no property {name}", span, name, hint)


def check_relationship_property(ontology: Ontology, types: Iterable[str], name: str, span: Span) -> None:
    """Raise SemanticProblem (UnknownProperty) where no type that the relationship can be of declares it."""
    if ontology.open:
        return
    declared = {p for t in types for p in ontology.relationships[t].properties}
    if name not in declared:
        where = " or ".join(sorted(types))
        hint = did_you_mean(name, declared) if declared else "these relationships have no properties"
        raise _unknown("UnknownProperty", f"{where} has no property {name}", span, name, hint)


def _unknown(code: str, message: str, span: Span, name: str, hint: str) -> SemanticProblem:
    problem = SemanticProblem(code, message, span=span, hint=hint)
    problem.about = name
    return problem
