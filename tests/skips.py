"""A pytest plugin: ``--allowed-skips FILE`` fails a run that skipped a test which FILE does not name.

FILE holds one node id a line (``#`` begins a comment); a folder or a file allows all tests below it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SKIPPED = pytest.StashKey[dict[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--allowed-skips",
        metavar="FILE",
        help="fail where a test was skipped that FILE does not name",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SKIPPED] = {}
    if config.getoption("--allowed-skips") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SkipWatch(config), "skip-watch")


class SkipWatch:
    """Collects what was skipped, test by test and module by module."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.skipped = config.stash[SKIPPED]
        self.allowed = read_names(Path(config.getoption("--allowed-skips")))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def _note(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
            self.skipped[report.nodeid] = reason

    @property
    def unexpected(self) -> dict[str, str]:
        """What was skipped without leave: node id and reason."""
        return {name: why for name, why in self.skipped.items() if not is_allowed(name, self.allowed)}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.unexpected and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.unexpected:
            return
        terminalreporter.section("skipped, and must not be")
        for name, reason in sorted(self.unexpected.items()):
            terminalreporter.line(f"{name}: {reason}")


def read_names(path: Path) -> tuple[str, ...]:
    """The node ids that a file lists, without comments."""
    lines = (line.split("#", 1)[0].strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line)


def is_allowed(name: str, allowed: tuple[str, ...]) -> bool:
    """Whether a node id is one of the allowed ones, or stands below one."""
    return any(name == one or name.startswith((one.rstrip("/") + "/", one + "::")) for one in allowed)
