"""Clauses and words as SQL and other languages write them, and what to write here."""

from __future__ import annotations

from typing import Final

from lens_dsl.parsing.failure import Failure
from lens_dsl.parsing.refusals import WRITE_CLAUSES

_WORDS: Final = {
    "SELECT": "a query begins with MATCH (n:Label) and ends with RETURN n.property",
    "FROM": "name what to read with MATCH (n:Label) at the beginning; RETURN comes last",
    "JOIN": "connect nodes with a relationship: (a:A)-[:TYPE]->(b:B)",
    "GROUP": "leave it out: rows are grouped by the items of RETURN or WITH that do not aggregate",
    "HAVING": "write WITH .., count(*) AS n WHERE n > 1",
    "LIKE": "use CONTAINS, STARTS WITH, ENDS WITH or =~",
    "ILIKE": "use toLower(x) CONTAINS 'text'",
    "BETWEEN": "write low <= x AND x <= high",
    "INSERT": "queries only read",
    "UPDATE": "queries only read",
    "WHERE": "WHERE follows MATCH or WITH, once, before RETURN; join conditions by AND",
    "TOP": "write LIMIT n after RETURN",
    "IF": "choose with CASE WHEN condition THEN 1 ELSE 2 END",
    "DISTINCT": "DISTINCT follows RETURN or WITH, or stands in an aggregation: count(DISTINCT n.team)",
    "LAMBDA": "write [x IN list | expression]",
    "ELSEIF": "write another WHEN .. THEN ..",
    "MATCH": "after RETURN no clause may follow; pass values on with WITH",
    "RETURN": "a query has one RETURN, at its end; pass values on with WITH",
    "AS": "a name is given to an item of RETURN or WITH, and to the list of UNWIND",
}
_CLAUSE_WORDS: Final = frozenset({"MATCH", "OPTIONAL", "WHERE", "WITH", "UNWIND", "RETURN", "ORDER", "UNION"})
_ORDER: Final = "ORDER BY, SKIP and LIMIT follow RETURN or WITH, in this order"
_AFTER_ROWS: Final = frozenset({"ORDER", "SKIP", "OFFSET", "LIMIT"})


def habit(failure: Failure) -> str | None:
    """A way out, where a clause or word stands as it stands elsewhere."""
    for rule in (_end, _rows, _test, _case, _word):
        if hint := rule(failure):
            return hint
    return None


def _end(failure: Failure) -> str | None:
    if failure.previous() == ";" and failure.found:
        return "run one query at a time"
    if failure.word == "}" and failure.at_clause:
        return "write exists { (a)-->(b) WHERE .. } without MATCH, or end the query in it with RETURN"
    if failure.found is None and failure.at_clause:
        return "a query ends with RETURN"
    if failure.found is None and failure.previous() in ("RETURN", "WITH"):
        return f"say what: {failure.previous()} n.name AS name, or {failure.previous()} *"
    return None


def _rows(failure: Failure) -> str | None:
    """Sorting and cutting rows."""
    if failure.word in _AFTER_ROWS and (failure.at_clause or "UNION" in failure.accepts):
        return _ORDER
    if failure.accepts == {"BY"}:
        return "write ORDER BY"
    if failure.word == "," and failure.previous(2) == "LIMIT":
        return f"write SKIP {failure.previous()} LIMIT {failure.next()}"
    if failure.found and failure.found.kind == "number" and failure.previous() == "TOP":
        return _WORDS["TOP"]
    return None


def _test(failure: Failure) -> str | None:
    """Comparing with IS and NOT IN."""
    if failure.word == "NOT" and failure.next() == "IN":
        return "write NOT x IN list"
    if failure.accepts <= {"NOT", "NULL"}:
        return "IS goes with NULL alone; compare values by = or <>"
    return None


def _word(failure: Failure) -> str | None:
    word = failure.word
    if word in WRITE_CLAUSES:
        return "queries only read; change a record through its own module"
    if failure.found and failure.found.kind == "word" and word in _WORDS:
        return _WORDS[word]
    if failure.previous() == "IF" and "AND" in failure.accepts:
        return _WORDS["IF"]
    if failure.previous() in _CLAUSE_WORDS and "AND" in failure.accepts:
        return f"{failure.previous()} was read as a name here: an expression is missing before it"
    return None


def _case(failure: Failure) -> str | None:
    if failure.previous() == "CASE" and failure.word in (".", ":", ")", ",", ""):
        return "CASE is a keyword here; as a name it stands in `backticks`"
    if failure.found is None and "THEN" not in failure.accepts and {"END", "WHEN"} <= failure.accepts:
        return "a CASE ends with END"
    if "AS" in failure.accepts and "COMMA" not in failure.accepts and "UNWIND" not in failure.accepts:
        return "the values of the list need a name: UNWIND list AS name"
    if failure.accepts == {"MATCH"}:
        return "write OPTIONAL MATCH"
    return None
