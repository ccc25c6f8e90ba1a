"""Third-party tasks of a shop: the retail lens beside its baselines, and each customer kept to their own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lens_runtime.assembly import build, open_session
from lens_runtime.evidence.cases import Case, read_cases
from lens_runtime.evidence.measuring import Evaluation, evaluate
from lens_runtime.evidence.report import figures
from lens_runtime.settings import Settings
from lens_runtime.worlds.folder import load_world
from tests.evaluation.customers import RETAIL, customers_world
from tests.evaluation.retail_cases import Retail, place, policy_cases, retail_cases
from tests.share import is_full

LENS = "support_decision"
UNANSWERABLE = {"2", "3", "4", "46", "47"}
"""The tasks that name an order or a product that is not there."""


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "data" / "retail"


@pytest.fixture(scope="module")
def settings(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = Settings(home=tmp_path_factory.mktemp("retail"))
    build(str(RETAIL), settings=settings)
    return settings


def parsed(world: Path, folder: Path, cases: Iterable[Mapping[str, Any]]) -> tuple[Case, ...]:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    loaded = load_world(world)
    return read_cases(path, loaded, loaded.lenses[LENS])


def run(world: Path, settings: Settings, cases: tuple[Case, ...], max_nodes: int | None = None) -> Evaluation:
    return evaluate(
        LENS,
        cases,
        lambda actor, context: open_session(str(world), actor=actor, settings=settings),
        max_nodes,
    )


@pytest.fixture(scope="module")
def tasks(settings: Settings, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Case, ...]:
    return parsed(RETAIL, tmp_path_factory.mktemp("cases"), retail_cases(folder))


@pytest.fixture(scope="module")
def evaluation(settings: Settings, tasks: tuple[Case, ...]) -> Evaluation:
    return run(RETAIL, settings, tasks)


def test_every_task_is_a_case(tasks: tuple[Case, ...]) -> None:
    assert len(tasks) == 74
    assert {case.id for case in tasks if case.unknowns} == UNANSWERABLE
    assert all(case.subject in case.needed for case in tasks)


@pytest.mark.promise("P65", "P66", "P68")
def test_nothing_leaks_and_what_cannot_be_known_is_named(evaluation: Evaluation) -> None:
    found = figures(evaluation)
    assert {each.authorization_failures for each in found.values()} == {0}
    assert {each.stale_as_fresh for each in found.values()} == {0}
    assert found["lens"].unknown_honesty == 1.0


def test_a_task_without_such_ids_is_not_told_of_what_it_did_not_name(evaluation: Evaluation) -> None:
    asked = [each for each in evaluation.scores["lens"] if each.case.id not in UNANSWERABLE]
    assert len(asked) == 69
    assert all(not each.unnamed for each in asked)


@pytest.mark.promise("P68")
def test_the_lens_gives_nearly_all_for_two_fifths_of_the_tokens(evaluation: Evaluation) -> None:
    found = figures(evaluation)
    assert found["lens"].tokens_of_everything <= 0.4
    assert found["lens"].complete_cases >= 70
    assert found["lens"].complete_cases > found["workspace"].complete_cases


def test_what_cuts_is_tokens_and_never_an_order(evaluation: Evaluation) -> None:
    """What is left out is the farthest: variants that something could be exchanged for."""
    absent = Counter(at.entity_type for each in evaluation.scores["lens"] for at in each.absent)
    assert absent.keys() <= {"Variant"}


def test_the_shops_policy_says_which_action_is_right(
    settings: Settings, folder: Path, tmp_path: Path
) -> None:
    """Pending orders may be cancelled and modified, delivered ones returned and exchanged; no other may anything."""
    orders = policy_cases(folder)
    assert len(orders) == 1_000
    cases = parsed(RETAIL, tmp_path, orders if is_full() else orders[::50])
    found = figures(run(RETAIL, settings, cases))["lens"]
    assert (found.action_precision, found.action_recall, found.completeness) == (1.0, 1.0, 1.0)


@pytest.mark.promise("P51", "P68")
def test_no_customer_learns_of_anothers_order(folder: Path, tmp_path: Path) -> None:
    """Each asks for an order of somebody else, and for their own history while naming that order."""
    retail = Retail(folder)
    customers = list(retail.users) if is_full() else list(retail.users)[::25]
    world = customers_world(tmp_path / "world", folder, customers)
    settings = Settings(home=tmp_path / "home")
    build(str(world), settings=settings)
    orders = list(retail.orders.items())
    cases = []
    for number, customer in enumerate(customers):
        key, order = next(
            (key, order)
            for key, order in orders[number * 7 % len(orders) :] + orders
            if order["user_id"] != customer
        )
        paid = (("PaymentMethod", each["payment_method_id"]) for each in order["payment_history"])
        hidden = list(map(place, (("Order", key), ("Customer", order["user_id"]), *paid)))
        asked = {"actor": f"customer:{customer}", "forbidden": hidden}
        named = {"code": "not_found_or_not_visible", "about": hidden[0]}
        own = place(("Customer", customer))
        cases += [
            {**asked, "id": f"{customer} asks", "subject": hidden[0], "needed": [], "unknowns": [named]},
            {**asked, "id": customer, "subject": own, "needed": [own], "unknowns": [named], "focus": key},
        ]
    found = run(world, settings, parsed(world, tmp_path, cases))
    told = figures(found)
    assert {each.authorization_failures for each in told.values()} == {0}
    assert (told["lens"].unknown_honesty, told["lens"].completeness) == (1.0, 1.0)
    assert {each.facts for each in found.scores["lens"] if not each.case.needed} == {0}
