"""One actor cannot have all of the service, nor all of them more than it can do."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, BrokenBarrierError, Event, Lock
from typing import Any

import anyio
import pytest

from lens_runtime.service.limits import Rates, Turns
from lens_runtime.service.problems import Refused, problem_of
from tests.service.running import Counting, asking, bearer, inside


class Clock:
    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


def refused(rates: Rates, actor: str = "ana") -> int | None:
    """The seconds after which to come again; None where the request was taken."""
    try:
        rates.take(actor)
    except Refused as fault:
        return fault.problem.retry_after
    return None


def test_a_minutes_worth_at_once_then_as_they_come_back():
    clock = Clock()
    rates = Rates(6, clock)
    assert [refused(rates) for _ in range(8)] == [None] * 6 + [10, 10]
    clock.time += 9.5
    assert refused(rates) == 1
    clock.time += 0.5
    assert [refused(rates), refused(rates)] == [None, 10]
    clock.time += 3_600
    assert [refused(rates) for _ in range(7)] == [None] * 6 + [10]


def test_one_actor_does_not_use_up_anothers():
    rates = Rates(1, Clock())
    assert [refused(rates, "ana"), refused(rates, "ana"), refused(rates, "ben")] == [None, 60, None]


def test_too_many_requests_of_one_actor_are_told_when_to_come_again(able):
    with inside(able, rate=2) as (client, stores):
        answers = [client.post("/context", json=asking(), headers=bearer()) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert 1 <= int(answers[2].headers["retry-after"]) <= 30
        assert answers[2].json()["error"]["code"] == "TooManyRequests"
        assert client.post("/mcp", headers=bearer()).status_code == 429
        assert client.post("/context", json=asking(), headers=bearer("agent:ben")).status_code == 200
        assert len(stores.lent) == 3


def test_no_more_at_one_time_than_it_may(able, monkeypatch):
    at_once, most, lock = 0, 0, Lock()
    both = Barrier(2)

    @contextmanager
    def lend(self: Counting, caller: Any) -> Any:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        try:
            both.wait(5)
            with self.inner.lend(caller) as store:
                yield store
        except BrokenBarrierError:
            pytest.fail("two requests were not carried out side by side")
        finally:
            with lock:
                at_once -= 1

    monkeypatch.setattr(Counting, "lend", lend)
    with inside(able, at_once=2) as (client, _), ThreadPoolExecutor(6) as pool:
        sent = [pool.submit(client.post, "/context", json=asking(), headers=bearer()) for _ in range(6)]
        assert [each.result().status_code for each in sent] == [200] * 6
    assert most == 2


def test_who_finds_no_turn_in_time_is_told_so():
    async def two() -> None:
        turns = Turns(1, wait_seconds=0.05)
        async with turns.turn():
            with pytest.raises(Refused) as told:
                async with turns.turn():
                    pytest.fail("there was only one turn")
        assert (told.value.problem.status, told.value.problem.code) == (503, "Overloaded")
        async with turns.turn():
            pass

    anyio.run(two)


def test_a_fault_of_ours_tells_nobody_what_it_met(able, monkeypatch, caplog):
    reached = Event()

    def lend(self: Counting, caller: Any) -> Any:
        reached.set()
        raise RuntimeError("the private words of a record")

    monkeypatch.setattr(Counting, "lend", lend)
    with inside(able) as (client, _):
        answer = client.post("/context", json=asking(), headers=bearer())
    assert reached.is_set()
    assert answer.status_code == 500
    assert json.loads(answer.text) == {
        "error": {
            "type": "Error",
            "code": "InternalError",
            "message": "this failed; the operator's log says where",
        }
    }
    assert "a fault of this program: RuntimeError in " in caplog.text
    assert "private" not in caplog.text


def test_what_was_never_raised_has_no_place():
    assert problem_of(ValueError("private")).code == "InternalError"
