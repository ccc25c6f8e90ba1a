"""What a plan may cost at worst, operator by operator, as plain data.

The figures are worked out in ``lens_dsl.planning.worst_case``; ``check_ceilings`` refuses a plan that is over one.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget

DOLLARS_A_MILLION_ROWS = 0.001
"""D1's list price of rows read, above what a plan includes (developers.cloudflare.com/d1/platform/pricing)."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Counts, each never exceeded. ``rows_read`` is D1's; None where a plan cannot tell it.

    ``edges`` are kept, ``examined`` are looked at for them. ``round_trips`` are those of a store that answers: a
    busy one is asked again, at most twice. ``tokens`` are an envelope's; None where no lens bounds it.
    """

    statements: int = 0
    round_trips: int = 0
    rows_read: int | None = 0
    nodes: int = 0
    edges: int = 0
    examined: int = 0
    matcher_steps: int = 0
    reader_calls: int = 0
    model_calls: int = 0
    tokens: int | None = None

    def __add__(self, other: Cost) -> Cost:
        """Both, one after the other. What one of them cannot tell, the sum cannot; ``tokens`` stay those known."""
        mine, theirs = asdict(self), asdict(other)
        tokens = max((t for t in (mine.pop("tokens"), theirs.pop("tokens")) if t is not None), default=None)
        known: dict[str, Any] = {
            name: None if value is None or theirs[name] is None else value + theirs[name]
            for name, value in mine.items()
        }
        return Cost(**known, tokens=tokens)

    def within(self, other: Cost) -> Cost:
        """The lesser of both, count by count."""
        lesser: dict[str, Any] = {
            f.name: _least(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
        }
        return Cost(**lesser)

    @property
    def dollars(self) -> float | None:
        """What reading that many rows costs at D1's list price; None where ``rows_read`` is."""
        return None if self.rows_read is None else self.rows_read * DOLLARS_A_MILLION_ROWS / 1_000_000


@dataclass(frozen=True, slots=True)
class OperatorCost:
    """The worst case of one operator of one stage, alone. ``advice`` says what would make it less.

    ``assumed`` is the part of it that rests on a ceiling alone, since how much there is shows as the query runs.
    """

    stage: int
    name: str
    text: str
    cost: Cost
    advice: str = ""
    assumed: Cost = Cost()


@dataclass(frozen=True, slots=True)
class WorstCase:
    """What each operator may cost, and all of them ``in_sum``: less than their sum where they share a ceiling.

    ``assumed`` is the part of it that rests on a ceiling alone: nothing is refused for that. ``state`` is how
    many rows the store may read to learn what the actor may see, at each of two looks.
    """

    operators: tuple[OperatorCost, ...] = ()
    in_sum: Cost = Cost()
    assumed: Cost = Cost()
    state: int | None = None


def check_ceilings(worst: WorstCase, budget: Budget) -> None:
    """OverBudget where the worst case is over a ceiling, with the number, the operator to blame and a way out.

    What is merely ``assumed`` refuses nothing.
    """
    _refuse_above("RowsReadExceeded", "rows_read", "rows read", worst, budget.rows_read, "--max-rows-read")
    _refuse_above(
        "ReaderCallsExceeded",
        "reader_calls",
        "calls of modules' readers",
        worst,
        budget.reader_calls,
        "--max-reader-calls",
    )


def _refuse_above(code: str, name: str, words: str, worst: WorstCase, ceiling: int, flag: str) -> None:
    stated = getattr(worst.in_sum, name)
    if stated is None or stated - getattr(worst.assumed, name) <= ceiling:
        return

    def known(operator: OperatorCost) -> int:
        return (getattr(operator.cost, name) or 0) - (getattr(operator.assumed, name) or 0)

    blamed = max(worst.operators, key=known)
    share = getattr(blamed.cost, name)
    raise OverBudget(
        code,
        f"the worst case of the query is {stated:,} {words}; the ceiling {name} is {ceiling:,}. "
        f"{blamed.name} {blamed.text} in stage {blamed.stage} alone may need {share:,}",
        hint=f"{blamed.advice}, or raise the ceiling ({flag})",
    )


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
