"""Faults reported against other engines: ours gives the right value, or the right error."""

from __future__ import annotations

import pytest

from tests.conformance.faults import asked, outcome, read
from tests.conformance.options import files, stores
from tests.conformance.running import check_all


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--faults", "reported_faults.yml")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])
    metafunc.parametrize("store", stores(metafunc.config))


def test_every_fault_is_answered_right(path, store, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    check_all(path.name, read(path), store, request, asked, outcome)
