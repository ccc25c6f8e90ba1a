"""``+ - * /`` of temporal values: a moment and a duration, two durations, a duration and a number."""

from __future__ import annotations

from fractions import Fraction

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import is_number
from lens_runtime.evaluation.temporal import calendar
from lens_runtime.evaluation.temporal.building import whole_duration
from lens_runtime.evaluation.temporal.text import offset_text
from lens_runtime.evaluation.temporal.values import (
    INSTANTS,
    NANOS,
    NANOS_OF_DAY,
    SECONDS_OF_DAY,
    Date,
    Duration,
    Instant,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import in_zone, moment
from lens_runtime.graph import Value


def computed(operator: str, left: Value, right: Value) -> Value:
    """The value of ``left operator right`` where one is temporal; None where the two do not go together."""
    if isinstance(left, Duration) and isinstance(right, Duration):
        return _sum(left, right if operator == "+" else _negated(right)) if operator in "+-" else None
    if isinstance(left, INSTANTS) and isinstance(right, Duration) and operator in "+-":
        return _moved(left, right if operator == "+" else _negated(right))
    if isinstance(left, Duration) and isinstance(right, INSTANTS) and operator == "+":
        return _moved(right, left)
    if isinstance(left, Duration) and is_number(right) and operator in "*/":
        return _scaled(left, right, divide=operator == "/")
    if is_number(left) and isinstance(right, Duration) and operator == "*":
        return _scaled(right, left, divide=False)
    return None


def _nanos(duration: Duration) -> int:
    return duration.seconds * NANOS + duration.nanos


def _sum(one: Duration, other: Duration) -> Duration:
    return Duration.of(one.months + other.months, one.days + other.days, _nanos(one) + _nanos(other))


def _negated(duration: Duration) -> Duration:
    return Duration.of(-duration.months, -duration.days, -_nanos(duration))


def _scaled(duration: Duration, number: int | float, *, divide: bool) -> Duration:
    try:
        factor = Fraction(str(number))
        factor = 1 / factor if divide else factor
    except (ValueError, ZeroDivisionError):
        raise EvaluationProblem(
            "NumberOutOfRange",
            "a duration cannot be divided by zero, or made infinite",
            type="ArithmeticError",
        ) from None
    return whole_duration(duration.months * factor, duration.days * factor, _nanos(duration) * factor)


def _moved(instant: Instant, by: Duration) -> Instant:
    """The months first, then the days, then the seconds."""
    if isinstance(instant, Date):
        # The seconds count in whole days, towards zero.
        rest = abs(by.seconds) // SECONDS_OF_DAY * (1 if by.seconds >= 0 else -1)
        return Date(by_months(instant, by.months).days + by.days + rest)
    if isinstance(instant, LocalTime):
        return LocalTime((instant.nanos + _nanos(by)) % NANOS_OF_DAY)
    if isinstance(instant, Time):
        return Time(LocalTime((instant.local.nanos + _nanos(by)) % NANOS_OF_DAY), instant.offset)
    if isinstance(instant, LocalDateTime):
        return LocalDateTime.at(_by_days(instant, by).nanos + _nanos(by))
    zone = instant.zone or offset_text(instant.offset)
    there = in_zone(_by_days(instant.local, by), zone)
    return moment(there.instant + _nanos(by), zone)


def _by_days(local: LocalDateTime, by: Duration) -> LocalDateTime:
    return LocalDateTime(Date(by_months(local.date, by.months).days + by.days), local.time)


def by_months(date: Date, months: int) -> Date:
    """The same day so many months later, or the last one of a month that has fewer days."""
    year, month, day = date.parts
    year, month = year + (month - 1 + months) // 12, (month - 1 + months) % 12 + 1
    return Date.of(year, month, min(day, calendar.days_in_month(year, month)))
