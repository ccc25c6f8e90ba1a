"""Generations, atomicity, and builds that are killed."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.ports import Store
from lens_runtime.projection import tables
from lens_runtime.projection.build import build
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.generations import drop, schema_version
from lens_runtime.projection.status import export, status
from tests.stores import model
from tests.stores.killing import killed_after
from tests.stores.model import DECLARED, POLICY, WORLD, Facts, FixedClock, case, dump, edge, party, project

ROOT = Path(__file__).resolve().parents[2]


def facts(size: int = 30) -> Facts:
    names = [f"n{number}" for number in range(size)]
    return Facts(
        nodes={"people": [party(name) for name in names], "desk": [case(name) for name in names]},
        edges={
            "people": [edge("knows", a, b) for a, b in pairwise(names)],
            "desk": [edge("involves", name, name) for name in names],
        },
    )


@pytest.mark.promise("P2")
def test_a_rebuild_is_a_new_generation_with_the_same_content(store):
    project(store, facts())
    before, surrogates = list(export(store, WORLD)), dump(store, "dump_surrogates")
    built = project(store, facts(), rebuild=True)
    assert (built.generation, status(store, WORLD).live.generation) == (2, 2)
    assert list(export(store, WORLD)) == before
    assert not {nid for _, nid in surrogates} & {nid for _, nid in dump(store, "dump_surrogates")}
    adjacency = model.expected_adjacency(facts())
    assert dump(store, "dump_adjacency") == adjacency
    assert store.inspect([Statement("sizes")]).results[0][0][:2] == (
        len(adjacency),
        len(model.expected_fan(adjacency)),
    )


def test_two_builds_of_one_source_give_the_same_surrogates(empty):
    dumps = []
    for _ in range(2):
        store = empty().compiler()
        project(store, facts())
        dumps.append((list(export(store, WORLD)), dump(store, "dump_surrogates")))
    assert dumps[0] == dumps[1]


def test_a_rebuild_that_fails_leaves_the_old_generation_live_and_the_next_cleans_up(store, monkeypatch):
    project(store, facts())
    before = list(export(store, WORLD))
    monkeypatch.setattr(
        model, "DECLARED", Declared(WORLD, model.ONTOLOGY, frozenset({"secret"}), {"Case": "team"})
    )
    with pytest.raises(ConfigurationError):
        project(store, facts(), rebuild=True)
    assert list(export(store, WORLD)) == before
    monkeypatch.undo()
    project(store, facts())
    assert store.inspect([Statement("builds")]).results == ((),)
    assert list(export(store, WORLD)) == before


def test_a_write_is_all_or_nothing(store):
    project(store, facts())
    before = store.inspect([Statement("sizes")])
    with pytest.raises(StoreError) as caught:
        store.write([Statement("clear_grants"), Statement("drop_context_keys"), Statement("break_not_null")])
    assert caught.value.code == "ConstraintFailed"
    assert store.inspect([Statement("sizes")]).results == before.results
    assert len(store.inspect([Statement("grants")]).results[0]) == sum(map(len, POLICY.grants.values()))


def test_both_stores_export_the_same(store, database):
    project(store, facts())
    local = SqliteStore(database, world=WORLD)
    project(local, facts())
    assert list(export(store, WORLD)) == list(export(local, WORLD))
    assert dump(store, "dump_surrogates") == dump(local, "dump_surrogates")
    local.close()


def test_pages_of_any_size_give_the_same(empty, monkeypatch):
    exports = []
    for page in (1, 7, 2000):
        monkeypatch.setattr("lens_runtime.projection.compiler.PAGE", page)
        monkeypatch.setattr(tables, "PAGE", page)
        monkeypatch.setattr("lens_runtime.projection.status.PAGE", page)
        monkeypatch.setattr("lens_runtime.projection.generations.SWEEP", page)
        monkeypatch.setattr("lens_runtime.projection.intern.MAX_CHARACTERS", 50 * page)
        store = empty().compiler()
        project(store, facts())
        smaller = facts(10)
        project(store, smaller)
        assert dump(store, "dump_adjacency") == model.expected_adjacency(smaller)
        project(store, smaller, rebuild=True)
        assert dump(store, "dump_adjacency") == model.expected_adjacency(smaller)
        exports.append(list(export(store, WORLD)))
    assert exports[0] == exports[1] == exports[2]


def test_a_database_holds_one_world(store):
    project(store, facts())
    other = Declared("other", model.ONTOLOGY, DECLARED.classes, DECLARED.guarded)
    with pytest.raises(ConfigurationError, match="world toy, not other"):
        build(store, other, POLICY, facts().snapshots(), clock=FixedClock())


def test_older_tables_are_refused_by_name_and_made_anew_by_a_rebuild(store):
    project(store, facts())
    before = list(export(store, WORLD))
    store.write([Statement("old_schema")])
    with pytest.raises(ConfigurationError, match="lens world build --rebuild") as caught:
        project(store, facts())
    assert caught.value.code == "SchemaVersion"
    assert project(store, facts(), rebuild=True).generation == 1
    assert list(export(store, WORLD)) == before


@pytest.mark.promise("P1")
def test_dropped_tables_come_back_with_a_build(store):
    project(store, facts())
    before = list(export(store, WORLD))
    drop(store)
    assert schema_version(store) is None
    project(store, facts())
    assert list(export(store, WORLD)) == before


def build_facts(store: Store) -> None:
    project(store, facts())


def rebuild_facts(store: Store) -> None:
    project(store, facts(), rebuild=True)


@pytest.mark.promise("P5")
@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9 on Windows")
@pytest.mark.parametrize(("mode", "writes"), [("first", 1), ("first", 6), ("incremental", 4), ("rebuild", 9)])
def test_after_kill_9_the_next_run_completes(place, mode, writes):
    store = place.compiler()
    if mode != "first":
        project(store, facts(12))
    before = list(export(store, WORLD)) if mode == "rebuild" else None
    killed_after(place, writes, rebuild_facts if mode == "rebuild" else build_facts, PAGE=5)
    if mode == "rebuild":
        assert list(export(store, WORLD)) == before
    project(store, facts())
    adjacency = model.expected_adjacency(facts())
    assert dump(store, "dump_adjacency") == adjacency
    assert dump(store, "dump_fan") == model.expected_fan(adjacency)
    sizes = store.inspect([Statement("sizes")]).results[0][0]
    assert (sizes[0], sizes[3], sizes[5]) == (len(adjacency), 60, 0)
