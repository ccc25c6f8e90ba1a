"""A result as a text table and as escaped HTML. Deterministic: the same result gives the same characters."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lens_kernel.notes import below, headline, notes
from lens_kernel.text import clean, counted, shorten, show, width
from lens_runtime.graph import Value
from lens_runtime.result import Result
from lens_runtime.table import Bound

SHOWN = 50
"""Rows that a notebook shows."""
CELL = 80
"""Columns that a cell of a text table takes at most."""
HTML_CELL = 400


def text_table(result: Result, most: int | None = None) -> str:
    """The rows, ``most`` of them at most, and below them what qualifies them, in words."""
    shown = result.rows[:most]
    whole = _cells(result, shown)
    cells = [[shorten(cell, CELL) for cell in row] for row in whole]
    heads = [shorten(clean(column), CELL) for column in result.columns]
    lines = [] if result.withheld else _aligned(heads, cells, _numeric(result, shown))
    left = len(result) - len(shown)
    said = [headline(result)]
    said += [f"{counted(left, 'more row')} not shown"] if left else []
    said += ["long values are shortened with …; --format json has them whole"] if cells != whole else []
    return "\n".join([*lines, *([""] if lines else []), *said, *notes(result), *below(result)])


def html_table(result: Result, most: int = SHOWN) -> str:
    """The same as HTML in which every value is escaped text; nothing is fetched and nothing runs."""
    shown = result.rows[:most]
    left = len(result) - len(shown)
    items = [*([f"{counted(left, 'more row')} not shown"] if left else []), *notes(result)]
    parts = ["" if result.withheld else _html_rows(result, shown)]
    parts.append(f"<p>{_html('; '.join((headline(result), *below(result))))}</p>")
    if items:
        parts.append("<ul>" + "".join(f"<li>{_html(item)}</li>" for item in items) + "</ul>")
    return f'<div class="lens-result">{"".join(parts)}</div>'


def html_text(text: str, summary: str | None = None) -> str:
    """Preformatted text as HTML; behind a summary to click on where one is given."""
    lines = "\n".join(map(clean, text.split("\n")))
    block = f"<pre>{_html(lines)}</pre>"
    return block if summary is None else f"<details><summary>{_html(summary)}</summary>{block}</details>"


def _html(text: str) -> str:
    return escape(text, quote=True)


def _html_rows(result: Result, shown: Sequence[Sequence[Value]]) -> str:
    heads = "".join(f'<th scope="col">{_html(clean(column))}</th>' for column in result.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_html(shorten(cell, HTML_CELL))}</td>" for cell in row) + "</tr>"
        for row in _cells(result, shown)
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cells(result: Result, rows: Sequence[Sequence[Value]]) -> list[list[str]]:
    bounds = [result.bounds.get(column) for column in result.columns]
    return [[_bounded(value, bound) for value, bound in zip(row, bounds, strict=True)] for row in rows]


def _bounded(value: Value, bound: Bound | None) -> str:
    return show(value) if bound is None or value is None else f"{bound} {show(value)}"


def _numeric(result: Result, rows: Sequence[Sequence[Value]]) -> list[bool]:
    """Which columns hold numbers alone, and stand on the right."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in result.columns)
    return [
        any(value is not None for value in column)
        and all(value is None or type(value) in (int, float) for value in column)
        for column in map(list, columns)
    ]


def _aligned(heads: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    widths = [max(map(width, column)) for column in zip(heads, *cells, strict=True)]
    rule = ["-" * each for each in widths]
    return [
        "  ".join(
            _pad(cell, each, side) for cell, each, side in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in (heads, rule, *cells)
    ]


def _pad(text: str, columns: int, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space
