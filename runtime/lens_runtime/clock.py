"""Now: the system's clock, or one that stands still for tests and demos (``LENS_NOW``)."""

from __future__ import annotations

import time
from dataclasses import dataclass


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""
        return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that always says the same."""

    at: int

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""
        return self.at
