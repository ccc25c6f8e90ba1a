"""An actor who may see more kinds of things than a plan's cost was stated for is refused, on both stores."""

from __future__ import annotations

import json

import pytest

from lens_dsl.errors import OverBudget
from lens_dsl.plan import Statement
from tests.share import is_full
from tests.stores.model import WORLD, Facts, Patience, case, edge, party, project, scope

HIDDEN = 100_000 if is_full() else 1_000


def asked(scopes: int, state: int | None = None) -> list[Statement]:
    step = {"bit": 2, "from": 1, "skip": 0, "into": None, "go": [["involves", 1, ["Case"]]], "tests": []}
    plan = {"world": WORLD, "n": 50, "f": 10, "w": 100, "e": 1_000, "k": scopes, "r": state}
    start = [[1, ["Party"], "id", ["s:p1"]]]
    return [Statement("traverse", (json.dumps(start), json.dumps({**plan, "s": [{**step, "need": 0}]})))]


def test_more_scopes_of_a_kind_than_the_plan_was_stated_for_are_refused(place, store):
    people = [party("p1", "public"), party("p2", "internal"), party("p3", "secret")]
    project(store, Facts(nodes={"people": people, "desk": []}))
    reader = place.reader("root")
    assert reader.read(asked(3), scope("root"), Patience()).results[0]
    with pytest.raises(OverBudget, match="3 scopes of one kind, and 2 at most") as caught:
        reader.read(asked(2), scope("root"), Patience())
    assert caught.value.code == "TooManyScopes"
    if place.kind == "d1":
        with pytest.raises(OverBudget, match="rows to look them up, and 5 at most"):
            reader.read(asked(3, 5), scope("root"), Patience())


@pytest.mark.promise("P51")
def test_hidden_scopes_on_a_hub_change_nothing_that_is_read(place, store):
    """Each of them is a scope of its own: a team that the actor is not in."""
    reads = []
    for hidden in (0, HIDDEN):
        cases = [case("c1"), *(case(f"h{n}", team=f"team{n}") for n in range(hidden))]
        edges = [edge("involves", one.coordinate.entity_id, "p1") for one in cases]
        project(
            store,
            Facts({"people": [party("p1")], "desk": cases}, {"people": [], "desk": edges}),
            rebuild=True,
        )
        reading = place.reader("ana").read(asked(16), scope("ana"), Patience())
        reads.append((reading.rows_read, sorted(row[0] for row in reading.results[0])))
    assert reads[0] == reads[1]
    assert reads[0][1].count("e") == 1
