"""``duration.between(a, b)`` and its like: how long it is from one moment to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lens_runtime.evaluation.temporal.arithmetic import by_months
from lens_runtime.evaluation.temporal.conversion import date_in, local_time_in, zone_in, zone_text
from lens_runtime.evaluation.temporal.values import (
    NANOS_OF_DAY,
    Date,
    DateTime,
    Duration,
    Instant,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import in_zone, moment
from lens_runtime.graph import Value


def between(start: Instant, end: Instant) -> Duration:
    """Whole months, then whole days, then the rest; the rest alone where one of the two has no day."""
    first, last = _aligned(start, end)
    if not (_has_day(start) and _has_day(end)):
        return Duration.of(0, 0, last.instant - first.instant)
    months = _months(first.local, last.local)
    after = LocalDateTime(by_months(first.local.date, months), first.local.time)
    days = _days(after, last.local)
    rest = in_zone(LocalDateTime(Date(after.date.days + days), after.time), _zone(first))
    return Duration.of(months, days, last.instant - rest.instant)


def in_months(start: Instant, end: Instant) -> Duration:
    """Whole months."""
    if not (_has_day(start) and _has_day(end)):
        return Duration.of(0, 0, 0)
    first, last = _aligned(start, end)
    return Duration.of(_months(first.local, last.local), 0, 0)


def in_days(start: Instant, end: Instant) -> Duration:
    """Whole days."""
    if not (_has_day(start) and _has_day(end)):
        return Duration.of(0, 0, 0)
    first, last = _aligned(start, end)
    return Duration.of(0, _days(first.local, last.local), 0)


def in_seconds(start: Instant, end: Instant) -> Duration:
    """Hours, minutes and seconds."""
    first, last = _aligned(start, end)
    return Duration.of(0, 0, last.instant - first.instant)


def _aligned(start: Instant, end: Instant) -> tuple[DateTime, DateTime]:
    """Both as moments in the zone of the first: one takes from the other what it has not, a day or a zone."""
    day = next((date_in(value) for value in (start, end) if _has_day(value)), Date(0))
    zone, other = (zone_text(zone_in(value)) for value in (start, end))
    first = in_zone(_local(start, day), zone or other or "Z")
    last = in_zone(_local(end, day), other or zone or "Z")
    return first, moment(last.instant, _zone(first))


def _local(value: Instant, day: Date) -> LocalDateTime:
    time = LocalTime(0) if isinstance(value, Date) else local_time_in(value)
    return LocalDateTime(date_in(value) if _has_day(value) else day, time)


def _has_day(value: Instant) -> bool:
    return not isinstance(value, (LocalTime, Time))


def _zone(value: DateTime) -> str:
    return zone_text(zone_in(value)) or "Z"


def _days(start: LocalDateTime, end: LocalDateTime) -> int:
    nanos = end.nanos - start.nanos
    return abs(nanos) // NANOS_OF_DAY * (1 if nanos >= 0 else -1)


def _months(start: LocalDateTime, end: LocalDateTime) -> int:
    """Whole months, towards zero: none from the 31st to the 30th."""
    (year, month, day), (last_year, last_month, last_day) = start.date.parts, end.date.parts
    months = (last_year - year) * 12 + last_month - month
    rest = (last_day, end.time.nanos), (day, start.time.nanos)
    if months > 0 and rest[0] < rest[1]:
        return months - 1
    return months + 1 if months < 0 and rest[0] > rest[1] else months


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "duration.between": between,
    "duration.inmonths": in_months,
    "duration.indays": in_days,
    "duration.inseconds": in_seconds,
}
