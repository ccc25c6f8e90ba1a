"""What one temporal value has of another: the day of a moment, its time of day, the moment of a day."""

from __future__ import annotations

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import kind_of
from lens_runtime.evaluation.temporal.text import offset_text
from lens_runtime.evaluation.temporal.values import Date, DateTime, LocalDateTime, LocalTime, Time
from lens_runtime.graph import Value


def date_in(value: Value) -> Date:
    """The day of a temporal value."""
    if isinstance(value, Date):
        return value
    if isinstance(value, LocalDateTime):
        return value.date
    if isinstance(value, DateTime):
        return value.local.date
    raise _without(value, "date")


def local_time_in(value: Value) -> LocalTime:
    """The time of day of a temporal value, as its clock shows it."""
    if isinstance(value, LocalTime):
        return value
    if isinstance(value, Time):
        return value.local
    if isinstance(value, LocalDateTime):
        return value.time
    if isinstance(value, DateTime):
        return value.local.time
    raise _without(value, "time")


def zone_in(value: Value) -> str | int | None:
    """The zone of a temporal value: its name, its offset in seconds, or None where it has none."""
    if isinstance(value, Time):
        return value.offset
    if isinstance(value, DateTime):
        return value.zone if value.zone is not None else value.offset
    return None


def zone_text(zone: str | int | None) -> str | None:
    """The zone as it is written."""
    return offset_text(zone) if isinstance(zone, int) else zone


def _without(value: Value, what: str) -> EvaluationProblem:
    return EvaluationProblem("InvalidArgumentValue", f"{kind_of(value)} has no {what}")
