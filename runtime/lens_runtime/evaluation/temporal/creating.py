"""date(), localtime(), time(), localdatetime(), datetime() and duration(): of a text, a map or another value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import is_number, kind_of
from lens_runtime.evaluation.temporal import reading
from lens_runtime.evaluation.temporal.building import DURATION_UNITS, duration_of
from lens_runtime.evaluation.temporal.conversion import date_in, local_time_in, zone_in, zone_text
from lens_runtime.evaluation.temporal.fields import DATE_FIELDS, TIME_FIELDS, Fields
from lens_runtime.evaluation.temporal.values import (
    NANOS,
    NANOS_OF_DAY,
    Date,
    DateTime,
    Duration,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import in_zone, moment, offset_of
from lens_runtime.graph import Value

_MOMENT: Final = ("date", "time", "datetime")


def date(value: Value) -> Date:
    """``date(x)``."""
    if isinstance(value, str):
        return reading.read_date(value)
    if isinstance(value, Mapping):
        fields = Fields.read("date", value, ("date", *DATE_FIELDS))
        return fields.date(date_in(fields.given["date"]) if "date" in fields.given else None)
    return date_in(value)


def local_time(value: Value) -> LocalTime:
    """``localtime(x)``."""
    if isinstance(value, str):
        return reading.read_local_time(value)
    if isinstance(value, Mapping):
        fields = Fields.read("localtime", value, ("time", *TIME_FIELDS))
        return fields.time(local_time_in(fields.given["time"]) if "time" in fields.given else None)
    return local_time_in(value)


def time(value: Value) -> Time:
    """``time(x)``; in UTC where no offset is given."""
    if isinstance(value, str):
        return reading.read_time(value)
    given = value if isinstance(value, Mapping) else {"time": value}
    fields = Fields.read("time", given, ("time", "timezone", *TIME_FIELDS))
    base = fields.given.get("time")
    offset = _offset_of(base)
    wanted = offset_of(fields.text("timezone")) if "timezone" in fields.given else offset or 0
    local = None if base is None else local_time_in(base)
    if local is not None and offset is not None:
        local = LocalTime((local.nanos + (wanted - offset) * NANOS) % NANOS_OF_DAY)
    return Time(fields.time(local), wanted)


def local_date_time(value: Value) -> LocalDateTime:
    """``localdatetime(x)``."""
    if isinstance(value, str):
        return reading.read_local_date_time(value)
    given = value if isinstance(value, Mapping) else {"datetime": value}
    return _local(Fields.read("localdatetime", given, (*_MOMENT, *DATE_FIELDS, *TIME_FIELDS)), None)


def date_time(value: Value) -> DateTime:
    """``datetime(x)``; in UTC where no offset and no zone is given."""
    if isinstance(value, str):
        return reading.read_date_time(value)
    given = value if isinstance(value, Mapping) else {"datetime": value}
    known = (*_MOMENT, *DATE_FIELDS, *TIME_FIELDS, "timezone", "epochSeconds", "epochMillis")
    fields = Fields.read("datetime", given, known)
    if fields.any_of(("epochSeconds", "epochMillis")):
        millis = fields.number("epochMillis", 0) * 1_000_000
        instant = fields.number("epochSeconds", 0) * NANOS + millis + fields.number("nanosecond", 0)
        return moment(instant, fields.text("timezone") if "timezone" in fields.given else "Z")
    base = fields.given.get("datetime", fields.given.get("time"))
    zone = zone_text(zone_in(base))
    wanted = fields.text("timezone") if "timezone" in fields.given else zone or "Z"
    return in_zone(_local(fields, wanted if zone is not None and wanted != zone else None), wanted)


def _local(fields: Fields, moved_to: str | None) -> LocalDateTime:
    """The day and time that the fields say; those of a moment with a zone are read in ``moved_to`` if given."""
    whole = fields.given.get("datetime")
    day, clock = fields.given.get("date", whole), fields.given.get("time", whole)
    base_day = None if day is None else date_in(day)
    base_time = LocalTime(0) if isinstance(clock, Date) else None if clock is None else local_time_in(clock)
    if moved_to is not None and base_time is not None:
        # A day of its own is what decides on summer time: it is completed first.
        first = base_day if whole is not None and base_day is not None else fields.date(base_day)
        there = in_zone(LocalDateTime(first, base_time), zone_text(zone_in(clock)) or "Z")
        moved = moment(there.instant, moved_to).local
        if whole is None:
            return LocalDateTime(moved.date, fields.time(moved.time))
        base_day, base_time = moved.date, moved.time
    return LocalDateTime(fields.date(base_day), fields.time(base_time))


def duration(value: Value) -> Duration:
    """``duration(x)``."""
    if isinstance(value, str):
        return reading.read_duration(value)
    if isinstance(value, Duration):
        return value
    assert isinstance(value, Mapping)
    fields = Fields.read("duration", value, DURATION_UNITS)
    return duration_of({name: _fraction(name, number) for name, number in fields.given.items()})


def _fraction(name: str, number: Value) -> Fraction:
    if not is_number(number):
        raise EvaluationProblem("InvalidArgumentValue", f"{name} is a Number, not {kind_of(number)}")
    try:
        return Fraction(str(number))  # as it is written: 0.1 is a tenth
    except ValueError:
        raise EvaluationProblem(
            "InvalidArgumentValue", f"{name} is not finite", type="ArgumentError"
        ) from None


def _offset_of(value: Value) -> int | None:
    return value.offset if isinstance(value, (Time, DateTime)) else None


def _from_epoch(seconds: int, nanosecond: int) -> DateTime:
    return moment(seconds * NANOS + nanosecond, "Z")


def _from_epoch_millis(millis: int) -> DateTime:
    return moment(millis * 1_000_000, "Z")


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "date": date,
    "localtime": local_time,
    "time": time,
    "localdatetime": local_date_time,
    "datetime": date_time,
    "duration": duration,
    "datetime.fromepoch": _from_epoch,
    "datetime.fromepochmillis": _from_epoch_millis,
}
