"""What a session may keep, on both stores: aggregates of what its actor sees, under the store's own stamps."""

from __future__ import annotations

import json
from dataclasses import replace

import apsw
import pytest

from lens_dsl.errors import AccessDenied, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.adapters.sqlite_connection import open_committer
from lens_runtime.ports import Store
from lens_runtime.projection.identity import aggregate_id
from tests.stores.model import WORLD, Facts, Patience, case, id_of, party, project, scope

KEY = ("main", "docSummary", "-", '"one"', "standard")
POLICY = "policy-1"


@pytest.fixture
def parties(store):
    """Two parties: ``ana`` sees both, ``eve`` only the public one; a case of team blue that neither sees."""
    seen = {"open": party("open", "public"), "inner": party("inner"), "blue": case("blue", team="blue")}
    project(
        store,
        Facts({"people": [seen["open"], seen["inner"]], "desk": [seen["blue"]]}, {"people": [], "desk": []}),
    )
    return {name: id_of(state) for name, state in seen.items()}


def put(
    store: Store, actor: str, inputs: list[str], value: str = "text", *, policy: str = POLICY, fresh: int = 0,
    hashed: str = "h1", promoted: int = 0, context: str = "main",
) -> None:  # fmt: skip
    made = [json.dumps(value), len(inputs), "m", 1, 5]
    row = [aggregate_id(*KEY), *KEY[1:], "audience", hashed, "f1", *made, inputs, promoted]
    rows = json.dumps([row])
    statements = [Statement("sweep_aggregates", (rows,)), Statement("put_aggregates", (rows, policy, fresh))]
    store.commit(statements, replace(scope(actor), context=context), Patience())


def got(store: Store, actor: str, context: str = "main") -> list[str]:
    """The values that an actor is given under the key."""
    keys = json.dumps([[context, *KEY[1:]]])
    asked = replace(scope(actor), context="main" if context == "" else context)
    reading = store.read([Statement("aggregates", (keys, WORLD))], asked, Patience())
    return [json.loads(str(row[4])) for row in reading.results[0]]


@pytest.mark.promise("P139")
def test_it_is_given_to_who_sees_every_input_and_to_nobody_else(place, parties):
    keeper = place.keeper("ana")
    put(keeper, "ana", [parties["open"], parties["inner"]])
    assert (got(place.reader("ana"), "ana"), got(place.reader("eve"), "eve")) == (["text"], [])
    assert got(place.reader("root"), "root") == ["text"]


def test_it_is_not_kept_where_the_actor_does_not_see_an_input(place, parties):
    for hidden in (parties["blue"], "no such node"):
        with pytest.raises(StoreError, match="ConstraintFailed"):
            put(place.keeper("ana"), "ana", [parties["open"], hidden])
    assert got(place.reader("root"), "root") == []


@pytest.mark.promise("P132", "P134")
def test_the_store_stamps_world_context_and_policy(place, store, parties):
    with pytest.raises(StoreError, match="ConstraintFailed"):
        put(place.keeper("ana"), "ana", [parties["open"]], policy="another")
    assert got(place.reader("ana"), "ana") == []
    put(place.keeper("ana"), "ana", [parties["open"]])
    assert got(place.reader("ana"), "ana") == ["text"]
    assert got(place.reader("ana"), "ana", "eu") == []


def test_an_equal_one_stays_unless_it_is_fresh_and_another_wins(place, parties):
    keeper = place.keeper("ana")
    for value in ("first", "second"):
        put(keeper, "ana", [parties["open"]], value)
    assert got(keeper, "ana") == ["first"]
    put(keeper, "ana", [parties["open"]], "third", fresh=1)
    assert got(keeper, "ana") == ["third"]
    put(keeper, "ana", [parties["open"]], "fourth", hashed="h2")
    assert got(keeper, "ana") == ["fourth"]


@pytest.mark.promise("P139")
def test_a_deleted_input_ends_it(place, store, parties):
    put(place.keeper("ana"), "ana", [parties["open"], parties["inner"]])
    project(store, Facts({"people": [party("open", "public")], "desk": []}, {"people": [], "desk": []}))
    assert got(place.reader("ana"), "ana") == []


@pytest.mark.promise("P130")
def test_a_promoted_one_is_given_in_every_context(place, parties):
    put(place.keeper("ana"), "ana", [parties["open"]], promoted=1)
    assert got(place.reader("ana"), "ana", "") == ["text"]
    assert got(place.reader("ana"), "ana") == []


def test_a_session_that_may_only_read_keeps_nothing(place, parties):
    with pytest.raises((StoreError, AccessDenied), match=r"ReadOnly|MayNotCommit"):
        put(place.reader("ana"), "ana", [parties["open"]])
    assert got(place.reader("ana"), "ana") == []


def test_no_other_statement_can_be_committed(place, parties):
    keeper = place.keeper("ana")
    for name in ("clear_grants", "put_nodes", "drop_context_nodes"):
        with pytest.raises(StoreError, match="UnknownStatement"):
            keeper.commit([Statement(name, ())], scope("ana"), Patience())


def test_the_connection_that_commits_to_a_file_can_write_nothing_else(database):
    project(SqliteStore(database, world=WORLD), Facts())
    connection = open_committer(database)
    for text in ("DELETE FROM context_grants", "DROP TABLE context_aggregates", "ATTACH 'x' AS y"):
        with pytest.raises(apsw.AuthError):
            connection.execute(text)
    connection.close()


def test_one_of_another_world_is_refused(place, parties):
    with pytest.raises(StoreError, match="OtherWorld"):
        place.keeper("ana").commit([], replace(scope("ana"), world="other"), Patience())
