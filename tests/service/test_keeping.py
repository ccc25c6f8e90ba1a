"""What a producer makes for a caller is kept for those alone whose token says so: in a file, and on D1."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.adapters.readers import open_readers
from lens_runtime.assembly import open_sessions
from lens_runtime.clock import FixedClock
from lens_runtime.service.answering import ContextService
from lens_runtime.service.bearer import SharedKey, TokenVerifier, issue
from lens_runtime.service.limits import Turns
from lens_runtime.sessions import Caller
from lens_runtime.settings import Settings
from lens_runtime.worlds.build import build_world
from lens_runtime.worlds.folder import load_world
from tests.aggregation.shelf import NOW, Shelf, document
from tests.stores.workerd import AUDIENCE, TOKEN_KEY, WRITER_KEY, binary, gateway

LENS = {
    "lenses/read/lens.yml": """\
name: read
purpose: Read a document.
owner: shelf
subject_kinds: [Document]
allow: [{type: HAS_SUMMARY, dir: out}]
deadline_ms: 20000
""",
    "lenses/read/query.lens": "MATCH (subject:Document {id: $subject}) "
    "OPTIONAL MATCH (subject)-[:HAS_SUMMARY]->(s:Summary) RETURN subject, collect(s) AS summaries",
}
ASKED = json.dumps(
    {"subject": {"module": "shelf", "entityType": "Document", "entityId": "d0"}, "lens": "read"}
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    text = "The bridge was closed in May. It was opened again in June. Nobody was hurt."
    return Shelf(tmp_path / "shelf", document("one", text, text), files=LENS)


@pytest.fixture(params=["sqlite", "d1"])
def service(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path) -> Iterator[ContextService]:
    """The service of the shelf, on each kind of store."""

    def on(store: str) -> Iterator[ContextService]:
        settings = Settings(home=tmp_path / "home")
        with closing(open_sessions(str(shelf.folder), store=store, settings=settings)) as sessions:
            yield ContextService(sessions, Turns(2))

    if request.param == "sqlite":
        yield from on(f"sqlite:{shelf.place.graph}")
        return
    program = binary()
    (tmp_path / "gateway").mkdir()
    write_worker(tmp_path / "gateway")
    with gateway(program, tmp_path / "gateway", "shelf") as running:
        world = load_world(shelf.folder)
        with closing(D1GatewayStore(running.url, writer_key=WRITER_KEY)) as store:
            build_world(world, store, open_readers(world, shelf.place.modules), shelf.place, FixedClock(NOW))
        yield from on(f"d1:{running.url}")


def caller(service: ContextService, actor: str, *may: str) -> Caller:
    """Whom a token names, as the door of the service has it."""
    token = issue(actor, audience=AUDIENCE, issuer="lensmith", key=TOKEN_KEY, hours=1, may=may)
    claims = TokenVerifier(SharedKey(TOKEN_KEY), AUDIENCE, "lensmith").verify(token)
    return Caller(service.sessions.world.policy.actor(claims.subject), claims.may, token)


def ask(service: ContextService, actor: str, *may: str) -> dict[str, Any]:
    envelope = json.loads(anyio.run(service.answer, caller(service, actor, *may), ASKED))
    assert isinstance(envelope, dict)
    return envelope


@pytest.mark.promise("P45")
def test_only_a_token_that_says_so_has_the_graph_keep_what_is_made(service):
    first, again = ask(service, "ana"), ask(service, "ana")
    assert [one["aggregates"][0]["outcome"] for one in (first, again)] == ["generated", "generated"]
    assert first["aggregates"][0]["committed"] is False
    assert "could not be kept" in first["warnings"][0]
    kept = ask(service, "ana", "commit")
    assert (kept["aggregates"][0]["outcome"], kept["aggregates"][0]["committed"]) == ("generated", True)
    hit = ask(service, "ana")
    assert (hit["aggregates"][0]["outcome"], hit["usage"]["model_calls"], hit["warnings"]) == ("hit", 0, [])


@pytest.mark.promise("P51")
def test_each_caller_is_asked_for_by_itself(service):
    """The document is the red team's; ben is of the blue one."""
    assert ask(service, "ana")["facts"]
    ben = ask(service, "ben")
    assert (ben["facts"], ben["aggregates"]) == ([], [])
    assert [unknown["code"] for unknown in ben["unknowns"]] == ["not_found_or_not_visible"]


def test_it_is_ready_without_a_caller(service):
    service.sessions.ready()
