"""able with its helpdesk in a process of its own: the same answers, and an unknown in time when it dies."""

from __future__ import annotations

import re
import shutil
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from lens_dsl.ast import Literal
from lens_dsl.budget import Budget
from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_dsl.plan import Anchor, Stage
from lens_library.able.story import STORY
from lens_runtime.adapters.http_reader import HttpReader, ModuleClient
from lens_runtime.assembly import build, open_session, opened
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.graph import Coordinate, Node
from lens_runtime.hydration import Sources, hydrate
from lens_runtime.meter import Meter
from lens_runtime.module_messages import encoded
from lens_runtime.result import Result
from lens_runtime.scope import Actor, Scope
from lens_runtime.service.module_serving import serve_module
from lens_runtime.settings import Settings
from lens_runtime.subgraph import Subgraph
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import export_world
from tests.stores.model import ONTOLOGY
from tests.worlds.serving import TOKEN, Served, serving

QUERIES = (
    f"MATCH (p:Party {{id: '{STORY}'}})<-[:INVOLVES_PARTY]-(c:Case) RETURN c.id, c.team, c.subject ORDER BY c.id",
    "MATCH (c:Case {status: 'open'}) RETURN c.id, c.description ORDER BY c.id LIMIT 20",
    f"MATCH (p:Party {{id: '{STORY}'}})<-[:INVOLVES_PARTY]-(c) RETURN count(*)",
)
SECONDS = 8.0
"""What a query may take where a module is dead: the readers have half of it."""


@dataclass(frozen=True)
class Both:
    """able with its files, and with its helpdesk served, in one home."""

    home: Path
    folder: Path
    served: Served

    @property
    def settings(self) -> Settings:
        return Settings(home=self.home, module_token=SecretStr(TOKEN))

    def ask(self, world: str, text: str, actor: str, seconds: float = 60.0) -> Result:
        budget = Budget(seconds=seconds)
        with open_session(world, actor=actor, settings=self.settings, budget=budget) as session:
            return session.query(text)


def point(folder: Path, url: str) -> None:
    """Have the helpdesk of a copy of able read from this URL."""
    file = folder / "modules.yml"
    text = file.read_text("utf-8")
    block = re.search(r"^helpdesk:\n(?:(?: .*)?\n)+", text, re.MULTILINE)
    assert block is not None
    file.write_text(text.replace(block[0], f"helpdesk:\n  source: {{http: '{url}'}}\n\n"), "utf-8")


@pytest.fixture(scope="module")
def both(tmp_path_factory) -> Iterator[Both]:
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("served") / "able"
    build("able", settings=Settings(home=home))
    shutil.copytree(
        find_world("able", Settings()), folder, ignore=shutil.ignore_patterns("__pycache__", "*.py")
    )
    with serving("able", "helpdesk", home) as served:
        point(folder, served.url)
        made = Both(home, folder, served)
        build(str(folder), settings=made.settings)
        yield made


@pytest.mark.promise("P48", "P51")
@pytest.mark.parametrize("actor", ["agent:ana", "agent:ben", "lead:mia"])
@pytest.mark.parametrize("text", QUERIES)
def test_the_answers_are_the_same(both, actor, text):
    here, there = both.ask("able", text, actor), both.ask(str(both.folder), text, actor)
    assert here.rows
    assert there.rows == here.rows
    assert there.cuts == here.cuts
    assert there.freshness == here.freshness


def test_the_graph_is_the_same(both):
    lines = []
    for world in ("able", str(both.folder)):
        with opened(world, settings=both.settings) as (loaded, _, store):
            lines.append(list(export_world(loaded, store)))
    assert lines[0] == lines[1]


def test_a_build_over_http_goes_on_from_the_cursor(both):
    assert sum(changes.total for changes in build(str(both.folder), settings=both.settings).modules) == 0


def test_without_the_token_it_is_unknown_what_the_module_has(both):
    settings = Settings(home=both.home)
    with open_session(str(both.folder), actor="lead:mia", settings=settings) as session:
        result = session.query(QUERIES[1])
    assert not result.rows
    assert [cut.ceiling for cut in result.cuts] == ["source"]


def unknown_in_time(both: Both) -> None:
    began = time.monotonic()
    result = both.ask(str(both.folder), QUERIES[0], "lead:mia", SECONDS)
    assert time.monotonic() - began < SECONDS
    assert not result.rows
    assert [cut.ceiling for cut in result.cuts] == ["source"]
    assert "helpdesk" in str(result.cuts[0])
    with open_session(str(both.folder), settings=both.settings) as session:
        assert [one.code for one in session.envelope(result).unknowns] == ["source_unavailable"]


@pytest.mark.promise("P56")
def test_a_module_that_hangs_is_unknown_in_time(both, tmp_path_factory):
    point_back = (both.folder / "modules.yml").read_text("utf-8")
    try:
        with socket.create_server(("127.0.0.1", 0)) as mute:
            url = f"http://127.0.0.1:{mute.getsockname()[1]}"
            (both.folder / "modules.yml").write_text(point_back.replace(both.served.url, url), "utf-8")
            unknown_in_time(both)
    finally:
        (both.folder / "modules.yml").write_text(point_back, "utf-8")


@pytest.mark.promise("P56")
def test_a_module_that_was_killed_is_unknown_in_time(both):
    """The last test of this file with this module: it does not come back."""
    both.served.kill()
    unknown_in_time(both)


SLOW = 0.3


def slow_reader(name: str) -> HttpReader:
    def handler(request: httpx.Request) -> httpx.Response:
        time.sleep(SLOW)
        record = {"fields": {"id": "1"}, "revision": "1", "visibility": "public", "label": "one"}
        return httpx.Response(
            200, content=encoded({"answers": [{"id": "1", "state": "found", "record": record}]})
        )

    return HttpReader(name, f"http://{name}.test", ModuleClient(None, httpx.MockTransport(handler)))


def hydrated(names: list[str]) -> tuple[int, float]:
    """How many nodes came back from these modules, and in how many seconds."""
    nodes = {
        name: Node(name, Coordinate(name, "Party", "1"), "1", "one", "public", None, projected_revision="1")
        for name in names
    }
    sources = Sources({name: slow_reader(name) for name in names}, ONTOLOGY)
    scope = Scope("toy", "main", Actor("ana"), "policy")
    began = time.monotonic()
    found, _ = hydrate(
        Subgraph(nodes=nodes, held={0: tuple(nodes)}),
        Stage((Anchor(0, "p", ("Party",), "id", Literal("1")),), (), ()),
        sources,
        scope,
        Budget(),
        MonotonicDeadline.after(30),
        Meter(),
    )
    return len(found.nodes), time.monotonic() - began


def test_modules_are_read_side_by_side():
    """Eight slow modules take about as long as one; one after the other they would take eight times as long."""
    one = hydrated(["m0"])
    eight = hydrated([f"m{number}" for number in range(8)])
    assert (one[0], eight[0]) == (1, 8)
    assert eight[1] / one[1] < 3


def test_serving_refuses_what_it_cannot_serve(tmp_path, both):
    def serve(module: str, **more: object) -> None:
        serve_module("able", module, host="127.0.0.1", port=0, ready=pytest.fail, **more)  # type: ignore[arg-type]

    with pytest.raises(AccessDenied, match="LENS_MODULE_TOKEN"):
        serve("helpdesk", settings=Settings(home=both.home))
    with pytest.raises(ConfigurationError, match="did you mean helpdesk"):
        serve("helpdsk", settings=both.settings)
    with pytest.raises(ConfigurationError, match="ServedElsewhere"):
        serve_module(
            str(both.folder), "helpdesk", host="127.0.0.1", port=0, ready=pytest.fail, settings=both.settings
        )
