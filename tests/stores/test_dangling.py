"""Edges that lead nowhere, as each actor is told of them: on every store, the same."""

from __future__ import annotations

import json

import pytest

from lens_dsl.plan import Statement
from lens_runtime.projection.identity import node_id
from tests.stores.model import WORLD, Facts, Patience, case, edge, party, project, scope

TYPES = [["involves", ["Party"]], ["follows", ["Case"]]]


def facts() -> Facts:
    desk = [
        edge("involves", "red", "gone", "public"),
        edge("involves", "red", "lost", "secret"),
        edge("involves", "red", "hidden", "public"),
        edge("involves", "blue", "gone", "public"),
        edge("follows", "red", "nowhere", "internal"),
    ]
    return Facts(
        nodes={
            "people": [party("open", "public"), party("hidden", "secret")],
            "desk": [case("red"), case("blue", team="blue"), case("dark", "secret")],
        },
        edges={"people": [], "desk": desk},
    )


def told(place, actor, names=("red", "blue"), types=TYPES, fanout=10):
    ids = [node_id(WORLD, "main", case(name).coordinate) for name in names]
    asked = {"world": WORLD, "f": fanout, "e": 1_000, "ids": ids, "types": types}
    reading = place.reader(actor).read(
        [Statement("dangling", (json.dumps(asked),))], scope(actor), Patience()
    )
    names_of = dict(zip(ids, names, strict=True))
    return sorted((names_of[row[0]], row[2], row[7]) for row in reading.results[0])


@pytest.mark.promise("P51", "P54")
@pytest.mark.parametrize(
    ("actor", "expected"),
    [
        # Its own case alone, in the classes it reads; a target that is there and hidden leads somewhere.
        ("ana", [("red", "follows", "internal"), ("red", "involves", "public")]),
        ("eve", []),
        ("nobody", []),
        ("root", [("blue", "involves", "public"), ("red", "follows", "internal"),
                  ("red", "involves", "public"), ("red", "involves", "secret")]),
    ],
)  # fmt: skip
def test_each_actor_is_told_of_what_it_may_see(place, store, actor, expected):
    project(store, facts())
    assert told(place, actor) == expected


@pytest.mark.promise("P51")
def test_a_type_that_leads_to_kinds_the_actor_has_nothing_of_is_not_told(place, store):
    project(store, facts())
    assert told(place, "ana", types=[["involves", ["Elsewhere"]]]) == []


def test_an_edge_that_found_its_target_is_told_no_more(place, store):
    project(store, facts())
    said = facts()
    said.nodes["people"].append(party("gone", "secret"))
    project(store, said)
    assert told(place, "ana") == [("red", "follows", "internal")]


def test_no_more_than_the_fanout_are_told_of_a_type_and_class(place, store):
    said = facts()
    said.edges["desk"] += [edge("involves", "red", f"gone{n}", "public") for n in range(5)]
    project(store, said)
    assert len(told(place, "ana", types=TYPES[:1], fanout=3)) == 3
    assert told(place, "ana", names=("nothing",)) == []
