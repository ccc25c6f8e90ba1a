"""How long the parts of one query take: `make bench` prints them side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_dsl.budget import Budget
from lens_dsl.parser import parse
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_runtime.assembly import build, open_session
from lens_runtime.session import Session
from lens_runtime.settings import Settings

STORY = (
    "MATCH (p:Party {id: 'p-0042'})<-[:INVOLVES_PARTY]-(c:Case) WHERE c.status <> 'closed' "
    "RETURN c.id, c.subject, c.status ORDER BY c.opened_at DESC LIMIT 10"
)
HUB = "MATCH (p:Party {id: 'p-0007'})<-[:INVOLVES_PARTY]-(c:Case) RETURN c.team AS team, count(*) AS cases"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The demo world, as someone who sees all of it."""
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    build("able", settings=settings)
    with open_session("able", actor="lead:mia", settings=settings) as opened:
        yield opened


def test_parse(benchmark):
    assert benchmark(parse, STORY).parts


def test_parse_validate_and_plan(benchmark, session):
    ontology = session.world.ontology
    plan = benchmark(lambda: plan_query(validate(parse(STORY), ontology, STORY), ontology, Budget()))
    assert plan.stages


@pytest.mark.parametrize(("text", "rows"), [(STORY, 10), (HUB, 10)], ids=["a customer's open cases", "a hub"])
def test_a_whole_query(benchmark, session, text, rows):
    result = benchmark(session.query, text)
    assert 0 < len(result) <= rows


def test_build_the_demo_world(benchmark, tmp_path: Path):
    places = iter(range(1_000))

    def anew() -> int:
        return build("able", settings=Settings(home=tmp_path / str(next(places)))).generation

    assert benchmark.pedantic(anew, rounds=1) == 1
