"""The scalar functions: one Python function each, null in null out unless said otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Protocol

from lens_dsl.errors import EvaluationProblem
from lens_dsl.words import words, words_sought
from lens_runtime.evaluation.arithmetic import LARGEST, SMALLEST, checked, is_number, kind_of
from lens_runtime.evaluation.text import to_text
from lens_runtime.graph import Node, Path, Relationship, Value


class Graph(Protocol):
    """What startNode() and endNode() need to know."""

    def node(self, node_id: str) -> Node | None:
        """The authorized node of that id; None where there is none."""


Function = Callable[..., Value]


def identity(value: Value) -> Value:
    """``id(x)``: the text id of a node or relationship; stable, and not a number that could be counted."""
    if isinstance(value, (Node, Relationship)):
        return value.id
    raise _wrong("id", value)


def labels(value: Value) -> Value:
    """``labels(n)``: the names of its kinds."""
    if isinstance(value, Node):
        return list(value.labels)
    raise _wrong("labels", value)


def relationship_type(value: Value) -> Value:
    """``type(r)``: the stored name."""
    if isinstance(value, Relationship):
        return value.type
    raise _wrong("type", value)


def properties(value: Value) -> Value:
    """``properties(x)``: a map of them."""
    if isinstance(value, (Node, Relationship)):
        return {key: item for key, item in value.properties.items() if item is not None}
    if isinstance(value, Mapping):
        return dict(value)
    raise _wrong("properties", value)


def keys(value: Value) -> Value:
    """``keys(x)``: the names of the properties that are not null."""
    if isinstance(value, (Node, Relationship)):
        return [key for key, item in value.properties.items() if item is not None]
    if isinstance(value, Mapping):
        return list(value)
    raise _wrong("keys", value)


def nodes(value: Value) -> Value:
    """``nodes(p)``, in order."""
    if isinstance(value, Path):
        return list(value.nodes)
    raise _wrong("nodes", value)


def relationships(value: Value) -> Value:
    """``relationships(p)``, in order."""
    if isinstance(value, Path):
        return list(value.relationships)
    raise _wrong("relationships", value)


def length(value: Value) -> Value:
    """``length(p)``: how many relationships."""
    if isinstance(value, Path):
        return len(value.relationships)
    raise _wrong("length", value)


def search(value: Value, text: Value) -> Value:
    """``search(n, text)``: whether the record's label and summary, as its module gives them, have all its words.

    Case and accents make no difference; a text without a word is found nowhere.
    """
    if text is None:
        return None
    if not isinstance(value, Node) or not isinstance(text, str):
        raise _wrong("search", text if isinstance(value, Node) else value)
    sought = words_sought(text)
    return bool(sought) and set(sought) <= set(words(f"{value.label} {value.summary or ''}"))


def size(value: Value) -> Value:
    """``size(x)``: elements of a list, characters of a string."""
    if isinstance(value, (str, list)):
        return len(value)
    raise _wrong("size", value)


def head(value: Value) -> Value:
    """``head(list)``; null of an empty one."""
    if isinstance(value, list):
        return value[0] if value else None
    raise _wrong("head", value)


def last(value: Value) -> Value:
    """``last(list)``; null of an empty one."""
    if isinstance(value, list):
        return value[-1] if value else None
    raise _wrong("last", value)


def lower(value: Value) -> Value:
    """``toLower(s)``, of all of Unicode."""
    if isinstance(value, str):
        return value.lower()
    raise _wrong("toLower", value)


def upper(value: Value) -> Value:
    """``toUpper(s)``, of all of Unicode."""
    if isinstance(value, str):
        return value.upper()
    raise _wrong("toUpper", value)


def trim(value: Value) -> Value:
    """``trim(s)``: without white space at both ends."""
    if isinstance(value, str):
        return value.strip()
    raise _wrong("trim", value)


def to_string(value: Value) -> Value:
    """``toString(x)`` of a string, number or Boolean."""
    if isinstance(value, (str, int, float)):
        return to_text(value)
    raise _wrong("toString", value)


def to_integer(value: Value) -> Value:
    """``toInteger(x)``: truncated; null where a string is no number or it does not fit 64 bits."""
    if isinstance(value, bool):
        raise _wrong("toInteger", value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return _truncate(value)
    if isinstance(value, str):
        return _read_integer(value)
    raise _wrong("toInteger", value)


def _truncate(value: float) -> Value:
    return int(value) if math.isfinite(value) and SMALLEST <= value <= LARGEST else None


def _read_integer(text: str) -> Value:
    number = _read_number(text)
    if isinstance(number, int):
        return number if SMALLEST <= number <= LARGEST else None
    return None if number is None else _truncate(number)


def _read_number(text: str) -> int | float | None:
    if not re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text, re.ASCII):
        return {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(text.strip())
    for reader in (int, float):
        try:
            return reader(text)
        except ValueError:
            continue
    return None


def to_float(value: Value) -> Value:
    """``toFloat(x)``; null where a string is no number."""
    if isinstance(value, str):
        number = _read_number(value)
        return None if number is None else float(number)
    if is_number(value):
        return float(value)  # type: ignore[arg-type]
    raise _wrong("toFloat", value)


def to_boolean(value: Value) -> Value:
    """``toBoolean(x)``; null where a string is neither ``true`` nor ``false``."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    raise _wrong("toBoolean", value)


def absolute(value: Value) -> Value:
    """``abs(x)``."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return checked(abs(value)) if isinstance(value, int) else abs(value)
    raise _wrong("abs", value)


def coalesce(*values: Value) -> Value:
    """The first value that is not null."""
    return next((value for value in values if value is not None), None)


def _wrong(name: str, value: Value) -> EvaluationProblem:
    return EvaluationProblem("InvalidArgumentValue", f"{name}() cannot take {kind_of(value)}")


# Every function but coalesce gives null for null; startNode and endNode need the graph (expressions.py).
FUNCTIONS: dict[str, Function] = {
    "id": identity,
    "labels": labels,
    "type": relationship_type,
    "properties": properties,
    "keys": keys,
    "nodes": nodes,
    "relationships": relationships,
    "length": length,
    "search": search,
    "size": size,
    "head": head,
    "last": last,
    "tolower": lower,
    "toupper": upper,
    "trim": trim,
    "tostring": to_string,
    "tointeger": to_integer,
    "tofloat": to_float,
    "toboolean": to_boolean,
    "abs": absolute,
}
