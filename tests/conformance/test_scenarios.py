"""The openCypher scenarios: the right rows or the right error, on a real store, and none refused."""

from __future__ import annotations

import pytest

from tests.conformance.options import files, stores
from tests.conformance.running import check_all
from tests.conformance.scenarios import asked, outcome, read


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--cases", "tck_read.jsonl")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])
    metafunc.parametrize("store", stores(metafunc.config))


def test_every_scenario_passes(path, store, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    check_all(path.name, read(path), store, request, asked, outcome)
