"""One deadline for one request, spread over all its parts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lens_dsl.errors import ExecutionError
from lens_runtime.ports import Deadline


@dataclass(frozen=True, slots=True)
class MonotonicDeadline:
    """A moment on the monotonic clock, in seconds."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> MonotonicDeadline:
        """The deadline that many seconds from now."""
        return cls(time.monotonic() + seconds)

    def remaining(self) -> float:
        """Seconds left; 0.0 once it has passed."""
        return max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Raise ExecutionError (DeadlineExceeded) once it has passed."""
        if self.remaining() <= 0:
            raise deadline_exceeded()


@dataclass(frozen=True, slots=True)
class PartDeadline:
    """The time left until only ``reserve`` seconds of the whole are left."""

    whole: Deadline
    reserve: float

    @classmethod
    def half(cls, whole: Deadline) -> PartDeadline:
        """Half of the time that is left now."""
        return cls(whole, whole.remaining() / 2)

    def remaining(self) -> float:
        """Seconds left of the part; 0.0 once it has passed."""
        return max(0.0, self.whole.remaining() - self.reserve)

    def check(self) -> None:
        """Raise ExecutionError (DeadlineExceeded) once the part has passed."""
        if self.remaining() <= 0:
            raise deadline_exceeded()


def deadline_exceeded() -> ExecutionError:
    """The error of a request that ran out of time; the same wherever it is noticed."""
    return ExecutionError(
        "DeadlineExceeded",
        "the query ran out of time",
        retryable=True,
        hint="narrow the query, or allow it more time (--timeout)",
    )
