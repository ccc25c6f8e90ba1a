"""The same on D1: what a service with the right token keeps is a hit for those who may only read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_dsl.budget import Budget
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.d1_gateway import write_worker
from lens_runtime.adapters.readers import open_readers
from lens_runtime.clock import FixedClock
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.result import Result
from lens_runtime.worlds.build import build_world
from lens_runtime.worlds.folder import load_world
from tests.aggregation.shelf import NOW, SUMMARY, Shelf, document, outcomes
from tests.stores.workerd import WRITER_KEY, Gateway, binary, gateway, token


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[tuple[Shelf, Gateway]]:
    """The shelf, projected to D1."""
    program = binary()
    shelf = Shelf(tmp_path / "shelf", document("one", "alpha beta", "gamma"))
    (tmp_path / "gateway").mkdir()
    write_worker(tmp_path / "gateway")
    with gateway(program, tmp_path / "gateway", "shelf") as running:
        world = load_world(shelf.folder)
        store = D1GatewayStore(running.url, writer_key=WRITER_KEY)
        build_world(world, store, open_readers(world, shelf.place.modules), shelf.place, FixedClock(NOW))
        store.close()
        yield shelf, running


def ask(shelf: Shelf, running: Gateway, actor: str, *may: str) -> Result:
    engine = shelf.engine(actor, store=D1GatewayStore(running.url, token(actor, may=may)))
    result = engine.run(SUMMARY, {"uri": "one"}, Budget(), MonotonicDeadline.after(10))
    engine.store.close()
    return result


@pytest.mark.promise("P71", "P72", "P93")
def test_what_a_service_keeps_is_a_hit_for_a_reader(remote: tuple[Shelf, Gateway]) -> None:
    shelf, running = remote
    alone = ask(shelf, running, "ana")
    assert (outcomes(alone), alone.aggregates[0].kept) == (["generated"], False)
    assert alone.warnings == (
        "what docSummary made could not be kept (MayNotCommit), and will be made again",
    )
    kept = ask(shelf, running, "ana", "commit")
    assert (outcomes(kept), kept.aggregates[0].kept, kept.warnings) == (["generated"], True, ())
    hit = ask(shelf, running, "ana")
    assert (outcomes(hit), hit.usage.model_calls, hit.rows) == (["hit"], 0, kept.rows)
    assert hit.usage.round_trips == 2
    shelf.edit("d0-1", text="GAMMA")
    assert outcomes(ask(shelf, running, "ana", "commit")) == ["generated"]
