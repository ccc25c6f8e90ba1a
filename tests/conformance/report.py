"""What became of every scenario: counted and listed at the end of a run, by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

PASSED, REFUSED = "passed", "refused"


@dataclass
class Report:
    """A pytest plugin that keeps the outcomes and prints them."""

    outcomes: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line a file, then every scenario that was refused or is wrong."""
        for name, outcomes in self.outcomes.items():
            counts = Counter(map(_kind, outcomes.values()))
            shown = ", ".join(f"{counts[kind]} {kind}" for kind in (PASSED, REFUSED, "wrong"))
            terminalreporter.section(f"conformance: {name}")
            terminalreporter.write_line(f"{shown} of {counts.total()}")
            for scenario, outcome in outcomes.items():
                if outcome != PASSED:
                    terminalreporter.write_line(f"{scenario}: {outcome}")


def _kind(outcome: str) -> str:
    return outcome.partition(":")[0]


def failures(outcomes: Mapping[str, str]) -> dict[str, str]:
    """Everything that did not pass."""
    return {scenario: outcome for scenario, outcome in outcomes.items() if outcome != PASSED}
