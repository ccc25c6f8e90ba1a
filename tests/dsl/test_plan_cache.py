"""A query asked again is planned once: by its text, the vocabulary and the budget, never by its parameters."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import QueryError
from lens_dsl.ontology import Kind, Ontology
from lens_runtime.plans import MAX_CHARACTERS, MAX_PLANS, PlanCache
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.budgets import AMPLE
from tests.oracle.building import Patience, built
from tests.oracle.worlds import CLASSES, Record, SmallWorld

TEXT = "MATCH (a:Ant {id: $id}) RETURN a.id"
ONTOLOGY = Ontology({"Ant": Kind("Ant", "m1", hydrated=("team",))})


def test_a_query_asked_again_has_the_same_plan():
    plans = PlanCache()
    assert plans.plan(TEXT, ONTOLOGY, Budget()) is plans.plan(TEXT, replace(ONTOLOGY), Budget())
    assert len(plans) == 1


def test_another_text_vocabulary_or_budget_has_a_plan_of_its_own():
    plans = PlanCache()
    first = plans.plan(TEXT, ONTOLOGY, Budget())
    kinds = {**ONTOLOGY.kinds, "Bee": Kind("Bee", "m1")}
    others = [
        plans.plan(TEXT + " ", ONTOLOGY, Budget()),
        plans.plan(TEXT, Ontology(kinds), Budget()),
        plans.plan(TEXT, ONTOLOGY, Budget(rows=7)),
    ]
    assert all(other is not first for other in others)
    assert others[2].budget.rows == 7
    assert len(plans) == 4


def test_parameters_are_no_part_of_the_key_and_change_the_answer():
    records = tuple(Record("Ant", name, "public", {"id": name, "team": None}) for name in ("a", "b"))
    role = Role("all", ("*",), ("*",), CLASSES)
    policy = Policy(CLASSES, {"Ant": "m1"}, {"all": role}, {"ann": Actor("ann", ("all",))})
    with built(SmallWorld(ONTOLOGY, policy, records, ())) as place:
        engine = place.engine("ann")
        answers = [engine.run(TEXT, {"id": name}, AMPLE, Patience()).rows for name in ("a", "b", "c")]
        assert answers == [(("a",),), (("b",),), ()]
        assert len(engine.plans) == 1
        assert len(place.engine("ann").plans) == 0


def test_the_cache_is_bounded_and_drops_what_was_not_asked_for_longest():
    plans = PlanCache()
    first = plans.plan(TEXT, ONTOLOGY, Budget())
    for number in range(MAX_PLANS - 1):
        plans.plan(f"{TEXT} AS c{number}", ONTOLOGY, Budget())
    assert plans.plan(TEXT, ONTOLOGY, Budget()) is first
    plans.plan(f"{TEXT} AS one_more", ONTOLOGY, Budget())
    assert plans.plan(TEXT, ONTOLOGY, Budget()) is first
    assert len(plans) == MAX_PLANS


def test_a_long_text_is_not_kept():
    plans = PlanCache()
    assert plans.plan(TEXT + " " * MAX_CHARACTERS, ONTOLOGY, Budget()).columns == ("a.id",)
    assert len(plans) == 0


def test_an_error_is_raised_anew_each_time():
    plans = PlanCache()
    raised = []
    for _ in range(2):
        with pytest.raises(QueryError) as caught:
            plans.plan("MATCH (a:Ant {id: 1}) RETURN a.nothing", ONTOLOGY, Budget())
        raised.append(caught.value)
    assert raised[0] is not raised[1]
    assert (raised[0].code, len(plans)) == ("UnknownProperty", 0)


def test_threads_may_share_it():
    plans = PlanCache()
    texts = [f"{TEXT} AS c{number % 20}" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda text: plans.plan(text, ONTOLOGY, Budget()), texts))
    assert [plan.columns for plan in made] == [(f"c{number % 20}",) for number in range(400)]
    assert len(plans) == 20
