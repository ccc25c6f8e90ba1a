"""Offsets from UTC: of a named zone at a moment, and as they are written."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.temporal.values import NANOS, DateTime, LocalDateTime

OFFSET: Final = r"Z|z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?"
_OFFSET: Final = re.compile(OFFSET)
_FURTHEST: Final = 18 * 3_600
_CYCLE: Final = 400  # years after which the calendar repeats, weekdays too


def read_offset(text: str) -> int | None:
    """The seconds east of UTC that ``Z`` or ``+01:00`` says; None for what is not written like this."""
    if not _OFFSET.fullmatch(text):
        return None
    if text in "Zz":
        return 0
    digits = text[1:].replace(":", "").ljust(6, "0")
    hours, minutes, seconds = (int(digits[at : at + 2]) for at in (0, 2, 4))
    offset = hours * 3_600 + minutes * 60 + seconds
    if minutes > 59 or seconds > 59 or offset > _FURTHEST:
        raise EvaluationProblem("InvalidArgumentValue", f"{text} is no offset from UTC", type="ArgumentError")
    return -offset if text[0] == "-" else offset


def offset_of(zone: str) -> int:
    """The seconds east of UTC that an offset says; EvaluationProblem for the name of a zone."""
    offset = read_offset(zone)
    if offset is None:
        raise EvaluationProblem(
            "InvalidArgumentValue",
            "a time without a day has an offset, not a zone",
            type="ArgumentError",
            hint="write it as +01:00",
        )
    return offset


def in_zone(local: LocalDateTime, zone: str) -> DateTime:
    """What the clocks of a zone (a name or an offset) show, the first of two moments where they are put back."""
    offset = read_offset(zone)
    if offset is not None:
        return DateTime(local, offset)
    return moment(local.nanos - _offset(_zone(zone), local) * NANOS, zone)


def moment(instant: int, zone: str) -> DateTime:
    """What the clocks of a zone show so many nanoseconds after 1970-01-01T00:00Z."""
    offset = read_offset(zone)
    if offset is not None:
        return DateTime(LocalDateTime.at(instant + offset * NANOS), offset)
    found = _zone(zone)
    first = _offset_at(found, LocalDateTime.at(instant))
    return DateTime(LocalDateTime.at(instant + first * NANOS), first, found.key)


def _offset(zone: ZoneInfo, local: LocalDateTime) -> int:
    return _seconds(_near(local).replace(tzinfo=zone).utcoffset())


def _offset_at(zone: ZoneInfo, utc: LocalDateTime) -> int:
    return _seconds(zone.fromutc(_near(utc).replace(tzinfo=zone)).utcoffset())


def _seconds(offset: timedelta | None) -> int:
    assert offset is not None
    return int(offset.total_seconds())


def _near(local: LocalDateTime) -> datetime:
    """The same in a year that Python knows: rules that hold for ever repeat with the calendar."""
    year, month, day = local.date.parts
    if year < 2:
        year = year % _CYCLE + _CYCLE
    elif year > 9_998:
        year = year % _CYCLE + 9_200
    seconds = local.time.nanos // NANOS
    return datetime(year, month, day) + timedelta(seconds=seconds)  # noqa: DTZ001 - the zone is asked for it


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise EvaluationProblem(
            "InvalidArgumentValue",
            f"no time zone is called {name[:60]}",
            type="ArgumentError",
            hint="write an offset such as +01:00, or a name such as Europe/Stockholm",
        ) from None
