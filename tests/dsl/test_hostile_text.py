"""Whatever the text: a query or an error with a place in it, soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lens_dsl import ast
from lens_dsl.errors import QueryError, SyntaxProblem
from lens_dsl.formatter import format_query
from lens_dsl.parser import parse
from tests.dsl.strategies import whole_queries

GENEROUS = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
WORDS = [
    "MATCH",
    "RETURN",
    "WHERE",
    "exists{",
    "NOT",
    "n",
    "1",
    "9e9",
    "\\u",
    "é",
    "\n",
    "\0",
    "\u202e",
    "\ud800",
]
MARKS = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<-[",
    "]->",
    "--",
    "-->",
    "'",
    '"',
    "`",
    "/*",
    "//",
    "$",
    ":",
    "|",
    "..",
    "*",
]
PIECES = st.sampled_from(WORDS + MARKS)


def outcome(text: str) -> str:
    """The code of the error, or "read"; fails on anything else."""
    try:
        answer: ast.Query | QueryError = parse(text)
    except QueryError as error:
        answer = error
    if isinstance(answer, ast.Query):
        return "read"
    assert answer.span is not None
    assert 0 <= answer.span.start <= answer.span.end <= len(text)
    assert answer.code in str(answer)
    return answer.code


@GENEROUS
@given(st.text(st.characters(), max_size=60))
def test_any_text_is_answered(text):
    outcome(text)
    outcome(f"RETURN {text}")


@GENEROUS
@given(st.lists(PIECES, max_size=25))
def test_any_words_are_answered(pieces):
    outcome(" ".join(pieces))
    outcome("MATCH (n) WHERE " + "".join(pieces))


@GENEROUS
@given(whole_queries, st.data())
def test_a_mutilated_query_is_answered(query, data):
    text = format_query(query)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    outcome(text[:start] + data.draw(PIECES) + text[end:])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(
            "RETURN " + "(" * 500_000 + "1" + ")" * 500_000, "QueryTooLong", id="1 MB of parentheses"
        ),
        pytest.param("RETURN " + "[" * 9_000, "QueryTooDeep", id="deep lists"),
        pytest.param("RETURN " + " OR ".join("x" * 100_000), "QueryTooLong", id="100,000 terms of OR"),
        pytest.param("RETURN " + "," * 12_000, "QueryTooLong", id="many tokens"),
        pytest.param("RETURN " + "NOT " * 4_900 + "x", "QueryTooDeep", id="NOT NOT"),
        pytest.param("RETURN " + "+".join("1" * 4_900), "QueryTooDeep", id="a long sum"),
        pytest.param("RETURN " + "- " * 9_000 + "x", "UnexpectedSyntax", id="minus minus"),
        pytest.param("RETURN x" + ".x" * 4_900, "QueryTooDeep", id="a long property chain"),
        pytest.param("RETURN " + "x IN " * 3_900 + "x", "QueryTooDeep", id="IN IN"),
        pytest.param("RETURN " + "CASE WHEN " * 1_900, "UnexpectedSyntax", id="CASE CASE"),
        pytest.param("RETURN 'é' " + "/* " * 6_000, "UnexpectedSyntax", id="open comments"),
        pytest.param("RETURN " + " OR ".join("x" * 1_000), "read", id="1,000 terms of OR"),
        pytest.param("RETURN " + "[" * 90 + "]" * 90, "read", id="90 lists"),
    ],
)
def test_size_and_depth_are_bounded(text, code):
    outcome("RETURN 1")
    started = time.process_time()
    assert outcome(text) == code
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("RETURN 1\0", 8),
        ("RETURN '\0'", 8),
        ("RETURN '\ud800'", 8),
        ("RETURN x\u202ey", 8),
        ("RETURN 1 // \u202e", 12),
        ("RETURN `\u200b`", 8),
        ("\ufeffRETURN 1", 0),
    ],
)
def test_invisible_characters_are_refused_where_they_stand(text, at):
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert caught.value.code == "InvalidUnicodeCharacter"
    assert caught.value.span is not None
    assert caught.value.span.start == at


def test_a_string_may_hold_format_characters():
    assert outcome("RETURN 'a\u200db\u202e'") == "read"
