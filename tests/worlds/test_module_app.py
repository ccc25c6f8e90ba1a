"""The serving side: what it takes, what it refuses, and that it tells nothing it should not."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from lens_runtime.module_messages import MAX_IDS, MAX_REQUEST_BYTES
from tests.worlds.desk import RECORDS, Desk, record
from tests.worlds.serving import TOKEN, app_of, listening

ASKED = {"actor": "ana", "context": "main", "kind": "Ticket", "ids": ["1", "2", "99"]}


@pytest.fixture
def desk(tmp_path) -> Desk:
    return Desk(tmp_path, "sqlite")


@pytest.fixture
def client(desk) -> Iterator[httpx.Client]:
    with (
        listening(app_of(desk.world, desk.reader)) as url,
        httpx.Client(base_url=url, headers={"authorization": f"Bearer {TOKEN}"}) as client,
    ):
        yield client


def test_a_read_tells_the_three_answers_apart_in_the_documented_shape(client):
    answer = client.post("/read", json=ASKED)
    assert answer.headers["content-type"] == "application/json"
    found, forbidden, missing = answer.json()["answers"]
    assert found["record"].keys() == {"fields", "revision", "visibility", "label", "observed_at", "summary"}
    assert forbidden == {"id": "2", "state": "forbidden", "record": None}
    assert missing == {"id": "99", "state": "not_found", "record": None}


@pytest.mark.promise("P21")
@pytest.mark.parametrize("path", ["/read", "/changes", "/snapshot?part=nodes"])
@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer wrong", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x"]
)
def test_without_the_token_nothing_is_read(client, desk, path, given):
    desk.lose()
    headers = {} if given is None else {"authorization": given}
    method = "POST" if path == "/read" else "GET"
    answer = httpx.request(method, f"{client.base_url}{path}", headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["error"]["code"] == "Unauthenticated"


def test_an_actor_that_the_policy_does_not_know_may_read_nothing(client):
    states = {one["state"] for one in client.post("/read", json={**ASKED, "actor": "eve"}).json()["answers"]}
    assert states == {"forbidden", "not_found"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        json.dumps({**ASKED, "more": 1}).encode(),
        json.dumps({**ASKED, "ids": "1"}).encode(),
        json.dumps({**ASKED, "ids": [1]}).encode(),
        json.dumps({**ASKED, "ids": ["x"] * (MAX_IDS + 1)}).encode(),
        json.dumps({**ASKED, "actor": None}).encode(),
        b" " * (MAX_REQUEST_BYTES + 1),
    ],
)
def test_a_request_of_another_shape_is_refused(client, body):
    answer = client.post("/read", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BadRequest")


@pytest.mark.parametrize("path", ["/snapshot", "/snapshot?part=all", "/changes?cursor=x"])
def test_a_query_of_another_shape_is_refused(client, path):
    assert client.get(path).status_code == 400


def test_a_source_that_is_gone_and_a_deadline_that_passed_have_their_own_status(client, desk):
    late = client.post("/read", json=ASKED, headers={"lens-deadline-ms": "0"})
    assert (late.status_code, late.json()["error"]["code"]) == (504, "DeadlineExceeded")
    desk.lose()
    gone = client.post("/read", json=ASKED)
    assert (gone.status_code, gone.json()["error"]["code"]) == (503, "ReaderUnavailable")
    assert str(desk.folder) not in gone.text


def test_a_fault_midway_ends_a_snapshot_with_its_name(client, desk):
    desk.put([*RECORDS, record(7, region="moon")])
    lines = client.get("/snapshot", params={"part": "nodes"}).text.splitlines()
    assert json.loads(lines[-1])["error"]["code"] == "UnknownContext"
    assert all("item" in json.loads(line) for line in lines[:-1])


def test_a_module_without_a_feed_has_no_head(client):
    assert client.get("/changes").json() == {"head": None, "goes_on": False, "changes": []}


def test_it_says_that_it_lives_and_knows_no_other_path(client):
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/").status_code == 404
    assert client.get("/read").status_code == 405
