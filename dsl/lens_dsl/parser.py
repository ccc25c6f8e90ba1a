"""Text to AST: ``parse`` is the only way in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from lark import Lark, UnexpectedInput

from lens_dsl import ast
from lens_dsl.errors import QueryError
from lens_dsl.parsing.builder.clauses import SOURCE, Builder
from lens_dsl.parsing.limits import check_depth, check_text
from lens_dsl.parsing.syntax_errors import explain


def parse(text: str) -> ast.Query:
    """The query that ``text`` writes.

    Raises SyntaxProblem for a text that is no query (or too long, or nested too deep), and
    UnsupportedFeature for openCypher that this language refuses by name. Either carries ``span``, a
    place in ``text``, and ``text`` itself.
    """
    token = SOURCE.set(text)
    try:
        check_text(text)
        query = _read(text)
        check_depth(query)
    except QueryError as error:
        error.text = text
        raise
    finally:
        SOURCE.reset(token)
    return query


def _read(text: str) -> ast.Query:
    try:
        query = _lark().parse(text)
    except UnexpectedInput as failure:
        raise explain(text, failure) from None
    assert isinstance(query, ast.Query)
    return query


@cache
def _lark() -> Lark:
    return Lark(
        grammar(),
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=Builder(),
    )


def grammar() -> str:
    """The grammar's source."""
    return files("lens_dsl.parsing").joinpath("grammar.lark").read_text(encoding="utf-8")
