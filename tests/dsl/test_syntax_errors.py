from __future__ import annotations

import pytest

from lens_dsl.errors import SyntaxProblem
from lens_dsl.parser import parse


def problem(text: str) -> SyntaxProblem:
    with pytest.raises(SyntaxProblem) as caught:
        parse(text)
    assert caught.value.text == text
    return caught.value


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "SELECT * FROM x",
            "found 'SELECT', expected a clause such as MATCH, WITH or RETURN",
            "MATCH (n:Label)",
        ),
        ("RETURN a == 1", "found '=', expected an expression", "use = "),
        ("RETURN a != 1", "found '!'", "use <>"),
        ("RETURN a && b", "found '&'", "use AND"),
        ("RETURN a || b", "found '|'", "use OR"),
        ("MATCH (a Person) RETURN a", "found 'Person'", ":Person"),
        ("MATCH (a)-[r KNOWS]->(b) RETURN a", "found 'KNOWS'", ":KNOWS"),
        ('MATCH (a:"Person") RETURN a', 'found the string "Person", expected a name', "backticks"),
        ("MATCH (a)-->b RETURN a", "found '-'", "(a)-->(b)"),
        ("RETURN a-->(b)", "found '>'", "(a)-->(b)"),
        (
            "RETURN (1 + 2",
            "found the end of the query, expected ')'",
            "the '(' at line 1, column 8 is not closed",
        ),
        ("MATCH (a RETURN a", "found 'RETURN'", "the '(' at line 1, column 7 is not closed"),
        ("RETURN 1)", "found ')'", "no bracket for this ')'"),
        ("RETURN [1, ]", "found ']', expected an expression", "comma too many"),
        ("RETURN 'abc", "the string that begins here is not closed", "close it with '"),
        ("RETURN 1 /* a", "the comment that begins here is not closed", "*/"),
        ("MATCH (n) RETURN n SET n.x = 1", "found 'SET'", "only read"),
        ("RETURN 1; RETURN 2", "found 'RETURN', expected the end of the query", "one query at a time"),
        ("RETURN a NOT IN [1]", "found 'NOT'", "NOT x IN list"),
        ("MATCH (n) RETURN n GROUP BY n", "found 'GROUP'", "leave it out"),
        ("MATCH (n) WHERE n.a AND RETURN n", "found 'n'", "RETURN was read as a name"),
        ("MATCH (n) WHERE exists { MATCH (n) } RETURN n", "found '}'", "without MATCH"),
        ("RETURN all(x IN xs)", "all() takes a list and a condition", "all(x IN list WHERE condition)"),
        ("RETURN reduce(1)", "reduce() takes", "reduce(total = 0"),
        ("RETURN filter(x IN xs WHERE x)", "WHERE cannot stand in a call of filter()", "[x IN list"),
        ("RETURN [1 | 2]", "a comprehension begins with", "[x IN list"),
        ("RETURN [(a)-->(b) WHERE a]", "says what it collects", "|"),
        ("RETURN sum(*)", "'*' is no argument of sum()", "count(*)"),
        ("RETURN ((a))-->(b)", "no node pattern", "(name:Label"),
        ("RETURN (1)-->(b)", "no node pattern", "(name:Label"),
        ("RETURN (a {.b})-->(b)", "no node pattern", "(name:Label"),
        (r"RETURN '\d'", r"'\d' is not an escape", r"\\"),
    ],
)
def test_an_error_says_what_was_found_and_what_was_meant(text, message, hint):
    error = problem(text)
    assert error.code == "UnexpectedSyntax"
    assert message in error.message
    assert hint in (error.hint or "")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("RETURN 9223372036854775808", "IntegerOverflow", "9223372036854775808"),
        ("RETURN -9223372036854775809", "IntegerOverflow", "9223372036854775809"),
        ("RETURN - (9223372036854775808)", "IntegerOverflow", "9223372036854775808"),
        ("MATCH (a)-[*9223372036854775808]-() RETURN a", "IntegerOverflow", "9223372036854775808"),
        ("RETURN 1" + "0" * 5_000, "IntegerOverflow", "1" + "0" * 5_000),
        ("RETURN 1e999", "FloatingPointOverflow", "1e999"),
        ("RETURN 007", "InvalidNumberLiteral", "007"),
        ("RETURN 12ab", "InvalidNumberLiteral", "12ab"),
        ("RETURN 1.0f", "InvalidNumberLiteral", "1.0f"),
        (r"RETURN '\uD800'", "InvalidUnicodeLiteral", r"'\uD800'"),
        (r"RETURN '\u12G4'", "InvalidUnicodeLiteral", r"'\u12G4'"),
        (r"RETURN '\UFFFFFFFF'", "InvalidUnicodeLiteral", r"'\UFFFFFFFF'"),
        ("RETURN 42 — 41", "InvalidUnicodeCharacter", "—"),
        ("MATCH (a)-[:R*-2]->(b) RETURN a", "InvalidRelationshipPattern", "-"),
        ("MATCH (n)", "InvalidClauseComposition", ""),
        ("", "UnexpectedSyntax", ""),
    ],
)
def test_an_error_has_its_code_and_place(text, code, place):
    error = problem(text)
    assert error.span is not None
    assert (error.code, text[error.span.start : error.span.end]) == (code, place)


def test_a_place_has_its_line_and_a_caret():
    error = problem("MATCH (n)\nRETURN n.a,\n  !")
    assert error.span is not None
    assert (error.span.line, error.span.column) == (3, 3)
    assert "   3 |   !\n         ^" in str(error)
