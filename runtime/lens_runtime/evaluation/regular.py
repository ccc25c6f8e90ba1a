"""``=~`` on a linear-time engine: RE2 never backtracks, so no pattern can make it slow."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import re2

from lens_dsl.errors import EvaluationProblem, OverBudget
from lens_runtime.evaluation.patience import tick

_LONGEST: Final = 2_000  # characters of a pattern
_MOST_STEPS: Final = 50_000_000  # instructions times characters: about half a second at worst
_STEPS_OF_A_TICK: Final = 100


def matches(text: str, pattern: str) -> bool:
    """Whether the whole text matches.

    Raises EvaluationProblem (InvalidRegularExpression) for what is no pattern, and OverBudget (ValueTooLarge)
    where deciding would take too long.
    """
    compiled = _compiled(pattern)
    steps = compiled.programsize * len(text)
    if steps > _MOST_STEPS:
        raise OverBudget(
            "ValueTooLarge",
            "the regular expression is too large for so long a text",
            hint="repeat less in it, or test a part of the text",
            phase="runtime",
        )
    tick(1 + steps // _STEPS_OF_A_TICK)
    return compiled.fullmatch(text) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    if len(pattern) > _LONGEST:
        raise _invalid(f"a regular expression has at most {_LONGEST:,} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else b""
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise _invalid(f"the regular expression cannot be read: {said}") from None


def _invalid(message: str) -> EvaluationProblem:
    return EvaluationProblem(
        "InvalidRegularExpression",
        message,
        type="ArgumentError",
        hint="the syntax is that of RE2, without look-around and back-references; the whole text has to match",
    )
