"""What can be asked of a temporal value with a point: ``date('1984-10-11').year``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from lens_dsl.errors import EvaluationProblem
from lens_dsl.ontology import did_you_mean
from lens_runtime.evaluation.temporal import calendar
from lens_runtime.evaluation.temporal.conversion import date_in, local_time_in
from lens_runtime.evaluation.temporal.text import offset_text
from lens_runtime.evaluation.temporal.values import (
    NANOS,
    Date,
    DateTime,
    Duration,
    LocalDateTime,
    LocalTime,
    Temporal,
    Time,
)
from lens_runtime.graph import Value

Component = Callable[[Any], Value]


def component_of(value: Temporal, name: str) -> Value:
    """A component of a temporal value; EvaluationProblem where it has none of that name."""
    known = _COMPONENTS[type(value)]
    if name not in known:
        raise EvaluationProblem(
            "InvalidArgumentValue",
            f"a {type(value).__name__} has no {name[:40]}",
            hint=did_you_mean(name, known),
        )
    return known[name](value)


def _day_of_quarter(date: Date) -> int:
    year, month, _ = date.parts
    return date.days - calendar.days_of(year, (month - 1) // 3 * 3 + 1, 1) + 1


_OF_DATE: Final[Mapping[str, Callable[[Date], Value]]] = {
    "year": lambda date: date.parts[0],
    "quarter": lambda date: (date.parts[1] + 2) // 3,
    "month": lambda date: date.parts[1],
    "week": lambda date: calendar.week_of(date.days)[1],
    "weekYear": lambda date: calendar.week_of(date.days)[0],
    "dayOfQuarter": _day_of_quarter,
    "day": lambda date: date.parts[2],
    "ordinalDay": lambda date: date.days - calendar.days_of(date.parts[0], 1, 1) + 1,
    "dayOfWeek": lambda date: calendar.weekday(date.days),
    "weekDay": lambda date: calendar.weekday(date.days),
}
_OF_TIME: Final[Mapping[str, Callable[[LocalTime], Value]]] = {
    "hour": lambda time: time.nanos // (3_600 * NANOS),
    "minute": lambda time: time.nanos // (60 * NANOS) % 60,
    "second": lambda time: time.nanos // NANOS % 60,
    "millisecond": lambda time: time.nanos % NANOS // 1_000_000,
    "microsecond": lambda time: time.nanos % NANOS // 1_000,
    "nanosecond": lambda time: time.nanos % NANOS,
}
_OF_ZONE: Final[Mapping[str, Callable[[Time | DateTime], Value]]] = {
    "timezone": lambda value: getattr(value, "zone", None) or offset_text(value.offset),
    "offset": lambda value: offset_text(value.offset),
    "offsetMinutes": lambda value: _whole(value.offset, 60),
    "offsetSeconds": lambda value: value.offset,
}
_OF_MOMENT: Final[Mapping[str, Callable[[DateTime], Value]]] = {
    "epochSeconds": lambda value: value.instant // NANOS,
    "epochMillis": lambda value: value.instant // 1_000_000,
}


def _clock(of_second: int) -> Callable[[Duration], int]:
    """So many parts of a second that are whole, in what is no month and no day; the seconds are rounded down."""
    return lambda value: value.seconds * of_second + value.nanos * of_second // NANOS


def _whole(number: int, unit: int) -> int:
    """How many whole units a number has, towards zero."""
    return abs(number) // unit * (1 if number >= 0 else -1)


def _rest(number: int, of: int) -> int:
    """What is left of a number in the next larger unit, with its sign."""
    return abs(number) % of * (1 if number >= 0 else -1)


_OF_DURATION: Final[Mapping[str, Callable[[Duration], Value]]] = {
    "years": lambda value: _whole(value.months, 12),
    "quarters": lambda value: _whole(value.months, 3),
    "months": lambda value: value.months,
    "weeks": lambda value: _whole(value.days, 7),
    "days": lambda value: value.days,
    "hours": lambda value: _whole(value.seconds, 3_600),
    "minutes": lambda value: _whole(value.seconds, 60),
    "seconds": _clock(1),
    "milliseconds": _clock(1_000),
    "microseconds": _clock(1_000_000),
    "nanoseconds": _clock(NANOS),
    "quartersOfYear": lambda value: _rest(_whole(value.months, 3), 4),
    "monthsOfYear": lambda value: _rest(value.months, 12),
    "monthsOfQuarter": lambda value: _rest(value.months, 3),
    "daysOfWeek": lambda value: _rest(value.days, 7),
    "minutesOfHour": lambda value: _rest(_whole(value.seconds, 60), 60),
    "secondsOfMinute": lambda value: _rest(value.seconds, 60),
    "millisecondsOfSecond": lambda value: value.nanos // 1_000_000,
    "microsecondsOfSecond": lambda value: value.nanos // 1_000,
    "nanosecondsOfSecond": lambda value: value.nanos,
}


def _through(
    part: Callable[[Value], Any], components: Mapping[str, Callable[[Any], Value]]
) -> dict[str, Component]:
    """The components of a part of a value, as its own."""
    return {
        name: lambda value, of=component: of(part(value))  # type: ignore[misc]
        for name, component in components.items()
    }


_DATES: Final = _through(date_in, _OF_DATE)
_TIMES: Final = _through(local_time_in, _OF_TIME)
_COMPONENTS: Final[Mapping[type, Mapping[str, Component]]] = {
    Date: _DATES,
    LocalTime: _TIMES,
    Time: {**_TIMES, **_OF_ZONE},
    LocalDateTime: {**_DATES, **_TIMES},
    DateTime: {**_DATES, **_TIMES, **_OF_ZONE, **_OF_MOMENT},
    Duration: _OF_DURATION,
}
