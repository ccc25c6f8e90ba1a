"""How long the way from text to plan takes, as a ratio to reading the same plan as JSON (`json.loads`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from statistics import median
from time import process_time
from timeit import repeat

import pytest

from lens_dsl.budget import Budget
from lens_runtime.plans import PlanCache
from lens_runtime.worlds.address import packaged_worlds
from lens_runtime.worlds.folder import load_world

TEXT = (
    "MATCH (p:Party {id: $id})<-[:INVOLVES_PARTY]-(c:Case) WHERE c.status <> 'closed' "
    "AND c.subject CONTAINS 'wheel' WITH c, c.team AS team RETURN c.id, c.subject, c.status, team "
    "ORDER BY c.opened_at DESC LIMIT 10"
)
UNCACHED, CACHED = 2e-3, 50e-6
"""What a median may take, in seconds of processor time."""
pytestmark = pytest.mark.benchmark(group="from text to plan", timer=process_time)


@pytest.fixture(scope="module")
def ontology():
    return load_world(packaged_worlds()["able"]).ontology


@pytest.fixture(scope="module")
def reading(ontology) -> float:
    """Seconds that `json.loads` takes for the plan: the unit of the ratios."""
    plan = PlanCache().plan(TEXT, ontology, Budget())
    text = json.dumps(asdict(plan), default=sorted)
    return median(repeat(lambda: json.loads(text), timer=process_time, number=200, repeat=20)) / 200


def measure(benchmark, call: Callable[[], object], reading: float, most: float) -> None:
    assert benchmark(call)
    if benchmark.enabled:
        taken = benchmark.stats.stats.median
        benchmark.extra_info["times json.loads"] = round(taken / reading, 3)
        print(
            f"\n{benchmark.name}: {taken * 1e6:,.1f} us, {taken / reading:,.2f} times json.loads of its plan"
        )
        assert taken < most


def test_parse_validate_and_plan_200_characters(benchmark, ontology, reading):
    assert 195 <= len(TEXT) <= 215
    measure(benchmark, lambda: PlanCache().plan(TEXT, ontology, Budget()), reading, UNCACHED)


def test_the_plan_of_a_query_asked_again(benchmark, ontology, reading):
    plans = PlanCache()
    measure(benchmark, lambda: plans.plan(TEXT, ontology, Budget()), reading, CACHED)
