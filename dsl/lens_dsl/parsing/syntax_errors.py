"""Why a text cannot be read, in words: what was found, what was expected, and what was probably meant."""

from __future__ import annotations

import re
from typing import Final

from lark import UnexpectedInput

from lens_dsl.errors import QueryError, SyntaxProblem
from lens_dsl.parsing.failure import Failure, locate
from lens_dsl.parsing.hints import hint_for
from lens_dsl.parsing.literals import shortened
from lens_dsl.parsing.refusals import refuse

# fmt: off
_EXPRESSION: Final = frozenset({
    "NAME", "QUOTED_NAME", "PARAMETER", "STRING", "INTEGER", "HEX", "OCTAL", "FLOAT", "TRUE", "FALSE",
    "NULL", "NOT", "CASE", "EXISTS_OPEN", "TEMPORAL_FUNCTION", "LPAR", "LSQB", "LBRACE", "PLUS", "MINUS",
})
# fmt: on
_CLAUSE: Final = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN"})
# fmt: off
_OPERATOR: Final = frozenset({
    "OR", "XOR", "AND", "EQUAL", "COMPARE", "IS", "IN", "CONTAINS", "MATCHES", "STARTS", "ENDS", "PLUS",
    "MINUS", "STAR", "SLASH", "PERCENT", "CARET", "DOT", "LSQB", "COLON", "LBRACE", "LPAR",
})
# fmt: on
# fmt: off
_RELATIONSHIP: Final = frozenset({
    "REL_OPEN", "REL_OPEN_IN", "REL_BARE", "REL_BARE_OUT", "REL_BARE_IN", "REL_BARE_BOTH",
})
# fmt: on
_WORDED: Final = {
    "NAME": "a name",
    "QUOTED_NAME": "a name",
    "INTEGER": "a whole number",
    "PARAMETER": "a parameter",
    "REL_ARROW": "'->'",
    "MINUS": "'-'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COMMA": "','",
    "COLON": "':'",
    "BAR": "'|'",
    "DOT": "'.'",
    "RANGE": "'..'",
    "STAR": "'*'",
    "EQUAL": "'='",
    "$END": "the end of the query",
}
_MAX_SHOWN: Final = 6


def explain(text: str, error: UnexpectedInput) -> QueryError:
    """The error to raise for Lark's."""
    failure = locate(text, error)
    return refuse(failure) or SyntaxProblem(
        _code(failure),
        f"found {_found(failure)}, expected {_expected(failure.accepts)}",
        span=failure.span,
        hint=hint_for(failure),
    )


def _code(failure: Failure) -> str:
    found = failure.found
    if found is None:
        return "InvalidClauseComposition" if failure.at_clause and failure.before else "UnexpectedSyntax"
    if found.kind == "symbol" and not found.text.isascii():
        return "InvalidUnicodeCharacter"
    if found.kind == "number" and (failure.at_expression or failure.position > found.start):
        return "InvalidNumberLiteral"
    if found.text == "-" and failure.previous() == "*" and "RSQB" in failure.accepts:
        return "InvalidRelationshipPattern"
    return "UnexpectedSyntax"


def _found(failure: Failure) -> str:
    found = failure.found
    if found is None:
        return "the end of the query"
    shown = shortened(re.sub(r"\s", " ", found.text))
    if found.kind == "string":
        return f"the string {shown}"
    if found.kind == "number":
        return f"the number {shown}"
    return f"'{shown}'"


def _expected(accepts: frozenset[str]) -> str:
    """What could have stood there, most telling first."""
    left = set(accepts) - {"SEMICOLON"}
    words: list[str] = []
    if {"STRING", "NAME"} <= left:
        words.append("an expression")
        left -= _EXPRESSION
    if "UNWIND" in left:
        words.append("a clause such as MATCH, WITH or RETURN")
        left -= _CLAUSE
    if {"AND", "PLUS"} <= left:
        words.append("an operator")
        left -= _OPERATOR
    if "REL_OPEN" in left:
        words.append("a relationship")
        left -= _RELATIONSHIP
    for terminal in sorted(left, key=_telling):
        word = _WORDED.get(terminal, terminal)
        if word not in words:
            words.append(word)
    if len(words) > _MAX_SHOWN:
        words = [*words[:_MAX_SHOWN], "something else"]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _telling(terminal: str) -> tuple[bool, int, str]:
    """Names and punctuation before words, the end of the query last."""
    order = list(_WORDED)
    return terminal == "$END", order.index(terminal) if terminal in order else len(order), terminal
