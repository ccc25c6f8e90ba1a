"""Faults reported against other engines: ours gives the right value, or the right error."""

from __future__ import annotations

import pytest

from tests.conformance.faults import asked, outcome, read
from tests.conformance.options import files
from tests.conformance.report import failures
from tests.conformance.running import graphs_of


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    paths = files(metafunc.config, "--faults", "reported_faults.yml")
    metafunc.parametrize("path", paths, ids=[path.name for path in paths])


def test_every_fault_is_answered_right(path, request):
    if not path.is_file():
        pytest.skip(f"needs {path}")
    faults = read(path)
    with graphs_of(request, map(asked, faults)) as graphs:
        outcomes = {one["id"]: outcome(graphs, one) for one in faults}
    request.config.pluginmanager.get_plugin("conformance-report").outcomes[path.name] = outcomes
    assert len(outcomes) == len(faults) > 0
    assert failures(outcomes) == {}
