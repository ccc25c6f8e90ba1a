"""The openCypher scenarios: the right rows or the right error, on a real store, and none refused."""

from __future__ import annotations

import pytest

from tests.conformance.options import files
from tests.conformance.report import failures
from tests.conformance.running import graphs_of
from tests.conformance.scenarios import asked, outcome, read


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--cases", "tck_read.jsonl")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])


def test_every_scenario_passes(path, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    scenarios = read(path)
    with graphs_of(request, map(asked, scenarios)) as graphs:
        outcomes = {one["id"]: outcome(graphs, one) for one in scenarios}
    request.config.pluginmanager.get_plugin("conformance-report").outcomes[path.name] = outcomes
    assert len(outcomes) == len(scenarios) > 0
    assert failures(outcomes) == {}
