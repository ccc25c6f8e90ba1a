"""How long an evaluation may take, and how large a value may grow: a short query can ask for 2^n of either."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from lens_dsl.errors import OverBudget

LARGEST = 2**20  # characters of a string, elements of a list
MOST_BUILT = 3_000_000  # elements of all lists and maps that one query builds
_CHARACTERS = 8  # that weigh as much as an element
_CHECK_EVERY = 1_024


class Patience(Protocol):
    """A deadline, as far as an evaluation knows it."""

    def check(self) -> None:
        """Raise once it has passed."""


class _Watch:
    """Counts the work that is done, and looks at the deadline now and then."""

    __slots__ = ("built", "deadline", "work")

    def __init__(self, deadline: Patience) -> None:
        self.deadline = deadline
        self.work = 0
        self.built = 0


_watch: ContextVar[_Watch | None] = ContextVar("watch", default=None)


@contextmanager
def within(deadline: Patience) -> Iterator[None]:
    """Let every evaluation in the block be stopped by this deadline."""
    token = _watch.set(_Watch(deadline))
    try:
        yield
    finally:
        _watch.reset(token)


def tick(units: int = 1) -> None:
    """So many units of work, each about that of evaluating an expression or comparing two values."""
    watch = _watch.get()
    if watch is not None:
        before, watch.work = watch.work, watch.work + units
        if before // _CHECK_EVERY != watch.work // _CHECK_EVERY:
            watch.deadline.check()


def built(size: int) -> None:
    """A list or map of that many elements is about to be built; OverBudget where it, or all of them, is too large.

    Small values nest: a list of lists can be large while each of its lists is not.
    """
    check_size(size)
    watch = _watch.get()
    if watch is not None:
        watch.built += size
        if watch.built > MOST_BUILT:
            raise OverBudget(
                "ValueTooLarge",
                f"the query would build lists, maps and strings of more than {MOST_BUILT:,} elements",
                hint="narrow the lists it goes through",
                phase="runtime",
            )


def built_text(length: int) -> None:
    """As ``built``, for a string of that many characters."""
    check_size(length)
    built(length // _CHARACTERS)


def check_weight(rows: Iterable[Mapping[str, object]]) -> None:
    """Raise OverBudget (ValueTooLarge) where a row, with all that is nested in it, is too large to be given out.

    A list that holds another one twice is small in memory and twice as large when it is written.
    """
    for row in rows:
        waiting, size = list(row.values()), 0
        while waiting:
            tick()
            value = waiting.pop()
            nested = value.values() if isinstance(value, Mapping) else value
            if isinstance(value, (list, tuple, Mapping)):
                waiting.extend(nested)  # type: ignore[arg-type]
            size += len(value) if isinstance(value, str) else 1
            check_size(size)


def check_size(size: int) -> None:
    """Raise OverBudget (ValueTooLarge) where a value would be larger than any answer needs."""
    if size > LARGEST:
        raise OverBudget(
            "ValueTooLarge",
            f"a value would have {size:,} characters or elements; the most is {LARGEST:,}",
            hint="a list or string that is added to itself doubles each time",
            phase="runtime",
        )
