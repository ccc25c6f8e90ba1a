"""Temporal values from their numbers, which are checked: there is no 30th of February."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.temporal import calendar
from lens_runtime.evaluation.temporal.values import (
    LAST_YEAR,
    NANOS,
    SECONDS_OF_DAY,
    SECONDS_OF_MONTH,
    Date,
    Duration,
    LocalTime,
)

# Each unit of a duration in months, days or nanoseconds.
_MONTHS: Final = {"years": 12, "quarters": 3, "months": 1}
_DAYS: Final = {"weeks": 7, "days": 1}
_NANOS: Final = {
    "hours": 3_600 * NANOS,
    "minutes": 60 * NANOS,
    "seconds": NANOS,
    "milliseconds": 1_000_000,
    "microseconds": 1_000,
    "nanoseconds": 1,
}
DURATION_UNITS: Final = frozenset({*_MONTHS, *_DAYS, *_NANOS})
_DAYS_OF_MONTH: Final = Fraction(SECONDS_OF_MONTH, SECONDS_OF_DAY)


def year_date(year: int, month: int, day: int) -> Date:
    """The day of a year, month and day of the month."""
    _check("year", year, -LAST_YEAR, LAST_YEAR)
    _check("month", month, 1, 12)
    _check("day", day, 1, calendar.days_in_month(year, month))
    return Date.of(year, month, day)


def week_date(week_year: int, week: int, weekday: int) -> Date:
    """The day of an ISO week year, a week and a day of the week, Monday being 1."""
    _check("year", week_year, -LAST_YEAR, LAST_YEAR)
    _check("week", week, 1, calendar.weeks_in(week_year))
    _check("dayOfWeek", weekday, 1, 7)
    return Date(calendar.week_one(week_year) + (week - 1) * 7 + weekday - 1)


def quarter_date(year: int, quarter: int, day: int) -> Date:
    """The day of a year, a quarter and a day of the quarter."""
    _check("year", year, -LAST_YEAR, LAST_YEAR)
    _check("quarter", quarter, 1, 4)
    first = quarter * 3 - 2
    lengths = (calendar.days_in_month(year, month) for month in range(first, first + 3))
    _check("dayOfQuarter", day, 1, sum(lengths))
    return Date(calendar.days_of(year, first, 1) + day - 1)


def ordinal_date(year: int, day: int) -> Date:
    """The day of a year and a day of the year."""
    _check("year", year, -LAST_YEAR, LAST_YEAR)
    _check("ordinalDay", day, 1, 366 if calendar.is_leap(year) else 365)
    return Date(calendar.days_of(year, 1, 1) + day - 1)


def time_of(hour: int, minute: int, second: int, nanosecond: int) -> LocalTime:
    """The time of day."""
    _check("hour", hour, 0, 23)
    _check("minute", minute, 0, 59)
    _check("second", second, 0, 59)
    _check("nanosecond", nanosecond, 0, NANOS - 1)
    return LocalTime(((hour * 60 + minute) * 60 + second) * NANOS + nanosecond)


def duration_of(units: Mapping[str, Fraction]) -> Duration:
    """The duration of so many of each unit; what is left of a month becomes days, and of a day seconds."""
    return whole_duration(*(_total(units, lengths) for lengths in (_MONTHS, _DAYS, _NANOS)))


def whole_duration(months: Fraction, days: Fraction, nanos: Fraction) -> Duration:
    """As ``duration_of``, from months, days and nanoseconds."""
    whole_months = int(months)
    days += (months - whole_months) * _DAYS_OF_MONTH
    whole_days = int(days)
    nanos += (days - whole_days) * SECONDS_OF_DAY * NANOS
    return Duration.of(whole_months, whole_days, int(nanos))


def _total(units: Mapping[str, Fraction], lengths: Mapping[str, int]) -> Fraction:
    return sum((units[name] * length for name, length in lengths.items() if name in units), Fraction())


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise EvaluationProblem(
            "InvalidArgumentValue", f"{name} goes from {least:,} to {most:,} here", type="ArgumentError"
        )
