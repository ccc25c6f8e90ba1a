"""Errors teach: every usual mistake is answered with its place, what was expected, and a way out."""

from __future__ import annotations

import pytest

from lens_dsl.errors import QueryError
from tests.conftest import ROOT
from tests.dsl.mistakes import ontology, planned, read, said
from tests.house.markdown import rows

MISTAKES = read()


@pytest.fixture(scope="module")
def vocabulary():
    return ontology()


def test_the_file_holds_many_mistakes():
    assert len({query for query, _ in MISTAKES}) == len(MISTAKES) >= 100


@pytest.mark.parametrize(("query", "answer"), MISTAKES, ids=[query[-40:] for query, _ in MISTAKES])
def test_a_mistake_is_answered_as_the_file_says(query, answer, vocabulary):
    outcome = planned(query, vocabulary)
    assert said(outcome) == answer
    assert answer
    if isinstance(outcome, QueryError):
        assert outcome.hint
        assert outcome.code in rows(ROOT / "docs" / "errors.md")
        if outcome.code != "MissingParameter":
            assert outcome.span is not None
            assert outcome.text is not None
            assert "^" in str(outcome)
            assert outcome.text.count("\n", 0, outcome.span.start) + 1 == outcome.span.line
