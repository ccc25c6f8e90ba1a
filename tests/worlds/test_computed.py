"""A property that a module computes at read time: by its own function, from the raw record and the time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.adapters.readers import open_readers
from lens_runtime.assembly import build, open_session
from lens_runtime.clock import FixedClock
from lens_runtime.ports import Found, Unreadable
from lens_runtime.scope import Actor
from lens_runtime.settings import Settings
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Ample
from tests.worlds.sample import write_world

PEOPLE = (
    '{"people": [{"id": "p1", "name": "Ada", "region": "main", "tickets": [{"id": "t1", "class": "internal", '
)
PEOPLE += '"team": "returns", "state": "open", "since": 400}]}]}'
NAMED = (
    'visibility: "{{ class }}"',
    'visibility: "{{ class }}", computed: {text: "tests.worlds.test_computed:%s"}',
)
MIA = Actor("lead:mia", ("lead",))


def age(row: dict[str, int], now: int) -> int:
    return now - row["since"]


def broken(row: dict[str, int], now: int) -> int:
    return row["nothing"]


def ticket(folder: Path, function: str, now: int) -> object:
    old, new = NAMED
    world = load_world(write_world(folder, {"people.json": PEOPLE}, modules=(old, new % function)))
    reader = open_readers(world, folder, FixedClock(now))["desk"]
    return reader.read(MIA, "main", "Ticket", ["t1"], Ample())["t1"]


def test_it_is_computed_whenever_the_record_is_read(tmp_path):
    for now in (1_000, 2_000):
        answer = ticket(tmp_path, "age", now)
        assert isinstance(answer, Found)
        assert answer.fields["text"] == now - 400


def test_a_function_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="function that computes 'text'") as refused:
        ticket(tmp_path, "nothing", 1_000)
    assert refused.value.code == "UnknownFunction"


def test_a_function_that_fails_makes_the_record_unreadable_and_shows_nothing_of_it(tmp_path):
    answer = ticket(tmp_path, "broken", 1_000)
    assert isinstance(answer, Unreadable)
    assert "fails on a record: KeyError" in answer.reason
    assert "returns" not in answer.reason


def test_the_outcome_of_an_operation_follows_the_clock_and_not_the_graph(tmp_path):
    outcomes: list[object] = []
    for day in (3, 5):
        settings = Settings(home=tmp_path, now=datetime(2026, 7, day, tzinfo=UTC))
        if not outcomes:
            build("able", settings=settings)
        with open_session("able", actor="agent:ana", settings=settings) as session:
            result = session.query("MATCH (o:Operation {id: 'o-receipt'}) RETURN o.receipt, o.outcome")
            outcomes.append(result.rows)
    assert outcomes == [(("RC-RECEIPT", "open"),), (("RC-RECEIPT", "not_observable"),)]
