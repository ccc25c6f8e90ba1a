"""A skipped test fails a run that does not allow it by name."""

from __future__ import annotations

from pathlib import Path

import pytest

SOURCE = """
import pytest

def test_runs():
    pass

def test_skips():
    pytest.skip("no engine here")

@pytest.mark.xfail(reason="known", strict=True)
def test_known():
    assert False
"""


def run(pytester: pytest.Pytester, allowed: str, *arguments: str) -> pytest.RunResult:
    Path(pytester.path, "allowed.txt").write_text(allowed, "utf-8")
    pytester.makepyfile(test_it=SOURCE)
    return pytester.runpytest("-p", "tests.skips", "--allowed-skips=allowed.txt", *arguments)


def test_a_skip_that_is_not_allowed_fails_with_its_reason(pytester):
    result = run(pytester, "# nothing\n")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["test_it.py::test_skips: *no engine here"])
    result.assert_outcomes(passed=1, skipped=1, xfailed=1)


def test_a_skip_counts_when_the_tests_run_side_by_side(pytester):
    assert run(pytester, "", "-n", "2").ret == pytest.ExitCode.TESTS_FAILED
    assert run(pytester, "test_it.py::test_skips", "-n", "2").ret == pytest.ExitCode.OK


@pytest.mark.parametrize("allowed", ["test_it.py::test_skips  # why", "test_it.py"])
def test_an_allowed_skip_passes(pytester, allowed):
    assert run(pytester, allowed).ret == pytest.ExitCode.OK


def test_a_name_allows_nothing_that_only_begins_like_it(pytester):
    assert run(pytester, "test_it.py::test_skip").ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("side_by_side", [(), ("-n", "2")])
def test_a_module_skipped_whole_counts(pytester, side_by_side):
    Path(pytester.path, "allowed.txt").write_text("", "utf-8")
    pytester.makepyfile("import pytest\npytest.skip('no engine here', allow_module_level=True)")
    result = pytester.runpytest("-p", "tests.skips", "--allowed-skips=allowed.txt", *side_by_side)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
