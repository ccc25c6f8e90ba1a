"""What a ceiling, or a module that did not answer, left out: said in data, never in silence."""

from __future__ import annotations

from dataclasses import dataclass

from lens_runtime.graph import Coordinate

RAISE = {
    "depth": "--depth",
    "fanout": "--fanout",
    "window": "--window",
    "examined": "--max-examined",
    "candidates": "--max-candidates",
    "nodes": "--max-nodes",
    "edges": "--max-edges",
    "rows": "--max-rows",
    "steps": "--max-steps",
}


class Untellable(Exception):
    """A value that hangs on what was left out. It never leaves the clause that asked for the value."""

    def __init__(self, cuts: frozenset[Cut]) -> None:
        super().__init__("a value that cannot be told after a cut")
        self.cuts = cuts


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """One thing that was left out: by which ceiling (or ``source``, ``reducer``), at which limit, and where.

    ``where`` names only what this actor may see; ``visible`` counts only visible relationships.
    """

    ceiling: str
    limit: int | str
    where: str = ""
    visible: int | None = None

    def __str__(self) -> str:
        if self.ceiling == "source":
            return f"the module {self.limit} did not answer, so what it owns is unknown{self._place()}"
        if self.ceiling == "reducer":
            return f"a reduction failed ({self.limit}), so what it makes is unknown{self._place()}"
        seen = f" of {self.visible:,} visible" if self.visible is not None else ""
        if self.ceiling == "window":
            return f"only the newest {self.limit:,}{seen} relationships were looked at{self._place()}; raise --window"
        words = {
            "fanout": "relationships followed",
            "steps": "steps matched",
            "examined": "relationships looked at, and none",
            "depth": "hops walked",
        }
        what = words.get(self.ceiling, f"{self.ceiling} kept")
        left = f"{self.limit:,}{seen} {what}{self._place()}"
        return f"the ceiling {self.ceiling} cut: {left}; raise {RAISE[self.ceiling]}"

    def _place(self) -> str:
        return f" {self.where}" if self.where else ""


def at(coordinate: Coordinate, types: str) -> str:
    """Where a cut happened, in words."""
    return f"along {types} at {coordinate}"
