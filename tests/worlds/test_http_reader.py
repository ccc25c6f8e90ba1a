"""What a reader over HTTP makes of everything that can answer, or not answer, in a module's place."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from lens_dsl.errors import ConfigurationError, ExecutionError, ReaderError
from lens_runtime.adapters.http_reader import HttpReader, ModuleClient
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.module_messages import MAX_ANSWER_BYTES, MAX_IDS
from lens_runtime.ports import Forbidden, Found, NotFound
from lens_runtime.projection.states import Position
from lens_runtime.scope import Actor
from tests.worlds.desk import Spent

SECRET = "secret-value"
TOKEN = "the-token"
RECORD = {"fields": {"text": "hello"}, "revision": "3", "visibility": "internal", "label": "a label"}
FOUND = {"id": "1", "state": "found", "record": RECORD}
Handler = Callable[[httpx.Request], httpx.Response]


def reader(handler: Handler, url: str = "http://module.test/desk/") -> HttpReader:
    return HttpReader("desk", url, ModuleClient(TOKEN, httpx.MockTransport(handler)))


def answering(status: int = 200, **more: object) -> HttpReader:
    return reader(lambda request: httpx.Response(status, **more))  # type: ignore[arg-type]


def read(one: HttpReader, ids: list[str] | None = None, left: float = 5.0) -> dict:
    return dict(one.read(Actor("ana"), "main", "Ticket", ["1"] if ids is None else ids, Spent(left)))


def refused(one: HttpReader, ids: list[str] | None = None) -> ReaderError:
    with pytest.raises(ReaderError) as caught:
        read(one, ids)
    told = f"{caught.value} {caught.value.__cause__}"
    assert SECRET not in told
    assert TOKEN not in told
    assert "desk" in caught.value.message
    return caught.value


def test_one_request_asks_for_all_and_tells_the_three_answers_apart():
    requests: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        states = [FOUND, {"id": "2", "state": "not_found"}, {"id": "3", "state": "forbidden"}]
        return httpx.Response(200, json={"answers": states})

    answers = read(reader(handler), ["3", "1", "2"], left=2.5)
    assert list(answers) == ["3", "1", "2"]
    assert answers == {
        "3": Forbidden(),
        "1": Found({"text": "hello"}, "3", "internal", "a label"),
        "2": NotFound(),
    }
    (request,) = requests
    assert (request.method, str(request.url)) == ("POST", "http://module.test/desk/read")
    assert json.loads(request.content) == {
        "actor": "ana", "context": "main", "kind": "Ticket", "ids": ["3", "1", "2"],
    }  # fmt: skip
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["lens-deadline-ms"] == "2500"


def test_more_ids_than_a_request_takes_are_asked_in_several():
    sizes: list[int] = []

    def handler(request: httpx.Request) -> httpx.Response:
        ids = json.loads(request.content)["ids"]
        sizes.append(len(ids))
        return httpx.Response(200, json={"answers": [{"id": one, "state": "not_found"} for one in ids]})

    ids = [str(number) for number in range(MAX_IDS + 1)]
    assert list(read(reader(handler), ids)) == ids
    assert sizes == [MAX_IDS, 1]


@pytest.mark.parametrize(
    "content",
    [
        f"<html>{SECRET}</html>",
        "",
        "[]",
        "null",
        f'{{"answers": "{SECRET}"}}',
        '{"answers": [{"id": "1", "state": "gone"}]}',
        '{"answers": [{"id": "1", "state": "found"}]}',
        json.dumps({"answers": [{"id": "1", "state": "forbidden", "record": RECORD}]}),
        json.dumps({"answers": [{**FOUND, "record": {**RECORD, "revision": 3}}]}),
        json.dumps({"answers": [{**FOUND, "record": {**RECORD, "fields": [SECRET]}}]}),
        json.dumps({"answers": [{**FOUND, SECRET: 1}]}),
        json.dumps({"answers": [{**FOUND, "id": "2"}]}),
        '{"answers": []}',
        "[" * 100_000,
    ],
)
def test_an_answer_of_another_shape_is_unavailable(content):
    fault = refused(answering(text=content))
    assert (fault.code, fault.retryable) == ("ReaderUnavailable", True)


@pytest.mark.parametrize("status", [204, 400, 404, 429, 500, 502, 503])
def test_a_failure_is_unavailable_and_named_by_its_status_alone(status):
    error = {"error": {"type": "ReaderError", "code": "Anything", "message": SECRET}}
    for body in ({"json": error}, {"text": f"<html>{SECRET}</html>"}, {"content": b"\xff" * 50_000}):
        fault = refused(answering(status, **body))
        assert (fault.code, fault.retryable) == ("ReaderUnavailable", True)
        assert str(status) in fault.message


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_of_the_whole_request_is_told_apart(status):
    fault = refused(answering(status, text=SECRET))
    assert (fault.code, fault.retryable) == ("ReaderRefused", False)
    assert "LENS_MODULE_TOKEN" in str(fault)


@pytest.mark.parametrize("place", ["http://other.test/read", "/elsewhere"])
def test_no_redirect_is_followed(place):
    hosts: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(307, headers={"location": place})

    assert refused(reader(handler)).code == "ReaderUnavailable"
    assert hosts == ["module.test"]


@pytest.mark.parametrize("fault", [httpx.ConnectError, httpx.ReadError, httpx.RemoteProtocolError])
def test_a_module_that_cannot_be_reached_is_unavailable(fault):
    def handler(request: httpx.Request) -> httpx.Response:
        raise fault(SECRET)

    assert refused(reader(handler)).code == "ReaderUnavailable"


def test_a_time_out_is_unavailable_in_time():
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.extensions["timeout"]["read"] <= 5.0
        raise httpx.ReadTimeout(SECRET)

    assert "in time" in refused(reader(handler)).message


def test_an_answer_that_only_trickles_in_is_given_up_at_the_deadline():
    def drip() -> Iterator[bytes]:
        for _ in range(1_000):
            time.sleep(0.02)
            yield b" "

    one = answering(content=drip())
    began = time.monotonic()
    with pytest.raises(ReaderError, match="in time"):
        one.read(Actor("ana"), "main", "Ticket", ["1"], MonotonicDeadline.after(0.2))
    assert time.monotonic() - began < 1.0


def test_no_time_left_asks_nothing():
    with pytest.raises(ExecutionError, match="DeadlineExceeded"):
        read(reader(lambda request: pytest.fail("asked")), left=0.0)


def test_an_answer_is_bounded():
    taken: list[int] = []

    def endless() -> Iterator[bytes]:
        for _ in range(10 * MAX_ANSWER_BYTES // 1_000_000):
            taken.append(1_000_000)
            yield b" " * 1_000_000

    assert refused(answering(content=endless())).code == "ReaderUnavailable"
    assert sum(taken) <= MAX_ANSWER_BYTES + 1_000_000


CHANGE = {
    "position": {"seq": 1, "mark": "m"},
    "op": "delete",
    "coordinate": {"module": "desk", "entity_type": "Ticket", "entity_id": "1"},
    "revision": "2",
}


def test_a_feed_is_read_page_by_page():
    asked: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        cursor = request.url.params.get("cursor")
        asked.append(cursor)
        seq = int(cursor.split("-")[0]) + 1 if cursor else 0
        page = [{**CHANGE, "position": {"seq": seq, "mark": "m"}}] if cursor and seq <= 3 else []
        return httpx.Response(200, json={"head": "3-m", "goes_on": cursor is not None, "changes": page})

    one = reader(handler)
    first = one.changes(None)
    assert first is not None
    assert (first.head, first.changes) == (Position(3, "m"), None)
    feed = one.changes(Position(0, "m"))
    assert feed is not None
    assert [change.seq for change in feed.changes or ()] == [1, 2, 3]
    assert asked == [None, "0-m", "1-m", "2-m", "3-m"]


def test_a_feed_that_is_replaced_while_it_is_read_is_unavailable():
    def handler(request: httpx.Request) -> httpx.Response:
        goes_on = request.url.params["cursor"] == "0-m"
        return httpx.Response(200, json={"head": "3-m", "goes_on": goes_on, "changes": [CHANGE] * goes_on})

    feed = reader(handler).changes(Position(0, "m"))
    assert feed is not None
    with pytest.raises(ReaderError, match="was replaced"):
        list(feed.changes or ())


def test_a_module_without_a_feed_says_so():
    assert answering(json={"head": None, "goes_on": False, "changes": []}).changes(None) is None


@pytest.mark.parametrize("change", [{}, {**CHANGE, "op": "moved"}, {**CHANGE, "position": 1}])
def test_an_event_of_another_shape_is_unavailable(change):
    with pytest.raises(ReaderError, match="shape"):
        answering(json={"head": "3-m", "goes_on": True, "changes": [change]}).changes(Position(0, "m"))


NODE = {
    "coordinate": {"module": "desk", "entity_type": "Ticket", "entity_id": "1"},
    "revision": "1",
    "label": "a",
    "visibility": "internal",
}


@pytest.mark.parametrize(
    "lines",
    [[], [{"item": NODE}], [{"item": NODE}, {"end": 2}], [{"end": 1}], [{"item": {}}], [{"what": 1}], [1]],
)
def test_a_snapshot_that_is_not_whole_is_no_snapshot(lines):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    with pytest.raises(ReaderError) as caught:
        list(answering(text=text).snapshot().nodes)
    assert caught.value.code == "ReaderUnavailable"


def test_a_snapshot_is_streamed_with_its_null_references():
    text = json.dumps({"end": 0, "null_references": {"follows": 3}}) + "\n"
    snapshot = answering(text=text).snapshot()
    assert (list(snapshot.nodes), list(snapshot.edges)) == ([], [])
    assert snapshot.null_references == {"follows": 3}


def test_what_stops_a_snapshot_is_told_to_the_operator():
    error = {"type": "ConfigurationError", "code": "UnknownContext", "message": "moon is no context"}
    for one in (
        answering(text=json.dumps({"error": error}) + "\n"),
        answering(500, json={"error": error}),
    ):
        with pytest.raises(ConfigurationError, match="moon is no context"):
            list(one.snapshot().nodes)


def test_a_line_of_a_snapshot_is_bounded():
    with pytest.raises(ReaderError, match="shape"):
        list(answering(content=(b"x" * 500_000 for _ in range(100))).snapshot().nodes)
