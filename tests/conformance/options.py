"""Which files of cases the conformance tests run, and on which store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.report import Report

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "cases"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("conformance")
    group.addoption("--cases", action="append", type=Path, help="a .jsonl file of scenarios; can be repeated")
    group.addoption("--faults", action="append", type=Path, help="a .yml file of faults; can be repeated")
    group.addoption("--store", choices=("sqlite", "d1"), help="the one store that they run on (default both)")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Report(), "conformance-report")


def stores(config: pytest.Config) -> list[str]:
    """The stores to run on: the chosen one; both by default, SQLite for files that are named."""
    chosen: str | None = config.getoption("--store")
    if chosen is not None:
        return [chosen]
    return ["sqlite"] if _named(config) else ["sqlite", "d1"]


def files(config: pytest.Config, option: str, default: str) -> list[Path]:
    """The files that an option names; where no option of this kind is given, the shared one."""
    chosen: list[Path] = config.getoption(option) or []
    return chosen if _named(config) else [FOLDER / default]


def _named(config: pytest.Config) -> bool:
    return bool(config.getoption("--cases") or config.getoption("--faults"))
