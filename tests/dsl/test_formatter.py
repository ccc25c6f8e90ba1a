from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings

from lens_dsl import ast
from lens_dsl.errors import QueryError
from lens_dsl.formatter import format_expression, format_query
from lens_dsl.parser import parse
from tests.dsl.strategies import expressions, whole_queries

GENEROUS = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def expression(text: str) -> ast.Expression:
    clause = parse(f"RETURN {text}").parts[0].clauses[-1]
    assert isinstance(clause, ast.Return)
    return clause.projection.items[0].expression


@GENEROUS
@given(expressions)
def test_a_formatted_expression_reads_back_as_itself(written):
    text = format_expression(written)
    again = expression(text)
    assert again == written
    assert format_expression(again) == text


@GENEROUS
@given(whole_queries)
def test_a_formatted_query_reads_back_as_itself(query):
    text = format_query(query)
    again = parse(text)
    assert again == query
    assert format_query(again) == text


def test_every_conformance_query_survives_formatting(shared):
    formatted = 0
    for line in (shared / "cases" / "tck_read.jsonl").read_text("utf-8").splitlines():
        try:
            query = parse(json.loads(line)["query"])
        except QueryError:
            continue
        assert parse(format_query(query)) == query
        formatted += 1
    assert formatted > 1800


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c",
        "(a + b) * c",
        "a - (b - c)",
        "a ^ (b ^ c)",
        "a OR b AND NOT c",
        "(a OR b) AND c",
        "(a < b) < c",
        "a < b <= c",
        "NOT (a AND b)",
        "a.b[1][..2].c",
        "(-1).b",
        "-1 ^ 2",
        "-(-x)",
        "-(1)",
        "a * (b + c) - (-(d + e))",
        "a * (b + c) - ([1])",
        "[(x IN xs)]",
        "[x IN xs]",
        "reduce(a = (b OR c), x IN (d AND e) | x)",
        "`not`.`a b`",
        "`case`(1)",
        "{null: 1, `1`: 2}",
        "$`a b` + $1",
        "'it\\'s \\\\ \\u202E'",
        "exists { (`match`:A|B:C {k: $p})<-[r:R|S*..3 {x: 1}]-() WHERE r.x IS NOT NULL }",
        "exists { MATCH (n) RETURN DISTINCT *, n AS m ORDER BY m DESC SKIP 1 LIMIT 2 }",
        "n {.a, .*, b: 1, c}",
        "[p = (a)-->(b) WHERE p IS NULL | p]",
    ],
)
def test_well_formatted_text_stays_as_it_is(text):
    assert format_expression(expression(text)) == text


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("((a)) + ((b * c))", "a + b * c"),
        ("(a AND b) AND (c)", "a AND b AND c"),
        ("(a.b).c", "a.b.c"),
        ("'x' + \"y\"", "'x' + 'y'"),
        ("0x1F + 0o17", "31 + 15"),
    ],
)
def test_parentheses_and_spellings_that_say_nothing_go(written, formatted):
    assert format_expression(expression(written)) == formatted


def test_a_query_has_one_clause_a_line():
    text = "match (n:Case) where n.a=1 with n order by n.a skip 1 limit 2 return n.a as a union all return 1 as a"
    assert format_query(parse(text)).splitlines() == [
        "MATCH (n:Case)",
        "WHERE n.a = 1",
        "WITH n",
        "ORDER BY n.a",
        "SKIP 1",
        "LIMIT 2",
        "RETURN n.a AS a",
        "UNION ALL",
        "RETURN 1 AS a",
    ]


def test_a_float_that_no_text_writes_is_refused():
    with pytest.raises(ValueError, match="parameter"):
        format_expression(ast.Literal(float("inf")))
