"""The report of promises: what counts as a proof, and when a run fails for want of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import promises

TABLE = """# What is promised
- **P1** The first line, which is long enough that the table has to cut it somewhere in its middle.
- **P2** The second line.
- **P3** The third line.
"""
MARKED = """
import pytest

@pytest.mark.promise("P1")
@pytest.mark.parametrize("n", [1, 2])
def test_one(n):
    assert n

# P2
def test_two():
    assert True
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run a test file under the plugin, against the small table above, with these promises built."""

    def run(source: str, built: str, *arguments: str) -> pytest.RunResult:
        for name, content in {"promises.md": TABLE, "built.txt": built}.items():
            Path(pytester.path, name).write_text(content, "utf-8")
        monkeypatch.setattr(promises, "PROMISES", pytester.path / "promises.md")
        monkeypatch.setattr(promises, "BUILT", pytester.path / "built.txt")
        pytester.makepyfile(source)
        return pytester.runpytest("-p", "tests.promises", *arguments)

    return run


def test_marks_and_comments_prove_a_line(run):
    result = run(MARKED, "P1-P2  # both", "--promises")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["P1 *The first line* test_*py::test_one"])
    result.stdout.fnmatch_lines(["P2 *The second line.* test_*py::test_two"])
    result.stdout.fnmatch_lines(["P3 *The third line.* -", "2 of 2 built promises proven"])


def test_the_table_is_the_same_when_the_tests_run_side_by_side(run):
    result = run(MARKED, "P1-P3", "--promises", "-n", "2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["P1 *The first line* test_*py::test_one", "*no test proves it: P3"])


def test_a_built_line_without_a_test_fails_the_run(run):
    result = run(MARKED, "P1\nP3", "--promises")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["P3 * NO PROOF", "*no test proves it: P3"])


def test_the_same_run_without_the_option_passes(run):
    assert run(MARKED, "P3").ret == pytest.ExitCode.OK


@pytest.mark.parametrize("body", ["assert False", "import pytest; pytest.skip('not today')"])
def test_a_test_that_did_not_pass_proves_nothing(run, body):
    result = run(f"# P1\ndef test_one():\n    {body}\n", "P1", "--promises")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*no test proves it: P1"])


def test_a_test_that_fails_at_its_end_proves_nothing(run):
    source = """
        import pytest

        @pytest.fixture
        def late():
            yield
            raise RuntimeError("teardown")

        @pytest.mark.promise("P1")
        def test_one(late):
            pass
    """
    result = run(source, "P1", "--promises")
    result.stdout.fnmatch_lines(["*no test proves it: P1"])


def test_collecting_alone_counts_the_tests_there_are(run):
    assert run(MARKED, "P1-P2", "--promises", "--collect-only").ret == pytest.ExitCode.OK
    missing = run(MARKED, "P3", "--promises", "--collect-only")
    assert missing.ret == pytest.ExitCode.TESTS_FAILED


def test_a_promise_that_does_not_exist_is_refused(run):
    result = run("# P77\ndef test_one():\n    pass\n", "P1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*test_one: there is no promise P77 in promises.md"])


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("# P7", {"P7"}),
        ("# P7, P9-P11 and why", {"P7", "P9", "P10", "P11"}),
        ("# PDF of 7 pages", set()),
        ("# see docs for P7", set()),
    ],
)
def test_what_a_comment_names(text, ids):
    assert promises.in_comment(text) == ids


def test_a_comment_counts_in_a_test_and_directly_above_it_and_nowhere_else(run):
    source = """
        SOURCE = "# P3"  # P3

        # P3

        # P1 stands directly above
        # and goes on
        def test_one():
            text = "# P3"
            assert text  # P2
    """
    result = run(source, "P1-P3", "--promises")
    result.stdout.fnmatch_lines(["*no test proves it: P3"])


def test_what_is_no_promise_is_refused():
    with pytest.raises(ValueError, match="write P6 or P6-P8"):
        promises.expand("6")


def test_the_product_lists_its_promises_in_order_and_builds_only_those():
    table = promises.read_promises(promises.PROMISES)
    assert list(table) == [f"P{n}" for n in range(1, 141)]
    built = promises.read_built(promises.BUILT)
    assert built
    assert built <= table.keys()
