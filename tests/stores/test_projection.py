"""Build, replay, update, restamp, delete, dangle: what both stores must hold afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lens_dsl.errors import ConfigurationError
from lens_dsl.plan import Statement
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Store
from lens_runtime.projection.build import build
from lens_runtime.projection.status import export, status
from tests.share import is_full
from tests.stores import model
from tests.stores.conftest import Place
from tests.stores.model import WORLD, Facts, case, dump, edge, party, project


def facts() -> Facts:
    return Facts(
        nodes={
            "people": [party("p1", email="p1@example.org", observed_at=5), party("p2", "public")],
            "desk": [case("c1", observed_at=7), case("c2", team=None)],
        },
        edges={
            "people": [edge("knows", "p1", "p1")],
            "desk": [edge("involves", "c1", "p1", "secret", observed_at=9), edge("follows", "c2", "c1")],
        },
    )


def check(store: Store, said: Facts) -> None:
    adjacency = model.expected_adjacency(said)
    assert dump(store, "dump_adjacency") == adjacency
    assert dump(store, "dump_fan") == model.expected_fan(adjacency)
    generation = status(store, WORLD).live.generation
    assert dump(store, "dump_keys") == model.expected_keys(said, generation)


@pytest.mark.promise("P4", "P6", "P8")
def test_a_first_build_is_generation_one_and_whole(store):
    built = project(store, facts())
    assert built.generation == 1
    found = status(store, WORLD)
    assert found.nodes == {"Case": 2, "Party": 2}
    assert found.edges == {"follows": 1, "involves": 1, "knows": 1}
    assert found.dangling == {}
    assert {name: one.cursor for name, one in found.cursors.items()} == {"desk": "4", "people": "3"}
    assert {one.updated_at for one in found.cursors.values()} == {model.NOW}
    assert found.live.policy == "policy-1"
    check(store, facts())


@pytest.mark.promise("P3")
def test_a_replay_writes_nothing(store, monkeypatch):
    project(store, facts())
    before = list(export(store, WORLD))
    written: list[Statement] = []
    monkeypatch.setattr(store, "write", written.extend)
    assert [changes.total for changes in project(store, facts()).modules] == [0, 0]
    assert written == []
    assert list(export(store, WORLD)) == before


@pytest.mark.promise("P7", "P9")
def test_changes_are_written_in_place_and_what_asserted_an_edge_stays(store):
    said = facts()
    project(store, said)
    surrogates = dump(store, "dump_surrogates")
    said.nodes["people"][0] = party("p1", "secret", email="new@example.org", revision="2")
    said.edges["desk"][0] = edge("involves", "c1", "p1", "public", observed_at=11, revision="2")
    changes = {one.module: one for one in project(store, said).modules}
    assert (changes["people"].nodes_put, changes["people"].edges_put) == (1, 0)
    assert (changes["desk"].nodes_put, changes["desk"].edges_put) == (0, 1)
    assert dump(store, "dump_surrogates") == surrogates
    assert ("1", None, "public") in dump(store, "dump_revisions")
    check(store, said)


def test_a_newer_assertion_of_the_same_edge_alone_writes_nothing(store):
    said = facts()
    project(store, said)
    said.edges["desk"][1] = edge("follows", "c2", "c1", revision="8")
    assert sum(changes.total for changes in project(store, said).modules) == 0


def test_a_guard_that_moves_restamps_the_edges_of_other_modules_too(store):
    said = facts()
    project(store, said)
    said.nodes["desk"][0] = case("c1", team="blue", observed_at=7)
    project(store, said)
    check(store, said)
    said.nodes["people"][0] = party("p1", "public")
    project(store, said)
    check(store, said)


def test_records_that_are_gone_leave_dangling_edges_that_link_again(store):
    said = facts()
    project(store, said)
    gone = said.nodes["people"].pop(0)
    project(store, said)
    assert status(store, WORLD).dangling == {"involves": 1, "knows": 1}
    check(store, said)
    said.nodes["people"].append(gone)
    project(store, said)
    assert status(store, WORLD).dangling == {}
    check(store, said)


def test_a_module_that_left_the_world_leaves_nothing(store):
    said = facts()
    project(store, said)
    build(store, model.DECLARED, model.POLICY, said.snapshots()[:1], clock=model.FixedClock())
    assert status(store, WORLD).nodes == {"Party": 2}
    assert status(store, WORLD).edges == {"knows": 1}
    assert list(status(store, WORLD).cursors) == ["people"]


def test_text_and_numbers_come_back_as_they_were(store):
    name = "Zoë 🦓 \"'\\ \n line"
    record = party("p1", rank=2**53 + 1, email=name)
    said = Facts(nodes={"people": [replace(record, label=name)], "desk": []})
    project(store, said)
    (line,) = export(store, WORLD)
    assert f'"rank":{2**53 + 1}' in line
    assert "Zoë 🦓" in line
    check(store, said)
    assert store.inspect([Statement("exact", (f"[[{2**53 + 1}]]",))]).results == (((str(2**53 + 1),),),)


@pytest.mark.promise("P10", "P12", "P14")
@pytest.mark.parametrize(
    ("wrong", "code", "named"),
    [
        (replace(edge("knows", "p1", "p2"), type="likes"), "UnknownRelationship", "likes"),
        (replace(edge("knows", "p1", "p2"), target=Coordinate("desk", "Case", "c1")), "WrongKind", "Case"),
        (edge("knows", "p1", "p2", "hidden"), "UnknownClass", "hidden"),
        (edge("follows", "c1", "c2"), "WrongModule", "desk"),
        (replace(party("p1"), coordinate=Coordinate("people", "Person", "p1")), "UnknownKind", "Person"),
        (replace(party("p1"), coordinate=Coordinate("desk", "Party", "p1")), "WrongModule", "desk"),
        (party("p1", "hidden"), "UnknownClass", "hidden"),
        (replace(party("p1"), guard="team=red"), "WrongGuard", "team=red"),
        (replace(party("p1"), label="x" * 300), "TooLong", "label"),
        (party("p1", email="half \ud800"), "BadText", "surrogate"),
        (party("p1", email="nul \x00"), "BadText", "people:Party:p1: a NUL character"),
        (party("p1", rank=float("nan")), "BadValue", "p1"),
        (party("p1", rank=object()), "BadValue", "p1"),
    ],
)
def test_what_is_not_declared_or_not_sound_is_refused_by_name(store, wrong, code, named):
    project(store, facts())
    before = list(export(store, WORLD))
    said = Facts()
    (said.edges if hasattr(wrong, "type") else said.nodes)["people"].append(wrong)
    with pytest.raises(ConfigurationError) as caught:
        project(store, said)
    assert caught.value.code == code
    assert named in str(caught.value)
    assert list(export(store, WORLD)) == before


def test_the_same_said_twice_is_one_and_two_things_of_one_record_are_refused(store):
    said = facts()
    said.nodes["people"].append(said.nodes["people"][0])
    project(store, said)
    check(store, facts())
    said.nodes["people"].append(party("p1", "public"))
    with pytest.raises(ConfigurationError, match="people:Party:p1"):
        project(store, said)


CLASSES = st.sampled_from(["public", "internal", "secret"])
TIMES = st.none() | st.integers(0, 3)


@st.composite
def histories(draw: st.DrawFn) -> list[Facts]:
    """What the modules say, over a few snapshots: any record and any relationship may come, change and go."""
    names = st.lists(st.sampled_from("abc"), unique=True)
    pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), unique=True, max_size=5)
    history = []
    for _ in range(draw(st.integers(1, 4))):
        said = Facts()
        for name in draw(names):
            said.nodes["people"].append(party(name, draw(CLASSES), observed_at=draw(TIMES)))
        for name in draw(names):
            team = draw(st.sampled_from([None, "red", "blue"]))
            said.nodes["desk"].append(case(name, draw(CLASSES), team, draw(TIMES)))
        for type_, module in (("involves", "desk"), ("follows", "desk"), ("knows", "people")):
            for source, target in draw(pairs):
                said.edges[module].append(edge(type_, source, target, draw(CLASSES), observed_at=draw(TIMES)))
        history.append(said)
    return history


@pytest.mark.promise("P2")
@settings(
    max_examples=200 if is_full() else 40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(history=histories())
def test_after_any_history_the_tables_are_those_of_a_build_from_scratch(empty, history):
    place: Place = empty()
    store = place.compiler()
    for said in history:
        project(store, said)
        check(store, said)
    incremental = list(export(store, WORLD))
    project(store, history[-1], rebuild=True)
    assert list(export(store, WORLD)) == incremental
    check(store, history[-1])
    adjacency, _, _, nodes, edges, builds = store.inspect([Statement("sizes")]).results[0][0]
    assert adjacency == len(dump(store, "dump_adjacency"))
    assert (nodes, edges) == (
        sum(map(len, history[-1].nodes.values())),
        sum(map(len, history[-1].edges.values())),
    )
    assert builds == 0
    store.close()
