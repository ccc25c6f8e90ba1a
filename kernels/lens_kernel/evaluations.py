"""An evaluation as a table for people, with a column for the lens and one for each baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median

from lens_kernel.text import clean
from lens_runtime.evidence.measuring import Evaluation
from lens_runtime.evidence.report import Figures, figures


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


_ROWS: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("completeness", lambda each: _share(each.completeness)),
    ("complete cases", lambda each: f"{each.complete_cases} of {each.cases}"),
    ("context tokens, median", lambda each: f"{each.tokens:,.0f}"),
    ("tokens, share of everything", lambda each: _share(each.tokens_of_everything)),
    ("latency p50, ms", lambda each: f"{each.latency_p50_ms:.1f}"),
    ("latency p95, ms", lambda each: f"{each.latency_p95_ms:.1f}"),
    ("source reads, median", lambda each: f"{each.source_reads:g}"),
    ("stale facts shown as fresh", lambda each: str(each.stale_as_fresh)),
    ("authorization failures", lambda each: str(each.authorization_failures)),
    ("unknown honesty", lambda each: _share(each.unknown_honesty)),
    ("next-action precision", lambda each: _share(each.action_precision)),
    ("next-action recall", lambda each: _share(each.action_recall)),
)


def evaluation_text(evaluation: Evaluation) -> str:
    """The table, and below it what failed: leaks, stale facts, unknowns that the lens did not name."""
    found = figures(evaluation)
    table = [("", *found), *((title, *map(told, found.values())) for title, told in _ROWS)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    head = (
        f"{evaluation.lens.name} {evaluation.lens.version}: {len(evaluation.cases)} cases, "
        f"at most {evaluation.max_nodes} records; everything within reach takes "
        f"{median(evaluation.everything_tokens):,.0f} tokens in the median"
    )
    lines = [
        "  ".join(
            cell.ljust(w) if not n else cell.rjust(w)
            for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join(clean(line.rstrip()) for line in (head, "", *lines, *_failures(evaluation)))


def _failures(evaluation: Evaluation) -> Iterator[str]:
    for name, scores in evaluation.scores.items():
        for each in scores:
            yield from (f"{name}, case {each.case.id}: tells of {at}" for at in each.audit.leaked)
            yield from (f"{name}, case {each.case.id}: {at} is stale" for at in each.audit.stale_as_fresh)
    for each in evaluation.scores["lens"]:
        yield from (f"lens, case {each.case.id}: does not name {unknown}" for unknown in each.unnamed)
