"""What an actor reads: its own scopes, one moment, within the time."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lens_dsl.errors import ConfigurationError, OverBudget, StoreError
from lens_dsl.plan import Statement
from lens_runtime.projection.build import write_grants
from lens_runtime.scope import Grant
from tests.stores.model import POLICY, WORLD, Facts, Patience, case, edge, party, project, scope


def facts() -> Facts:
    return Facts(
        nodes={
            "people": [party("open", "public"), party("inner"), party("hidden", "secret")],
            "desk": [case("red"), case("blue", team="blue"), case("none", team=None), case("dark", "secret")],
        },
        edges={"people": [], "desk": [edge("involves", "red", "open", "secret")]},
    )


def found(place, actor, kind_property="", value="", policy=POLICY.revision):
    statement = Statement("found", (kind_property, value))
    reading = place.reader(actor).read([statement], replace(scope(actor), policy_revision=policy), Patience())
    return {row[0] for row in reading.results[0]}


@pytest.mark.promise("P22")
def test_each_actor_finds_its_own_and_no_more(place, store):
    project(store, facts())
    names = {party(name).coordinate: name for name in ("open", "inner", "hidden")}
    assert len(names) == 3
    assert len(found(place, "eve")) == 1
    assert len(found(place, "ana")) == 3  # open, inner, and the red case
    assert len(found(place, "root")) == 7
    assert found(place, "nobody") == set()
    assert len(found(place, "root", "id", "s:hidden")) == 1
    assert found(place, "ana", "id", "s:hidden") == set()


def test_an_actor_holds_only_scopes_of_its_grants_edges_included(place, store):
    project(store, facts())
    rows = place.reader("ana").read([Statement("scopes_held")], scope("ana"), Patience()).results[0]
    held = json.loads(str(rows[0][0]))
    assert {kind: len(vis) for kind, vis in held.items()} == {"Case": 1, "Party": 2}
    everything = place.reader("root").read([Statement("scopes_held")], scope("root"), Patience()).results[0]
    assert len(json.loads(str(everything[0][0]))["Party"]) == 4  # and the public party over the secret edge


def test_other_contexts_hold_nothing(place, store):
    project(store, facts())
    elsewhere = replace(scope("root"), context="other")
    rows = place.reader("root").read([Statement("scopes_held")], elsewhere, Patience()).results[0]
    assert rows == (("{}",),)


def test_a_new_policy_replaces_the_old_and_the_same_writes_nothing(place, store, monkeypatch):
    project(store, facts())
    with store.writing():
        assert write_grants(store, WORLD, POLICY) is False
        narrowed = replace(
            POLICY, revision="policy-2", grants={"eve": (Grant("reader", "Case", "internal", "any"),)}
        )
        assert write_grants(store, WORLD, narrowed) is True
    assert len(found(place, "eve", policy="policy-2")) == 3
    assert found(place, "ana", policy="policy-2") == set()
    with pytest.raises(ConfigurationError, match="has changed since its graph was built"):
        found(place, "eve")


def test_another_world_is_refused(place, store):
    project(store, facts())
    with pytest.raises(StoreError, match="holds world toy, not other"):
        place.reader("root").read(
            [Statement("scopes_held")], replace(scope("root"), world="other"), Patience()
        )


def test_before_the_first_build_it_says_how_to_build(place):
    with pytest.raises(StoreError) as caught:
        place.reader("ana").read([Statement("scopes_held")], scope("ana"), Patience())
    assert caught.value.code == "NotBuilt"
    assert "lens world build" in str(caught.value)


def test_an_unfinished_first_build_shows_nothing(place, store):
    def broken():
        yield party("p1")
        raise RuntimeError("the source went away")

    said = Facts(nodes={"people": broken(), "desk": []})
    with pytest.raises(RuntimeError):
        project(store, said)
    with pytest.raises(StoreError) as caught:
        found(place, "root")
    assert caught.value.code == "NotBuilt"


def test_tables_of_another_version_are_refused_with_the_way_out(place, store):
    project(store, facts())
    store.write([Statement("old_schema")])
    with pytest.raises(ConfigurationError, match="--rebuild") as caught:
        found(place, "root")
    assert caught.value.code == "SchemaVersion"


def test_only_fixed_statements_run_each_in_its_own_place(place, store):
    project(store, facts())
    reader = place.reader("root")
    for name in ("status", "SELECT 1", "put_nodes", "count_nodes", "constructor"):
        with pytest.raises(StoreError) as caught:
            reader.read([Statement(name)], scope("root"), Patience())
        assert caught.value.code == "UnknownStatement"
    for name in ("scopes_held", "put_nodes"):
        with pytest.raises(StoreError):
            store.inspect([Statement(name)])
    with pytest.raises(StoreError):
        store.write([Statement("count_nodes", (1,))])


def test_text_comes_back_as_it_went_and_none_is_null(place, store):
    project(store, facts())
    values = ("Zoë 🦓 \"'\\\n", "", None)
    statements = [Statement("echo", (value,)) for value in values]
    reading = place.reader("root").read(statements, scope("root"), Patience())
    assert [result[0][0] for result in reading.results] == list(values)
    assert (reading.statements, reading.round_trips) == (3, 1)


def test_rows_read_is_counted_on_d1_and_unknown_on_sqlite(place, store):
    project(store, facts())
    reading = place.reader("root").read([Statement("found", ("", ""))], scope("root"), Patience())
    assert (reading.rows_read or 0) > 7 if place.kind == "d1" else reading.rows_read is None


def test_a_closed_store_says_so(place, store):
    project(store, facts())
    reader = place.reader("root")
    reader.close()
    reader.close()
    with pytest.raises(StoreError) as caught:
        reader.read([Statement("scopes_held")], scope("root"), Patience())
    assert caught.value.code == "StoreClosed"


def plan(*steps, **more):
    ceilings = {"world": WORLD, "n": 50, "f": 10, "w": 100, "e": 1_000, "k": 16, "r": None}
    return json.dumps({**ceilings, **more, "s": list(steps)})


def step(**more):
    plain = {
        "bit": 2,
        "from": 1,
        "skip": 0,
        "into": None,
        "go": [["involves", 0, ["Party"]]],
        "tests": [],
        "need": 0,
    }
    return {**plain, **more}


def test_a_traversal_reaches_what_the_actor_may_see(place, store):
    project(store, facts())
    anchors = json.dumps([[1, ["Case"], "id", ["s:red"]]])
    seen = {}
    for actor in ("ana", "root", "eve"):
        statement = Statement("traverse", (anchors, plan(step())))
        rows = place.reader(actor).read([statement], scope(actor), Patience()).results[0]
        seen[actor] = sorted((str(row[0]), str(row[9])) for row in rows if row[0] in ("n", "e"))
    assert seen == {"ana": [("n", "red")], "root": [("e", "red"), ("n", "open"), ("n", "red")], "eve": []}


def test_a_step_of_too_many_groups_is_refused_with_the_number(place, store):
    project(store, facts())
    anchors = json.dumps([[1, ["Case"], "id", ["s:red"]]])
    wide = step(go=[[f"t{number}", 0, ["Party"]] for number in range(129)])
    statement = Statement("traverse", (anchors, plan(step(), wide)))
    assert place.reader("eve").read([statement], scope("eve"), Patience()).results
    with pytest.raises(OverBudget, match="seeks 258 groups") as caught:
        place.reader("ana").read([statement], scope("ana"), Patience())
    assert caught.value.code == "TooManyGroups"
