"""Lengths are kept in bands: each its own node, and the raw request never counts."""

from __future__ import annotations

import pytest

from lens_dsl.errors import EvaluationProblem
from lens_runtime.aggregation.bands import GIST, LONG, STANDARD, band_of
from tests.aggregation.shelf import Shelf, outcomes, steered


@pytest.mark.promise("P94")
@pytest.mark.parametrize(
    ("words", "band"),
    [
        *((words, GIST) for words in (1, 40, 119)),
        *((words, STANDARD) for words in (120, 200, 399)),
        *((words, LONG) for words in (400, 600, 9_000)),
    ],
)
def test_a_request_goes_to_the_nearest_band(words, band):
    assert band_of(words) == band


@pytest.mark.promise("P95", "P96", "P98")
def test_a_nearby_request_is_a_hit_on_the_standard_node(shelf: Shelf) -> None:
    plain = shelf.ask()
    for words in (230, 250):
        result = shelf.ask(steered("ai: {wordcount: $n}"), n=words)
        assert (result.rows, outcomes(result)) == (plain.rows, ["hit"])
        assert result.aggregates[0].fingerprint == plain.aggregates[0].fingerprint
    assert shelf.reducer.requests[0].instruction.endswith("Write about 200 words.")
    assert shelf.reducer.requests[0].words == 200


@pytest.mark.promise("P97", "P99")
def test_each_band_is_a_node_of_its_own_and_checked_by_itself(shelf: Shelf) -> None:
    standard = shelf.ask()
    gist = shelf.ask(steered("ai: {wordcount: 40}"))
    assert outcomes(gist) == ["generated"]
    assert gist.rows[0][1] != standard.rows[0][1]
    assert shelf.ask().rows == standard.rows
    assert len(shelf.committed()) == 2
    shelf.edit("d0-0", text="changed")
    assert outcomes(shelf.ask(steered("ai: {wordcount: 40}"))) == ["generated"]
    assert outcomes(shelf.ask()) == ["generated"]
    assert outcomes(shelf.ask(steered("ai: {wordcount: 40}"))) == ["hit"]


@pytest.mark.parametrize("words", ["0", "-3", "1.5", "'many'", "true"])
def test_a_wordcount_is_a_positive_whole_number(shelf: Shelf, words: str) -> None:
    with pytest.raises(EvaluationProblem, match=r"InvalidDirectiveValue.*wordcount") as raised:
        shelf.ask(steered(f"ai: {{wordcount: {words}}}"))
    assert raised.value.span is not None
    assert shelf.reducer.requests == []
