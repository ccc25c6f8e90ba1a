"""Values as text: toString(), and strings joined with numbers."""

from __future__ import annotations

import math

from lens_runtime.evaluation.temporal.text import iso_text
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Value


def to_text(value: Value) -> str:
    """A number, boolean, string or temporal value as openCypher writes it; a float keeps its point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    return iso_text(value) if isinstance(value, TEMPORAL) else str(value)


def float_text(value: float) -> str:
    """The shortest text that reads back as the same float: ``1.0``, ``1.0E10``, ``NaN``, ``-Infinity``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        plain = f"{value!r}"
        return plain if "e" not in plain else f"{value:f}"
    digits, _, exponent = f"{value!r}".partition("e")
    if not exponent:
        digits, _, exponent = _scientific(value)
    mantissa = digits if "." in digits else digits + ".0"
    return f"{mantissa}E{int(exponent)}"


def _scientific(value: float) -> tuple[str, str, str]:
    for precision in range(17):
        text = f"{value:.{precision}e}"
        if float(text) == value:
            break
    return text.partition("e")
