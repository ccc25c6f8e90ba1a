"""The map that a temporal function is given: ``{year: 1984, month: 10}``, or another value and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lens_dsl.errors import EvaluationProblem
from lens_dsl.ontology import did_you_mean
from lens_runtime.evaluation.kinds import is_integer, kind_of
from lens_runtime.evaluation.temporal import calendar
from lens_runtime.evaluation.temporal.building import (
    ordinal_date,
    quarter_date,
    time_of,
    week_date,
    year_date,
)
from lens_runtime.evaluation.temporal.values import NANOS, Date, LocalTime
from lens_runtime.graph import Value

DATE_FIELDS = (
    "year",
    "month",
    "day",
    "week",
    "dayOfWeek",
    "quarter",
    "dayOfQuarter",
    "ordinalDay",
)
TIME_FIELDS = ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond")


@dataclass(frozen=True, slots=True)
class Fields:
    """The entries of a map given to ``function``; null ones are as if they were not there."""

    function: str
    given: Mapping[str, Value]

    @classmethod
    def read(cls, function: str, given: Mapping[str, Value], allowed: Iterable[str]) -> Fields:
        """EvaluationProblem for an entry that the function does not know."""
        known = set(allowed)
        for name in given:
            if name not in known:
                raise EvaluationProblem(
                    "InvalidArgumentValue",
                    f"{function}() takes no {name[:40]}",
                    type="ArgumentError",
                    hint=did_you_mean(name, known),
                )
        return cls(function, {name: value for name, value in given.items() if value is not None})

    def any_of(self, names: Iterable[str]) -> bool:
        """Whether one of these is there."""
        return any(name in self.given for name in names)

    def number(self, name: str, otherwise: int | None) -> int:
        """The whole number of an entry, ``otherwise`` where there is none; None there says that it is needed."""
        value = self.given.get(name, otherwise)
        if value is None:
            raise EvaluationProblem(
                "InvalidArgumentValue", f"{self.function}() needs a {name} here", type="ArgumentError"
            )
        if not is_integer(value):
            raise EvaluationProblem("InvalidArgumentValue", f"{name} is an Integer, not {kind_of(value)}")
        return value

    def text(self, name: str) -> str:
        """The text of an entry that is there."""
        value = self.given[name]
        if not isinstance(value, str):
            raise EvaluationProblem("InvalidArgumentValue", f"{name} is a String, not {kind_of(value)}")
        return value

    def date(self, base: Date | None) -> Date:
        """The day they say, what is not said being that of ``base``, or the first."""
        if self.any_of(("week", "dayOfWeek")):
            return self._week_date(base)
        if self.any_of(("quarter", "dayOfQuarter")):
            return self._quarter_date(base)
        year, month, day = base.parts if base is not None else (None, None, None)
        if "ordinalDay" in self.given:
            return ordinal_date(self.number("year", year), self.number("ordinalDay", None))
        month, day = self._smaller(("month", "day"), (month, day), 1)
        return year_date(self.number("year", year), month, day)

    def _week_date(self, base: Date | None) -> Date:
        year, week, weekday = None, None, None
        if base is not None:
            (year, week), weekday = calendar.week_of(base.days), calendar.weekday(base.days)
        week, weekday = self._smaller(("week", "dayOfWeek"), (week, weekday), 1)
        return week_date(self.number("year", year), week, weekday)

    def _quarter_date(self, base: Date | None) -> Date:
        year, quarter, day = None, None, None
        if base is not None:
            year, month, _ = base.parts
            quarter = (month + 2) // 3
            day = base.days - calendar.days_of(year, quarter * 3 - 2, 1) + 1
        quarter, day = self._smaller(("quarter", "dayOfQuarter"), (quarter, day), 1)
        return quarter_date(self.number("year", year), quarter, day)

    def time(self, base: LocalTime | None) -> LocalTime:
        """The time of day they say, what is not said being that of ``base``, or 0."""
        clock: Sequence[int | None] = (None, None, None)
        nanosecond = 0
        if base is not None:
            seconds, nanosecond = divmod(base.nanos, NANOS)
            clock = (seconds // 3_600, seconds // 60 % 60, seconds % 60)
        if self.any_of(TIME_FIELDS[3:]):
            nanosecond = self._nanosecond()
            if base is None:
                self._needs(("hour", "minute", "second"))
        minute, second = self._smaller(("minute", "second"), clock[1:], 0)
        hour = self.number("hour", clock[0] if self.any_of(TIME_FIELDS) or base else 0)
        return time_of(hour, minute, second, nanosecond)

    def _nanosecond(self) -> int:
        """Thousandths, millionths and billionths add up; each is less than one of the next larger that is given."""
        total, most = 0, NANOS
        for name, length in (("millisecond", 1_000_000), ("microsecond", 1_000), ("nanosecond", 1)):
            number = self.number(name, 0)
            if not 0 <= number * length < most:
                raise EvaluationProblem(
                    "InvalidArgumentValue",
                    f"{name} goes from 0 to {most // length - 1:,} here",
                    type="ArgumentError",
                )
            total += number * length
            most = length if name in self.given else most
        return total

    def _smaller(self, names: Sequence[str], base: Sequence[int | None], least: int) -> tuple[int, int]:
        """Two units, the larger of which has to be there where the smaller is."""
        if base[0] is None and names[1] in self.given:
            self._needs(names[:1])
        larger, smaller = (
            self.number(name, least if value is None else value)
            for name, value in zip(names, base, strict=True)
        )
        return larger, smaller

    def _needs(self, names: Iterable[str]) -> None:
        for name in names:
            self.number(name, None)
