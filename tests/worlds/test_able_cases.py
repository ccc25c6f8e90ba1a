"""Each relationship type of able, tested with a missing, a stale, a contradictory and an unauthorized target."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lens_runtime.assembly import build, open_session, opened
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.graph import Coordinate, Node
from lens_runtime.ports import NotFound
from lens_runtime.projection.identity import node_id
from lens_runtime.result import Result
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import export_world
from lens_runtime.worlds.folder import load_world
from tests.worlds.able_cases import ENDS, SETS, cases, ends, move_on
from tests.worlds.building import Ample

pytestmark = pytest.mark.promise("P69")
WORLD = load_world(find_world("able", Settings()))
TYPES = tuple(ENDS)
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Built:
    """able, built, with a session for each who asks."""

    settings: Settings
    modules: Path
    ana: Session
    mia: Session

    def targets(self, session: Session, name: str, case: str, returned: str = "t") -> Result:
        start = cases(WORLD)[name, case]
        query = f"MATCH (s:{start.entity_type} {{id: $id}})-[:{name.upper()}]->(t) RETURN {returned}"
        return session.query(query, id=start.entity_id)

    def envelope(self, session: Session, name: str, case: str) -> ContextEnvelope:
        """The record of a case and its relationship, asked of its owner again."""
        start = cases(WORLD)[name, case]
        query = (
            f"MATCH (s:{start.entity_type} {{id: $id}}) "
            f"OPTIONAL MATCH (s)-[r:{name.upper()}]->(t) RETURN s, r, t"
        )
        return session.envelope(session.query(query, id=start.entity_id, verify=True))


def built(home: Path) -> Iterator[Built]:
    settings = Settings(home=home, now=NOW)
    build("able", settings=settings)
    with (
        opened("able", settings=settings) as (_, place, _),
        open_session("able", actor="agent:ana", settings=settings) as ana,
        open_session("able", actor="lead:mia", settings=settings) as mia,
    ):
        yield Built(settings, place.modules, ana, mia)


@pytest.fixture(scope="module")
def able(tmp_path_factory) -> Iterator[Built]:
    yield from built(tmp_path_factory.mktemp("able"))


@pytest.fixture(scope="module")
def moved(tmp_path_factory) -> Iterator[Built]:
    """able, whose modules have moved on since it was built."""
    for each in built(tmp_path_factory.mktemp("moved")):
        for end in {end for name in TYPES for end in ends(name, "stale")}:
            move_on(each.modules, end)
        yield each


@pytest.fixture(scope="module")
def missing_targets(able) -> set[tuple[str, str]]:
    """By type and source, the projected edges whose target is not there."""
    with opened("able", settings=able.settings) as (world, _, store):
        edges = [json.loads(line).get("edge") for line in export_world(world, store)]
    return {(e["edge_type"], e["from_node_id"]) for e in edges if e and e["target_missing"]}


def found(result: Result) -> list[Coordinate]:
    assert result.complete
    nodes = [node for (node,) in result.rows if isinstance(node, Node)]
    return sorted((node.coordinate for node in nodes), key=str)


def test_every_type_that_is_stored_has_its_four_cases():
    stored = {name for name, each in WORLD.ontology.relationships.items() if each.producer is None}
    assert set(cases(WORLD)) == {(name, case) for name in stored for case in SETS}
    assert stored == set(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_a_missing_target_is_a_dangling_edge_and_no_answer(able, missing_targets, name):
    start, (end,) = cases(WORLD)[name, "missing"], ends(name, "missing")
    assert (name, node_id(WORLD.id, "main", start)) in missing_targets
    assert found(able.targets(able.mia, name, "missing")) == []
    reader = able.mia.engine.sources.readers[end.module]
    mia = WORLD.policy.actor("lead:mia")
    answers = reader.read(mia, "main", end.entity_type, [end.entity_id], Ample())
    assert answers == {end.entity_id: NotFound()}


@pytest.mark.promise("P54")
@pytest.mark.parametrize("name", TYPES)
def test_in_an_envelope_a_missing_target_is_an_unknown(able, name):
    start = cases(WORLD)[name, "missing"]
    envelope = able.envelope(able.mia, name, "missing")
    assert [fact.coordinate.entity_id for fact in envelope.facts] == [start.entity_id]
    assert envelope.relationships == ()
    (missing,) = envelope.unknowns
    assert (missing.code, missing.message) == ("missing_target", f"{name} of {start} leads to no record")


@pytest.mark.promise("P50")
@pytest.mark.parametrize("name", TYPES)
def test_a_target_that_moved_on_is_told_apart_from_its_projection(moved, name):
    (end,) = ends(name, "stale")
    result = moved.targets(moved.ana, name, "stale")
    assert found(result) == [end]
    ((node,),) = result.rows
    assert isinstance(node, Node)
    assert (node.projected_revision, node.revision) == ("1", "2")
    lagging = {each.module: each.lagging for each in result.freshness}
    assert lagging[end.module] >= 1


def functional(able: Built, name: str) -> list[object]:
    assert WORLD.ontology.relationships[name].functional
    return [each.entity_id for each in found(able.targets(able.ana, name, "contradictory"))]


def told(field: str) -> Callable[[Built, str], list[object]]:
    """What the two targets say in one field."""

    def values(able: Built, name: str) -> list[object]:
        assert found(able.targets(able.ana, name, "contradictory")) == list(ends(name, "contradictory"))
        return sorted(
            (value for (value,) in able.targets(able.ana, name, "contradictory", f"t.{field}").rows), key=str
        )

    return values


def twins(able: Built, name: str) -> list[object]:
    """The customer of a case, as helpdesk has it and as the conversation that it came out of has it."""
    start = cases(WORLD)[name, "contradictory"]
    query = """MATCH (here:Party)<-[:INVOLVES_PARTY]-(c:Case {id: $id})-[:ORIGINATED_FROM_CONVERSATION]->
        (:Conversation {id: 'v-one'})-[:INVOLVES_PARTY]->(there:Party)
        RETURN here.id, there.id, here.name = there.name AS alike"""
    (row,) = able.ana.query(query, id=start.entity_id).rows
    return list(row)


CONTRADICTIONS: dict[str, tuple[Callable[[Built, str], list[object]], list[object]]] = {
    "involves_party": (twins, ["p-0118", "p-0119", True]),
    "originated_from_conversation": (functional, ["v-one", "v-other"]),
    "routed_to_case": (functional, ["c-one", "c-other"]),
    "routed_to_sales_lead": (functional, ["l-one", "l-other"]),
    "PART_OF": (functional, ["d-one", "d-other"]),
    "records_activity": (told("result"), ["not paid", "paid"]),
    "scheduled_followup": (told("status"), ["cancelled", "done"]),
    "evidenced_by": (told("result"), ["not paid", "paid"]),
    "tracked_by_operation": (told("outcome"), ["failed", "succeeded"]),
    "observed_by": (told("state"), ["failed", "succeeded"]),
    "suggested_knowledge": (
        told("answer"),
        ["A return is possible for 14 days.", "A return is possible for 30 days."],
    ),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_contradiction_is_kept_and_nobody_resolves_it(able, name):
    told_by, expected = CONTRADICTIONS[name]
    assert told_by(able, name) == expected


@pytest.mark.promise("P55")
@pytest.mark.parametrize("name", TYPES)
def test_in_an_envelope_two_targets_contradict_where_there_can_be_one(able, name):
    """Where a type may lead to several, two are no contradiction in itself: both are given as they are, unmarked."""
    envelope = able.envelope(able.ana, name, "contradictory")
    one = WORLD.ontology.relationships[name].functional
    assert [unknown.code for unknown in envelope.unknowns] == ["contradictory"] * one
    assert {link.state for link in envelope.relationships} == {"contradictory" if one else "confirmed"}
    targets = {link.target for link in envelope.relationships}
    # The customer of a case is contradicted by that of its conversation, which is no second edge of the case.
    expected = (
        {"p-0118"} if name == "involves_party" else {end.entity_id for end in ends(name, "contradictory")}
    )
    assert {target.entity_id for target in targets} == expected
    assert targets <= {fact.coordinate for fact in envelope.facts}


def test_contradictory_observations_leave_the_outcome_indeterminate(able):
    result = able.ana.query("MATCH (o:Operation {id: 'o-contradictory'}) RETURN o.outcome")
    assert result.rows == (("indeterminate",),)


@pytest.mark.promise("P51")
@pytest.mark.parametrize("name", TYPES)
def test_a_forbidden_target_yields_nothing_at_all(able, name):
    (end,) = ends(name, "unauthorized")
    assert found(able.targets(able.mia, name, "unauthorized")) == [end]
    start = cases(WORLD)[name, "unauthorized"]
    assert able.ana.query(f"MATCH (s:{start.entity_type} {{id: $id}}) RETURN s.id", id=start.entity_id).rows
    result = able.targets(able.ana, name, "unauthorized")
    assert found(result) == []
    assert "hidden" not in able.ana.envelope(result).model_dump_json()
