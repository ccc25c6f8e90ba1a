"""Two who ask for one leaf at the same moment share its one reduction."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest

from lens_dsl.errors import ExecutionError
from lens_runtime.aggregation.flights import Flights
from lens_runtime.ports import Deadline, Reduced
from tests.aggregation.shelf import Shelf, outcomes
from tests.worlds.building import Ample
from tests.worlds.desk import Spent


def test_two_first_traversals_share_one_reduction(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waiting, go_on = Event(), Event(), Event()
    wait = Flights._wait

    def noted(future: Future[object], deadline: Deadline) -> object:
        waiting.set()
        return wait(future, deadline)

    monkeypatch.setattr(Flights, "_wait", staticmethod(noted))

    def slow(request):
        begun.set()
        assert go_on.wait(5)
        return Reduced("once", "scripted 1")

    shelf.reducer.script = slow
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(shelf.ask)
        assert begun.wait(5)
        second = pool.submit(shelf.ask)
        assert waiting.wait(5)
        go_on.set()
        results = [first.result(10), second.result(10)]
    assert [outcomes(result) for result in results] == [["generated"], ["hit"]]
    assert [result.usage.model_calls for result in results] == [1, 0]
    assert results[0].rows == results[1].rows
    assert len(shelf.reducer.requests) == 1


def test_an_error_is_everybodys_who_waited_and_nobodys_after():
    flights: Flights[int] = Flights()

    def fail() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        flights.share(("a",), fail, Ample())
    assert flights.share(("a",), lambda: 3, Ample()) == (3, True)


def test_who_waits_does_not_wait_past_its_deadline():
    flights: Flights[int] = Flights()
    begun, go_on = Event(), Event()

    def slow() -> int:
        begun.set()
        go_on.wait(5)
        return 1

    with ThreadPoolExecutor(1) as pool:
        leader = pool.submit(flights.share, ("a",), slow, Ample())
        assert begun.wait(5)
        with pytest.raises(ExecutionError, match="DeadlineExceeded"):
            flights.share(("a",), slow, Spent(0.0))
        go_on.set()
        assert leader.result(5) == (1, True)
