"""Real data, real stores: ten questions about the retail world, answered through a session as users get one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.assembly import build, open_session
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from tests.conftest import ROOT
from tests.questions.retail import CUSTOMER, QUESTIONS, Question
from tests.stores.workerd import WRITER_KEY, binary, gateway, token

WORLD = str(ROOT / "tests" / "worlds" / "retail")
AGENT, SHOPPER = "agent:rita", "shopper:sam"


@pytest.fixture(scope="module")
def shop(shared: Path) -> Mapping[str, Any]:
    """The data itself."""
    read: Mapping[str, Any] = json.loads((shared / "data" / "retail" / "db.json").read_text(encoding="utf-8"))
    return read


@pytest.fixture(scope="module", params=["sqlite", "d1"])
def address(
    request: pytest.FixtureRequest, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A built retail world: the store's address, and the settings that reach it as an actor."""
    home = tmp_path_factory.mktemp("home")
    if request.param == "sqlite":
        settings = Settings(home=home)
        build(WORLD, settings=settings)
        yield lambda actor: (None, settings)
        return
    program = binary()
    folder = tmp_path_factory.mktemp("retail")
    write_worker(folder)
    with gateway(program, folder, "retail") as running:
        store = f"d1:{running.url}"
        build(WORLD, store=store, settings=Settings(home=home, writer_key=SecretStr(WRITER_KEY)))
        yield lambda actor: (store, Settings(home=home, gateway_token=SecretStr(token(actor))))


@pytest.fixture
def sessions(address: Any) -> Iterator[Any]:
    """Opens a session as an actor; all are closed at the end."""
    opened: list[Session] = []

    def as_actor(actor: str) -> Session:
        store, settings = address(actor)
        opened.append(open_session(WORLD, actor=actor, store=store, settings=settings))
        return opened[-1]

    yield as_actor
    for session in opened:
        session.close()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.name)
def test_a_question_is_answered_as_the_data_says(
    question: Question, sessions: Any, shop: Mapping[str, Any]
) -> None:
    result = sessions(AGENT).query(question.text, **question.parameters)
    rows, wanted = list(result.rows), question.answer(shop, question.parameters)
    assert wanted, "a question without an answer proves nothing"
    if not question.ordered:
        rows, wanted = sorted(rows, key=repr), sorted(wanted, key=repr)
    assert rows == wanted
    assert result.complete
    assert result.usage.round_trips == 1


@pytest.mark.promise("P51")
def test_a_shopper_sees_the_catalogue_and_no_customer(sessions: Any) -> None:
    session = sessions(SHOPPER)
    orders = session.query(QUESTIONS[0].text, customer=CUSTOMER)
    assert (len(orders), orders.complete, orders.usage.nodes) == (0, True, 0)
    assert len(session.query(QUESTIONS[4].text, item="9612497925")) > 0
