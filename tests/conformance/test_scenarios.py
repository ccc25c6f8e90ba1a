"""The openCypher scenarios: the right rows or the right error, on a real store, and none refused."""

from __future__ import annotations

import pytest

from tests.conformance.options import files, stores
from tests.conformance.report import failures
from tests.conformance.running import graphs_on, share_of
from tests.conformance.scenarios import asked, outcome, read


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--cases", "tck_read.jsonl")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])
    metafunc.parametrize("store", stores(metafunc.config))


def test_every_scenario_passes(path, store, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    scenarios = share_of(read(path), store, request)
    with graphs_on(store, map(asked, scenarios)) as graphs:
        outcomes = {one["id"]: outcome(graphs, one) for one in scenarios}
    request.config.pluginmanager.get_plugin("conformance-report").outcomes[f"{path.name}, {store}"] = outcomes
    assert len(outcomes) == len(scenarios) > 0
    assert failures(outcomes) == {}
