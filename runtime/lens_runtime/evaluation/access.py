"""Reaching into a value: ``x.name``, ``x[index]``, ``x[from..to]``."""

from __future__ import annotations

from collections.abc import Mapping

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import is_integer, kind_of
from lens_runtime.evaluation.patience import built
from lens_runtime.evaluation.temporal.components import component_of
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Node, Relationship, Value


def property_of(subject: Value, name: str) -> Value:
    """The property of a node, relationship or map, the component of a temporal value; null where there is none."""
    if subject is None:
        return None
    if isinstance(subject, (Node, Relationship)):
        return subject.properties.get(name)
    if isinstance(subject, Mapping):
        return subject.get(name)
    if isinstance(subject, TEMPORAL):
        return component_of(subject, name)
    raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no properties")


def properties_of(subject: Value) -> dict[str, Value]:
    """The properties that are not null of a node or relationship; a map as it is."""
    if isinstance(subject, (Node, Relationship)):
        return {key: item for key, item in subject.properties.items() if item is not None}
    if isinstance(subject, Mapping):
        return dict(subject)
    raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no properties")


def element_of(subject: Value, index: Value) -> Value:
    """The element of a list, counted from the end where negative, or the property that ``index`` names."""
    if subject is None or index is None:
        return None
    if isinstance(subject, list):
        if not is_integer(index):
            raise EvaluationProblem("InvalidArgumentType", f"a list has no element {kind_of(index)}")
        return subject[index] if -len(subject) <= index < len(subject) else None
    if isinstance(subject, (Mapping, Node, Relationship, *TEMPORAL)):
        if not isinstance(index, str):
            raise EvaluationProblem(
                "MapElementAccessByNonString", f"a property is named by a String, not {kind_of(index)}"
            )
        return property_of(subject, index)
    raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no elements")


def slice_of(subject: Value, start: Value, end: Value) -> Value:
    """The elements from ``start`` up to and without ``end``; null where one of the three is null."""
    begin, stop = _bound(start), _bound(end)
    if subject is None or begin is None or stop is None:
        return None
    if not isinstance(subject, list):
        raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no slices")
    found = subject[begin:stop]
    built(len(found))
    return found


def _bound(value: Value) -> int | None:
    if value is None or is_integer(value):
        return value
    raise EvaluationProblem("InvalidArgumentType", f"a slice is bounded by an Integer, not {kind_of(value)}")
