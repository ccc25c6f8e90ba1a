"""The Gregorian calendar, carried on before its beginning: days since 1970-01-01 and back."""

from __future__ import annotations

from typing import Final

_DAYS_OF_ERA: Final = 146_097  # 400 years
_TO_1970: Final = 719_468  # from 0000-03-01
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def days_of(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to this date; it may lie before."""
    shifted = year - (month <= 2)  # years that begin in March have their leap day at their end
    era, of_era = divmod(shifted, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * _DAYS_OF_ERA + of_era * 365 + of_era // 4 - of_era // 100 + of_year - _TO_1970


def date_of(days: int) -> tuple[int, int, int]:
    """Year, month and day of so many days after 1970-01-01."""
    era, of_era = divmod(days + _TO_1970, _DAYS_OF_ERA)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day = of_year - (153 * month + 2) // 5 + 1
    return era * 400 + year + (month >= 10), (month + 2) % 12 + 1, day


def is_leap(year: int) -> bool:
    """Whether a year has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    """How many days a month has."""
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def weekday(days: int) -> int:
    """1 for Monday to 7 for Sunday."""
    return (days + 3) % 7 + 1


def week_one(week_year: int) -> int:
    """The Monday that an ISO week year begins with: its week has the year's first Thursday."""
    fourth = days_of(week_year, 1, 4)
    return fourth - weekday(fourth) + 1


def weeks_in(week_year: int) -> int:
    """How many weeks an ISO week year has: 52 or 53."""
    return (week_one(week_year + 1) - week_one(week_year)) // 7


def week_of(days: int) -> tuple[int, int]:
    """The ISO week year and week of a day."""
    year = date_of(days - weekday(days) + 4)[0]
    return year, (days - week_one(year)) // 7 + 1
