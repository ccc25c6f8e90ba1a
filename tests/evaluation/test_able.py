"""The demo world's lenses on its own cases: nothing leaks, nothing unknown is passed over."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lens_runtime.assembly import build, open_session, opened
from lens_runtime.evidence.cases import read_cases
from lens_runtime.evidence.measuring import Evaluation, evaluate
from lens_runtime.evidence.report import figures
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.folder import load_world
from tests.worlds.able_cases import cases, ends, move_on

WORLD = load_world(find_world("able", Settings()))
LENSES = ("support_decision", "customer_history", "outcome_investigation")
NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


def evaluated(settings: Settings, lens: str) -> Evaluation:
    found = read_cases(WORLD.folder / "cases" / f"{lens}.yml", WORLD, WORLD.lenses[lens])
    return evaluate(lens, found, lambda actor, context: open_session("able", actor=actor, settings=settings))


@pytest.fixture(scope="module")
def able(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Evaluation]:
    settings = Settings(home=tmp_path_factory.mktemp("able"), now=NOW)
    build("able", settings=settings)
    made: dict[str, Evaluation] = {}

    def once(lens: str) -> Evaluation:
        if lens not in made:
            made[lens] = evaluated(settings, lens)
        return made[lens]

    return once


@pytest.mark.promise("P65", "P66", "P68")
@pytest.mark.parametrize("lens", LENSES)
def test_a_lens_leaks_nothing_and_names_what_it_does_not_know(able, lens):
    found = figures(able(lens))
    assert {each.authorization_failures for each in found.values()} == {0}
    assert {each.stale_as_fresh for each in found.values()} == {0}
    assert found["lens"].unknown_honesty == 1.0
    assert found["lens"].action_precision in (None, 1.0)
    assert found["lens"].action_recall in (None, 1.0)


@pytest.mark.promise("P68")
@pytest.mark.parametrize("lens", LENSES)
def test_a_lens_gives_more_than_a_module_and_takes_less_than_the_neighbourhood(able, lens):
    found = figures(able(lens))
    assert found["lens"].complete_cases > found["workspace"].complete_cases
    assert found["lens"].tokens < found["neighbourhood"].tokens


def test_all_but_the_hub_are_complete(able):
    """Five cases of the hub have to be among several hundred: its ceilings leave out some of them."""
    absent = {each.case.id for lens in LENSES for each in able(lens).scores["lens"] if not each.complete}
    assert absent <= {"hub"}


def test_there_are_enough_cases_with_every_planted_target(able):
    told = {each.case.subject for each in able("support_decision").scores["lens"]}
    assert len(told) >= 20
    assert told >= {each for (name, _), each in cases(WORLD).items() if name == "tracked_by_operation"}


@pytest.mark.promise("P50", "P65")
def test_records_that_moved_on_since_the_projection_are_not_shown_as_fresh(tmp_path: Path):
    settings = Settings(home=tmp_path, now=NOW)
    build("able", settings=settings)
    with opened("able", settings=settings) as (_, place, _store):
        for name in ("involves_party", "originated_from_conversation", "tracked_by_operation"):
            for end in ends(name, "stale"):
                move_on(place.modules, end)
    found = evaluated(settings, "support_decision")
    (moved,) = [each for each in found.scores["lens"] if each.case.id == "stale"]
    assert (moved.complete, moved.audit.stale_as_fresh) == (True, ())
    assert figures(found)["lens"].stale_as_fresh == 0
