"""The rows between two operators, and how far they can be trusted after a cut."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from lens_runtime.cuts import Cut
from lens_runtime.graph import Value

Row = Mapping[str, Value]
Bound = Literal["at least", "some of"]

DOUBTFUL = "#doubtful"
"""A row's reserved name: its variables that are null because nothing was found where something was cut."""


def doubtful(row: Row) -> frozenset[str]:
    """The variables of a row whose nulls may be wrong; usable only where what they add to is marked anyway."""
    names = row.get(DOUBTFUL, frozenset())
    assert isinstance(names, frozenset)
    return names


def in_doubt(row: Row, names: frozenset[str]) -> Row:
    """The row with exactly these variables in doubt."""
    plain = {name: value for name, value in row.items() if name != DOUBTFUL}
    return {**plain, DOUBTFUL: names} if names else plain


@dataclass(frozen=True, slots=True)
class Table:
    """Rows, and what is missing.

    ``cuts``: rows may be missing, those that are here are right (a marked subset). ``bounds``: a column
    whose values are lower bounds (``at least``) or incomplete lists (``some of``). ``withheld``: what rows
    there were would have been wrong, so there are none; it says which column or clause could not be told.
    ``told_by``: the columns whose values tell that of a bound, so that it may stand among grouping keys with them.
    ``ordered``: an ORDER BY stands before, so that which rows are first means something.
    """

    rows: Collection[Row]
    cuts: frozenset[Cut] = frozenset()
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    told_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ordered: bool = False

    @classmethod
    def unit(cls) -> Table:
        """One empty row: where every query starts."""
        return cls(({},))

    def without_rows(self, reason: str) -> Table:
        """The table with its rows withheld, since they would be wrong after a cut."""
        return replace(self, rows=(), bounds={}, told_by={}, withheld=(*self.withheld, reason))

    @property
    def complete(self) -> bool:
        """Whether nothing is missing and no value is a bound."""
        return not (self.cuts or self.bounds or self.withheld)
