"""The functions of the language: what each takes. What they do stands in ``lens_runtime.evaluation``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name as it is spelled in docs, and how many arguments it takes (``most`` None: any number)."""

    name: str
    least: int
    most: int | None
    aggregate: bool = False


def _table(*signatures: Signature) -> dict[str, Signature]:
    return {signature.name.lower(): signature for signature in signatures}


FUNCTIONS: dict[str, Signature] = _table(
    *(Signature(name, 1, 1, aggregate=True) for name in ("count", "sum", "avg", "min", "max", "collect")),
    *(Signature(name, 1, 1) for name in ("id", "labels", "type", "properties", "keys")),
    *(Signature(name, 1, 1) for name in ("nodes", "relationships", "length", "startNode", "endNode")),
    *(Signature(name, 1, 1) for name in ("size", "head", "last", "toLower", "toUpper", "trim")),
    *(Signature(name, 1, 1) for name in ("toString", "toInteger", "toFloat", "toBoolean", "abs")),
    Signature("coalesce", 1, None),
    Signature("search", 2, 2),
)

# Functions of openCypher that this version knows and does not evaluate yet.
NOT_YET: frozenset[str] = frozenset(
    {
        *("stdev", "stdevp", "percentilecont", "percentiledisc", "exists", "reduce"),
        *("rand", "ceil", "floor", "round", "sign", "sqrt", "exp", "log", "log10", "e", "pi"),
        *("sin", "cos", "tan", "cot", "asin", "acos", "atan", "atan2", "degrees", "radians", "haversin"),
        *("left", "right", "ltrim", "rtrim", "replace", "reverse", "split", "substring", "tail", "range"),
        *("date", "datetime", "time", "localtime", "localdatetime", "duration", "timestamp", "elementid"),
        *("summarize", "synthesize", "holds", "relevant", "classify", "score", "themes", "cluster"),
        *("extract", "argmax", "tointegerornull", "tofloatornull", "tobooleanornull", "tostringornull"),
    }
)


def is_aggregate(name: str) -> bool:
    """Whether a call of this name is an aggregation."""
    signature = FUNCTIONS.get(name.lower())
    return signature is not None and signature.aggregate
