"""What steers the meaning is for one query alone; ``fresh`` makes the canonical node anew."""

from __future__ import annotations

import pytest

from lens_dsl.errors import EvaluationProblem
from tests.aggregation.shelf import Shelf, outcomes, steered

STEERINGS = {
    "hint": "ai: {hint: 'what is newest'}",
    "voice": "ai: {voice: 'brisk'}",
    "realm": "realm: {era: 'the 1970s'}",
    "model": "ai: {model: 'small'}",
}


@pytest.mark.promise("P100", "P101", "P102", "P103", "P104", "P105")
@pytest.mark.parametrize("name", STEERINGS)
def test_a_steered_leaf_is_made_fresh_and_never_kept(shelf: Shelf, name: str) -> None:
    plain = shelf.ask()
    kept = shelf.committed()
    first, second = shelf.ask(steered(STEERINGS[name])), shelf.ask(steered(STEERINGS[name]))
    assert outcomes(first) == outcomes(second) == ["transient"]
    assert first.rows[0][0] != second.rows[0][0] != plain.rows[0][0]
    assert not first.aggregates[0].kept
    assert shelf.committed() == kept
    again = shelf.ask()
    assert (again.rows, again.usage.model_calls) == (plain.rows, 0)


@pytest.mark.promise("P104")
def test_a_steered_query_does_not_read_what_is_kept(shelf: Shelf) -> None:
    shelf.ask()
    assert shelf.ask().usage.statements == 3
    assert shelf.ask(steered(STEERINGS["hint"])).usage.statements == 2


@pytest.mark.promise("P106")
def test_transient_ids_differ_from_each_other_and_from_the_canonical_one(shelf: Shelf) -> None:
    texts = [*STEERINGS.values(), "ai: {hint: 'another'}", "ai: {wordcount: 40, hint: 'another'}"]
    ids = [shelf.ask(steered(text)).rows[0][1] for text in texts]
    assert len({*ids, shelf.ask().rows[0][1]}) == len(texts) + 1
    assert shelf.ask(steered(texts[0])).rows[0][1] == ids[0]


def test_what_steers_reaches_the_reducer(shelf: Shelf) -> None:
    shelf.ask(steered("ai: {hint: $hint, voice: 'brisk'}, realm: {era: 'the 1970s'}"), hint="the newest")
    (request,) = shelf.reducer.requests
    assert request.hint == "the newest"
    assert request.instruction.splitlines() == [
        "Summarize this document faithfully.",
        "Write about 200 words.",
        "era: the 1970s",
        "Attend to this: the newest",
        "Write in this voice: brisk",
    ]


@pytest.mark.promise("P107", "P108")
def test_fresh_makes_the_canonical_node_anew(shelf: Shelf) -> None:
    first = shelf.ask()
    fresh = shelf.ask(steered("ai: {fresh: true}"))
    assert outcomes(fresh) == ["generated"]
    assert fresh.rows[0] == ("#2 alpha beta | gamma", first.rows[0][1])
    repeat = shelf.ask()
    assert (repeat.rows, outcomes(repeat)) == (fresh.rows, ["hit"])


@pytest.mark.promise("P109")
def test_fresh_with_steering_stays_transient(shelf: Shelf) -> None:
    plain = shelf.ask()
    assert outcomes(shelf.ask(steered("ai: {fresh: true, hint: 'x'}"))) == ["transient"]
    assert shelf.ask().rows == plain.rows


def test_what_is_null_or_empty_does_not_steer(shelf: Shelf) -> None:
    shelf.ask()
    text = steered("ai: {hint: $none, voice: '', wordcount: null, fresh: false}, realm: {era: null}")
    assert outcomes(shelf.ask(text, none=None)) == ["hit"]


@pytest.mark.parametrize(
    ("directives", "message"),
    [
        ("ai: {hint: 3}", "hint takes a text"),
        ("ai: {fresh: 'yes'}", "fresh takes true or false"),
        ("ai: {model: 'smal'}", "there is no role smal"),
        ("realm: {era: [1]}", "realm.era takes a text"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_place(
    shelf: Shelf, directives: str, message: str
) -> None:
    with pytest.raises(EvaluationProblem, match=message) as raised:
        shelf.ask(steered(directives))
    assert raised.value.code == "InvalidDirectiveValue"
    assert raised.value.span is not None
