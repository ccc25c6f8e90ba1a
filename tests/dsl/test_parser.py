from __future__ import annotations

import json

import pytest
from lark import Lark

from lens_dsl import ast
from lens_dsl.ast import Arithmetic, Comparison, Literal, Logical, NodePattern, RelationshipPattern, Variable
from lens_dsl.errors import SyntaxProblem
from lens_dsl.parser import grammar, parse

A, B, C = Variable("a"), Variable("b"), Variable("c")


def projection(text: str) -> ast.Projection:
    clause = parse(text).parts[-1].clauses[-1]
    assert isinstance(clause, ast.Return)
    return clause.projection


def expression(text: str) -> ast.Expression:
    return projection(f"RETURN {text}").items[0].expression


def map_of(key: str, value: ast.Expression) -> ast.MapLiteral:
    return ast.MapLiteral(((key, value),))


AI = map_of("ai", map_of("wordcount", Literal(40)))


def path(text: str) -> ast.PathPattern:
    clause = parse(f"MATCH {text} RETURN 1").parts[0].clauses[0]
    assert isinstance(clause, ast.Match)
    return clause.patterns[0]


def test_the_grammar_has_no_conflict():
    Lark(
        grammar(),
        parser="lalr",
        lexer="contextual",
        strict=True,
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def test_conformance_queries_parse_unless_a_syntax_error_of_the_text_is_expected(shared):
    rejected: dict[str, tuple[str, str]] = {}
    cases = [
        json.loads(line) for line in (shared / "cases" / "tck_read.jsonl").read_text("utf-8").splitlines()
    ]
    for case in cases:
        try:
            parse(case["query"])
        except SyntaxProblem as error:
            expected = case.get("error") or {}
            named = (
                expected.get("detail", "no error") if expected.get("phase") == "compile time" else "no error"
            )
            rejected[case["id"]] = (error.code, named)
    assert {key: codes for key, codes in rejected.items() if codes[0] != codes[1]} == {}
    assert len(cases) - len(rejected) == 1813


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c", Arithmetic("+", A, Arithmetic("*", B, C))),
        ("a - b - c", Arithmetic("-", Arithmetic("-", A, B), C)),
        ("a ^ b ^ c", Arithmetic("^", Arithmetic("^", A, B), C)),
        ("a < b <= c", Comparison(A, (("<", B), ("<=", C)))),
        ("a OR b OR (c OR a)", Logical("OR", (A, B, C, A))),
        ("a AND b OR c", Logical("OR", (Logical("AND", (A, B)), C))),
        ("NOT a = b", ast.Not(Comparison(A, (("=", B),)))),
        ("a IN b IS NULL", ast.IsNull(ast.In(A, B), False)),
        ("a + b STARTS WITH c", ast.StringTest("STARTS WITH", Arithmetic("+", A, B), C)),
        ("a=~b", ast.StringTest("=~", A, B)),
        ("a:B:C", ast.HasLabels(A, ("B", "C"))),
        ("a.b[1][..2]", ast.Slice(ast.Index(ast.Property(A, "b"), Literal(1)), None, Literal(2))),
        ("a[1..3]", ast.Slice(A, Literal(1), Literal(3))),
        ("1--2", Arithmetic("-", Literal(1), Literal(-2))),
        ("a<-1", Comparison(A, (("<", Literal(-1)),))),
        ("(a)-(b)", Arithmetic("-", A, B)),
        ("-9223372036854775808", Literal(-(2**63))),
        ("-0x8000000000000000", Literal(-(2**63))),
        ("0x1f + 0o17", Arithmetic("+", Literal(31), Literal(15))),
        (".5e1", Literal(5.0)),
        (r"'\n\'\u00e9\U0001F600\uD83D\uDE00' + " + '"\'"', Arithmetic("+", Literal("\n'é😀😀"), Literal("'"))),
        ("$`a``b` + $1", Arithmetic("+", ast.Parameter("a`b"), ast.Parameter("1"))),
        ("count(*)", ast.Call("count", (), star=True)),
        ("collect(DISTINCT a)", ast.Call("collect", (A,), distinct=True)),
        ("CASE a WHEN b THEN c ELSE 1 END", ast.Case(A, ((B, C),), Literal(1))),
        ("CASE WHEN b THEN c END", ast.Case(None, ((B, C),), None)),
        ("[a IN b]", ast.ListComprehension("a", B, None, None)),
        ("[(a IN b)]", ast.ListLiteral((ast.In(A, B),))),
        ("[a IN b WHERE c | a]", ast.ListComprehension("a", B, C, A)),
        ("Any(a IN b WHERE c)", ast.Quantifier("any", "a", B, C)),
        ("reduce(a = 0, b IN c | a)", ast.Reduce("a", Literal(0), "b", C, A)),
        ("a {.x, .*}", ast.MapProjection(A, (("property", "x"), ("all",)))),
        ("a {y: 1, b}", ast.MapProjection(A, (("entry", "y", Literal(1)), ("variable", ast.Variable("b"))))),
        ("{null: null, `a b`: TRUE}", ast.MapLiteral((("null", Literal(None)), ("a b", Literal(True))))),
    ],
)  # fmt: skip
def test_expressions(text, tree):
    assert repr(expression(text)) == repr(tree)


def test_an_expression_in_parentheses_before_an_arrow_is_a_node():
    found = expression("(a:A|B {k: 1})-[:R*2]->()<--(b {k: 2})--({k: 3})")
    assert isinstance(found, ast.PatternPredicate)
    properties = [ast.MapLiteral((("k", Literal(n)),)) for n in (1, 2, 3)]
    assert found.pattern.elements == (
        NodePattern("a", (("A", "B"),), properties[0]),
        RelationshipPattern(None, ("R",), "out", (2, 2)),
        NodePattern(None),
        RelationshipPattern(None, (), "in"),
        NodePattern("b", (), properties[1]),
        RelationshipPattern(None),
        NodePattern(None, (), properties[2]),
    )


@pytest.mark.parametrize("left", ["[a]", "[a IN b]", "[1, a]", "a[b]", "a[1..b]", "{k: [a]}"])
def test_a_minus_after_a_closing_bracket_is_no_arrow(left):
    tree = expression(f"{left} - [c]")
    assert isinstance(tree, ast.Arithmetic)
    assert tree.operator == "-"


@pytest.mark.parametrize("text", ["[p = (a)-->(b) WHERE c | a]", "[ p=(a) - - > (b) WHERE c | a ]"])
def test_a_pattern_comprehension_may_name_its_path(text):
    elements = (NodePattern("a"), RelationshipPattern(None, (), "out"), NodePattern("b"))
    assert expression(text) == ast.PatternComprehension(ast.PathPattern("p", elements), C, A)


def test_exists_takes_a_pattern_or_a_query():
    short, full = expression("exists { (a) WHERE b }"), expression("EXISTS{ MATCH (a) RETURN a }")
    assert short == ast.Exists((ast.PathPattern(None, (NodePattern("a"),)),), B)
    assert isinstance(full, ast.Exists)
    assert isinstance(full.body, ast.Query)


@pytest.mark.parametrize(
    ("text", "relationship"),
    [
        ("-[r:A|:B*1..3 {k: 1}]->", RelationshipPattern("r", ("A", "B"), "out", (1, 3), map_of("k", Literal(1)))),
        ("<-[*]-", RelationshipPattern(None, (), "in", (None, None))),
        ("-[*..3]-", RelationshipPattern(None, (), "both", (None, 3))),
        ("-[*2..]-", RelationshipPattern(None, (), "both", (2, None))),
        ("<-[$p]->", RelationshipPattern(None, (), "both", None, ast.Parameter("p"))),
        ("-[{ai: {wordcount: 40}}]->", RelationshipPattern(None, (), "out", None, AI)),
        ("--", RelationshipPattern(None)),
        ("<-->", RelationshipPattern(None)),
    ],
)  # fmt: skip
def test_relationships(text, relationship):
    assert path(f"(a){text}(b)").elements[1] == relationship


def test_words_of_the_language_are_names_where_no_clause_can_stand():
    text = "MATCH (set:SET:Match {create: 1})-[call:CALL|IN]->(where) RETURN set.delete AS merge, use, load(limit)"
    assert parse(text).parts[0].clauses[1] == ast.Return(
        ast.Projection(
            (
                ast.Item(ast.Property(Variable("set"), "delete"), "merge"),
                ast.Item(Variable("use"), None),
                ast.Item(ast.Call("load", (Variable("limit"),)), None),
            )
        )
    )


def test_clauses_and_unions():
    query = parse(
        "OPTIONAL MATCH (a), (b) WHERE a UNWIND a AS b WITH DISTINCT a ORDER BY b DESC, c SKIP 1 LIMIT 2 WHERE c\n"
        "RETURN *, b AS c OFFSET $n // end\n UNION ALL RETURN 1 UNION /* * */ RETURN 2;"
    )
    assert query.union_all == (True, False)
    match, unwind, with_, return_ = query.parts[0].clauses
    assert isinstance(match, ast.Match)
    assert (match.optional, len(match.patterns), match.where) == (True, 2, A)
    assert unwind == ast.Unwind(A, "b")
    order = (ast.SortItem(B, True), ast.SortItem(C))
    inner = ast.Projection(
        (ast.Item(A, None),), distinct=True, order=order, skip=Literal(1), limit=Literal(2)
    )
    assert with_ == ast.With(inner, C)
    assert return_ == ast.Return(ast.Projection((ast.Item(B, "c"),), star=True, skip=ast.Parameter("n")))


def test_an_item_keeps_its_text_and_every_node_its_place():
    text = "MATCH (n)\nRETURN (n.a)  +\n 'é', count( * ) AS x"
    first, second = projection(text).items
    assert (first.text, second.text) == ("(n.a)  +\n 'é'", "count( * )")
    assert isinstance(first.expression, Arithmetic)
    right = first.expression.right.span
    assert (text[right.start : right.end], right.line, right.column) == ("'é'", 3, 2)
    assert text[second.span.start : second.span.end] == "count( * ) AS x"


def test_reading_a_usual_query(benchmark):
    text = (
        "MATCH (c:Case {id: $id})-[:INVOLVES]->(p:Party)<-[r:ABOUT|FOR*1..2]-(o) "
        "WHERE c.state = 'open' AND p.name STARTS WITH 'A' AND NOT o.kind IN ['x', 'y'] "
        "RETURN p.name AS name, count(*) AS n ORDER BY n DESC LIMIT 10"
    )
    assert len(benchmark(parse, text).parts) == 1
