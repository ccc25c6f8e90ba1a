"""A plan as text: stages, operators, where each predicate is decided, ceilings, and what was spent."""

from __future__ import annotations

from collections.abc import Iterator

from lens_dsl.explain import Explanation, StageExplanation
from lens_kernel.costs import worst_case_lines
from lens_kernel.text import clean, counted
from lens_runtime.aggregation.production import Production
from lens_runtime.meter import Meter

_UNITS = {
    "depth": "hops", "fanout": "relationships a node and step", "window": "relationships looked at a node and step",
    "examined": "relationships looked at in all", "scopes": "scopes of a kind that the actor may hold",
    "nodes": "nodes", "edges": "relationships", "rows": "rows", "anchors": "values to start from",
    "candidates": "records named by full text",
    "steps": "steps of the matcher", "reader_calls": "calls of modules' readers",
    "model_calls": "calls of a model", "rows_read": "rows that the store may read at worst", "seconds": "seconds",
}  # fmt: skip


def plan_text(
    explanation: Explanation, spent: Meter | None = None, aggregates: tuple[Production, ...] = ()
) -> str:
    """The plan, line by line; with ``spent``, what the run really cost, and what its ``aggregates`` did."""
    lines = [line for stage in explanation.stages for line in _stage(stage)]
    if explanation.parameters:
        lines.append("parameters: " + ", ".join(f"${name}" for name in explanation.parameters))
    lines += [f"warning: {warning}" for warning in explanation.warnings]
    lines += ["worst case, stated before anything is read"]
    lines += worst_case_lines(explanation.worst_case, explanation.ceilings)
    lines += ["ceilings", *_table(_ceilings(explanation))]
    if spent is not None:
        lines += ["spent", *_table(_spent(spent))]
    lines += ["aggregates", *map(_produced, aggregates)] if aggregates else []
    return "\n".join(map(clean, lines))


def dry_run_text(explanation: Explanation) -> str:
    """One sentence: the query is sound, and what it would do."""
    trips = sum(
        any(o.name.startswith(("Node", "Text", "Produce")) for o in stage.operators)
        + any(o.name == "TextSeek" for o in stage.operators)
        for stage in explanation.stages
    )
    stages = counted(len(explanation.stages), "stage")
    columns = ", ".join(explanation.columns)
    reads = f"at most {counted(trips, 'round trip')} to the store"
    return clean(f"The query is sound: {stages}, {reads}, columns {columns}. Nothing was read.")


def _stage(stage: StageExplanation) -> Iterator[str]:
    yield f"stage {stage.number}: {stage.begins}"
    for operator in stage.operators:
        yield f"  {operator.name:<15} {operator.text}"
    if stage.decisions:
        yield "  where each predicate is decided"
        longest = max(len(decision.predicate) for decision in stage.decisions)
        for decision in stage.decisions:
            yield f"    {decision.predicate:<{min(longest, 48)}}  {decision.decided}"


def _ceilings(explanation: Explanation) -> Iterator[tuple[str, str, str]]:
    for name, value in explanation.ceilings.items():
        yield name, f"{value:,}", _UNITS[name]


def _spent(meter: Meter) -> Iterator[tuple[str, str, str]]:
    yield "round trips", f"{meter.round_trips:,}", f"with {counted(meter.statements, 'statement')}"
    if meter.rows_read is None:
        yield "rows read", "-", "this store does not count them"
    else:
        yield "rows read", f"{meter.rows_read:,}", "by the store"
    yield "nodes", f"{meter.nodes:,}", "brought by the store"
    yield "edges", f"{meter.edges:,}", "brought by the store"
    yield "examined", f"{meter.examined:,}", "looked at by the store"
    yield "steps", f"{meter.matcher_steps:,}", "of the matcher"
    yield "reader calls", f"{meter.reader_calls:,}", "to modules"
    yield "model calls", f"{meter.model_calls:,}", ""


def _produced(one: Production) -> str:
    anchor = "the whole batch" if one.anchor is None else str(one.anchor)
    tokens = "" if one.tokens_in is None else f", {one.tokens_in:,} tokens in, {one.tokens_out or 0:,} out"
    spent = f"{counted(one.calls, 'call')}{tokens}, {one.milliseconds:,} ms"
    reason = f": {one.reason}" if one.reason else ""
    return f"  {one.outcome:<10} {one.producer} for {anchor}, {one.band}; {spent}{reason}"


def _table(rows: Iterator[tuple[str, str, str]]) -> Iterator[str]:
    for name, value, unit in rows:
        yield f"  {name:<13}{value:>9}  {unit}".rstrip()
