"""Near cases of our own: for every reported fault, the neighbouring constructs where the same mistake would show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.conformance.faults import Fault, asked, outcome, read
from tests.conformance.options import stores
from tests.conformance.running import check_all

LEAST = 2  # near cases of every fault


@cache
def near_cases() -> Sequence[Fault]:
    return read(Path(__file__).with_name("near"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "store" in metafunc.fixturenames:
        metafunc.parametrize("store", stores(metafunc.config))


def test_every_near_case_is_answered_right(store, request):
    check_all("near", near_cases(), store, request, asked, outcome)


def test_every_reported_fault_has_near_cases_that_are_not_itself(shared):
    reported = {fault["id"]: fault["query"] for fault in read(shared / "cases" / "reported_faults.yml")}
    near = Counter(chain.from_iterable(case["near"] for case in near_cases()))
    assert {fault for fault in reported if near[fault] < LEAST} == set()
    assert set(near) <= set(reported)
    assert [case["id"] for case in near_cases() if case["query"] in reported.values()] == []
