"""The types of values: tests, and their names for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeGuard

from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Node, Path, Relationship, Value

_NAMES: Final[Mapping[type, str]] = {
    bool: "a Boolean",
    int: "an Integer",
    float: "a Float",
    str: "a String",
    list: "a List",
    dict: "a Map",
    Node: "a Node",
    Relationship: "a Relationship",
    Path: "a Path",
    **{kind: f"a {kind.__name__}" for kind in TEMPORAL},
}


def is_integer(value: Value) -> TypeGuard[int]:
    """Whether a value is an integer; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Value) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float; a boolean is neither."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TESTS: Final[Mapping[str, Callable[[Value], bool]]] = {
    "Any": lambda value: True,
    "Boolean": lambda value: isinstance(value, bool),
    "Integer": is_integer,
    "Float": lambda value: isinstance(value, float),
    "Number": is_number,
    "String": lambda value: isinstance(value, str),
    "List": lambda value: isinstance(value, list),
    "Map": lambda value: isinstance(value, Mapping),
    "Node": lambda value: isinstance(value, Node),
    "Relationship": lambda value: isinstance(value, Relationship),
    "Path": lambda value: isinstance(value, Path),
    **{kind.__name__: lambda value, kind=kind: isinstance(value, kind) for kind in TEMPORAL},  # type: ignore[misc]
}


def is_one_of(value: Value, types: Iterable[str]) -> bool:
    """Whether a value is of one of these types, called as in ``lens_dsl.functions``."""
    return any(_TESTS[name](value) for name in types)


def kind_of(value: Value) -> str:
    """The type of a value in words, for a message; never the value itself."""
    return "null" if value is None else _NAMES.get(type(value), f"a {type(value).__name__}")
