"""openCypher that this language does not speak, refused by its name and with a way out.

A word is refused only where the clause or function of that name could stand: everywhere else it is a name.
"""

from __future__ import annotations

import re
from typing import Final

from lens_dsl.errors import QueryError, Span, UnsupportedFeature
from lens_dsl.parsing.builder.comprehensions import shortest_path
from lens_dsl.parsing.failure import Failure
from lens_dsl.parsing.limits import span_at

WRITE_CLAUSES: Final = frozenset(
    {"CREATE", "MERGE", "SET", "DELETE", "DETACH", "NODETACH", "REMOVE", "FOREACH", "INSERT", "DROP"}
)
_READ_ONLY: Final = "queries only read; change a record through its own module"
_CLAUSES: Final = {
    "CALL": "match the graph with MATCH instead: procedures and subqueries in CALL are not part of the language",
    "LOAD": "pass the rows as a parameter and use UNWIND $rows AS row",
    "USE": "leave USE out: the session chooses the world",
    "EXPLAIN": "leave it out: the session shows the plan of a query",
    "PROFILE": "leave it out: the session shows what a query read",
    "SHOW": "the session lists kinds, relationship types and lenses",
    "FILTER": "write WITH * WHERE condition",
    "LET": "write WITH *, expression AS name",
    "FOR": "write UNWIND list AS name",
    "FINISH": "end the query with RETURN",
}
_PATH_SEARCH: Final = frozenset({"SHORTESTPATH", "ALLSHORTESTPATHS", "SHORTEST"})
_PATH_SELECTORS: Final = frozenset({"SHORTEST", "ALL", "ANY"})
_SUBQUERIES: Final = {
    "COUNT": "match the pattern and use WITH .., count(*) AS n, or size([(a)-->(b) | 1])",
    "COLLECT": "use a pattern comprehension [(a)-->(b) | b], or WITH .., collect(b) AS bs",
}
_QUANTIFIED_ARROW: Final = re.compile(r"<?\s*-\s*-\s*>?\s*[+*{]")
_LABEL_SYMBOLS: Final = frozenset("&!%($")


def refuse(failure: Failure) -> QueryError | None:
    """The refusal by name of what stands at the place, if it is something known."""
    for rule in (
        _clause,
        _clause_in_exists,
        _path_search,
        _quantified_path,
        _label_expression,
        _inline_where,
        _subquery,
        _namespaced_function,
        _case_values,
        _type_test,
    ):
        if refusal := rule(failure):
            return refusal
    return None


def _clause(failure: Failure) -> QueryError | None:
    if failure.at_clause:
        return _refused_clause(failure.word, failure.next(), failure.span)
    return None


def _clause_in_exists(failure: Failure) -> QueryError | None:
    """``exists { CREATE (n) }``: the word was read as the name of a path."""
    if failure.accepts == {"EQUAL"} and failure.previous(2) == "{" and failure.previous(3) == "EXISTS":
        return _refused_clause(failure.previous(), failure.word, failure.span_of(failure.before[-1]))
    return None


def _refused_clause(word: str, following: str, span: Span) -> QueryError | None:
    if word in WRITE_CLAUSES:
        name = f"{word} {following}" if word.endswith("DETACH") and following == "DELETE" else word
        return UnsupportedFeature("ReadOnly", f"{name} changes data", span=span, hint=_READ_ONLY)
    if word in _CLAUSES:
        name = "LOAD CSV" if word == "LOAD" else word
        return _unsupported(f"the clause {name} is not supported", span, _CLAUSES[word])
    return None


def _path_search(failure: Failure) -> QueryError | None:
    if failure.accepts == {"LPAR"} and failure.word in _PATH_SEARCH | _PATH_SELECTORS:
        return shortest_path(failure.found.text if failure.found else "", failure.span)
    if failure.accepts != {"EQUAL"}:
        return None
    selected = failure.previous() in _PATH_SELECTORS and failure.word not in ("(", "")
    if selected or (failure.previous() in _PATH_SEARCH and failure.word == "("):
        name = failure.before[-1]
        return shortest_path("a path selector" if selected else name.text, failure.span_of(name))
    return None


def _quantified_path(failure: Failure) -> QueryError | None:
    after_arrow = failure.accepts == {"LPAR"} and failure.word in ("+", "*", "{")
    nested = failure.word == "(" and failure.previous() == "(" and failure.in_pattern
    bare = failure.found and _QUANTIFIED_ARROW.match(failure.text, failure.found.start)
    if after_arrow or nested or (bare and "REL_OPEN" in failure.accepts):
        return _unsupported(
            "quantified path patterns are not supported",
            failure.span,
            "repeat a relationship inside its brackets: (a)-[:TYPE*1..3]->(b)",
        )
    return None


def _label_expression(failure: Failure) -> QueryError | None:
    symbol = failure.word
    if symbol not in _LABEL_SYMBOLS or failure.next() == symbol:
        return None
    after_label = symbol == "&" and failure.previous(2) in (":", "|")
    if failure.previous() not in (":", "|") and not after_label:
        return None
    if not failure.accepts & {"COLON", "BAR"} and not failure.accepts <= {"NAME", "QUOTED_NAME", "COLON"}:
        return None
    return _unsupported(
        f"'{symbol}' in a label or type is not supported",
        failure.span,
        "write :A:B for both labels, :A|B for either, and WHERE NOT n:A for neither",
    )


def _inline_where(failure: Failure) -> QueryError | None:
    if failure.word == "WHERE" and failure.in_pattern:
        return _unsupported(
            "WHERE inside a node or relationship is not supported",
            failure.span,
            "put the condition in the WHERE after the whole pattern",
        )
    return None


def _subquery(failure: Failure) -> QueryError | None:
    """``count { (a)-->() }`` begins as a map projection of a variable called count."""
    for back in (1, 2):
        name = failure.previous(back + 1)
        if failure.previous(back) == "{" and name in _SUBQUERIES and failure.word not in ("", "}"):
            span = failure.span_of(failure.before[-back - 1])
            return _unsupported(f"{name} {{ }} is not supported", span, _SUBQUERIES[name])
    return None


def _namespaced_function(failure: Failure) -> QueryError | None:
    if failure.word != "(" or failure.previous(2) != ".":
        return None
    first = len(failure.before) - 1
    while first >= 2 and failure.before[first - 1].text == ".":
        first -= 2
    start, end = failure.before[first].start, failure.before[-1].end
    name = "".join(lexeme.text for lexeme in failure.before[first:])
    return _unsupported(
        f"the function {name}() is not supported",
        span_at(failure.text, start, end),
        "only functions of dates and times have a point in their name, such as duration.between()",
    )


def _case_values(failure: Failure) -> QueryError | None:
    if failure.word != "," or "THEN" not in failure.accepts:
        return None
    return _unsupported(
        "several values in one WHEN are not supported",
        failure.span,
        "write a WHEN for each, or CASE WHEN x IN [1, 2] THEN .. END",
    )


def _type_test(failure: Failure) -> QueryError | None:
    if not failure.accepts <= {"NOT", "NULL"} or failure.word not in (":", "TYPED", "NORMALIZED"):
        return None
    return _unsupported(
        "IS goes with NULL alone: tests of a value's type or form are not supported",
        failure.span,
        "convert the value, as with toInteger(x), and test for null",
    )


def _unsupported(message: str, span: Span, hint: str) -> QueryError:
    return UnsupportedFeature("UnsupportedFeature", message, span=span, hint=hint)
