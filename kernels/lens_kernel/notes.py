"""What a result says beside its rows, in words: cuts, bounds, what is withheld, unknown, stale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lens_kernel.text import clean, counted
from lens_runtime.aggregation.part import unknown_aggregates
from lens_runtime.result import Result


def headline(result: Result) -> str:
    """How many rows there are, and whether the answer is whole."""
    rows = counted(len(result), "row")
    if result.complete:
        return f"{rows}, complete"
    return "no rows can be told, incomplete" if result.withheld else f"{rows}, incomplete"


def notes(result: Result) -> tuple[str, ...]:
    """Everything that qualifies the rows, one sentence each, the gravest first. Empty for a plain answer."""
    found = [
        *(f"withheld: {reason}" for reason in result.withheld),
        *(str(cut) for cut in sorted(result.cuts, key=lambda cut: cut.ceiling != "source")),
        *(_bound(column, bound) for column, bound in result.bounds.items()),
        *(message for _, message in unknown_aggregates(result.aggregates)),
        *(f"warning: {warning}" for warning in result.warnings),
    ]
    return tuple(map(clean, found))


def _bound(column: str, bound: str) -> str:
    if bound == "at least":
        return f"{column} is a lower bound; the true value may be larger"
    return f"{column} holds only some of its items"


_HOW = {"hit": "from the graph", "generated": "made now", "transient": "made for this query alone"}


def below(result: Result) -> tuple[str, ...]:
    """Where the answer came from: how the modules were read, and what producers made or took; one line each."""
    read = ", ".join(_read(result))
    return tuple(map(clean, [*([f"read now: {read}"] if read else []), *_derived(result)]))


def _derived(result: Result) -> Iterator[str]:
    told = Counter((one.producer, one.outcome) for one in result.aggregates if one.outcome in _HOW)
    if told:
        leaves = ", ".join(f"{number:,} of {who} {_HOW[how]}" for (who, how), number in sorted(told.items()))
        yield f"derived: {leaves}; {counted(result.usage.model_calls, 'model call')}"


def _read(result: Result) -> Iterator[str]:
    for part in result.freshness:
        lagging = f" ({part.lagging:,} changed since projected)" if part.lagging else ""
        yield f"{counted(part.read, 'record')} from {part.module}{lagging}"
