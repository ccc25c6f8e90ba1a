"""Change feeds: incremental by cursor, idempotent, crash-proof, and in the end the same as a rebuild."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError, ReaderError
from lens_dsl.plan import Statement
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Store
from lens_runtime.projection.build import Built, build
from lens_runtime.projection.states import Change, Position
from lens_runtime.projection.status import export, status
from tests.stores import model
from tests.stores.ledger import Ledger, drain, facts, ledgers
from tests.stores.model import DECLARED, POLICY, WORLD, FixedClock, case, dump, edge, party

ROOT = Path(__file__).resolve().parents[2]


def bring(store: Store, modules: dict[str, Ledger], *, rebuild: bool = False) -> Built:
    return build(store, DECLARED, POLICY, list(modules.items()), clock=FixedClock(), rebuild=rebuild)


def check(store: Store, modules: dict[str, Ledger]) -> None:
    """The tables are those of what the modules hold, and a rebuild exports the same lines (P2)."""
    adjacency = model.expected_adjacency(facts(modules))
    assert dump(store, "dump_adjacency") == adjacency
    assert dump(store, "dump_fan") == model.expected_fan(adjacency)
    assert model.dump_text(store, facts(modules)) == model.expected_text(facts(modules))
    found = status(store, WORLD)
    assert dump(store, "dump_keys") == model.expected_keys(facts(modules), found.live.generation)
    assert {name: int(one.cursor) for name, one in found.cursors.items()} == {
        name: len(one.log) for name, one in modules.items()
    }
    incremental = list(export(store, WORLD))
    bring(store, modules, rebuild=True)
    assert list(export(store, WORLD)) == incremental


@pytest.fixture(params=[False, True], ids=["now", "then"])
def modules(request) -> dict[str, Ledger]:
    return ledgers(late=request.param)


@pytest.mark.promise("P2", "P4")
def test_a_build_goes_on_from_the_cursor_and_reads_nothing_whole(store, modules, monkeypatch):
    bring(store, modules)
    monkeypatch.setattr(Ledger, "snapshot", lambda self: pytest.fail("read whole"))
    modules["people"].put(party("p3", email="p3@example.org"), edge("knows", "p3", "p1"))
    modules["people"].delete("p2")
    modules["desk"].put(case("c1", "secret", team="blue"), edge("involves", "c1", "p3", observed_at=3))
    changes = {one.module: one for one in bring(store, modules).modules}
    people = changes["people"]
    assert (people.nodes_put, people.nodes_removed, people.edges_put, people.edges_removed) == (1, 1, 1, 0)
    desk = changes["desk"]
    assert (desk.nodes_put, desk.nodes_removed, desk.edges_put, desk.edges_removed) == (1, 0, 1, 1)
    monkeypatch.undo()
    check(store, modules)


@pytest.mark.promise("P3")
def test_a_replay_of_the_whole_feed_writes_nothing(store, modules, monkeypatch):
    bring(store, modules)
    modules["desk"].put(case("c1", "secret"))
    modules["desk"].delete("c2")
    bring(store, modules)
    before = list(export(store, WORLD))
    written: list[Statement] = []
    monkeypatch.setattr(store, "write", written.extend)
    for one in modules.values():
        one.from_start = True
    assert [one.total for one in bring(store, modules).modules] == [0, 0]
    assert written == []
    assert list(export(store, WORLD)) == before


def test_records_edges_and_cursor_of_a_batch_are_one_write(store, modules, monkeypatch):
    bring(store, modules)
    modules["desk"].put(case("c9"), edge("follows", "c9", "c1"), edge("involves", "c9", "p9"))
    writes: list[list[str]] = []
    write = store.write

    def noted(statements: list[Statement]) -> None:
        writes.append([one.name for one in statements])
        write(statements)

    monkeypatch.setattr(store, "write", noted)
    bring(store, modules)
    (names,) = writes
    assert {"put_nodes", "put_edges", "add_keys", "add_adjacency", "set_cursor"} <= set(names)


def change(seq: int, node, *edges, revision: str | None = None, op: str = "upsert") -> Change:
    at = node.coordinate
    said = node if op == "upsert" else None
    return Change(Position(seq, "feed"), op, at, revision or node.revision, said, edges)  # type: ignore[arg-type]


@pytest.mark.promise("P7")
def test_an_older_revision_never_overwrites_a_newer(store):
    people = Ledger("people", late=True)
    people.put(party("p1", "public"))
    modules = {"people": people, "desk": Ledger("desk")}
    bring(store, modules)
    people.log += [
        change(2, party("p1", "secret", revision="10")),
        change(3, party("p1", "internal", revision="9")),
    ]
    bring(store, modules)
    people.log.append(change(4, party("p1", revision="2"), op="delete"))
    bring(store, modules)
    (line,) = export(store, WORLD)
    assert '"module_revision":"10"' in line
    assert '"visibility":"secret"' in line


def test_a_record_that_comes_again_begins_its_revisions_anew(store, modules):
    bring(store, modules)
    for _ in range(3):
        modules["people"].put(party("p1", "secret"))
    bring(store, modules)
    modules["people"].delete("p1")
    modules["people"].put(party("p1", "public"), edge("knows", "p1", "p1"))
    bring(store, modules)
    assert '"module_revision":"1"' in next(line for line in export(store, WORLD) if '"p1"' in line)
    check(store, modules)


@pytest.mark.promise("P9")
def test_an_edge_keeps_what_first_asserted_it_until_it_is_withdrawn(store, modules):
    desk = modules["desk"]
    bring(store, modules)
    first = desk.edges["involves", "c1", "p1", "c1"]
    desk.put(case("c1"), edge("involves", "c1", "p1", "public"))
    bring(store, modules)
    assert ("1", first.provenance_event_id, "public") in dump(store, "dump_revisions")
    check(store, modules)
    desk.put(case("c1"))
    desk.put(case("c1"), edge("involves", "c1", "p1", "public"))
    bring(store, modules)
    assert ("4", "5", "public") in dump(store, "dump_revisions")
    check(store, modules)


def test_edges_may_come_long_before_their_ends(store):
    modules = {"people": Ledger("people"), "desk": Ledger("desk")}
    bring(store, modules)
    modules["desk"].put(case("c1"), edge("involves", "c1", "p1"), edge("follows", "c1", "c2"))
    drain(store, modules["desk"])
    assert status(store, WORLD).dangling == {"follows": 1, "involves": 1}
    modules["people"].put(party("p1"))
    drain(store, modules["people"])
    modules["desk"].put(case("c2"))
    drain(store, modules["desk"])
    assert status(store, WORLD).dangling == {}
    check(store, modules)


def test_another_kind_with_the_same_id_keeps_its_edges(store):
    """Which record asserts an edge is told by its kind too."""
    ontology = replace(
        model.ONTOLOGY,
        kinds={**model.ONTOLOGY.kinds, "Note": replace(model.ONTOLOGY.kinds["Case"], name="Note")},
        relationships={
            "about": replace(model.ONTOLOGY.relationships["follows"], name="about", sources=("Note",)),
        },
    )
    declared = replace(DECLARED, ontology=ontology, guarded={})
    note = replace(case("x"), coordinate=Coordinate("desk", "Note", "x"), guard="-")
    about = replace(edge("follows", "x", "x"), type="about", source=note.coordinate, provenance_event_id="1")
    desk = Ledger("desk", late=True)
    target = replace(case("x"), guard="-")
    desk.log = [change(1, note, about), change(2, target)]
    desk.nodes = {"note": note, "case": target}
    desk.edges = {("about", "x", "x", "x"): about}
    build(store, declared, POLICY, [("desk", desk)], clock=FixedClock())
    desk.log += [change(3, replace(target, label="moved"), revision="2")]
    build(store, declared, POLICY, [("desk", desk)], clock=FixedClock())
    assert status(store, WORLD).edges == {"about": 1}
    desk.log += [change(4, note, op="delete")]
    build(store, declared, POLICY, [("desk", desk)], clock=FixedClock())
    assert status(store, WORLD).edges == {}


def test_a_record_that_moves_to_another_context_leaves_the_first(store):
    declared = replace(DECLARED, contexts=("main", "eu"))
    people = Ledger("people")
    people.put(party("p1"), edge("knows", "p1", "p1"))
    build(store, declared, POLICY, [("people", people)], clock=FixedClock())
    people.put(replace(party("p1"), context="eu"), replace(edge("knows", "p1", "p1"), context="eu"))
    build(store, declared, POLICY, [("people", people)], clock=FixedClock())
    lines = list(export(store, WORLD))
    assert len(lines) == 2
    assert '"context":"eu"' in lines[0]
    assert status(store, WORLD).dangling == {}


def test_a_replaced_feed_is_read_whole(store, modules):
    bring(store, modules)
    modules["people"] = Ledger("people", name="other")
    modules["people"].put(party("p7"))
    bring(store, modules)
    assert status(store, WORLD).nodes["Party"] == 1
    assert bring(store, modules).modules[0].total == 0
    check(store, modules)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (change(9, replace(party("p1"), coordinate=Coordinate("desk", "Party", "p1"))), "WrongModule"),
        (change(9, party("p1", "hidden")), "UnknownClass"),
        (change(9, party("p1"), edge("knows", "p2", "p1")), "WrongAssertion"),
        (
            change(9, party("p1"), edge("knows", "p1", "p1"), edge("knows", "p1", "p1", "public")),
            "Contradiction",
        ),
        (change(9, party("p1"), edge("follows", "c1", "c2")), "WrongModule"),
    ],
)
def test_an_event_that_is_not_declared_is_refused_and_the_cursor_stays(store, wrong, code):
    modules = ledgers(late=True)
    bring(store, modules)
    before = (list(export(store, WORLD)), status(store, WORLD).cursors)
    modules["people"].log.append(wrong)
    with pytest.raises(ConfigurationError) as caught:
        bring(store, modules)
    assert caught.value.code == code
    assert (list(export(store, WORLD)), status(store, WORLD).cursors) == before


@pytest.mark.promise("P5")
def test_a_module_that_goes_away_midway_is_taken_up_where_it_was_left(store, modules, monkeypatch):
    monkeypatch.setattr("lens_runtime.projection.compiler.EVENTS", 2)
    bring(store, modules)
    for number in range(7):
        modules["people"].put(party(f"q{number}"), edge("knows", f"q{number}", "p1"))
    modules["people"].broken_after = 5
    with pytest.raises(ReaderError):
        bring(store, modules)
    assert status(store, WORLD).cursors["people"].cursor == "6"
    modules["people"].broken_after = None
    assert drain(store, modules["people"]).nodes_put == 3
    check(store, modules)
