"""ISO 8601 text to temporal values: the forms that openCypher's functions read."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.temporal.building import (
    duration_of,
    ordinal_date,
    quarter_date,
    time_of,
    week_date,
    year_date,
)
from lens_runtime.evaluation.temporal.values import (
    NANOS,
    Date,
    DateTime,
    Duration,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import OFFSET, in_zone, moment, read_offset

_YEAR: Final = r"(?P<year>[+-][0-9]{1,9}|[0-9]{4})"
_DATES: Final = tuple(
    re.compile(_YEAR + rest)
    for rest in (
        r"-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})",
        r"(?P<month>[0-9]{2})(?P<day>[0-9]{2})",
        r"-?W(?P<week>[0-9]{2})(?:-?(?P<weekday>[0-9]))?",
        r"-?Q(?P<quarter>[1-4])(?:-?(?P<quarterday>[0-9]{2}))?",
        r"-?(?P<ordinal>[0-9]{3})",
        r"-?(?P<month>[0-9]{2})",
        r"",
    )
)
_TIME: Final = re.compile(
    r"(?P<hour>[0-9]{2})(?::?(?P<minute>[0-9]{2})(?::?(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]{1,9}))?)?)?"
)
_ZONED: Final = re.compile(rf"(?P<time>[^Zz+\-\[]*)(?P<offset>{OFFSET})?(?:\[(?P<zone>[^\]]+)\])?")
_NUMBER: Final = r"[+-]?[0-9]{1,19}(?:[.,][0-9]{1,9})?"
_UNITS: Final = {"Y": "years", "M": "months", "W": "weeks", "D": "days"}
_CLOCK_UNITS: Final = {"H": "hours", "M": "minutes", "S": "seconds"}
_DURATION: Final = re.compile(
    "(?P<sign>[+-]?)P"
    + "".join(rf"(?:(?P<{name}>{_NUMBER}){letter})?" for letter, name in _UNITS.items())
    + "(?:T"
    + "".join(rf"(?:(?P<{name}>{_NUMBER}){letter})?" for letter, name in _CLOCK_UNITS.items())
    + ")?"
)
_AS_MOMENT: Final = re.compile(r"P(?P<date>[0-9]{4}-?[0-9]{2}-?[0-9]{2})T(?P<time>[0-9:.,]+)")


def read_date(text: str) -> Date:
    """A day: ``2015-07-21``, ``20150721``, ``2015-W30-2``, ``2015-202``, ``2015-Q2-60``, ``2015-07``, ``2015``."""
    match = next(filter(None, (form.fullmatch(text) for form in _DATES)), None)
    if match is None:
        raise _unreadable("date", text)
    found = {name: int(digits) for name, digits in match.groupdict().items() if digits is not None}
    if "week" in found:
        return week_date(found["year"], found["week"], found.get("weekday", 1))
    if "quarter" in found:
        return quarter_date(found["year"], found["quarter"], found.get("quarterday", 1))
    if "ordinal" in found:
        return ordinal_date(found["year"], found["ordinal"])
    return year_date(found["year"], found.get("month", 1), found.get("day", 1))


def read_local_time(text: str) -> LocalTime:
    """A time of day: ``21:40:32.142``, ``214032.142``, ``21:40``, ``2140``, ``21``."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise _unreadable("localtime", text)
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    return time_of(hour, minute, second, int((match["part"] or "").ljust(9, "0")))


def read_time(text: str) -> Time:
    """A time of day with an offset; UTC where none is written."""
    match = _ZONED.fullmatch(text)
    if match is None or match["zone"]:
        raise _unreadable("time", text)
    return Time(read_local_time(match["time"]), read_offset(match["offset"] or "Z") or 0)


def read_local_date_time(text: str) -> LocalDateTime:
    """A day and a time of day, with a ``T`` between them."""
    date, separator, time = text.partition("T")
    return LocalDateTime(read_date(date), read_local_time(time) if separator else LocalTime(0))


def read_date_time(text: str) -> DateTime:
    """A day and a time with an offset, a zone in brackets, or both; UTC where neither is written."""
    date, _, rest = text.partition("T")
    match = _ZONED.fullmatch(rest)
    if match is None:
        raise _unreadable("datetime", text)
    local = LocalDateTime(read_date(date), read_local_time(match["time"]) if match["time"] else LocalTime(0))
    if match["zone"] is None:
        return in_zone(local, match["offset"] or "Z")
    found = in_zone(local, match["zone"])
    offset = None if match["offset"] is None else read_offset(match["offset"])
    if offset is None or offset == found.offset:
        return found
    there = DateTime(local, offset, match["zone"])
    return there if moment(there.instant, match["zone"]) == there else found


def read_duration(text: str) -> Duration:
    """``P1Y2M10DT2H30M``, each number with a sign or a fraction if it has one; or ``P2012-02-02T14:37:21.545``."""
    match = _DURATION.fullmatch(text)
    if match is None or text[-1] in "PT":
        return _read_as_moment(text)
    sign = -1 if match["sign"] == "-" else 1
    found = {
        name: sign * Fraction(number.replace(",", "."))
        for name, number in match.groupdict().items()
        if name != "sign" and number is not None
    }
    return duration_of(found)


def _read_as_moment(text: str) -> Duration:
    match = _AS_MOMENT.fullmatch(text)
    if match is None:
        raise _unreadable("duration", text)
    digits = match["date"].replace("-", "")
    time = read_local_time(match["time"])
    return Duration(
        int(digits[:4]) * 12 + int(digits[4:6]), int(digits[6:]), time.nanos // NANOS, time.nanos % NANOS
    )


def _unreadable(what: str, text: str) -> EvaluationProblem:
    shown = text if len(text) <= 40 else text[:39] + "…"
    return EvaluationProblem(
        "InvalidArgumentValue",
        f"{what}() cannot read '{shown}'",
        type="ArgumentError",
        hint="write it as ISO 8601 does",
    )
