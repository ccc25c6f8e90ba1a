"""One reduction at a time for one leaf: who asks meanwhile waits for it and makes no call of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from threading import Lock
from typing import Generic, TypeVar

from lens_runtime.ports import Deadline

T = TypeVar("T")


class Flights(Generic[T]):
    """Shared by the threads of a process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: dict[tuple[str, ...], Future[T]] = {}

    def share(self, key: tuple[str, ...], make: Callable[[], T], deadline: Deadline) -> tuple[T, bool]:
        """What ``make`` gives, and whether this call made it. Its error is everybody's who waited for it."""
        with self._lock:
            future = self._under_way.get(key)
            leads = future is None
            if future is None:
                future = self._under_way[key] = Future()
        if not leads:
            return self._wait(future, deadline), False
        try:
            future.set_result(make())
        except BaseException as problem:
            future.set_exception(problem)
        finally:
            with self._lock:
                del self._under_way[key]
        return future.result(), True

    @staticmethod
    def _wait(future: Future[T], deadline: Deadline) -> T:
        while True:
            try:
                return future.result(deadline.remaining())
            except NotYet:
                deadline.check()
