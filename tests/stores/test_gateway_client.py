"""The gateway's client: how its answers, and those of what stands before it, come out."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest

from lens_dsl.errors import AccessDenied, ExecutionError, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.d1 import D1GatewayStore
from tests.stores.model import POLICY, WORLD, Patience, scope

SCOPES_HELD = [Statement("scopes_held")]


def answering(handler: Callable[[httpx.Request], httpx.Response]) -> D1GatewayStore:
    return D1GatewayStore(
        "https://gateway.example", "t", writer_key="k", transport=httpx.MockTransport(handler)
    )


def unexpected(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"sent {request.url}")


GOOD = {"results": [[["{}"]]], "rows_read": 3, "world": WORLD, "policy": POLICY.revision}


@pytest.mark.parametrize(
    ("answer", "kind", "code", "tries"),
    [
        (httpx.Response(401, json={}), AccessDenied, "Unauthenticated", 1),
        (httpx.Response(403, html="<html>"), AccessDenied, "Unauthenticated", 1),
        (
            httpx.Response(409, json={"error": {"code": "NotBuilt", "message": "m"}}),
            StoreError,
            "NotBuilt",
            1,
        ),
        (httpx.Response(429, html="<html>slow down"), StoreError, "StoreFailed", 3),
        (
            httpx.Response(503, json={"error": {"code": "StoreBusy", "message": "m"}}),
            StoreError,
            "StoreBusy",
            3,
        ),
        (httpx.Response(504, html="<html>"), StoreError, "StoreFailed", 3),
        (httpx.Response(200, html="<html>a portal"), StoreError, "StoreFailed", 1),
        (httpx.Response(200, json=[]), StoreError, "StoreFailed", 1),
        (httpx.Response(200, json={"world": WORLD, "policy": POLICY.revision}), StoreError, "StoreFailed", 1),
        (
            httpx.Response(200, json={**GOOD, "results": 1}),
            StoreError,
            "StoreFailed",
            1,
        ),
        (httpx.Response(302, headers={"location": "https://evil.example"}), StoreError, "StoreFailed", 1),
        (httpx.ConnectError("no route"), StoreError, "StoreUnreachable", 3),
        (httpx.ReadTimeout("slow"), StoreError, "StoreTimeout", 3),
        (httpx.RemoteProtocolError("cut"), StoreError, "StoreUnreachable", 3),
        (httpx.DecodingError("bad gzip"), StoreError, "StoreUnreachable", 1),
    ],
)
def test_reads_are_tried_again_where_that_can_help(monkeypatch, answer, kind, code, tries):
    calls = []

    def handler(request: httpx.Request) -> httpx.Response:
        calls.append(request.url.path)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer.status_code, content=answer.content, headers=answer.headers)

    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    store = answering(handler)
    with pytest.raises(kind) as caught:
        store.read(SCOPES_HELD, scope("root"), Patience())
    assert (caught.value.code, len(calls)) == (code, tries)
    store.close()


@pytest.mark.parametrize("status", [429, 500, 503, 504])
def test_writes_are_never_tried_again(status):
    calls = []

    def handler(request: httpx.Request) -> httpx.Response:
        calls.append(request.url.path)
        return httpx.Response(status)

    store = answering(handler)
    with pytest.raises(StoreError):
        store.write([Statement("clear_grants")])
    assert calls == ["/write"]
    store.close()


def test_a_second_try_counts_as_a_round_trip():
    answers = [httpx.Response(503, text=""), httpx.Response(200, json=GOOD)]
    store = answering(lambda request: answers.pop(0))
    reading = store.read(SCOPES_HELD, scope("root"), Patience())
    assert (reading.round_trips, reading.rows_read, reading.results) == (2, 3, ((("{}",),),))
    store.close()


def test_no_try_begins_after_the_deadline():
    class Short:
        end = time.monotonic() + 0.15

        def remaining(self) -> float:
            return max(0.0, self.end - time.monotonic())

        def check(self) -> None:
            if not self.remaining():
                raise ExecutionError("DeadlineExceeded", "too late")

    calls = []

    def handler(request: httpx.Request) -> httpx.Response:
        calls.append(request.extensions["timeout"]["read"])
        return httpx.Response(503)

    store = answering(handler)
    with pytest.raises(StoreError):
        store.read(SCOPES_HELD, scope("root"), Short())
    assert len(calls) == 1
    assert calls[0] <= 0.15
    time.sleep(Short().remaining())
    with pytest.raises(ExecutionError) as caught:
        store.read(SCOPES_HELD, scope("root"), Short())
    assert (caught.value.code, len(calls)) == ("DeadlineExceeded", 1)
    store.close()


def test_another_worlds_gateway_is_refused():
    store = answering(lambda request: httpx.Response(200, json={**GOOD, "world": "other"}))
    with pytest.raises(StoreError, match="holds world other, not toy"):
        store.read(SCOPES_HELD, scope("root"), Patience())
    store.close()


def test_a_store_without_a_token_asks_nobody():
    store = D1GatewayStore("https://gateway.example", transport=httpx.MockTransport(unexpected))
    with pytest.raises(AccessDenied):
        store.read(SCOPES_HELD, scope("root"), Patience())
    with pytest.raises(AccessDenied):
        store.inspect([Statement("live")])
    store.close()


def test_half_a_character_is_refused_before_it_is_sent():
    store = answering(unexpected)
    with pytest.raises(StoreError) as caught:
        store.read([Statement("echo", ("\ud800",))], scope("root"), Patience())
    assert caught.value.code == "BadText"
    store.close()


def test_a_lease_that_runs_out_before_it_is_asked_whose_it_is_is_taken():
    written = []

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/write":
            return httpx.Response(200, json={**GOOD, "results": [[]]})
        written.append(request)
        failed = {"error": {"code": "ConstraintFailed", "message": "D1 could not run it"}}
        return httpx.Response(422, json=failed) if len(written) == 1 else httpx.Response(200, json=GOOD)

    with answering(handler).writing():
        assert len(written) == 2
