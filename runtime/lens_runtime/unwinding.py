"""UNWIND on a table: a row for each element, and what a cut does to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from lens_dsl import ast
from lens_dsl.pattern import UnwindBlock
from lens_dsl.walk import free_variables
from lens_runtime.cuts import Untellable
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.evaluation.patience import built, tick
from lens_runtime.graph import Value
from lens_runtime.table import Row, Table, doubtful


def unwind(block: UnwindBlock, table: Table, evaluator: Evaluator) -> Table:
    """Every row once for each element of its list: none for null, one for a value that is no list.

    Of a list of which some elements are missing those that are there give right rows, of which some are missing.
    Any other use of a bound is withheld; a row whose list is in doubt is left out.
    """
    used = free_variables(block.source)
    if table.withheld:
        return table
    if not isinstance(block.source, ast.Variable) and used & table.bounds.keys():
        names = ", ".join(sorted(used & table.bounds.keys()))
        return table.without_rows(f"what is computed from {names}, which is only a bound")
    if isinstance(block.source, ast.Variable) and table.bounds.get(block.source.name) == "at least":
        return table.without_rows(f"what is computed from {block.source.name}, which is only a bound")
    unwound: list[tuple[Row, list[Value]]] = []
    for row in table.rows:
        if used & doubtful(row):
            continue
        try:
            value = evaluator.value(block.source, row)
        except Untellable as unknown:
            return replace(table, cuts=table.cuts | unknown.cuts).without_rows("a pattern in UNWIND")
        elements = value if isinstance(value, list) else [] if value is None else [value]
        built(len(elements))
        unwound.append((row, elements))
    return replace(table, rows=_Unwound(block.variable, unwound))


@dataclass(frozen=True, slots=True)
class _Unwound(Collection[Row]):
    """The rows, made as they are asked for: a list can be long, and a LIMIT may follow."""

    variable: str
    lists: Sequence[tuple[Row, Sequence[Value]]]

    def __iter__(self) -> Iterator[Row]:
        for row, elements in self.lists:
            for element in elements:
                tick()
                yield {**row, self.variable: element}

    def __len__(self) -> int:
        return sum(len(elements) for _, elements in self.lists)

    def __contains__(self, row: object) -> bool:
        return any(row == each for each in self)
