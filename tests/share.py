"""A pytest plugin: a run takes a share of the tests, and all of them with ``LENS_TEST_FULL=1``.

A share leaves out tests marked ``full`` and draws few examples, the same ones every time; a full run draws many
new ones and prints what reproduces a failure.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

FULL = "LENS_TEST_FULL"

settings.register_profile(
    "share",
    max_examples=40,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "full",
    max_examples=1000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


def is_full() -> bool:
    """Whether this run takes all tests."""
    return os.environ.get(FULL) == "1"


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("full" if is_full() else "share")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if is_full():
        return
    left_out = [item for item in items if item.get_closest_marker("full")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
