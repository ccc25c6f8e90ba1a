"""toString(), toInteger(), toFloat(), toBoolean(): null where a string does not read as what is asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Final

from lens_runtime.evaluation.arithmetic import LARGEST, SMALLEST
from lens_runtime.evaluation.text import to_text
from lens_runtime.graph import Value

_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,400}")
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def _to_integer(value: int | float | str) -> Value:
    number = _read_whole(value) if isinstance(value, str) else value
    if isinstance(number, float):
        number = int(number) if math.isfinite(number) else None
    return number if number is not None and SMALLEST <= number <= LARGEST else None


def _read_whole(text: str) -> int | float | None:
    """An integer exactly, anything else through a float."""
    digits = text.strip()
    return int(digits) if _INTEGER.fullmatch(digits) else _read_float(digits)


def _to_float(value: int | float | str) -> Value:
    return _read_float(value.strip()) if isinstance(value, str) else float(value)


def _read_float(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else _NOT_FINITE.get(text)


def _to_boolean(value: bool | str) -> Value:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower())


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "tostring": to_text,
    "tointeger": _to_integer,
    "tofloat": _to_float,
    "toboolean": _to_boolean,
}
