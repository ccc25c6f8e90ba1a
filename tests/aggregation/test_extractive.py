"""The built-in reducer: offline, the same every time, and honest about what it cannot do."""

from __future__ import annotations

import pytest

from lens_dsl.errors import ReducerError
from lens_runtime.adapters.extractive import ExtractiveReducer
from lens_runtime.ports import NoAnswer, Reduced, ReductionRequest
from tests.worlds.building import Ample

ITEMS = (
    """The bicycle arrived with a broken front wheel. The customer sent two photographs of the wheel.
A replacement wheel was ordered on Monday.""",
    """The invoice was paid in April. The warranty covers the frame and the wheels for two years.
The customer asked for a call before delivery.""",
)
FOR_MODELS = ("holds", "relevant", "classify", "score", "themes", "cluster", "extract", "argmax")


def request(
    words: int = 200, function: str = "summarize", hint: str | None = None, items=ITEMS
) -> ReductionRequest:
    return ReductionRequest(function, "Summarize.", tuple(items), words, hint)


def reduce(asked: ReductionRequest) -> Reduced | NoAnswer:
    return ExtractiveReducer().reduce(asked, Ample())


def sentences(text: str) -> set[str]:
    return {part.strip(" .") for part in text.replace("\n", " ").split(". ") if part.strip()}


def test_it_picks_sentences_of_the_items_and_keeps_to_the_length():
    short, long = reduce(request(words=20)), reduce(request())
    assert isinstance(short, Reduced)
    assert isinstance(long, Reduced)
    assert sentences(short.value) < sentences(long.value) <= sentences(" ".join(ITEMS))
    assert len(short.value.split()) <= 30
    assert long.model.startswith("lede ")


def test_it_says_the_same_every_time():
    assert reduce(request(words=20)) == reduce(request(words=20))


def test_a_hint_draws_it_to_what_is_asked():
    plain, hinted = reduce(request(words=12)), reduce(request(words=12, hint="which warranty is there?"))
    assert isinstance(plain, Reduced)
    assert isinstance(hinted, Reduced)
    assert "warranty" in hinted.value
    assert "warranty" not in plain.value


@pytest.mark.promise("P110")
@pytest.mark.parametrize("asked", [request(hint="elephants in Kenya"), request(items=("", " "))])
def test_what_the_items_do_not_hold_is_no_answer(asked):
    assert isinstance(reduce(asked), NoAnswer)


@pytest.mark.parametrize("function", FOR_MODELS)
def test_what_it_cannot_do_is_an_error(function):
    with pytest.raises(ReducerError, match=f"UnsupportedFunction.*cannot {function}"):
        reduce(request(function=function))
