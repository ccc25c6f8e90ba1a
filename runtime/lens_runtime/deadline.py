"""One deadline for one request, spread over all its parts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lens_dsl.errors import ExecutionError


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


def deadline_exceeded() -> ExecutionError:
    """The error of a request that ran out of time; the same wherever it is noticed."""
    return ExecutionError(
        "DeadlineExceeded",
        "the query ran out of time",
        retryable=True,
        hint="narrow the query, or allow it more time (--timeout)",
    )
