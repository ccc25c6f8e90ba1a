"""Who is served what: contexts, worlds, policies, owners, and records that an actor may not see."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import ConfigurationError, QueryError, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.envelope import seal
from tests.aggregation.shelf import FILES, SUMMARY, Shelf, document, outcomes, steered


@pytest.fixture
def two_contexts(tmp_path: Path) -> Shelf:
    """The same content under one URI in both contexts."""
    return Shelf(tmp_path, document("one", "alpha"), document("one", "alpha", context="eu"))


@pytest.mark.promise("P129")
def test_contexts_do_not_share_a_node(two_contexts: Shelf) -> None:
    main, eu = two_contexts.ask(), two_contexts.ask(context="eu")
    assert outcomes(main) == outcomes(eu) == ["generated"]
    assert main.rows[0][1] != eu.rows[0][1]
    assert [row[1] for row in sorted(two_contexts.committed(), key=lambda row: row[1])] == ["eu", "main"]
    assert outcomes(two_contexts.ask()) == outcomes(two_contexts.ask(context="eu")) == ["hit"]


@pytest.mark.promise("P130")
def test_contexts_share_what_the_policy_promotes(two_contexts: Shelf) -> None:
    two_contexts.change("policy.yml", "may_act_as:", "promote_to_world: [docSummary]\nmay_act_as:")
    two_contexts.build()
    main, eu = two_contexts.ask(), two_contexts.ask(context="eu")
    assert (outcomes(main), outcomes(eu)) == (["generated"], ["hit"])
    assert main.rows == eu.rows
    assert [row[1] for row in two_contexts.committed()] == [""]


@pytest.mark.promise("P131")
def test_worlds_do_not_share_a_node(two_contexts: Shelf, tmp_path: Path) -> None:
    first = two_contexts.ask()
    promoted = FILES["policy.yml"].replace("may_act_as:", "promote_to_world: [docSummary]\nmay_act_as:")
    files = {"world.yml": "id: other\ntitle: Other\n", "policy.yml": promoted}
    other = Shelf(tmp_path / "other", document("one", "alpha"), files=files)
    assert outcomes(other.ask()) == ["generated"]
    assert other.ask().rows[0][1] != first.rows[0][1]
    stray = replace(two_contexts.engine(), store=other.engine().store)
    with pytest.raises(StoreError, match="OtherWorld"):
        stray.run(SUMMARY, {"uri": "one"}, Budget(), MonotonicDeadline.after(10))
    stray.store.close()


@pytest.mark.promise("P132")
def test_a_new_policy_does_not_serve_the_nodes_of_the_old_one(shelf: Shelf) -> None:
    first = shelf.ask()
    shelf.change("policy.yml", "rights: [profile]", "rights: []")
    shelf.build()
    second = shelf.ask()
    assert outcomes(second) == ["generated"]
    assert second.rows[0][1] != first.rows[0][1]
    assert len(shelf.committed()) == 1, "what can never be served again is swept with the next commit"


def test_a_policy_that_is_not_built_yet_commits_nothing(shelf: Shelf) -> None:
    shelf.change("policy.yml", "rights: [profile]", "rights: []")
    with pytest.raises(ConfigurationError, match="has changed since its graph was built"):
        shelf.ask()
    assert shelf.committed() == []


@pytest.mark.promise("P134")
def test_stamps_come_from_no_query_and_no_record(shelf: Shelf) -> None:
    text = steered("realm: {worldId: 'x', contextId: 'x', policyRevision: 'x'}").replace(
        "s.summary, s.id", "s"
    )
    (node,) = shelf.ask(text).nodes
    assert (node.properties["worldId"], node.properties["contextId"]) == ("shelf", "main")
    with pytest.raises(QueryError, match="contextId is no directive"):
        shelf.ask(steered("contextId: 'eu'"))


@pytest.mark.promise("P76", "P77")
def test_the_same_key_of_another_owner_is_neither_collected_nor_shared(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, document("one", "red text"), document("one", "blue text", team="blue"))
    ana, ben = shelf.ask(), shelf.ask(actor="ben")
    assert [row[0] for row in ana.rows] == ["#1 red text"]
    assert [row[0] for row in ben.rows] == ["#2 blue text"]
    assert ana.rows[0][1] != ben.rows[0][1]
    keeper = shelf.ask(actor="kim")
    assert {row[0] for row in keeper.rows} == {"#1 red text", "#2 blue text"}
    assert outcomes(keeper) == ["hit", "hit"]


@pytest.mark.promise("P139", "P51")
def test_who_may_not_see_an_input_gets_another_node(shelf: Shelf) -> None:
    shelf.chunk("d0", 2, "the secret", **{"class": "secret"})
    shelf.write()
    shelf.build()
    keeper = shelf.ask(actor="kim")
    assert keeper.rows[0][0] == "#1 alpha beta | gamma | the secret"
    for _ in range(2):
        reader = shelf.ask()
        assert reader.rows[0][0] == "#2 alpha beta | gamma"
        assert "secret" not in seal(reader).model_dump_json()
    assert reader.rows[0][1] != keeper.rows[0][1]
    assert (shelf.ask(actor="kim").rows, len(shelf.reducer.requests)) == (keeper.rows, 2)


@pytest.mark.promise("P139")
def test_a_revoked_input_makes_the_node_unservable_at_once(shelf: Shelf) -> None:
    shelf.ask()
    shelf.edit("d0-1", **{"class": "secret"})
    # Before the projection hears of it: the reader denies it.
    assert shelf.ask().rows[0][0] == "#2 alpha beta"
    shelf.edit("d0-1", **{"class": "public"})
    shelf.ask()
    shelf.edit("d0-1", **{"class": "secret"})
    shelf.build()
    assert sought(shelf, "ana") == 0
    assert shelf.ask().rows[0][0] == "#4 alpha beta"


@pytest.mark.promise("P139")
def test_a_deleted_input_makes_the_node_unservable_at_once(shelf: Shelf) -> None:
    shelf.ask()
    assert sought(shelf, "ana") == 1
    shelf.records["chunks"] = [one for one in shelf.records["chunks"] if one["id"] != "d0-1"]
    shelf.write()
    assert shelf.ask().rows[0][0] == "#2 alpha beta"
    shelf.chunk("d0", 1, "gamma")
    shelf.write()
    shelf.ask()
    shelf.records["chunks"].pop()
    shelf.write()
    shelf.build()
    assert sought(shelf, "ana") == 0


def sought(shelf: Shelf, actor: str, context: str = "main") -> int:
    """How many nodes the store itself gives an actor for the first document."""
    engine = shelf.engine(actor, context)
    keys = json.dumps([["main", "docSummary", "team=s:red", '"one"', "standard"]])
    read = engine.store.read(
        [Statement("aggregates", (keys, "shelf"))], engine.scope, MonotonicDeadline.after(5)
    )
    engine.store.close()
    return len(read.results[0])


@pytest.mark.promise("P139")
def test_the_store_gives_a_node_only_to_whoever_sees_every_input(shelf: Shelf) -> None:
    shelf.edit("d0-1", **{"class": "secret"})
    shelf.build()
    shelf.ask(actor="kim")
    assert (sought(shelf, "kim"), sought(shelf, "ana"), sought(shelf, "kim", "eu")) == (1, 0, 0)


def test_an_actor_without_the_kind_sees_no_leaf_and_costs_no_call(shelf: Shelf) -> None:
    result = shelf.ask(actor="cleo")
    assert (result.rows, result.aggregates, result.usage.model_calls) == ((), (), 0)
    optional = "MATCH (d:Document {uri: $uri}) OPTIONAL MATCH (d)-[:HAS_SUMMARY]->(s) RETURN d.uri, s"
    assert shelf.ask(optional, actor="cleo").rows == (("one", None),)


@pytest.mark.promise("P137")
def test_a_leaf_is_no_fact_and_untrusted_where_customers_wrote_its_inputs(shelf: Shelf) -> None:
    envelope = seal(shelf.ask(SUMMARY.replace("s.summary, s.id", "d, s")))
    assert [fact.coordinate.entity_type for fact in envelope.facts] == ["Document"]
    assert envelope.evidence == ()
    assert list(envelope.revisions) == ["shelf"]
    (part,) = envelope.aggregates
    assert (part.trust, part.untrusted, part.outcome, part.committed) == ("derived", True, "generated", True)
    assert part.fields is not None
    assert part.fields["summary"] == "#1 alpha beta | gamma"
    shelf.change("producers/summaries.yml", 'text: "{{ text }}"\n    orderBy: [position]', 'text: "{{ id }}"')
    (part,) = seal(shelf.ask(SUMMARY)).aggregates
    assert part.untrusted is False


@pytest.mark.promise("P140")
def test_the_result_carries_every_call_and_outcome(shelf: Shelf) -> None:
    result = shelf.ask()
    (one,) = result.aggregates
    assert (one.producer, str(one.anchor), one.band, one.calls) == (
        "docSummary",
        "shelf:Document:d0",
        "standard",
        1,
    )
    assert (one.tokens_in, one.tokens_out) == (10, 5)
    assert seal(result).usage.model_calls == 1


def test_a_store_that_cannot_be_written_serves_all_the_same_and_says_so(shelf: Shelf) -> None:
    engine = shelf.engine()
    engine.store.close()
    read_only = replace(engine, store=SqliteStore(shelf.place.graph, world="shelf", read_only=True))
    result = read_only.run(SUMMARY, {"uri": "one"}, Budget(), MonotonicDeadline.after(10))
    read_only.store.close()
    assert (result.rows[0][0], outcomes(result)) == ("#1 alpha beta | gamma", ["generated"])
    assert not result.aggregates[0].kept
    assert result.warnings == ("what docSummary made could not be kept (ReadOnly), and will be made again",)
    assert shelf.committed() == []
