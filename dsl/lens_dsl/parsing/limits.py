"""What is checked of a text before it is parsed, and of a query after: size, depth, characters, closed quotes.

Everything here is linear in the text and free of recursion.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lens_dsl import ast
from lens_dsl.errors import Span, SyntaxProblem
from lens_dsl.parsing.literals import INT64_MAX, integer_overflow

MAX_CHARACTERS: Final = 20_000
MAX_TOKENS: Final = 10_000
MAX_DEPTH: Final = 100
MAX_CLAUSES: Final = 100
"""Of all parts together: each may pass on all that those before it made."""
MAX_ELEMENTS: Final = 200
"""Nodes and relationships of one MATCH: each is looked for in every one of its conditions."""

_LEXEME: Final = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")
  | (?P<quoted>`[^`]*(?:``[^`]*)*`)
  | (?P<number>[0-9]\w*(?:\.[0-9]\w*)?)
  | (?P<word>\w+)
  | (?P<unclosed>['"`]|/\*)
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<symbol>.)
    """,
    re.DOTALL | re.VERBOSE,
)
_UNCLOSED: Final = {
    "'": ("string", "'", "and write \\' for a quote inside it"),
    '"': ("string", '"', 'and write \\" for a quote inside it'),
    "`": ("quoted name", "`", "and write `` for a backtick inside it"),
    "/*": ("comment", "*/", "or use // for a comment to the end of the line"),
}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, number, string, bracket or symbol of the text; space and comments are none."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


def span_at(text: str, start: int, end: int) -> Span:
    """The place of ``text[start:end]``."""
    return Span(start, end, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))


def lexemes(text: str) -> Iterator[Lexeme]:
    """The text cut up. An unclosed quote is a lexeme of kind ``unclosed``."""
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup or ""
        if kind not in ("space", "comment"):
            yield Lexeme(kind, match[0], match.start())


def pinpointed(text: str, span: Span | None, name: str | None) -> Span | None:
    """The place of a name in a span, or of the last one before it, as of a map's key; the span where there is none."""
    if span is None or name is None:
        return span
    spellings = {name, "`" + name.replace("`", "``") + "`"}
    found = [each for each in lexemes(text[: span.end]) if each.text in spellings]
    inside = [each for each in found if each.start >= span.start]
    labels = [each for each in inside if text[: each.start].rstrip().endswith((":", "|"))]
    best = next(iter(labels or inside or found[::-1]), None)
    return span if best is None else span_at(text, best.start, best.end)


def check_text(text: str) -> None:
    """Refuse a text that is too long, too deep, not text, or ends inside a string or comment.

    Raises SyntaxProblem, with its position.
    """
    if len(text) > MAX_CHARACTERS:
        raise SyntaxProblem(
            "QueryTooLong",
            f"the query has {len(text):,} characters, and may have {MAX_CHARACTERS:,}",
            span=span_at(text, MAX_CHARACTERS, MAX_CHARACTERS),
            hint="pass long values as parameters",
        )
    if not text.isascii() or "\0" in text:
        _check_characters(text)
    tokens = depth = 0
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup
        if kind == "space" or kind == "comment":
            continue
        tokens += 1
        if tokens > MAX_TOKENS:
            raise SyntaxProblem(
                "QueryTooLong",
                f"the query has more than {MAX_TOKENS:,} words and symbols",
                span=span_at(text, match.start(), match.end()),
                hint="pass long lists as parameters",
            )
        if kind == "open":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep(span_at(text, match.start(), match.end()))
        elif kind == "close":
            depth -= 1
        elif kind == "unclosed":
            raise _unclosed(text, match)


def check_depth(query: ast.Query) -> None:
    """Refuse a query nested deeper than MAX_DEPTH nodes or of too many clauses or elements.

    An integer that only a minus sign could save is refused as well.
    """
    pending: list[tuple[object, int]] = [(query, 1)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, tuple):
            pending.extend((child, depth) for child in item if isinstance(child, (tuple, ast.Node)))
        elif isinstance(item, ast.Node):
            if depth > MAX_DEPTH:
                raise _too_deep(item.span)
            if isinstance(item, (ast.Query, ast.Match, ast.Exists)):
                _check_size(item)
            elif isinstance(item, ast.Literal):
                if type(item.value) is int and item.value > INT64_MAX:
                    raise integer_overflow(str(item.value), item.span)
                continue
            for name in type(item).__slots__:
                child = getattr(item, name)
                if isinstance(child, (tuple, ast.Node)):
                    pending.append((child, depth + 1))


def _check_size(part: ast.Query | ast.Match | ast.Exists) -> None:
    if isinstance(part, ast.Query):
        _check_number([clause for single in part.parts for clause in single.clauses], MAX_CLAUSES, "clauses")
    else:
        patterns = part.patterns if isinstance(part, ast.Match) else part.body
        if isinstance(patterns, tuple):
            elements = [element for pattern in patterns for element in pattern.elements]
            _check_number(elements, MAX_ELEMENTS, "nodes and relationships in one clause")


def _check_number(parts: Sequence[ast.Node], most: int, what: str) -> None:
    if len(parts) > most:
        raise SyntaxProblem(
            "QueryTooLong",
            f"the query has {len(parts):,} {what}, and may have {most}",
            span=parts[most].span,
            hint="run it as several queries",
        )


def _too_deep(span: Span) -> SyntaxProblem:
    return SyntaxProblem(
        "QueryTooDeep",
        f"the query is nested more than {MAX_DEPTH} levels deep",
        span=span,
        hint="name a part of it with WITH, pass a list as a parameter, or use fewer operators in a row",
    )


def _unclosed(text: str, match: re.Match[str]) -> SyntaxProblem:
    what, closing, way_out = _UNCLOSED[match[0]]
    return SyntaxProblem(
        "UnexpectedSyntax",
        f"the {what} that begins here is not closed",
        span=span_at(text, match.start(), match.end()),
        hint=f"close it with {closing}, {way_out}",
    )


def _check_characters(text: str) -> None:
    """Refuse what is no character, anywhere, and outside of quotes what no name of openCypher may hold."""
    for match in _LEXEME.finditer(text):
        if match.lastgroup == "unclosed":
            return  # refused as such; going on would read to the end of the text from every one of them
        for at, character in enumerate(match[0], match.start()):
            if character != "\0" and character < "\x80":
                continue
            category = unicodedata.category(character)
            if character == "\0" or category == "Cs" or (category == "Cf" and match.lastgroup != "string"):
                raise _bad_character(text, at, "remove it; in a string, write it as an escape: \\uXXXX")
            if category == "No" and match.lastgroup in ("word", "number"):
                raise _bad_character(text, at, "a name with such a numeral stands in `backticks`")


def _bad_character(text: str, at: int, hint: str) -> SyntaxProblem:
    return SyntaxProblem(
        "InvalidUnicodeCharacter",
        f"the character U+{ord(text[at]):04X} cannot stand here",
        span=span_at(text, at, at + 1),
        hint=hint,
    )
