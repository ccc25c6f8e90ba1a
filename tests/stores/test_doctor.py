"""The doctor on both stores, and what only an engine can tell."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.adapters.sqlite_connection import LIMITS
from lens_runtime.adapters.sqlite_examiner import SqliteExaminer
from lens_runtime.doctor import engine
from lens_runtime.doctor.diagnosis import diagnose
from lens_runtime.doctor.outcome import Finding, Passed, Patient, Untold
from lens_runtime.doctor.probes import END, PROBES, STEP, probed, ranges
from lens_runtime.ports import EngineFacts, Examiner
from lens_runtime.projection.diagnoses import DIAGNOSES, RANGED
from lens_runtime.projection.plans import PLANNED
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.new import new_world
from lens_runtime.worlds.world import World
from tests.stores.model import DECLARED, WORLD, Facts, case, edge, party, project
from tests.stores.test_commits import put

FACTS = Facts(
    nodes={
        "people": [party("p1", "public"), party("p2", observed_at=5, email="a@b"), party("p3", "secret")],
        "desk": [case("c1", observed_at=7), case("c2", team=None), case("c3", "secret", team="blue")],
    },
    edges={
        "people": [edge("knows", "p1", "p2", observed_at=9), edge("knows", "p2", "p2")],
        "desk": [
            edge("involves", "c1", "p1", "secret"),
            edge("involves", "c2", "gone"),
            edge("follows", "c1", "c3", observed_at=2),
        ],
    },
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The toy world as a folder would declare it, as far as the doctor looks."""
    loaded = load_world(new_world(tmp_path / "folder"))
    modules = {name: next(iter(loaded.modules.values())) for name in ("people", "desk")}
    return replace(loaded, id=WORLD, ontology=DECLARED.ontology, modules=modules)


@dataclass(frozen=True)
class Told:
    """An engine that tells what the test says."""

    said: EngineFacts
    planned: Mapping[str, tuple[str, ...]]
    file: str = "graph.db"

    def facts(self) -> EngineFacts:
        return self.said

    def faults(self) -> tuple[str, ...]:
        return ("row 17 missing from index context_edges_src",)

    def plans(self) -> Mapping[str, tuple[str, ...]]:
        return self.planned


SOUND = EngineFacts("3.40.1", frozenset(), {"COLUMN": (100, 100)}, 4_096, None)


def patient(world: World, store, examiner: Examiner | None = None) -> Patient:
    return Patient(world, store, examiner, world.id)


def examiner_of(place) -> Examiner | None:
    return SqliteExaminer(Path(place.where), world=WORLD) if place.kind == "sqlite" else None


def findings(world: World, place) -> dict[str, str]:
    """What the doctor finds but for the policy, which a folder's world alone can have alike."""
    found = diagnose(patient(world, place.compiler(), examiner_of(place))).findings
    return {one.check: one.mend for one in found if one.check != "policy"}


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_graph_that_was_built_is_healthy_on_both_stores(world, place, store, rebuild):
    project(store, Facts())
    project(store, FACTS, rebuild=rebuild)
    assert findings(world, place) == {}
    shrunk = Facts({"people": FACTS.nodes["people"][1:], "desk": FACTS.nodes["desk"][:1]}, FACTS.edges)
    project(store, shrunk)
    assert findings(world, place) == {}


def test_on_d1_it_says_what_it_cannot_tell(world, place, store):
    project(store, FACTS)
    outcomes = diagnose(patient(world, store, examiner_of(place))).outcomes
    untold = [one.check for one in outcomes if isinstance(one, Untold)]
    assert untold == ([] if place.kind == "sqlite" else ["file", "engine", "limits", "plans"])
    (sizes,) = [one for one in outcomes if one.check == "sizes" and isinstance(one, Passed)]
    assert sizes.measured.startswith("6 records, 5 relationships, ")


@pytest.mark.parametrize(
    ("statement", "check", "mend"),
    [
        ("analyze_now", "statistics", "lens world build toy"),
        ("old_schema", "schema", "lens world build toy --rebuild"),
    ],
)
def test_what_is_wrong_is_found_on_both_stores(world, place, store, statement, check, mend):
    project(store, FACTS)
    store.write([Statement(statement)])
    found = findings(world, place)
    assert found[check] == mend
    project(store, FACTS, rebuild="--rebuild" in found[check])
    assert findings(world, place) == {}


def test_a_lease_that_is_held_tells_of_a_build(world, place, store):
    project(store, FACTS)
    with store.writing():
        store.write([Statement("open_build", (9, WORLD, 0))])
        assert findings(world, place) == {}
    assert list(findings(world, place)) == ["generation"]


def test_a_graph_that_was_never_built_is_no_patient(world, place, store):
    with pytest.raises(StoreError, match="NotBuilt"):
        findings(world, place)
    with store.writing():
        pass
    with pytest.raises(StoreError, match="NotBuilt"):
        findings(world, place)


def aggregates(store) -> object:
    return store.inspect([Statement("rows_held")]).results[0][0][5]


def test_a_build_sweeps_aggregates_of_records_that_are_gone_and_keeps_the_others(world, place, store):
    project(store, FACTS)
    ids = [str(row[0]) for row in store.inspect([Statement("dump_surrogates")]).results[0]]
    put(place.keeper("root"), "root", ids[:1])
    project(store, FACTS, rebuild=True)
    assert aggregates(store) == 1
    project(store, Facts())
    assert aggregates(store) == 0


def test_a_large_graph_is_looked_at_in_ranges_that_leave_nothing_out(world, database):
    store = SqliteStore(database, world=WORLD)
    project(store, FACTS)
    stray = (-5, 60_000, 110_000, 2**52)
    with closing(apsw.Connection(str(database))) as connection:
        connection.execute("UPDATE context_nodes SET nid = nid + 120000 WHERE nid > 3")
        for node in stray:
            connection.execute("INSERT INTO context_fan VALUES (?, 0, 1, 1, 1)", (node,))
    (probe,) = [one for one in PROBES if one.check == "orphan fan"]
    bounds = list(ranges(probe, patient(world, store)))
    assert (bounds[0][0], bounds[-1][1]) == (-END, END)
    assert [upto for _, upto in bounds[:-1]] == [after for after, _ in bounds[1:]]
    assert len(bounds) == 3
    assert max(b - a for a, b in bounds[1:-1]) == STEP
    found = probed(probe, patient(world, store))
    # Those that stray, and the groups of the records that were moved away from theirs.
    held = store.inspect([Statement("dump_fan")]).results[0]
    (total,) = store.inspect([Statement("rows_held")]).results[0][0][3:4]
    assert isinstance(found, Finding)
    assert found.what.endswith(f": {int(total or 0) - len(held)}")
    assert int(total or 0) - len(held) > len(stray)
    store.close()


@pytest.mark.parametrize(
    ("check", "told", "what"),
    [
        (engine.engine, Told(replace(SOUND, version="3.39.4"), {}), "older than 3.40"),
        (engine.engine, Told(replace(SOUND, features=frozenset({"OMIT_JSON"})), {}), "without JSON"),
        (engine.limits, Told(replace(SOUND, limits={"COLUMN": (50, 100)}), {}), "COLUMN is 50, not 100"),
        (engine.plans, Told(SOUND, {"nodes_by_id": ("SCAN n",)}), "nodes_by_id: SCAN n"),
        (engine.plans, Told(SOUND, {"nodes_by_id": ("BLOOM FILTER ON n",)}), "1 of 1 statements"),
        (engine.file, Told(SOUND, {}), "a row missing from index"),
    ],
)
def test_what_an_engine_tells_is_judged(world, store, check, told, what):
    found = check(patient(world, store, told))
    assert isinstance(found, Finding)
    assert what in found.what
    assert "17" not in found.what
    assert found.mend


@pytest.mark.parametrize("check", [engine.engine, engine.limits, engine.plans])
def test_a_sound_engine_passes(world, store, check):
    assert isinstance(check(patient(world, store, Told(SOUND, {"nodes_by_id": ("SEARCH n",)}))), Passed)


def test_the_examiner_tells_of_the_real_engine(database, store):
    examiner = SqliteExaminer(database, world=WORLD)
    for question in (examiner.facts, examiner.faults, examiner.plans):
        with pytest.raises(StoreError, match="NotBuilt"):
            question()
    assert not database.exists()


def test_every_probe_has_its_statement_and_every_statement_its_probe():
    names = [probe.statement for probe in PROBES]
    assert len(set(names)) == len({probe.check for probe in PROBES}) == len(PROBES)
    assert {*names} >= RANGED.keys()
    assert {*names} <= DIAGNOSES.keys() <= PLANNED.keys()
    assert len(LIMITS) == 12
