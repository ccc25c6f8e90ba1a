"""Faults reported against other engines: ours gives the right value, or the right error."""

from __future__ import annotations

import pytest

from tests.conformance.faults import asked, outcome, read
from tests.conformance.options import files, stores
from tests.conformance.report import failures
from tests.conformance.running import graphs_on, share_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--faults", "reported_faults.yml")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])
    metafunc.parametrize("store", stores(metafunc.config))


def test_every_fault_is_answered_right(path, store, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    faults = share_of(read(path), store, request)
    with graphs_on(store, map(asked, faults)) as graphs:
        outcomes = {one["id"]: outcome(graphs, one) for one in faults}
    request.config.pluginmanager.get_plugin("conformance-report").outcomes[f"{path.name}, {store}"] = outcomes
    assert len(outcomes) == len(faults) > 0
    assert failures(outcomes) == {}
