"""The place where parsing stopped: what stands there, what came before, what could have stood there."""

from __future__ import annotations

from dataclasses import dataclass

from lark import UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from lens_dsl.errors import Span
from lens_dsl.parsing.limits import Lexeme, lexemes, span_at

_CLOSING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Failure:
    """``found`` is None at the end of the text; ``accepts`` holds the grammar's names of terminals.

    ``position`` is where the parser stopped: inside of ``found``, if it could read the beginning of it.
    """

    text: str
    found: Lexeme | None
    before: tuple[Lexeme, ...]
    after: tuple[Lexeme, ...]
    accepts: frozenset[str]
    position: int

    @property
    def span(self) -> Span:
        """Where it stands; at the end of the text, the place after its last character."""
        if self.found is None:
            end = len(self.text.rstrip())
            return span_at(self.text, end, end)
        return span_at(self.text, self.found.start, self.found.end)

    @property
    def word(self) -> str:
        """What was found, in upper case; empty at the end of the text."""
        return self.found.text.upper() if self.found else ""

    def previous(self, back: int = 1) -> str:
        """The ``back``-th word or symbol before the place, in upper case; empty if there is none."""
        return self.before[-back].text.upper() if len(self.before) >= back else ""

    def next(self) -> str:
        """The word or symbol after the place, in upper case; empty if there is none."""
        return self.after[0].text.upper() if self.after else ""

    def span_of(self, lexeme: Lexeme) -> Span:
        """Where another lexeme of the same text stands."""
        return span_at(self.text, lexeme.start, lexeme.end)

    @property
    def at_expression(self) -> bool:
        """An expression could begin here."""
        return "STRING" in self.accepts and "NAME" in self.accepts

    @property
    def at_name(self) -> bool:
        """Nothing but a name could stand here."""
        return self.accepts <= {"NAME", "QUOTED_NAME"}

    @property
    def at_clause(self) -> bool:
        """A clause could begin here."""
        return "UNWIND" in self.accepts

    @property
    def in_pattern(self) -> bool:
        """Inside the brackets of a node or relationship that is no expression."""
        return bool(self.accepts & {"RPAR", "RSQB"}) and not self.accepts & {"STRING", "AND"}

    def unclosed(self) -> Lexeme | None:
        """The innermost bracket open at this place."""
        open_brackets: list[Lexeme] = []
        for lexeme in self.before:
            if lexeme.kind == "open":
                open_brackets.append(lexeme)
            elif lexeme.kind == "close" and open_brackets and open_brackets[-1].text == _CLOSING[lexeme.text]:
                open_brackets.pop()
        return open_brackets[-1] if open_brackets else None


def locate(text: str, error: UnexpectedInput) -> Failure:
    """Where and at what Lark stopped."""
    parser = error.interactive_parser
    assert isinstance(parser, InteractiveParser)
    accepts = frozenset(parser.accepts())  # type: ignore[no-untyped-call]
    cut = list(lexemes(text))
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return Failure(text, None, tuple(cut), (), accepts, len(text))
    position = error.pos_in_stream
    assert position is not None
    at = next(index for index, lexeme in enumerate(cut) if lexeme.end > position)
    return Failure(text, cut[at], tuple(cut[:at]), tuple(cut[at + 1 :]), accepts, position)
