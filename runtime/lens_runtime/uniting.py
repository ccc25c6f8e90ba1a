"""UNION: the rows of all parts, each once unless all are asked for."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace

from lens_runtime.evaluation.equality import group_key
from lens_runtime.table import Bound, Row, Table


def united(parts: Sequence[Table], columns: Sequence[str], *, distinct: bool) -> Table:
    """One table of these parts, with what is missing in any of them.

    It is withheld where a part is, and where rows of which a value is only a bound would be told apart.
    """
    if len(parts) == 1:
        return parts[0]
    cuts = frozenset().union(*(part.cuts for part in parts))
    bounds: dict[str, Bound] = {name: bound for part in parts for name, bound in part.bounds.items()}
    whole = Table([row for part in parts for row in part.rows], cuts, bounds)
    for reason in (reason for part in parts for reason in part.withheld):
        whole = whole.without_rows(reason)
    if distinct and bounds:
        whole = whole.without_rows(
            f"the rows of a UNION by {', '.join(sorted(bounds))}, which is only a bound"
        )
    return replace(whole, rows=_once(whole.rows, columns)) if distinct else whole


def _once(rows: Collection[Row], columns: Sequence[str]) -> list[Row]:
    seen: dict[Hashable, Row] = {}
    for row in rows:
        seen.setdefault(tuple(group_key(row[name]) for name in columns), row)
    return list(seen.values())
