"""The six temporal types. Plain data, compared by what they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.temporal.calendar import date_of, days_of

NANOS: Final = 1_000_000_000  # in a second
SECONDS_OF_DAY: Final = 86_400
NANOS_OF_DAY: Final = SECONDS_OF_DAY * NANOS
LAST_YEAR: Final = 999_999_999
# A month has the average length of the calendar's wherever it is counted in seconds.
SECONDS_OF_MONTH: Final = 2_629_746


@dataclass(frozen=True, slots=True)
class Date:
    """A day, counted from 1970-01-01."""

    days: int

    def __post_init__(self) -> None:
        if not -LAST_YEAR <= date_of(self.days)[0] <= LAST_YEAR:
            raise EvaluationProblem(
                "NumberOutOfRange", f"years go from -{LAST_YEAR:,} to {LAST_YEAR:,}", type="ArgumentError"
            )

    @classmethod
    def of(cls, year: int, month: int, day: int) -> Date:
        """The day of a valid year, month and day."""
        return cls(days_of(year, month, day))

    @property
    def parts(self) -> tuple[int, int, int]:
        """Year, month and day."""
        return date_of(self.days)


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A time of day without a zone, in nanoseconds from midnight."""

    nanos: int


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day, ``offset`` seconds east of UTC."""

    local: LocalTime
    offset: int

    @property
    def instant(self) -> int:
        """Nanoseconds from midnight in UTC."""
        return self.local.nanos - self.offset * NANOS


@dataclass(frozen=True, slots=True)
class LocalDateTime:
    """A day and a time of day without a zone."""

    date: Date
    time: LocalTime

    @property
    def nanos(self) -> int:
        """Nanoseconds from 1970-01-01T00:00 in the same place."""
        return self.date.days * NANOS_OF_DAY + self.time.nanos

    @classmethod
    def at(cls, nanos: int) -> LocalDateTime:
        """The one so many nanoseconds after 1970-01-01T00:00."""
        days, rest = divmod(nanos, NANOS_OF_DAY)
        return cls(Date(days), LocalTime(rest))


@dataclass(frozen=True, slots=True)
class DateTime:
    """A moment as a place reads it, ``offset`` seconds east of UTC; ``zone`` is the place's name, if one is known."""

    local: LocalDateTime
    offset: int
    zone: str | None = None

    @property
    def instant(self) -> int:
        """Nanoseconds from 1970-01-01T00:00Z."""
        return self.local.nanos - self.offset * NANOS


@dataclass(frozen=True, slots=True)
class Duration:
    """Months, days and seconds, which have no fixed length in one another; ``nanos`` are 0 to 999,999,999."""

    months: int
    days: int
    seconds: int
    nanos: int

    @classmethod
    def of(cls, months: int, days: int, nanos: int) -> Duration:
        """The duration of whole months and days and of nanoseconds of any number."""
        seconds, rest = divmod(nanos, NANOS)
        if max(map(abs, (months, days, seconds))) >= 2**63:
            raise EvaluationProblem("NumberOutOfRange", "the duration is too long", type="ArgumentError")
        return cls(months, days, seconds, rest)

    @property
    def length(self) -> int:
        """About how long it is, in nanoseconds: what ORDER BY goes by."""
        seconds = self.months * SECONDS_OF_MONTH + self.days * SECONDS_OF_DAY + self.seconds
        return seconds * NANOS + self.nanos


Instant = Date | LocalTime | Time | LocalDateTime | DateTime
Temporal = Instant | Duration
INSTANTS: Final = (Date, LocalTime, Time, LocalDateTime, DateTime)
TEMPORAL: Final = (*INSTANTS, Duration)
_TYPES: Final = (DateTime, LocalDateTime, Date, Time, LocalTime, Duration)  # as ORDER BY has them


def order_of(value: Temporal) -> tuple[int | str, ...]:
    """What sorts temporal values: by type, then earlier or shorter first, then whatever still tells them apart."""
    place = _TYPES.index(type(value))
    if isinstance(value, Date):
        return place, value.days
    if isinstance(value, (LocalTime, LocalDateTime)):
        return place, value.nanos
    if isinstance(value, Time):
        return place, value.instant, value.offset
    if isinstance(value, DateTime):
        return place, value.instant, value.offset, value.zone or ""
    return place, value.length, value.months, value.days, value.seconds
