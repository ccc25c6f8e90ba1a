"""The worst case of a plan as text: a line an operator, their sum, the ceilings, and the money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lens_dsl.cost import DOLLARS_A_MILLION_ROWS, Cost, WorstCase
from lens_kernel.text import counted

_COLUMNS = (
    ("rows_read", "rows read"),
    ("examined", "looked at"),
    ("nodes", "nodes"),
    ("edges", "edges"),
    ("matcher_steps", "steps"),
    ("reader_calls", "reader calls"),
    ("model_calls", "model calls"),
)
_CEILINGS = {"matcher_steps": "steps"}  # where the budget calls it otherwise


def worst_case_lines(worst: WorstCase, ceilings: Mapping[str, int | float]) -> Iterator[str]:
    """The table; nothing of it was spent."""
    rows = [
        (f"{one.stage} {one.name}", _figures(one.cost), one.text) for one in worst.operators if _any(one.cost)
    ]
    rows.append(("in sum", _figures(worst.in_sum), ""))
    limits = [f"{int(ceilings[_CEILINGS.get(name, name)]):,}" for name, _ in _COLUMNS]
    rows.append(("ceilings", limits, ""))
    heads = [head for _, head in _COLUMNS]
    first = max(len(name) for name, _, _ in rows)
    widths = [max(len(head), *(len(row[1][i]) for row in rows)) for i, head in enumerate(heads)]
    yield _line("", heads, widths, first, "")
    for name, figures, text in rows:
        yield _line(name, figures, widths, first, text)
    yield from _in_words(worst.in_sum)
    if worst.in_sum.rows_read and worst.assumed.rows_read:
        assumed = counted(worst.assumed.rows_read, "row")
        yield f"  {assumed} of these for lists and walks as long as a ceiling lets them be: refused for none of them"


def _in_words(cost: Cost) -> Iterator[str]:
    trips, statements = counted(cost.round_trips, "round trip"), counted(cost.statements, "statement")
    yield f"  {trips} with {statements}, and more only where the store is busy"
    if cost.dollars is None:
        yield "  rows read are not known before: what a producer kept is read as well"
    else:
        price = f"{DOLLARS_A_MILLION_ROWS:g} dollars a million rows read"
        yield f"  {cost.dollars:.6f} dollars on D1, at its list price of {price}"


def _figures(cost: Cost) -> list[str]:
    values = (getattr(cost, name) for name, _ in _COLUMNS)
    return ["?" if value is None else f"{value:,}" for value in values]


def _any(cost: Cost) -> bool:
    return any(getattr(cost, name) != 0 for name, _ in _COLUMNS)


def _line(name: str, figures: Sequence[str], widths: Sequence[int], first: int, text: str) -> str:
    cells = "  ".join(f"{figure:>{width}}" for figure, width in zip(figures, widths, strict=True))
    return f"  {name:<{first}}  {cells}  {text}".rstrip()
