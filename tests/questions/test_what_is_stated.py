"""What is stated for real questions is within fifty times what they spend, under ceilings of a small question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from lens_dsl.budget import Budget
from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.assembly import build, open_session
from lens_runtime.result import Result
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from tests.conftest import ROOT
from tests.oracle.costs import overspent
from tests.questions import able, retail
from tests.stores.workerd import WRITER_KEY, binary, gateway, token

SMALL = Budget(depth=3, nodes=40, fanout=20, window=100, edges=500, examined=400, scopes=6)
TIMES = 50


def session_on_d1(world: str, name: str, actor: str, place: Path) -> Iterator[Session]:
    """A session of this world, built on a gateway of its own."""
    program = binary()
    write_worker(place / "worker")
    with gateway(program, place / "worker", name) as running:
        store = f"d1:{running.url}"
        build(world, store=store, settings=Settings(home=place, writer_key=SecretStr(WRITER_KEY)))
        reading = Settings(home=place, gateway_token=SecretStr(token(actor)))
        with open_session(world, actor=actor, store=store, settings=reading) as session:
            yield session


@pytest.fixture(scope="module")
def shop(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    world = str(ROOT / "tests" / "worlds" / "retail")
    yield from session_on_d1(world, "retail", "agent:rita", tmp_path_factory.mktemp("retail"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    yield from session_on_d1("able", "able", "lead:mia", tmp_path_factory.mktemp("able"))


def times(results: list[Result]) -> float:
    """How many times what was spent had been stated, all results together."""
    assert all(overspent(result) == {} for result in results)
    stated = [result.plan.worst_case.in_sum.rows_read for result in results]
    spent = [result.usage.rows_read for result in results]
    return sum(filter(None, stated)) / sum(filter(None, spent))


def test_ten_questions_about_the_shop(shop: Session) -> None:
    results = [shop.query(one.text, one.parameters, budget=SMALL) for one in retail.QUESTIONS]
    assert all(result.complete and result.rows for result in results)
    assert 1 <= times(results) <= TIMES


def test_ten_questions_about_the_demo(demo: Session) -> None:
    results = [demo.query(text, budget=SMALL) for text in able.QUESTIONS]
    assert all(result.rows for result in results)
    assert 1 <= times(results) <= TIMES
