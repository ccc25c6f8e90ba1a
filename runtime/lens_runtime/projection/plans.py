"""The query plans of the fixed statements: which of them a statement may have, told from what EXPLAIN says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lens_dsl.aggregates_sql import COMMITS
from lens_dsl.sql import READS, SCOPES
from lens_runtime.projection.diagnoses import WHOLE_READS
from lens_runtime.projection.schema import TABLES
from lens_runtime.projection.sql import INSPECTIONS, WRITES

# Tables of a few rows.
SMALL = frozenset({"context_schema", "context_generation", "context_builds", "context_types"})

# Those that the compiler and the operator read whole, on purpose.
WHOLE: dict[str, frozenset[str]] = {
    "scopes": frozenset({"context_scopes"}),
    "grants": frozenset({"context_grants"}),
    "clear_grants": frozenset({"context_grants"}),
    "count_nodes": frozenset({"context_nodes"}),
    "count_edges": frozenset({"context_edges"}),
    "sweep_lost_aggregates": frozenset({"context_aggregates"}),
    **WHOLE_READS,
}

PLANNED: dict[str, str] = {
    name: text
    for name, text in {**READS, **COMMITS, "actor_scopes": SCOPES, **INSPECTIONS, **WRITES}.items()
    if not name.startswith(("create_", "drop_context_", "drop_statistics"))
}
"""Every statement that has a plan, by name."""

_SCAN = re.compile(r"^SCAN (\w+)")
_ALIAS = re.compile(r"(?:FROM|JOIN)\s+(context_\w+)\s+(?:AS\s+)?([a-z]\w*)\b")


def parameters(text: str) -> int:
    """How many parameters a statement takes."""
    return max((int(number) for number in re.findall(r"\?(\d+)", text)), default=0)


def unbounded(name: str, text: str, details: Iterable[str]) -> list[str]:
    """The lines of a plan that read a whole table which ``name`` may not, or build an index or a filter."""
    allowed = {*SMALL, *WHOLE.get(name, frozenset())}
    return [
        detail
        for detail in details
        if re.search("AUTOMATIC|BLOOM", detail) or (_scanned(text, detail) - allowed)
    ]


def _scanned(text: str, detail: str) -> set[str]:
    """The tables that a line of a plan may scan: it names an alias, which a statement may use more than once."""
    scan = _SCAN.match(detail)
    if scan is None or "VIRTUAL TABLE" in detail:
        return set()
    name = scan.group(1)
    return {name}.intersection(TABLES) or {table for table, alias in _ALIAS.findall(text) if alias == name}
