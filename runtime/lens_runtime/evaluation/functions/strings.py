"""Functions of strings. Positions and lengths count characters, and begin at 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.patience import check_size
from lens_runtime.graph import Value


def _left(text: str, length: int) -> Value:
    return text[: _not_negative("left", length)]


def _right(text: str, length: int) -> Value:
    return text[max(0, len(text) - _not_negative("right", length)) :]


def _substring(text: str, start: int, length: int | None = None) -> Value:
    begin = _not_negative("substring", start)
    return text[begin:] if length is None else text[begin : begin + _not_negative("substring", length)]


def _not_negative(name: str, number: int) -> int:
    if number < 0:
        raise EvaluationProblem(
            "NumberOutOfRange", f"{name}() takes no negative number", type="ArgumentError"
        )
    return number


def _replace(text: str, search: str, replacement: str) -> Value:
    check_size(len(text) + text.count(search) * (len(replacement) - len(search)))
    return text.replace(search, replacement)


def _split(text: str, delimiter: str) -> Value:
    return text.split(delimiter) if delimiter else list(text) or [""]


def _lower(text: str) -> Value:
    return text.lower()


def _upper(text: str) -> Value:
    return text.upper()


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "tolower": _lower,
    "toupper": _upper,
    "trim": str.strip,
    "ltrim": str.lstrip,
    "rtrim": str.rstrip,
    "left": _left,
    "right": _right,
    "substring": _substring,
    "replace": _replace,
    "split": _split,
}
