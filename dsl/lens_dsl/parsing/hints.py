"""What was probably meant: habits from SQL and other languages, and slips of the hand."""

from __future__ import annotations

import re
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
    "WHERE": "WHERE follows MATCH or WITH, once, before RETURN",
    "TOP": "write LIMIT n after RETURN",
    "LAMBDA": "write [x IN list | expression]",
    "ELSEIF": "write another WHEN .. THEN ..",
    "MATCH": "after RETURN no clause may follow; pass values on with WITH",
}
_CLAUSE_WORDS: Final = frozenset({"MATCH", "OPTIONAL", "WHERE", "WITH", "UNWIND", "RETURN", "ORDER", "UNION"})
_TYPOGRAPHIC_QUOTES: Final = frozenset("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}“”«»„")
_DASHES: Final = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212")
_BARE_ARROW: Final = re.compile(r"<?\s*-\s*-\s*>?")


def hint_for(failure: Failure) -> str | None:
    """A way out, where a usual mistake is recognised."""
    for rule in (_symbol, _bracket, _word, _pattern, _name, _number, _exists, _statement):
        if hint := rule(failure):
            return hint
    return None


def _symbol(failure: Failure) -> str | None:
    found, following, previous = failure.word, failure.next(), failure.previous()
    if found == "=" and previous in ("=", "!"):
        return "use = for equality" if previous == "=" else "use <> for inequality"
    if found == "!":
        return "use <> for inequality" if following == "=" else "use NOT for negation"
    if found == "&":
        return "use AND"
    if found == "|" and following == "|":
        return "use OR between conditions, + to join strings"
    if found == "?":
        return "use a named parameter, $name"
    if found in _TYPOGRAPHIC_QUOTES:
        return "use straight quotes, ' or \""
    if found in _DASHES:
        return "use the ASCII minus sign, -"
    if found in ("+", "-") and previous in ("+", "-"):
        return "put a signed value in parentheses before another sign: -(-x)"
    if found == ">" and previous == "=":
        return "write >= for greater or equal"
    if failure.at_expression and (found == "," or (previous == "," and found in (")", "]", "}", ""))):
        return "there is a comma too many, or an item is missing"
    if found == ">" and previous == "-":
        return "a pattern begins with a node in parentheses: (a)-->(b)"
    return None


def _word(failure: Failure) -> str | None:
    word = failure.word
    if word == "NOT" and failure.next() == "IN":
        return "write NOT x IN list"
    if word in WRITE_CLAUSES:
        return "queries only read; change a record through its own module"
    if failure.found and failure.found.kind == "word" and word in _WORDS:
        return _WORDS[word]
    if failure.previous() in _CLAUSE_WORDS and "AND" in failure.accepts:
        return f"{failure.previous()} was read as a name here: an expression is missing before it"
    return None


def _pattern(failure: Failure) -> str | None:
    found = failure.found
    if found is None:
        return None
    if found.kind == "word" and "COLON" in failure.accepts and failure.in_pattern:
        return f"a label or type begins with a colon: :{found.text}" if len(found.text) < 40 else None
    if "REL_OPEN" in failure.accepts and _BARE_ARROW.match(failure.text, found.start):
        return "a relationship leads to a node in parentheses: (a)-->(b)"
    if failure.accepts == {"LPAR"} and found.kind == "word":
        return "a node stands in parentheses: (n:Label)"
    if found.text == "-" and failure.previous() == "*" and "RSQB" in failure.accepts:
        return "the number of hops is written *2, *1..3 or *..3, and is not negative"
    return None


def _name(failure: Failure) -> str | None:
    if failure.found and failure.found.kind == "string" and "NAME" in failure.accepts:
        return "quotes make a string; a name with unusual characters stands in `backticks`"
    return None


def _number(failure: Failure) -> str | None:
    if failure.found and failure.found.kind == "number":
        if failure.at_expression or failure.position > failure.found.start:
            return "numbers are written 12, 1.5, 1e3, 0x1F or 0o17, without leading zeros"
        if "NAME" in failure.accepts:
            return "a name does not begin with a digit; put it in `backticks`"
    return None


def _exists(failure: Failure) -> str | None:
    if failure.word == "}" and failure.at_clause:
        return "write exists { (a)-->(b) WHERE .. } without MATCH, or end the query in it with RETURN"
    return None


def _statement(failure: Failure) -> str | None:
    if failure.previous() == ";" and failure.found:
        return "run one query at a time"
    if failure.at_clause and failure.found is None:
        return "a query ends with RETURN"
    return None


def _bracket(failure: Failure) -> str | None:
    opened = failure.unclosed()
    if failure.found and failure.found.kind == "close" and opened is None:
        return f"there is no bracket for this '{failure.found.text}' to close"
    if opened and (failure.found is None or not _closes_later(failure)):
        place = failure.span_of(opened)
        return f"the '{opened.text}' at line {place.line}, column {place.column} is not closed"
    return None


def _closes_later(failure: Failure) -> bool:
    """The text as a whole has as many closing brackets as opening ones."""
    found = (failure.found,) if failure.found else ()
    everything = (*failure.before, *found, *failure.after)
    kinds = [lexeme.kind for lexeme in everything]
    return kinds.count("close") >= kinds.count("open")
