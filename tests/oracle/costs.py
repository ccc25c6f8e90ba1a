"""Whether a run kept to the worst case that its plan stated."""

from __future__ import annotations

from dataclasses import asdict

from lens_runtime.result import Result

COUNTED = (
    "statements", "round_trips", "nodes", "edges", "examined", "matcher_steps", "reader_calls", "model_calls",
)  # fmt: skip


def overspent(result: Result) -> dict[str, tuple[int, int]]:
    """What a run spent beyond what its plan stated, by name: (spent, stated); rows where the store counts them."""
    spent, stated = asdict(result.usage), asdict(result.plan.worst_case.in_sum)
    names = COUNTED if spent["rows_read"] is None or stated["rows_read"] is None else (*COUNTED, "rows_read")
    return {name: (spent[name], stated[name]) for name in names if spent[name] > stated[name]}
