"""How much of a service one actor, and all of them together, may use."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from lens_runtime.service.problems import Problem, Refused

WAIT_SECONDS = 1.0


@dataclass
class Rates:
    """A token bucket for each actor: a minute's worth of requests at once, then as they come back.

    There are at most as many as the policy has actors: nobody else comes this far.
    """

    a_minute: int
    now: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, actor: str) -> None:
        """Count one request. Refused (``TooManyRequests``) where the actor has none left, and until when."""
        now = self.now()
        left, since = self._left.get(actor, (float(self.a_minute), now))
        left = min(float(self.a_minute), left + (now - since) * self.a_minute / 60)
        if left < 1:
            self._left[actor] = left, now
            after = math.ceil((1 - left) * 60 / self.a_minute)
            raise Refused(
                Problem(429, "AccessDenied", "TooManyRequests", "this actor asks too often", max(1, after))
            )
        self._left[actor] = left - 1, now


@dataclass
class Turns:
    """So many requests at one time; the next wait a second for their turn."""

    at_once: int
    wait_seconds: float = WAIT_SECONDS

    def __post_init__(self) -> None:
        self._free = anyio.Semaphore(self.at_once)
        self.threads = anyio.CapacityLimiter(self.at_once)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A turn for the block. Refused (``Overloaded``) where none was free in time."""
        try:
            with anyio.fail_after(self.wait_seconds):
                await self._free.acquire()
        except TimeoutError:
            raise Refused(
                Problem(503, "ExecutionError", "Overloaded", "too many requests are under way", 1)
            ) from None
        try:
            yield
        finally:
            self._free.release()
