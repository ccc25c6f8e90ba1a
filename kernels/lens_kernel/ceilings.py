"""The ceilings of a query as options: the same names on the command line and in a notebook cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from lens_dsl.budget import Budget


@dataclass(frozen=True, slots=True)
class Ceiling:
    """An option ``flag`` that sets one field of the budget."""

    flag: str
    field: str
    kind: type[int] | type[float]
    metavar: str
    help: str


CEILINGS = (
    Ceiling("--depth", "depth", int, "N", "hops from where the pattern starts"),
    Ceiling("--fanout", "fanout", int, "N", "relationships followed at each node, newest first"),
    Ceiling("--window", "window", int, "N", "relationships looked at for each node when a predicate prunes"),
    Ceiling("--max-examined", "examined", int, "N", "relationships that the store looks at in all"),
    Ceiling("--max-scopes", "scopes", int, "N", "scopes that the actor may hold of a kind"),
    Ceiling("--max-candidates", "candidates", int, "N", "records that full text may name, newest first"),
    Ceiling("--max-nodes", "nodes", int, "N", "nodes kept"),
    Ceiling("--max-edges", "edges", int, "N", "relationships kept"),
    Ceiling("--max-rows", "rows", int, "N", "rows given"),
    Ceiling("--max-steps", "steps", int, "N", "steps of matching"),
    Ceiling("--max-reader-calls", "reader_calls", int, "N", "calls of modules' readers"),
    Ceiling("--max-model-calls", "model_calls", int, "N", "calls of a model, to make cached aggregates"),
    Ceiling("--max-rows-read", "rows_read", int, "N", "rows that the store may read at worst"),
    Ceiling("--timeout", "seconds", float, "S", "seconds for the whole query"),
)
SCAN_HELP = "let a pattern without a key start from a bounded scan; the result says so"


def described(ceiling: Ceiling) -> str:
    """The help of a ceiling, with its default."""
    return f"{ceiling.help} (default {getattr(Budget(), ceiling.field):,})"


def budget_from(options: Mapping[str, object]) -> Budget:
    """The budget that parsed options give: defaults where an option is None or not there.

    OverBudget (InvalidBudget) for a ceiling out of its range.
    """
    given = {c.field: value for c in CEILINGS if (value := options.get(c.field)) is not None}
    return replace(Budget(), **given, allow_scan=bool(options.get("allow_scan")))  # type: ignore[arg-type]
