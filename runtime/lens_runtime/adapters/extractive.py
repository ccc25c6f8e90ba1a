"""The built-in reducer: picks the sentences that say most (lede: TF-IDF and position), offline and always the same.

It writes nothing of its own, so it follows neither voice nor instruction; a hint draws it to sentences that share a
word with it.
"""

from __future__ import annotations

import re
from importlib.metadata import version

import lede

from lens_dsl.errors import ReducerError
from lens_runtime.ports import Deadline, NoAnswer, Reduced, ReductionRequest

FUNCTIONS = ("summarize", "synthesize")
CHARACTERS_A_WORD = 6  # of English prose, the space included
SHORTEST_HINT = 4  # characters: shorter words say little of what is asked

_WORD = re.compile(r"\w+")


class ExtractiveReducer:
    """Reduces prose to its own sentences. NoAnswer where no item shares a word with the hint."""

    def __init__(self) -> None:
        self._model = f"lede {version('lede')}"

    def reduce(self, request: ReductionRequest, deadline: Deadline) -> Reduced | NoAnswer:
        """Sentences of the items in their order, about as many words as asked for."""
        if request.function not in FUNCTIONS:
            raise ReducerError(
                "UnsupportedFunction",
                f"the extractive reducer cannot {request.function}; it can {' and '.join(FUNCTIONS)}",
                hint="give the role a reducer that can",
            )
        deadline.check()
        text = "\n\n".join(request.items)
        hints = _hints(request.hint or "", text)
        if request.hint and not hints:
            return NoAnswer(self._model)
        try:
            length = request.words * CHARACTERS_A_WORD
            summary = lede.summarize(text, length, hints=hints or None, hint_focus=1.0).summary
        except (ValueError, ArithmeticError, LookupError, RecursionError) as problem:
            raise ReducerError("ReductionFailed", f"lede failed: {type(problem).__name__}") from problem
        return Reduced(summary.strip(), self._model) if summary.strip() else NoAnswer(self._model)


def _hints(hint: str, text: str) -> list[str]:
    """The telling words of a hint that the text holds."""
    held = {word.lower() for word in _WORD.findall(text)}
    wanted = dict.fromkeys(word.lower() for word in _WORD.findall(hint))
    return [word for word in wanted if len(word) >= SHORTEST_HINT and word in held]
