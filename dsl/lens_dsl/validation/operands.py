"""Whether operators and functions are given what they take, as far as that is sure from the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem
from lens_dsl.functions import FUNCTIONS, INSTANTS, NUMBERS, TEMPORAL
from lens_dsl.ontology import did_you_mean
from lens_dsl.validation.inference import type_names, type_of
from lens_dsl.validation.variables import AnyType, Environment, NodeType, ScalarType, VariableType, describe

_DURATION: Final = frozenset({"Duration"})
_TEXT: Final = NUMBERS | {"String"}
# What an operator computes from: the types of its two operands.
_COMPUTED: Final[Mapping[str, tuple[tuple[frozenset[str], frozenset[str]], ...]]] = {
    "+": ((_TEXT, _TEXT), (TEMPORAL, _DURATION), (_DURATION, TEMPORAL)),
    "-": ((NUMBERS, NUMBERS), (TEMPORAL, _DURATION)),
    "*": ((NUMBERS, NUMBERS), (_DURATION, NUMBERS), (NUMBERS, _DURATION)),
    "/": ((NUMBERS, NUMBERS), (_DURATION, NUMBERS)),
    "%": ((NUMBERS, NUMBERS),),
    "^": ((NUMBERS, NUMBERS),),
}


def check_operands(part: ast.Node, environment: Environment) -> None:
    """Raise SemanticProblem where an operator or a function surely cannot take what it is given."""
    check = _CHECKS.get(type(part))
    if check is not None:
        check(part, environment)


def check_condition(condition: ast.Expression, environment: Environment, word: str) -> None:
    """Raise SemanticProblem (InvalidArgumentType) where what ``word`` takes as a condition surely is none."""
    kind = type_of(condition, environment)
    if not isinstance(kind, AnyType) and kind != ScalarType("Boolean"):
        raise wrong_type(condition, f"{word} cannot take {describe(kind)}")


def wrong_type(part: ast.Node, message: str) -> SemanticProblem:
    """The error of what stands where something of its type cannot."""
    return SemanticProblem("InvalidArgumentType", message, span=part.span)


def _logical(part: ast.Logical, environment: Environment) -> None:
    for operand in part.operands:
        check_condition(operand, environment, part.operator)


def _not(part: ast.Not, environment: Environment) -> None:
    check_condition(part.operand, environment, "NOT")


def _labels(part: ast.HasLabels, environment: Environment) -> None:
    subject = type_of(part.subject, environment)
    if not isinstance(subject, (NodeType, AnyType)):
        raise wrong_type(part, f"{describe(subject)} has no labels")


def _in(part: ast.In, environment: Environment) -> None:
    kind = type_of(part.container, environment)
    if isinstance(kind, ScalarType) and kind.name != "List":
        raise wrong_type(part.container, f"IN takes a list, not {describe(kind)}")


def _unary(part: ast.Unary, environment: Environment) -> None:
    kind = type_of(part.operand, environment)
    if not _can_be(type_names(kind), NUMBERS):
        raise wrong_type(part, f"{part.operator} cannot take {describe(kind)}")


def _arithmetic(part: ast.Arithmetic, environment: Environment) -> None:
    left, right = type_of(part.left, environment), type_of(part.right, environment)
    if not _computes(part.operator, left, right):
        raise wrong_type(part, f"{part.operator} cannot take {describe(left)} and {describe(right)}")


def _computes(operator: str, left: VariableType, right: VariableType) -> bool:
    """Whether the operator may take these two."""
    one, other = type_names(left), type_names(right)
    if operator == "+" and {"Any", "List"} & (one | other):
        return True  # anything is added to a list
    return any(_can_be(one, a) and _can_be(other, b) for a, b in _COMPUTED[operator])


def _can_be(names: frozenset[str], wanted: frozenset[str]) -> bool:
    return "Any" in names or bool(names & wanted)


def _call(part: ast.Call, environment: Environment) -> None:
    signature = FUNCTIONS.get(part.name.lower())
    if signature is None:
        names = (known.name for known in FUNCTIONS.values())
        raise SemanticProblem(
            "UnknownFunction",
            f"no function is called {part.name}",
            span=part.span,
            hint=did_you_mean(part.name, names),
        )
    if part.distinct and not signature.aggregate:
        raise wrong_type(part, f"DISTINCT goes with an aggregation, not with {signature.name}()")
    if part.star:
        if signature.name == "count" and not part.distinct:
            return
        raise wrong_type(part, "only count() takes a *, and without DISTINCT")
    given = len(part.arguments)
    if given < signature.least or (signature.most is not None and given > signature.most):
        raise SemanticProblem(
            "InvalidNumberOfArguments",
            f"{signature.name}() takes {_how_many(signature.least, signature.most)}, not {given}",
            span=part.span,
            hint="a query has no clock: give what is now as a parameter"
            if signature.gives in INSTANTS
            else None,
        )
    for position, argument in enumerate(part.arguments):
        _check_argument(signature.name, argument, signature.takes_at(position), environment)


def _how_many(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more arguments"
    number = f"{least}" if least == most else f"{least} to {most}"
    return f"{number} argument{'' if number == '1' else 's'}"


def _check_argument(
    function: str, argument: ast.Expression, takes: frozenset[str], environment: Environment
) -> None:
    kind = type_of(argument, environment)
    if "Any" not in takes and not _can_be(type_names(kind), takes):
        raise wrong_type(argument, f"{function}() cannot take {describe(kind)}")


_CHECKS: Final[dict[type, Callable[[Any, Environment], None]]] = {
    ast.Logical: _logical,
    ast.Not: _not,
    ast.HasLabels: _labels,
    ast.In: _in,
    ast.Unary: _unary,
    ast.Arithmetic: _arithmetic,
    ast.Call: _call,
}
