"""What was probably meant: slips of the hand, and what other languages write."""

from __future__ import annotations

import re
from typing import Final

from lens_dsl.parsing.failure import Failure
from lens_dsl.parsing.habits import habit

_TYPOGRAPHIC_QUOTES: Final = frozenset("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}“”«»„")
_DASHES: Final = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212")
_REPEATED: Final = "a relationship is repeated by a star and its bounds: -[:TYPE*1..3]->"
_BARE_ARROW: Final = re.compile(r"<?\s*-\s*-\s*>?")


def hint_for(failure: Failure) -> str | None:
    """A way out, where a usual mistake is recognised."""
    for rule in (_symbol, _bracket, habit, _pattern, _parameter, _name, _number, _missing):
        if hint := rule(failure):
            return hint
    return None


def _symbol(failure: Failure) -> str | None:
    found, following, previous = failure.word, failure.next(), failure.previous()
    if found == "=" and previous in ("<", ">"):
        return f"write {previous}= without a space"
    if found == "=" and failure.accepts == {"COLON"}:
        return "a colon stands between a name and its value: {name: 'value'}"
    if found == "=" and previous in ("=", "!"):
        return "use = for equality" if previous == "=" else "use <> for inequality"
    if found == "!":
        return "use <> for inequality" if following == "=" else "use NOT for negation"
    if found == "&":
        return "use AND"
    if found == "|" and following == "|":
        return "use OR between conditions, + to join strings"
    if found == "?":
        choice = "choose with CASE WHEN condition THEN 1 ELSE 2 END"
        return "use a named parameter, $name" if failure.at_expression else choice
    if found == "#":
        return "a comment begins with //"
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
    if found == "," and previous != "(" and failure.previous(3) == "IN":
        return "a list stands in square brackets: IN ['a', 'b']"
    if found == ">" and previous == "-":
        return "a pattern begins with a node in parentheses: (a)-->(b)"
    return None


def _pattern(failure: Failure) -> str | None:
    found = failure.found
    if found is None:
        return None
    if found.kind == "word" and "COLON" in failure.accepts and failure.in_pattern:
        return f"a label or type begins with a colon: :{found.text}" if len(found.text) < 40 else None
    if "REL_OPEN" in failure.accepts and _BARE_ARROW.match(failure.text, found.start):
        return "a relationship leads to a node in parentheses: (a)-->(b); a comment begins with //"
    if "REL_OPEN" in failure.accepts and found.text == "-":
        return "the type of a relationship stands in brackets: (a)-[:TYPE]->(b)"
    if failure.accepts == {"LPAR"} and found.text == "<":
        return "the arrow head stands at the beginning: (a)<-[:TYPE]-(b)"
    if failure.accepts == {"LPAR"} and found.kind == "word":
        return "a node stands in parentheses: (n:Label)"
    if failure.accepts == {"EQUAL"} and found.text == ":":
        return f"a node stands in parentheses: ({failure.before[-1].text}:{failure.next().title()})"
    if found.text == "+" and "STAR" in failure.accepts and failure.in_pattern:
        return _REPEATED
    if found.kind == "number" and failure.previous() == "{" and failure.previous(3) in (":", "|"):
        return _REPEATED
    if found.text == "-" and failure.previous() == "*" and "RSQB" in failure.accepts:
        return "the number of hops is written *2, *1..3 or *..3, and is not negative"
    return None


def _parameter(failure: Failure) -> str | None:
    """How other languages write a parameter."""
    if failure.at_expression and failure.word in (":", "@", "$"):
        return "a parameter is written $name"
    if failure.word == "}" and failure.accepts == {"COLON"}:
        return "a parameter is written $name; a map {name: value}"
    return None


def _missing(failure: Failure) -> str | None:
    """What has to stand between two expressions, or after one."""
    if failure.found is None:
        what = "an expression" if failure.at_expression else "a name" if failure.at_name else None
        return f"{what} is missing after {failure.before[-1].text}" if what and failure.before else None
    if "AND" in failure.accepts and failure.found.kind in ("word", "string", "number", "quoted"):
        between = "a comma or an operator" if "COMMA" in failure.accepts else "an operator, such as AND,"
        return f"{between} is missing before it"
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
