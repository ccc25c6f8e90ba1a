"""A pytest plugin: which test proves which line of docs/promises.md.

A test names a line by ``@pytest.mark.promise("P48")`` or by a comment ``# P72`` in or directly above it.
``pytest --promises`` prints every promise with the tests that prove it, and fails where a promise that
``tests/built_areas.txt`` lists has no test that passed (with ``--collect-only``: no test at all).
"""

from __future__ import annotations

import inspect
import re
import tokenize
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROMISES = HERE.parent / "docs" / "promises.md"
BUILT = HERE / "built_areas.txt"

LINE = re.compile(r"^- \*\*(?P<id>P\d+)\*\* (?P<text>.+)$")
RANGE = re.compile(r"^P(?P<first>\d+)(?:-P(?P<last>\d+))?$")
COMMENT = re.compile(r"#\s*(?P<ids>P\d+(?:-P\d+)?(?:,?\s+P\d+(?:-P\d+)?)*)")
WIDTH = 64
PROPERTY = "promises"


@dataclass(slots=True)
class Ledger:
    """The promises, the tests that name each, and how those tests ended."""

    texts: dict[str, str]
    built: frozenset[str]
    tests: dict[str, list[str]] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)

    def add(self, node_id: str, promises: frozenset[str]) -> None:
        """Note that a test proves these lines; UsageError where a line does not exist."""
        for promise in sorted(promises, key=number):
            if promise not in self.texts:
                raise pytest.UsageError(f"{node_id}: there is no promise {promise} in {PROMISES.name}")
            tests = self.tests.setdefault(promise, [])
            if node_id not in tests:
                tests.append(node_id)

    def proofs(self, promise: str, *, ran: bool) -> list[str]:
        """The tests that prove a line: those that passed or, where nothing ran, those there are."""
        named = self.tests.get(promise, [])
        return [test for test in named if test in self.passed - self.failed] if ran else named

    def unproven(self, *, ran: bool) -> list[str]:
        """The lines that are listed as built and have no proof."""
        return [one for one in sorted(self.built, key=number) if not self.proofs(one, ran=ran)]


def number(promise: str) -> int:
    """The number of a promise, to sort by."""
    return int(promise[1:])


def expand(text: str) -> frozenset[str]:
    """The ids that ``P6`` or ``P6-P8`` names; ValueError for anything else."""
    match = RANGE.match(text)
    if match is None:
        raise ValueError(f"not a promise or a range of promises: {text!r} (write P6 or P6-P8)")
    first = int(match["first"])
    return frozenset(f"P{n}" for n in range(first, int(match["last"] or first) + 1))


def read_promises(path: Path) -> dict[str, str]:
    """Every promise of a table by its id, in order."""
    matches = map(LINE.match, path.read_text("utf-8").splitlines())
    return {match["id"]: match["text"] for match in matches if match}


def read_built(path: Path) -> frozenset[str]:
    """The ids that a file lists, an id or a range a line; ``#`` begins a comment."""
    lines = (line.split("#", 1)[0].strip() for line in path.read_text("utf-8").splitlines())
    return frozenset().union(*(expand(line) for line in lines if line))


def in_comment(comment: str) -> frozenset[str]:
    """The ids that one comment names, where it begins with them."""
    match = COMMENT.match(comment)
    return (
        frozenset().union(*(expand(one) for one in re.split(r"[,\s]+", match["ids"])))
        if match
        else frozenset()
    )


@cache
def comments(path: str) -> dict[int, tuple[str, bool]]:
    """The comments of a source file by line, and whether each has its line for itself."""
    with tokenize.open(path) as file:
        tokens = [one for one in tokenize.generate_tokens(file.readline) if one.type == tokenize.COMMENT]
    return {one.start[0]: (one.string, one.line.strip() == one.string) for one in tokens}


def beside(function: Callable[..., object]) -> frozenset[str]:
    """The ids that the comments in a function, or directly above it, name."""
    there = comments(inspect.getsourcefile(function) or "")
    lines, first = inspect.getsourcelines(function)
    last = first + len(lines)
    while there.get(first - 1, ("", False))[1]:
        first -= 1
    return frozenset().union(*(in_comment(text) for line, (text, _) in there.items() if first <= line < last))


def named_by(item: pytest.Item) -> frozenset[str]:
    """The promises that a test names, by its marks and by its comments."""
    marked = [expand(text) for mark in item.iter_markers("promise") for text in mark.args]
    if isinstance(item, pytest.Function):
        marked.append(beside(inspect.unwrap(item.function)))
    return frozenset().union(*marked)


LEDGER = pytest.StashKey[Ledger]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--promises",
        action="store_true",
        help="print which test proves which promise; fail where a built one has no proof",
    )


def pytest_configure(config: pytest.Config) -> None:
    ledger = Ledger(read_promises(PROMISES), read_built(BUILT))
    config.stash[LEDGER] = ledger
    if config.getoption("--promises") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(config, ledger), "promise-report")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        named = named_by(item)
        config.stash[LEDGER].add(item.nodeid, named)
        # With pytest-xdist only the reports reach the process that prints the table.
        item.user_properties.append((PROPERTY, ",".join(sorted(named))))


class Report:
    """Follows the run and prints the table at its end."""

    def __init__(self, config: pytest.Config, ledger: Ledger) -> None:
        self.ledger = ledger
        self.ran = not config.option.collectonly

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        named = str(dict(report.user_properties).get(PROPERTY, ""))
        self.ledger.add(report.nodeid, frozenset(named.split(",")) - {""})
        if report.failed:
            self.ledger.failed.add(report.nodeid)
        elif report.when == "call" and report.passed:
            self.ledger.passed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        harmless = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        if self.ledger.unproven(ran=self.ran) and session.exitstatus in harmless:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("promises")
        for promise, text in self.ledger.texts.items():
            terminalreporter.line(self._row(promise, text))
        unproven = self.ledger.unproven(ran=self.ran)
        built = len(self.ledger.built)
        terminalreporter.line(f"{built - len(unproven)} of {built} built promises proven")
        if unproven:
            terminalreporter.line(f"built, and no test proves it: {', '.join(unproven)}", red=True)

    def _row(self, promise: str, text: str) -> str:
        proofs = self.ledger.proofs(promise, ran=self.ran)
        if proofs:
            functions = dict.fromkeys(test.split("[", 1)[0] for test in proofs)
            shown = ", ".join(functions)
        else:
            shown = "NO PROOF" if promise in self.ledger.built else "-"
        words = text if len(text) <= WIDTH else text[: WIDTH - 1].rsplit(" ", 1)[0] + "…"
        return f"{promise:<5} {words:<{WIDTH}} {shown}"
