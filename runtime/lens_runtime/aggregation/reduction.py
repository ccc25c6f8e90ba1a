"""One reduction: a typed outcome of the reducer, a malformed reply tried once more, an error reported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lens_dsl.errors import ReducerError
from lens_runtime.ports import Deadline, NoAnswer, Reduced, Reducer, ReductionRequest

NO_ANSWER = "The provided items do not contain this information."
"""What a model is told to say, and nothing else, where the items do not hold the answer."""

ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Reply:
    """How a reduction ended: ``value`` is None but for an answer, ``reason`` says why it failed."""

    outcome: Literal["answer", "miss", "failed"]
    calls: int
    value: str | None = None
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    reason: str | None = None


def reduce_items(
    reducer: Reducer, request: ReductionRequest, deadline: Deadline, count: Callable[[], None]
) -> Reply:
    """The reply; ``count`` is called before every call of the reducer and may refuse it."""
    for attempt in range(1, ATTEMPTS + 1):
        count()
        try:
            answer = reducer.reduce(request, deadline)
        except ReducerError as problem:
            return Reply("failed", attempt, reason=f"{problem.code}: {problem.message}")
        spent = (answer.model, answer.tokens_in, answer.tokens_out)
        if _missed(answer):
            return Reply("miss", attempt, None, *spent)
        if isinstance(answer, Reduced) and answer.value.strip() and NO_ANSWER not in answer.value:
            return Reply("answer", attempt, answer.value, *spent)
    # An empty reply, or the sentence beside other prose, is neither an answer nor an honest miss.
    return Reply(
        "failed", ATTEMPTS, None, *spent, reason="MalformedReply: the reply was neither an answer nor a miss"
    )


def _missed(answer: Reduced | NoAnswer) -> bool:
    return isinstance(answer, NoAnswer) or answer.value.strip() == NO_ANSWER
