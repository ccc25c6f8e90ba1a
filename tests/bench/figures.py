"""What was measured, as the table that `make bench` ends with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One line: what, at which size, the figure as text, and whether its target is reached where it has one."""

    part: str
    what: str
    size: str
    measured: str
    target: str = ""
    reached: bool | None = None

    @property
    def verdict(self) -> str:
        """Yes, no, or nothing where there is no target."""
        return "" if self.reached is None else "yes" if self.reached else "NO"


@dataclass
class Figures:
    """The figures of one run, in order."""

    lines: list[Figure] = field(default_factory=list)

    def note(
        self,
        part: str,
        what: str,
        size: int | str,
        measured: str,
        *,
        target: str = "",
        reached: bool | None = None,
    ) -> None:
        """Add a line."""
        shown = f"{size:,}" if isinstance(size, int) else size
        self.lines.append(Figure(part, what, shown, measured, target, reached))

    def table(self) -> str:
        """All lines under a heading a part."""
        heads = ("", "records", "measured", "target", "reached")
        parts: dict[str, list[tuple[str, ...]]] = {}
        for one in self.lines:
            cells = (one.what, one.size, one.measured, one.target, one.verdict)
            parts.setdefault(one.part, [heads]).append(cells)
        text = list[str]()
        for part, rows in parts.items():
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            text += ["", part, *(_line(row, widths) for row in rows)]
        return "\n".join(text)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
