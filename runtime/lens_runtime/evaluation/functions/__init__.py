"""Calling the scalar functions: arguments checked against their signature, null in null out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lens_dsl.errors import EvaluationProblem
from lens_dsl.functions import FUNCTIONS
from lens_runtime.evaluation.functions import conversion, graph, lists, mathematics, strings
from lens_runtime.evaluation.kinds import is_one_of, kind_of
from lens_runtime.evaluation.patience import built, built_text
from lens_runtime.evaluation.temporal import creating, difference, truncation
from lens_runtime.graph import Value

_EVALUATED: Mapping[str, Callable[..., Value]] = {
    **graph.FUNCTIONS,
    **lists.FUNCTIONS,
    **strings.FUNCTIONS,
    **conversion.FUNCTIONS,
    **mathematics.FUNCTIONS,
    **creating.FUNCTIONS,
    **truncation.FUNCTIONS,
    **difference.FUNCTIONS,
}


def call(name: str, values: Sequence[Value], nodes: graph.Graph | None) -> Value:
    """The value of a function, by its name in lower case; EvaluationProblem where it does not take the values.

    ``nodes`` is where startNode() and endNode() look. Every function but coalesce() and exists() gives null
    where an argument is null.
    """
    if name == "coalesce":
        return next((value for value in values if value is not None), None)
    if name == "exists":
        return values[0] is not None
    if any(value is None for value in values):
        return None
    signature = FUNCTIONS[name]
    for position, value in enumerate(values):
        if not is_one_of(value, signature.takes_at(position)):
            raise EvaluationProblem(
                "InvalidArgumentValue", f"{signature.name}() cannot take {kind_of(value)}"
            )
    if name in graph.ENDS:
        return graph.end(name, values[0], nodes)
    found = _EVALUATED[name](*values)
    if isinstance(found, str):
        built_text(len(found))
    elif isinstance(found, (list, Mapping)):
        built(len(found))
    return found
