"""Temporal values as ISO 8601 text, as toString() and every output write them."""

from __future__ import annotations

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


def iso_text(value: Temporal) -> str:
    """The text that reads back as the same value."""
    if isinstance(value, Date):
        return _date(value)
    if isinstance(value, LocalTime):
        return _time(value)
    if isinstance(value, Time):
        return _time(value.local) + offset_text(value.offset)
    if isinstance(value, LocalDateTime):
        return f"{_date(value.date)}T{_time(value.time)}"
    if isinstance(value, DateTime):
        zone = "" if value.zone is None else f"[{value.zone}]"
        return iso_text(value.local) + offset_text(value.offset) + zone
    return _duration(value)


def offset_text(offset: int) -> str:
    """``Z``, ``+01:00``; with seconds where it has some."""
    if offset == 0:
        return "Z"
    minutes, seconds = divmod(abs(offset), 60)
    text = f"{'-' if offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return f"{text}:{seconds:02}" if seconds else text


def _date(date: Date) -> str:
    year, month, day = date.parts
    sign = "-" if year < 0 else "+" if year > 9_999 else ""
    return f"{sign}{abs(year):04}-{month:02}-{day:02}"


def _time(time: LocalTime) -> str:
    seconds, nanos = divmod(time.nanos, NANOS)
    minutes, second = divmod(seconds, 60)
    text = f"{minutes // 60:02}:{minutes % 60:02}"
    if not second and not nanos:
        return text
    return f"{text}:{second:02}" + (f".{_thousands(nanos)}" if nanos else "")


def _thousands(nanos: int) -> str:
    """Three, six or nine digits, as few as say it all."""
    digits = f"{nanos:09}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return digits


def _duration(value: Duration) -> str:
    total = value.seconds * NANOS + value.nanos
    sign = -1 if total < 0 else 1
    seconds, nanos = divmod(abs(total), NANOS)
    months = -1 if value.months < 0 else 1
    days = [
        (months * (abs(value.months) // 12), "Y"),
        (months * (abs(value.months) % 12), "M"),
        (value.days, "D"),
    ]
    clock = [(sign * (seconds // 3_600), "H"), (sign * (seconds // 60 % 60), "M")]
    text = "P" + "".join(f"{number}{unit}" for number, unit in days if number)
    rest = "".join(f"{number}{unit}" for number, unit in clock if number)
    if seconds % 60 or nanos:
        fraction = f".{nanos:09}".rstrip("0") if nanos else ""
        rest += f"{'-' if sign < 0 else ''}{seconds % 60}{fraction}S"
    if rest:
        return f"{text}T{rest}"
    return text if text != "P" else "PT0S"
