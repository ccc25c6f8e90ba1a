"""What a token of the text stands for: numbers, strings, names."""

from __future__ import annotations

import math
import re
from typing import Final

from lens_dsl.errors import Span, SyntaxProblem

INT64_MIN: Final = -(2**63)
INT64_MAX: Final = 2**63 - 1

_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "b": "\b", "f": "\f", "r": "\r", "'": "'", '"': '"', "\\": "\\"}
_HIGHEST_CODE_POINT: Final = 0x10FFFF


def read_integer(text: str, span: Span) -> int:
    """A decimal, ``0x`` or ``0o`` literal, at most 2**63: that one is in range only after a minus sign."""
    value = int(text, 0) if len(text) <= 64 else INT64_MAX + 2
    if value > INT64_MAX + 1:
        raise integer_overflow(text, span)
    return value


def integer_overflow(text: str, span: Span) -> SyntaxProblem:
    """The error of an integer literal outside of 64 bits."""
    return SyntaxProblem(
        "IntegerOverflow",
        f"the integer {shortened(text)} does not fit in 64 bits",
        span=span,
        hint=f"integers go from {INT64_MIN} to {INT64_MAX}; write a point for a float",
    )


def read_float(text: str, span: Span) -> float:
    """A decimal literal with a point or an exponent; always finite."""
    value = float(text)
    if math.isinf(value):
        raise SyntaxProblem(
            "FloatingPointOverflow",
            f"the number {shortened(text)} is too large for a 64-bit float",
            span=span,
            hint="the largest float is about 1.8e308",
        )
    return value


def read_string(text: str, span: Span) -> str:
    """The value of a quoted string, its escapes resolved."""
    body = text[1:-1]
    if "\\" not in body:
        return body

    def resolve(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        if code is None:
            return _read_simple_escape(match, span)
        if int(code, 16) > _HIGHEST_CODE_POINT:
            raise _bad_unicode(match[0], span)
        return chr(int(code, 16))

    return _join_surrogates(_ESCAPE.sub(resolve, body), span)


def _read_simple_escape(match: re.Match[str], span: Span) -> str:
    letter = match[3]
    if letter in _ESCAPED:
        return _ESCAPED[letter]
    if letter in "uU":
        raise _bad_unicode(match[0], span)
    raise SyntaxProblem(
        "UnexpectedSyntax",
        f"'\\{letter}' is not an escape in a string",
        span=span,
        hint="write \\\\ for a backslash; the escapes are \\n \\t \\b \\f \\r \\' \\\" \\\\ \\uXXXX \\UXXXXXXXX",
    )


def _join_surrogates(value: str, span: Span) -> str:
    """Two escapes of a surrogate pair are one character; half a pair is none."""
    if not any("\ud800" <= character <= "\udfff" for character in value):
        return value
    try:
        return value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise _bad_unicode("a lone surrogate", span) from None


def _bad_unicode(what: str, span: Span) -> SyntaxProblem:
    return SyntaxProblem(
        "InvalidUnicodeLiteral",
        f"{what} in a string is not a Unicode character",
        span=span,
        hint="write \\u and four hex digits, or \\U and eight, up to \\U0010FFFF",
    )


def read_name(text: str) -> str:
    """A name without its backticks; two backticks inside stand for one."""
    return text[1:-1].replace("``", "`") if text.startswith("`") else text


def shortened(text: str, width: int = 40) -> str:
    """Text from a query, cut to what a message can show."""
    return text if len(text) <= width else text[: width - 1] + "…"
