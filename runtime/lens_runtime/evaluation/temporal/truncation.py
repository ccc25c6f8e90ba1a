"""``date.truncate(unit, value)`` and its like: the beginning of the unit that a value lies in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_dsl.ontology import did_you_mean
from lens_runtime.evaluation.temporal import calendar
from lens_runtime.evaluation.temporal.conversion import date_in, local_time_in, zone_in, zone_text
from lens_runtime.evaluation.temporal.fields import DATE_FIELDS, TIME_FIELDS, Fields
from lens_runtime.evaluation.temporal.values import (
    NANOS,
    NANOS_OF_DAY,
    Date,
    DateTime,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import in_zone, offset_of
from lens_runtime.graph import Value

_YEARS: Final = {"millennium": 1_000, "century": 100, "decade": 10, "year": 1}
_CLOCK: Final = {
    "day": NANOS_OF_DAY,
    "hour": 3_600 * NANOS,
    "minute": 60 * NANOS,
    "second": NANOS,
    "millisecond": 1_000_000,
    "microsecond": 1_000,
}
_DAYS: Final = (*_YEARS, "weekYear", "quarter", "month", "week", "day")


def date(unit: str, value: Value, more: Mapping[str, Value] | None = None) -> Date:
    """``date.truncate(unit, value, fields)``."""
    fields = _fields("date.truncate", more, DATE_FIELDS)
    return fields.date(_day(_known(unit, _DAYS), date_in(value)))


def local_time(unit: str, value: Value, more: Mapping[str, Value] | None = None) -> LocalTime:
    """``localtime.truncate(unit, value, fields)``."""
    return _time(_known(unit, _CLOCK), value, _fields("localtime.truncate", more, TIME_FIELDS))


def time(unit: str, value: Value, more: Mapping[str, Value] | None = None) -> Time:
    """``time.truncate(unit, value, fields)``."""
    fields = _fields("time.truncate", more, (*TIME_FIELDS, "timezone"))
    zone = fields.text("timezone") if "timezone" in fields.given else None
    offset = value.offset if isinstance(value, (Time, DateTime)) else 0
    return Time(_time(_known(unit, _CLOCK), value, fields), offset if zone is None else offset_of(zone))


def local_date_time(unit: str, value: Value, more: Mapping[str, Value] | None = None) -> LocalDateTime:
    """``localdatetime.truncate(unit, value, fields)``."""
    return _moment(unit, value, _fields("localdatetime.truncate", more, (*DATE_FIELDS, *TIME_FIELDS)))


def date_time(unit: str, value: Value, more: Mapping[str, Value] | None = None) -> DateTime:
    """``datetime.truncate(unit, value, fields)``; in UTC where neither the value nor the fields have a zone."""
    fields = _fields("datetime.truncate", more, (*DATE_FIELDS, *TIME_FIELDS, "timezone"))
    zone = fields.text("timezone") if "timezone" in fields.given else zone_text(zone_in(value)) or "Z"
    return in_zone(_moment(unit, value, fields), zone)


def _moment(unit: str, value: Value, fields: Fields) -> LocalDateTime:
    _known(unit, (*_DAYS, *_CLOCK))
    day = _day(unit if unit in _DAYS else "day", date_in(value))
    return LocalDateTime(fields.date(day), _time(unit, value, fields))


def _day(unit: str, date: Date) -> Date:
    year, month, _ = date.parts
    if unit in _YEARS:
        return Date.of(year - year % _YEARS[unit], 1, 1)
    if unit == "weekYear":
        return Date(calendar.week_one(calendar.week_of(date.days)[0]))
    if unit == "quarter":
        return Date.of(year, (month - 1) // 3 * 3 + 1, 1)
    if unit == "month":
        return Date.of(year, month, 1)
    return Date(date.days - calendar.weekday(date.days) + 1) if unit == "week" else date


def _time(unit: str, value: Value, fields: Fields) -> LocalTime:
    """What is smaller than a second is added to what the unit leaves of it."""
    nanos = 0 if isinstance(value, Date) or unit not in _CLOCK else local_time_in(value).nanos
    nanos -= nanos % _CLOCK.get(unit, NANOS_OF_DAY)
    rest = nanos % NANOS
    return LocalTime((fields.time(LocalTime(nanos - rest)).nanos + rest) % NANOS_OF_DAY)


def _fields(function: str, more: Mapping[str, Value] | None, allowed: tuple[str, ...]) -> Fields:
    return Fields.read(function, more or {}, allowed)


def _known(unit: str, units: tuple[str, ...] | Mapping[str, int]) -> str:
    if unit not in units:
        raise EvaluationProblem(
            "InvalidArgumentValue",
            f"it cannot be truncated to '{unit[:40]}'",
            type="ArgumentError",
            hint=did_you_mean(unit, units),
        )
    return unit


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "date.truncate": date,
    "localtime.truncate": local_time,
    "time.truncate": time,
    "localdatetime.truncate": local_date_time,
    "datetime.truncate": date_time,
}
