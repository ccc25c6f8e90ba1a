"""The gateway: who may ask what, and what it runs."""

from __future__ import annotations

import json
from contextlib import closing

import httpx
import pytest

from lens_dsl.errors import AccessDenied, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters import d1 as adapter
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import __main__ as command
from lens_runtime.adapters.d1_gateway import statements_module
from lens_runtime.scope import Actor, Scope
from lens_runtime.service.bearer import issue
from tests.stores.model import WORLD, Facts, Patience, case, edge, party, project, scope
from tests.stores.workerd import AUDIENCE, TOKEN_KEY, WRITER_KEY, token

SCOPES_HELD = [Statement("scopes_held")]


@pytest.fixture
def url(d1):
    store = D1GatewayStore(d1.url, writer_key=WRITER_KEY)
    project(
        store, Facts(nodes={"people": [party("p1", "public"), party("p2", "secret")], "desk": [case("c1")]})
    )
    store.close()
    return d1.url


@pytest.mark.promise("P21")
@pytest.mark.parametrize(
    "bearer",
    [
        "",
        "Basic root",
        "Bearer root",
        "Bearer a.b.c",
        f"Bearer {WRITER_KEY}",
        f"Bearer {token('root', key='another key')}",
        f"Bearer {token('root', audience='elsewhere')}",
        f"Bearer {token('root', expires_in=-60)}",
        f"Bearer {token('root', alg='none')}",
        f"Bearer {token('root')[:-4]}AAAA",
        f"Bearer {token('').rsplit('.', 1)[0]}.",
        f"Bearer {token('')}",
    ],
)
def test_without_a_valid_token_nothing_is_read(url, bearer):
    answer = httpx.post(
        f"{url}/read", json={"statements": [], "context": "main"}, headers={"authorization": bearer}
    )
    assert answer.status_code == 401
    assert set(answer.json()) == {"error"}


def test_an_actors_token_neither_writes_nor_inspects_nor_the_writers_key_reads(url):
    store = D1GatewayStore(url, WRITER_KEY, writer_key=token("root"))
    for call in (
        lambda: store.inspect([Statement("count_nodes", (1,))]),
        lambda: store.write([Statement("clear_grants")]),
        lambda: store.read(SCOPES_HELD, scope("root"), Patience()),
    ):
        with pytest.raises(AccessDenied):
            call()
    store.close()


@pytest.mark.promise("P22")
def test_the_service_passes_on_tokens_that_the_gateway_takes(url):
    """One kind of token for both, with what its actor may do."""

    def taken(*may: str) -> D1GatewayStore:
        given = issue("ana", audience=AUDIENCE, issuer="lensmith", key=TOKEN_KEY, hours=1, may=may)
        return D1GatewayStore(url, given)

    with closing(taken()) as reading, closing(taken("commit")) as keeping:
        assert reading.read(SCOPES_HELD, scope("ana"), Patience()).results[0]
        with pytest.raises(AccessDenied, match="may only read"):
            reading.commit([], scope("ana"), Patience())
        keeping.commit([], scope("ana"), Patience())


def test_the_actor_is_the_tokens_whatever_is_sent(url):
    store = D1GatewayStore(url, token("eve"))
    claimed = Scope(WORLD, "main", Actor("root"), "policy-1")
    rows = store.read(SCOPES_HELD, claimed, Patience()).results[0]
    assert list(json.loads(str(rows[0][0]))) == ["Party"]
    headers = {"authorization": f"Bearer {token('eve')}"}
    sent = {"name": "scopes_held", "parameters": []}
    more = {"actor": "root", "scopes": {"Case": [1, 2, 3]}, "world": "other"}
    body = {"statements": [{**sent, **more}], "context": "main", **more}
    answer = httpx.post(f"{url}/read", json=body, headers=headers).json()
    assert tuple(map(tuple, answer["results"][0])) == rows
    store.close()


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/sql", {}, 404),
        ("GET", "/read", None, 404),
        ("POST", "/read", {"statements": [{"sql": "SELECT 1"}], "context": "main"}, 400),
        ("POST", "/read", {"statements": [{"name": "echo", "parameters": [[1]]}], "context": "main"}, 400),
        ("POST", "/read", {"statements": [{"name": "echo", "parameters": {"1": 1}}], "context": "main"}, 400),
        ("POST", "/read", {"statements": [{"name": "toString"}], "context": "main"}, 400),
        ("POST", "/read", {"statements": "SELECT 1", "context": "main"}, 400),
        ("POST", "/read", {"statements": []}, 400),
        ("POST", "/read", [], 400),
        ("POST", "/read", {"statements": [{"name": "echo"}] * 2001, "context": "main"}, 400),
    ],
)
def test_what_is_no_fixed_statement_is_refused(url, method, path, body, status):
    headers = {"authorization": f"Bearer {token('root')}"}
    answer = httpx.request(method, url + path, json=body, headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, None),
        ({"n": 10_001}, "InvalidBudget"),
        ({"w": 1e9}, "InvalidBudget"),
        ({"f": "all"}, "InvalidBudget"),
        ({"n": 1_000, "f": 41}, "InvalidBudget"),
        ({"s": [{"go": []}] * 51}, "TooManySteps"),
    ],
)
def test_no_token_asks_for_more_than_a_budget_allows(url, asked, code):
    plan = json.dumps(
        {"world": WORLD, "n": 50, "f": 10, "w": 100, "e": 1_000, "k": 16, "r": None, "s": [], **asked}
    )
    body = {"statements": [{"name": "traverse", "parameters": ["[]", plan]}], "context": "main"}
    answer = httpx.post(f"{url}/read", json=body, headers={"authorization": f"Bearer {token('root')}"})
    assert answer.json().get("error", {}).get("code") == code


def test_values_over_d1s_limit_are_refused(url):
    store = D1GatewayStore(url, token("root"))
    assert store.read([Statement("echo", ("x" * 1_000_000,))], scope("root"), Patience()).results
    with pytest.raises(StoreError) as caught:
        store.read([Statement("echo", ("é" * 1_000_001,))], scope("root"), Patience())
    assert caught.value.code == "TooBig"
    store.close()


def test_a_second_writer_is_told_who_writes_until_the_lease_runs_out(url, monkeypatch):
    monkeypatch.setattr(adapter, "BUSY_SECONDS", 0.1)
    first = D1GatewayStore(url, writer_key=WRITER_KEY, lease_seconds=2)
    second = D1GatewayStore(url, writer_key=WRITER_KEY)
    with first.writing():
        with pytest.raises(StoreError) as caught:
            second.write([Statement("clear_grants")])
        assert caught.value.code == "StoreBusy"
        assert caught.value.message.startswith("another process writes this database: process ")
        monkeypatch.setattr(adapter, "BUSY_SECONDS", 5)
        second.write([])  # the first one held it too long without a write
        with second.writing(), pytest.raises(StoreError) as caught:
            first.write([Statement("clear_grants")])
        assert caught.value.code == "StoreBusy"
    assert second.inspect([Statement("grants")]).results[0]
    first.close()
    second.close()


@pytest.mark.promise("P51")
def test_what_is_hidden_on_a_hub_shows_neither_in_rows_nor_in_what_is_read(d1):
    anchors = json.dumps([[1, ["Party"], "id", ["s:hub"]]])
    step = {
        "bit": 2,
        "from": 1,
        "skip": 0,
        "into": None,
        "go": [["involves", 1, ["Case"]]],
        "tests": [],
        "need": 0,
    }
    plan = json.dumps(
        {"world": WORLD, "n": 50, "f": 10, "w": 100, "e": 1_000, "k": 16, "r": None, "s": [step]}
    )
    compiler = D1GatewayStore(d1.url, writer_key=WRITER_KEY)
    ana = D1GatewayStore(d1.url, token("ana"))
    seen = []
    for hidden in (0, 400):
        others = [f"h{number}" for number in range(hidden)]
        cases = [case("red"), *(case(name, team=f"team {name}") for name in others)]
        edges = [edge("involves", name, "hub") for name in ("red", *others)]
        said = Facts(nodes={"people": [party("hub")], "desk": cases}, edges={"people": [], "desk": edges})
        project(compiler, said, rebuild=True)
        reading = ana.read([Statement("traverse", (anchors, plan))], scope("ana"), Patience())
        rows = [row[6:] for row in reading.results[0] if row[0] in ("n", "e")]
        seen.append((sorted(rows, key=str), len(reading.results[0]), reading.rows_read))
    assert len(seen[0][0]) == 3
    assert seen[0] == seen[1]
    compiler.close()
    ana.close()


def searching(**changes):
    stated = {"k": 16, "r": None}
    asked = {"world": WORLD, "n": 10, **stated, "kinds": ["Party"], "words": ["party"], **changes}
    return {"statements": [{"name": "search", "parameters": [json.dumps(asked)]}], "context": "main"}


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, None),
        ({"n": 1_001}, "InvalidBudget"),
        ({"n": -1}, "InvalidBudget"),
        ({"words": [f"w{number}" for number in range(33)]}, "InvalidBudget"),
        ({"words": []}, "BadRequest"),
        ({"words": ['party" OR scopes:"g1v1']}, "BadRequest"),
        ({"words": ["par*"]}, "BadRequest"),
        ({"words": ["Party"]}, "BadRequest"),
        ({"words": ["two words"]}, "BadRequest"),
        ({"words": [""]}, "BadRequest"),
        ({"words": [1]}, "BadRequest"),
        ({"words": "party"}, "BadRequest"),
        ({"kinds": ['Party"']}, "BadRequest"),
        ({"kinds": "Party"}, "BadRequest"),
        ({"k": 0}, "TooManyScopes"),
        ({"k": None}, "TooManyScopes"),
        ({"r": 1}, "TooManyScopes"),
    ],
)
def test_no_token_searches_for_anything_but_words(url, asked, code):
    headers = {"authorization": f"Bearer {token('root')}"}
    answer = httpx.post(f"{url}/read", json=searching(**asked), headers=headers)
    assert answer.json().get("error", {}).get("code") == code


@pytest.mark.promise("P51")
def test_hidden_records_with_the_same_words_show_neither_in_rows_nor_in_what_is_read(d1):
    compiler = D1GatewayStore(d1.url, writer_key=WRITER_KEY)
    eve = D1GatewayStore(d1.url, token("eve"))
    (asked,) = searching()["statements"]
    search = Statement(asked["name"], tuple(asked["parameters"]))
    seen = []
    for hidden in (0, 400):
        parties = [party("shown", "public"), *(party(f"h{number}") for number in range(hidden))]
        project(compiler, Facts(nodes={"people": parties, "desk": []}), rebuild=True)
        reading = eve.read([search], scope("eve"), Patience())
        seen.append((reading.results, reading.rows_read))
    assert len(seen[0][0][0]) == 1
    assert seen[0] == seen[1]
    compiler.close()
    eve.close()


def test_the_worker_is_written_with_every_statement(tmp_path, capsys):
    assert command.main([str(tmp_path / "out")]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "worker.mjs",
        "statements.mjs",
        "wrangler.toml",
    }
    assert (tmp_path / "out" / "statements.mjs").read_text(encoding="utf-8") == statements_module()
    assert '"traverse"' in statements_module()
    assert command.main([]) == 2
    assert "usage" in capsys.readouterr().err
