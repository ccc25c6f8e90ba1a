"""The full-text index on both stores: in step with the projection, for each actor its own, and no operators."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lens_dsl.errors import OverBudget
from lens_dsl.plan import Statement
from lens_dsl.words import words
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.projection import tables
from lens_runtime.projection.build import Policy
from lens_runtime.projection.status import export, status
from lens_runtime.scope import Grant
from tests.stores.ledger import ledgers
from tests.stores.model import (
    POLICY,
    WORLD,
    Facts,
    Patience,
    case,
    dump,
    dump_text,
    edge,
    expected_text,
    id_of,
    party,
    project,
    scope,
)
from tests.stores.test_feeds import bring

KINDS = ("Party", "Case")
SCOPES = 300  # of one kind: more than a search takes in all


def told(state, label, summary=None):
    """A record with this label and summary."""
    return replace(state, label=label, summary=summary)


def facts() -> Facts:
    return Facts(
        nodes={
            "people": [
                told(party("open", "public"), "Wheel dealer", "sells a broken wheel"),
                told(party("inner"), "wheel maker"),
                told(party("hidden", "secret"), "broken wheel maker"),
            ],
            "desk": [
                told(case("red"), "Broken wheel"),
                told(case("blue", team="blue"), "broken WHEEL again"),
                told(case("none", team=None), "wheel, broken"),
                told(case("dark", "secret"), "a wheel that is broken"),
            ],
        },
        edges={"people": [], "desk": [edge("involves", "red", "open")]},
    )


def request(text, kinds=KINDS, n=100):
    stated = {"k": SCOPES, "r": None}
    asked = {"world": WORLD, "n": n, **stated, "kinds": list(kinds), "words": list(words(text))}
    return [Statement("search", (json.dumps(asked, ensure_ascii=False),))]


def found(place, actor, text, kinds=KINDS, n=100, policy=POLICY.revision):
    reading = place.reader(actor).read(
        request(text, kinds, n), replace(scope(actor), policy_revision=policy), Patience()
    )
    return [row[2] for row in reading.results[0]]


@pytest.mark.promise("P20", "P24", "P25")
def test_each_actor_finds_its_own_and_each_record_once(place, store):
    project(store, facts())
    assert found(place, "eve", "wheel") == ["open"]
    assert sorted(found(place, "ana", "wheel")) == ["inner", "open", "red"]
    assert sorted(found(place, "ana", "wheel broken")) == ["open", "red"]
    assert sorted(found(place, "ana", "wheel", ["Case"])) == ["red"]
    assert len(found(place, "root", "wheel")) == 7
    assert found(place, "nobody", "wheel") == []
    assert found(place, "root", "wheel spoke") == []
    reading = place.reader("eve").read(request("wheel"), scope("eve"), Patience())
    ((node, kind, entity_id, observed_at),) = reading.results[0]
    assert (len(str(node)), kind, entity_id, observed_at) == (32, "Party", "open", None)


@pytest.mark.promise("P27")
@pytest.mark.parametrize("actor", ["ana", "eve", "root", "nobody"])
def test_a_filter_narrows_what_is_visible_and_shows_nothing_more(place, store, actor):
    project(store, facts())
    visible = {"ana": {"inner", "open", "red"}, "eve": {"open"}, "nobody": set()}.get(
        actor, {state.coordinate.entity_id for states in facts().nodes.values() for state in states}
    )
    people = {state.coordinate.entity_id for state in facts().nodes["people"]}
    for kinds, narrowed in (
        (["Party"], people),
        (["Case"], visible - people),
        (KINDS, visible),
        (["party", "Nothing", "*", ""], set()),
        ([], set()),
    ):
        assert set(found(place, actor, "wheel", kinds)) == visible & narrowed, kinds


@pytest.mark.promise("P26")
def test_records_that_read_the_same_stay_two_and_are_not_joined(place, store):
    same = [
        told(party(name, email="same@example.org"), "Maria Keller", "lives in Bern") for name in ("m1", "m2")
    ]
    project(store, Facts(nodes={"people": same, "desk": [told(case("m1"), "Maria Keller")]}))
    before = list(export(store, WORLD))
    assert sorted(found(place, "ana", "maria keller", ["Party"])) == ["m1", "m2"]
    assert sorted(found(place, "ana", "maria keller")) == ["m1", "m1", "m2"]
    assert len(set(map(id_of, same))) == 2
    assert (status(store, WORLD).nodes, status(store, WORLD).edges) == ({"Case": 1, "Party": 2}, {})
    assert dump(store, "dump_adjacency") == []
    assert list(export(store, WORLD)) == before


def test_of_too_many_one_more_comes_and_the_same_ones_whatever_else_there_is(empty, monkeypatch):
    kept = []
    for hidden, page in ((0, 5_000), (40, 3)):
        monkeypatch.setattr("lens_runtime.projection.compiler.PAGE", page)
        monkeypatch.setattr(tables, "PAGE", page)
        place = empty()
        parties = [told(party(f"p{number:02}"), "wheel") for number in range(30)]
        parties += [told(party(f"h{number:02}", "secret"), "wheel") for number in range(hidden)]
        order = parties if hidden else parties[::-1]
        project(place.compiler(), Facts(nodes={"people": order, "desk": []}))
        kept.append(found(place, "ana", "wheel", n=10))
        assert len(found(place, "ana", "wheel", n=30)) == 30
    assert kept[0] == kept[1]
    assert len(kept[0]) == 11


@pytest.mark.promise("P15")
def test_only_the_approved_label_and_summary_are_in_the_index(store):
    state = replace(party("p", email="secretword@example.org"), label="shown", summary="shown too")
    project(store, Facts(nodes={"people": [state], "desk": []}))
    assert {row[0] for row in dump_text(store, Facts(), "shown", "too", "secretword", "p")} == {
        "shown",
        "too",
    }


@pytest.mark.promise("P2")
def test_changes_and_deletions_keep_the_index_in_step(store):
    modules = ledgers()
    bring(store, modules)
    modules["people"].put(told(party("p1", "secret"), "party of the wheel", "broken"))
    modules["people"].delete("p2")
    modules["desk"].put(told(case("c1", team="blue"), "case c1 wheel"))
    bring(store, modules)
    held = Facts(nodes={name: list(one.nodes.values()) for name, one in modules.items()})
    gone = ("p1", "p2", "c1")
    assert dump_text(store, held, *gone) == expected_text(held)
    modules["people"].put(told(party("p1"), "party"))
    bring(store, modules)
    held = Facts(nodes={name: list(one.nodes.values()) for name, one in modules.items()})
    assert dump_text(store, held, "wheel", "broken", *gone) == expected_text(held)
    bring(store, modules, rebuild=True)
    assert dump_text(store, held, "wheel", "broken", *gone) == expected_text(held)


def test_a_search_sees_the_live_generation_alone(place, store):
    project(store, facts())
    first = found(place, "root", "wheel")
    project(store, facts(), rebuild=True)
    assert found(place, "root", "wheel") == first


@pytest.mark.parametrize(
    "text",
    [
        "broken OR spoke",
        "NEAR(broken wheel)",
        "broken NOT wheel",
        "whee*",
        '"broken wheel"',
        'scopes : "g1v1"',
        "{scopes words} : broken",
        "^broken",
        "broken + wheel",
        "' ; DROP TABLE context_text; --",
        "g1v1 g1v2 g1v3 g1v4",
    ],
)
def test_operators_are_only_words(place, store, text):
    project(store, facts())
    expected = [
        state.coordinate.entity_id
        for states in facts().nodes.values()
        for state in states
        if state.visibility != "secret" and state.coordinate.entity_id not in ("blue", "none")
        if set(words(text)) <= set(words(f"{state.label} {state.summary or ''}"))
    ]
    assert sorted(found(place, "ana", text)) == sorted(expected)
    assert len(found(place, "root", "wheel")) == 7


def test_words_of_any_script_are_found(place, store):
    labels = ["Größe Übermaß", "日本語 テスト", "Ελλάδα", "ÅNGSTRÖM x²", "ﬁne ⅷ", "नमस्ते", "emoji 🎡 wheel"]
    parties = [told(party(f"p{number}"), label) for number, label in enumerate(labels)]
    project(store, Facts(nodes={"people": parties, "desk": []}))
    for number, label in enumerate(labels):
        assert found(place, "ana", label) == [f"p{number}"], label
        assert found(place, "ana", label.upper()) == [f"p{number}"], label
    assert found(place, "ana", "grosse") == ["p0"]
    assert found(place, "ana", "angstrom x2") == ["p3"]


def test_too_many_scopes_are_refused_with_their_number(place, store):
    guards = [f"team={number}" for number in range(300)]
    policy = Policy("p", {"ana": tuple(Grant("agent", "Case", "internal", guard) for guard in guards)})
    cases = [case(f"c{number}", team=str(number)) for number in range(300)]
    project(store, Facts(nodes={"people": [], "desk": cases}), policy=policy)
    with pytest.raises(OverBudget) as caught:
        found(place, "ana", "case", policy="p")
    assert caught.value.code == "TooManyGroups"
    assert "300" in caught.value.message
    assert found(place, "ana", "case", ["Party"], policy="p") == []


def test_as_many_scopes_and_words_as_are_taken(place, store):
    guards = [f"team={number}" for number in range(256)]
    policy = Policy("p", {"ana": tuple(Grant("agent", "Case", "internal", guard) for guard in guards)})
    text = " ".join(f"w{number}" for number in range(32))
    cases = [told(case(f"c{number:03}", team=str(number)), text) for number in range(256)]
    project(store, Facts(nodes={"people": [], "desk": cases}), policy=policy)
    assert sorted(found(place, "ana", text, n=1_000, policy="p")) == [
        f"c{number:03}" for number in range(256)
    ]


def test_both_stores_find_the_same_in_the_same_order(place, store, database):
    project(store, facts())
    local = SqliteStore(database, world=WORLD)
    project(local, facts())
    rows = place.reader("root").read(request("wheel", n=3), scope("root"), Patience()).results
    assert rows == local.read(request("wheel", n=3), scope("root"), Patience()).results
    local.close()
