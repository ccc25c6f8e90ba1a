"""The write tools of able's modules: the latest revision or nothing, and never the graph."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lens_dsl.errors import ExecutionError
from lens_library.able import tools
from lens_library.able.rows import Observation
from lens_runtime.assembly import build, open_session, opened
from lens_runtime.clock import FixedClock
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Found
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import export_world
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Ample, Kept, kept

CLOCK = FixedClock(1_782_900_000_000)
SEEN = Observation(
    "b-new",
    "payment provider",
    1,
    "succeeded",
    "Paid.",
    "2026-07-01T10:00:00Z",
    None,
    None,
    None,
    "internal",
    1,
)


@dataclass(frozen=True)
class Tool:
    """A tool, what it is tried on, and the field that shows that it worked."""

    write: Callable[[Path, str, str], str]
    record: Coordinate
    field: str
    value: object


TOOLS = {
    tool.record.module: tool
    for tool in (
        Tool(
            lambda modules, id, revision: tools.set_city(modules, id, revision, "Oslo", CLOCK),
            Coordinate("directory", "Party", "p-0042"),
            "city",
            "Oslo",
        ),
        Tool(
            lambda modules, id, revision: tools.set_case_status(modules, id, revision, "resolved", CLOCK),
            Coordinate("helpdesk", "Case", "c-1501"),
            "status",
            "resolved",
        ),
        Tool(
            lambda modules, id, revision: tools.set_followup_status(modules, id, revision, "done", CLOCK),
            Coordinate("crm", "FollowUp", "f-jana"),
            "status",
            "done",
        ),
        Tool(
            lambda modules, id, revision: tools.route_to_case(modules, id, revision, "c-1502"),
            Coordinate("communications", "Conversation", "v-0901"),
            "channel",
            "email",
        ),
        Tool(
            lambda modules, id, revision: tools.add_observation(modules, id, revision, SEEN, CLOCK),
            Coordinate("operations", "Operation", "o-receipt"),
            "outcome",
            "succeeded",
        ),
        Tool(
            lambda modules, id, revision: tools.edit_chunk(modules, id, revision, "It broke.", CLOCK),
            Coordinate("knowledge", "Chunk", "h-0002-01"),
            "text",
            "It broke.",
        ),
    )
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("able")
    once = kept(load_world(find_world("able", Settings())), folder)
    once.build()
    once.store.close()
    return folder


@pytest.fixture
def able(built, tmp_path):
    folder = tmp_path / "able"
    shutil.copytree(built, folder)
    found = kept(load_world(find_world("able", Settings())), folder)
    yield found
    found.store.close()


def read(able: Kept, record: Coordinate) -> Found:
    mia = able.world.policy.actor("lead:mia")
    answers = able.readers[record.module].read(mia, "main", record.entity_type, [record.entity_id], Ample())
    answer = answers[record.entity_id]
    assert isinstance(answer, Found)
    return answer


def refusal(write: Callable[[], str]) -> str:
    with pytest.raises(ExecutionError) as refused:
        write()
    return refused.value.code


def test_every_module_has_one_tool(able):
    assert set(TOOLS) == set(able.world.modules)


@pytest.mark.promise("P62", "P63")
@pytest.mark.parametrize("module", list(TOOLS))
def test_a_write_needs_the_latest_revision(able, module):
    tool = TOOLS[module]
    graph = list(export_world(able.world, able.store))
    before = read(able, tool.record)
    new = tool.write(able.place.modules, tool.record.entity_id, before.revision)
    after = read(able, tool.record)
    assert int(new) == int(before.revision) + 1
    assert after.revision == new
    assert after.fields[tool.field] == tool.value
    stale = refusal(lambda: tool.write(able.place.modules, tool.record.entity_id, before.revision))
    assert stale == "StaleRevision"
    assert read(able, tool.record) == after
    assert list(export_world(able.world, able.store)) == graph


@pytest.fixture
def modules(tmp_path: Path) -> Iterator[tuple[Path, Session]]:
    """The demo world in a LENS_HOME of its own: its databases, and agent:ana's session."""
    settings = Settings(home=tmp_path)
    build("able", settings=settings)
    with opened("able", settings=settings) as (_, place, _):
        folder = place.modules
    with open_session("able", actor="agent:ana", settings=settings) as ana:
        yield folder, ana


@pytest.mark.promise("P62", "P63")
def test_a_permitted_action_is_written_at_the_revision_of_its_envelope_and_never_twice(modules):
    """What an envelope permits is a name and a revision; the module decides by the revision that it has now."""
    folder, ana = modules

    def permitted() -> dict[str, str]:
        envelope = ana.context("support_decision", "helpdesk:Case:c-1501")
        return {action.name: action.revision for action in envelope.permitted_next_actions}

    def write(revision: str, status: str) -> str:
        return tools.set_case_status(folder, "c-1501", revision, status, CLOCK)

    first = permitted()
    assert set(first) == {"helpdesk.reply", "helpdesk.close"}
    closed = write(first["helpdesk.close"], "closed")
    assert refusal(lambda: write(first["helpdesk.reply"], "waiting")) == "StaleRevision"
    assert permitted() == {"helpdesk.reopen": closed}
    somebody_else = write(closed, "resolved")
    assert refusal(lambda: write(closed, "open")) == "StaleRevision"
    assert permitted() == {}, "the graph still has the case as it was built: it permits nothing"
    assert write(somebody_else, "open") != somebody_else


def test_the_graph_learns_of_writes_by_the_next_build(able):
    for tool in TOOLS.values():
        tool.write(able.place.modules, tool.record.entity_id, read(able, tool.record).revision)
    changed = {changes.module: changes.total for changes in able.build().modules}
    assert all(changed.values()), changed
    assert changed["operations"] == 3  # the operation's revision, the observation, and what joins them


def test_of_two_writers_with_one_revision_one_wins(able):
    case = Coordinate("helpdesk", "Case", "c-1501")
    revision = read(able, case).revision
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def write(status: str) -> None:
        start.wait()
        try:
            outcomes.append(tools.set_case_status(able.place.modules, "c-1501", revision, status, CLOCK))
        except ExecutionError as refused:
            outcomes.append(refused.code)

    writers = [threading.Thread(target=write, args=(status,)) for status in ("closed", "resolved")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(outcomes) == sorted([str(int(revision) + 1), "StaleRevision"])


def test_a_refused_observation_leaves_nothing_behind(able):
    operation = Coordinate("operations", "Operation", "o-receipt")
    before = read(able, operation)
    twice = Observation(
        "b-receipt-1",
        "payment provider",
        1,
        "failed",
        "",
        "2026-07-01T10:00:00Z",
        None,
        None,
        None,
        "internal",
        1,
    )
    code = refusal(
        lambda: tools.add_observation(able.place.modules, "o-receipt", before.revision, twice, CLOCK)
    )
    assert code == "InvalidChange"
    assert read(able, operation) == before


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (lambda m: tools.set_case_status(m, "c-none", "1", "open", CLOCK), "UnknownRecord"),
        (lambda m: tools.set_case_status(m, "c-1501", "3", "gone", CLOCK), "InvalidChange"),
        (lambda m: tools.set_followup_status(m, "f-jana", "1", "", CLOCK), "InvalidChange"),
        (lambda m: tools.set_city(m, "p-0042", "2", " ", CLOCK), "InvalidChange"),
        (lambda m: tools.edit_chunk(m, "h-0002-01", "1", "x" * 20_001, CLOCK), "InvalidChange"),
        (lambda m: tools.route_to_case(m, "v-0901", "1", ""), "InvalidChange"),
        (lambda m: tools.route_to_case(m / "nowhere", "v-0901", "1", None), "ModuleUnavailable"),
    ],
)
def test_what_a_tool_does_not_take_is_refused(able, write, code):
    assert refusal(lambda: write(able.place.modules)) == code
