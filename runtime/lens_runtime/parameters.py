"""The values a caller binds to a query's parameters."""

from __future__ import annotations

from collections.abc import Mapping

from lens_dsl.errors import EvaluationProblem
from lens_dsl.ontology import did_you_mean
from lens_runtime.evaluation.arithmetic import LARGEST, SMALLEST
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Value


def check_parameters(needed: tuple[str, ...], given: Mapping[str, object]) -> dict[str, Value]:
    """The parameters as values of the language. EvaluationProblem for a missing or an impossible one."""
    for name in needed:
        if name not in given:
            raise EvaluationProblem(
                "MissingParameter",
                f"the parameter ${name} has no value",
                type="ParameterMissing",
                hint=did_you_mean(name, given) if given else f"bind it with --param {name}=VALUE",
            )
    return {name: _value(name, value) for name, value in given.items()}


def _value(name: str, value: object) -> Value:
    if value is None or isinstance(value, (bool, float, *TEMPORAL)):
        return value
    if isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise _impossible(name, "an integer that does not fit 64 bits")
        return value
    if isinstance(value, str):
        return _text(name, value)
    if isinstance(value, (list, tuple)):
        return [_value(name, item) for item in value]
    if isinstance(value, Mapping):
        return {_text(name, key): _value(name, item) for key, item in value.items()}
    raise _impossible(name, f"a Python {type(value).__name__}")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise _impossible(name, f"a map with a {type(value).__name__} for a key")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise _impossible(name, "a text with a NUL or half a surrogate pair")
    return value


def _impossible(name: str, what: str) -> EvaluationProblem:
    return EvaluationProblem(
        "InvalidParameterValue",
        f"the parameter ${name} holds {what}",
        hint="use null, Boolean, Integer, Float, String, List or Map",
    )
