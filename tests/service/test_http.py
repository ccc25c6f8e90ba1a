"""``POST /context`` and what stands beside it, asked of a real process."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from lens_runtime.envelope import ContextEnvelope
from tests.service.running import LENSES, Running, World, asking, bearer, content, running


def plain(answer: httpx.Response, subject: str) -> str:
    """An answer without its time and id, and without what it echoes."""
    envelope = {**answer.json(), "as_of": "", "request_id": ""}
    return json.dumps(envelope).replace(subject, "X")


@pytest.mark.promise("P57")
def test_the_answer_is_the_envelope(served):
    answer = served.post(asking(focus="broken frame"))
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    envelope = ContextEnvelope.model_validate_json(answer.content)
    assert envelope.subject is not None
    assert envelope.subject.entity_id == "c-1501"


@pytest.mark.promise("P51")
def test_what_is_hidden_is_as_what_is_not_there(served):
    """c-1503 belongs to another team, c-1506 is restricted, c-9999 is not there."""
    told = {
        plain(served.post(asking(f"helpdesk:Case:{case}")), case) for case in ("c-1503", "c-1506", "c-9999")
    }
    assert len(told) == 1
    assert "not_found_or_not_visible" in told.pop()


@pytest.mark.promise("P34", "P47")
def test_an_unknown_lens_is_refused_with_those_there_are(served):
    answer = served.post(asking(lens="support"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "UnknownLens")
    assert ", ".join(LENSES) in answer.json()["error"]["message"]


@pytest.mark.promise("P22", "P44")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'"text"',
        b"\xff",
        json.dumps(asking()).encode("utf-16"),
        b"[" * 60_000,
        json.dumps(asking()).replace('"lens"', '"lens": "customer_history", "lens"').encode(),
        json.dumps(asking()).replace('"module"', '"module": "directory", "module"').encode(),
        b'{"subject": {"module": "\\ud800", "entityType": "Case", "entityId": "1"}, "lens": "support_decision"}',
        *(
            json.dumps(wrong).encode()
            for wrong in (
                asking(actor="lead:mia"),
                asking(context="other"),
                asking(query="MATCH (n) RETURN n"),
                asking(maxNodes=True),
                asking(maxNodes=1.5),
                asking(maxNodes=float("nan")),
                asking(focus="x" * 1_001),
                asking(f"helpdesk:Case:{'x' * 401}"),
                asking("helpdesk:Case:a\0b"),
                {**asking(), "subject": "helpdesk:Case:c-1501"},
                {**asking(), "subject": {**asking()["subject"], "role": "lead"}},
            )
        ),
    ],
)
def test_what_is_not_of_the_shape_is_refused_in_one_shape(served, body):
    answer = httpx.post(f"{served.url}/context", content=body, headers=bearer())
    assert answer.status_code == 400
    assert answer.json().keys() == {"error"}
    assert answer.json()["error"].keys() == {"type", "code", "message"}


@pytest.mark.promise("P39")
@pytest.mark.parametrize(
    ("given", "same"), [("1.0", 1), ("1e0", 1), ("-1e400", 1), ("1e400", 0), ("9" * 9_000, 0)]
)
def test_every_whole_number_is_clamped(served, given, same):
    """0 stands here for all that there are."""
    body = json.dumps(asking("directory:Party:p-0042", maxNodes=7)).replace(": 7", f": {given}")
    answer = httpx.post(f"{served.url}/context", content=body, headers=bearer(), timeout=30)
    assert answer.status_code == 200, answer.text
    facts = len(answer.json()["facts"])
    assert facts == same if same else facts > 3


def test_nothing_is_kept_on_the_way(served):
    """Neither answers nor refusals, whoever gives them."""
    url = served.url
    for answer in (
        httpx.get(f"{url}/lenses"),
        httpx.get(f"{url}/lenses", headers=bearer()),
        httpx.get(f"{url}/context"),
        httpx.get(f"{url}/nowhere"),
        httpx.post(f"{url}/context", content=b"{", headers=bearer()),
        httpx.post(f"{url}/mcp", content=b"x", headers={**bearer(), "content-type": "text/plain"}),
        httpx.post(f"{url}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=bearer()),
    ):
        assert answer.headers["cache-control"] == "no-store"


def test_no_redirect_names_the_host_that_the_client_named(served):
    for path in ("/context/", "/lenses/", "//evil.test/context/"):
        answer = httpx.post(f"{served.url}{path}", headers={**bearer(), "host": "evil.test"})
        assert (answer.status_code, "location" in answer.headers) == (404, False)


def test_a_request_has_a_largest_size(served):
    answer = httpx.post(f"{served.url}/context", content=b" " * 64_001, headers=bearer())
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "RequestTooLarge")


@pytest.mark.promise("P44")
def test_there_is_nothing_else_to_ask(served):
    document = httpx.get(f"{served.url}/openapi.json").json()
    assert set(document["paths"]) == {"/context", "/lenses", "/healthz", "/readyz"}
    for path in ("/query", "/nodes", "/docs", "/mcp/x"):
        answer = httpx.post(f"{served.url}{path}", headers=bearer())
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "UnknownPath")
    for method, path in (("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/context"), ("PUT", "/lenses")):
        answer = httpx.request(method, f"{served.url}{path}", headers=bearer())
        assert (answer.status_code, answer.json()["error"]["code"]) == (405, "WrongMethod")


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def test_the_openapi_document_holds_every_shape_that_it_names(served):
    document = httpx.get(f"{served.url}/openapi.json").json()
    shapes = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(references(document)) <= shapes
    assert not [name for name in (*LENSES, "able_context") if name in json.dumps(document)]


def test_the_lenses_are_listed(served):
    listed = httpx.get(f"{served.url}/lenses", headers=bearer()).json()["lenses"]
    assert [lens["name"] for lens in listed] == LENSES
    assert listed[2]["subjectKinds"] == ["Case", "Party"]


def test_it_says_whether_it_runs_and_whether_it_can_be_asked(served, able, tmp_path):
    assert httpx.get(f"{served.url}/healthz").json() == {"status": "ok"}
    assert httpx.get(f"{served.url}/readyz").json() == {"status": "ready"}
    with running(World(tmp_path, able.folder)) as unbuilt:
        assert httpx.get(f"{unbuilt.url}/healthz").status_code == 200
        answer = httpx.get(f"{unbuilt.url}/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "NotBuilt")
        asked = unbuilt.post(asking())
        assert (asked.status_code, asked.json()["error"]["code"]) == (503, "NotBuilt")
        assert str(tmp_path) not in asked.text


@pytest.mark.promise("P45")
def test_no_call_changes_a_module_or_the_graph(served, able):
    before = content(able.home)
    for lens in LENSES:
        for subject in ("helpdesk:Case:c-1501", "directory:Party:p-0042"):
            assert served.post(asking(subject, lens)).status_code == 200
    served.post(asking(), bearer(may=["commit"]))
    assert content(able.home) == before


def test_many_at_one_time_have_each_their_own_answer(served):
    actors = ["agent:ana", "agent:ben", "lead:mia"] * 6

    def facts(actor: str) -> str:
        answer = served.post(asking("directory:Party:p-0042"), bearer(actor))
        assert answer.status_code == 200
        return json.dumps(answer.json()["facts"])

    alone = {actor: facts(actor) for actor in actors[:3]}
    assert len(set(alone.values())) == 3
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(facts, actors))
    assert together == [alone[actor] for actor in actors]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_word_of_what_it_did(able, sent):
    with running(able) as service:
        assert service.post(asking(focus="a very private word")).status_code == 200
        service.process.send_signal(sent)
        began = time.monotonic()
        service.process.wait(10)
    assert time.monotonic() - began < 10
    assert service.process.returncode in (130, -signal.SIGTERM)
    assert service.logged.read_text("utf-8") in ("", "interrupted\n")


def test_nothing_of_a_request_is_logged(served: Running):
    for body in (b"{private", json.dumps(asking(private="private")).encode()):
        httpx.post(
            f"{served.url}/mcp", content=body, headers={**bearer(), "content-type": "application/json"}
        )
        httpx.post(f"{served.url}/context", content=body, headers=bearer())
    assert "private" not in served.logged.read_text("utf-8")
