"""Our calendar, zones and texts against Python's, where Python has them, and against themselves where it has not."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from lens_runtime.evaluation.temporal import reading
from lens_runtime.evaluation.temporal.calendar import date_of, days_of, week_of, weekday
from lens_runtime.evaluation.temporal.text import iso_text
from lens_runtime.evaluation.temporal.values import (
    LAST_YEAR,
    NANOS,
    NANOS_OF_DAY,
    Date,
    Duration,
    LocalDateTime,
    LocalTime,
    Time,
)
from lens_runtime.evaluation.temporal.zones import in_zone, moment

EPOCH = date(1970, 1, 1)
ZONES = ("Europe/Stockholm", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")

dates = st.builds(Date, st.integers(days_of(-LAST_YEAR, 1, 1), days_of(LAST_YEAR, 12, 31)))
times = st.builds(LocalTime, st.integers(0, NANOS_OF_DAY - 1))
offsets = st.integers(-18 * 3600, 18 * 3600)
locals_ = st.builds(LocalDateTime, dates, times)
# In UTC the first and the last day there are can lie beyond what there is.
inner = st.builds(
    LocalDateTime, st.builds(Date, st.integers(days_of(-LAST_YEAR, 1, 2), days_of(LAST_YEAR, 12, 30))), times
)
counts = st.integers(-(2**40), 2**40)


@given(st.dates(date(2, 1, 1), date(9998, 12, 31)))
def test_a_day_is_pythons(day):
    days = (day - EPOCH).days
    assert days_of(day.year, day.month, day.day) == days
    assert date_of(days) == (day.year, day.month, day.day)
    assert (*week_of(days), weekday(days)) == tuple(day.isocalendar())


@given(dates)
def test_a_day_far_away_is_counted_there_and_back(day):
    assert days_of(*day.parts) == day.days
    assert week_of(day.days + 7 * 20_871)[0] == week_of(day.days)[0] + 400  # the weeks of 400 years
    assert weekday(day.days) == weekday(day.days + 146_097)


@given(st.integers(-(10**9), 10**10), st.sampled_from(ZONES))
def test_a_moment_in_a_zone_is_pythons(seconds, name):
    there = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone(ZoneInfo(name))
    found = moment(seconds * NANOS, name)
    assert found.instant == seconds * NANOS
    assert timedelta(seconds=found.offset) == there.utcoffset()
    assert found.local.date.parts == (there.year, there.month, there.day)
    assert reading.read_date_time(iso_text(found)) == found


@given(inner, st.sampled_from(ZONES))
def test_a_zone_has_rules_for_every_year(local, name):
    found = in_zone(local, name)
    assert abs(found.offset) <= 18 * 3600
    assert moment(found.instant, name) == found


@given(st.one_of(dates, times, locals_, st.builds(Time, times, offsets)))
def test_a_text_reads_back_as_the_value(value):
    readers = {
        Date: reading.read_date,
        LocalTime: reading.read_local_time,
        LocalDateTime: reading.read_local_date_time,
        Time: reading.read_time,
    }
    assert readers[type(value)](iso_text(value)) == value


@given(counts, counts, counts, st.integers(0, NANOS - 1))
def test_a_duration_reads_back_as_itself(months, days, seconds, nanos):
    duration = Duration(months, days, seconds, nanos)
    assert reading.read_duration(iso_text(duration)) == duration
