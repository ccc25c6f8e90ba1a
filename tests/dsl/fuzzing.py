"""What fuzzing asks of the way from text to plan; ``tests.dsl.fuzz`` runs it under a coverage-guided fuzzer."""

from __future__ import annotations

import time

from lens_dsl.budget import Budget
from lens_dsl.errors import LensError
from lens_dsl.formatter import format_query
from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_dsl.parser import parse
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate

# fmt: off
WORDS = (
    "MATCH ", "OPTIONAL MATCH ", "WHERE ", "WITH ", "RETURN ", "UNWIND ", "AS ", "ORDER BY ", "SKIP ",
    "LIMIT ", "UNION ", "UNION ALL ", "DISTINCT ", "AND ", "OR ", "XOR ", "NOT ", "IN ", "IS NULL ",
    "STARTS WITH ", "CONTAINS ", "=~ ", "CASE ", "WHEN ", "THEN ", "ELSE ", "END ", "exists { ", "all(",
    "any(", "reduce(", "count(*) ", "collect(", "size(", "labels(", "type(", "nodes(", "length(",
    "coalesce(", "search(", "n ", "m ", "r ", "p ", "x ", "n.id ", "n.x ", ":A ", ":B", ":R ", ":V ", "|B",
    "(n)", "(m:A {id: 1})", "(n:B)", "-[r:R]->", "<-[:R|S*1..2]-", "-[:V {ai: {hint: 'x'}}]->", "-->", "--",
    "(", ")", "[", "]", "{", "}", ", ", ".", "..", "|", "* ", "+ ", "- ", "/ ", "% ", "^ ", "= ", "<> ",
    "<= ", "1 ", "0 ", "-1 ", "1.5 ", "9223372036854775808 ", "null ", "true ", "'a' ", "$p ", "`a b` ",
    "id: ", "// ", "/* ", "*/ ", "\n", "; ", "é", "\u202e", "²",
)
# fmt: on
ONTOLOGIES = (
    Ontology(open=True),
    Ontology(
        {"A": Kind("A", "m", indexed=("x",)), "B": Kind("B", "m"), "L": Kind("L", "m")},
        {
            "r": RelationshipType("r", "m", ("A", "B"), ("A", "B")),
            "s": RelationshipType("s", "m", ("A",), ("B",)),
            "v": RelationshipType("v", "m", ("A",), ("L",), producer="made"),
        },
    ),
)
BUDGETS = (Budget(), Budget(allow_scan=True))
MOST_SECONDS = 5.0
"""Instrumented code on a busy machine is some times slower than the one second that is promised."""


def text_of(data: bytes) -> str:
    """A text from bytes: UTF-8 where the first of them is even, else a word for each."""
    if not data or data[0] % 2 == 0:
        return data[1:].decode("utf-8", "surrogatepass" if _is_text(data[1:]) else "replace")
    return "".join(WORDS[each % len(WORDS)] for each in data[1:])


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def check(data: bytes) -> None:
    """Fail where a text is neither planned nor refused as it should be."""
    text = text_of(data)
    started = time.process_time()
    try:
        query = parse(text)
    except LensError as error:
        refused(error, text)
        return
    assert parse(format_query(query)) == query
    for ontology in ONTOLOGIES:
        for budget in BUDGETS:
            try:
                plan_query(validate(query, ontology, text), ontology, budget)
            except LensError as error:
                refused(error, text)
    assert time.process_time() - started < MOST_SECONDS


def refused(error: LensError, text: str) -> None:
    """An error has its place in the text, and can be shown."""
    assert error.text == text
    assert error.span is not None
    assert 0 <= error.span.start <= error.span.end <= len(text)
    assert error.code in str(error)
