"""Graphs, stores and the table of figures.

Without ``--benchmark-enable`` nothing is measured: answers are checked, on a small graph.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from lens_runtime.adapters.sqlite import SqliteStore
from tests.bench.figures import Figures
from tests.bench.graph import Around, Graph, draw
from tests.bench.handwritten import Handwritten
from tests.bench.product import Product
from tests.bench.world import WORLD, built, home

SMALL = 1_500
SIZES = "10000,100000,1000000"
FIGURES = pytest.StashKey[Figures]()


@dataclass
class Loaded:
    """A graph of one size, its projection on disk, and everything that asks it."""

    size: int
    folder: Path

    @cached_property
    def graph(self) -> Graph:
        return draw(self.size)

    @cached_property
    def around(self) -> Around:
        return Around(self.graph)

    @cached_property
    def path(self) -> Path:
        return built(self.graph, self.folder)

    @cached_property
    def product(self) -> Product:
        return Product(self.graph, SqliteStore(self.path, world=WORLD, read_only=True))

    @cached_property
    def handwritten(self) -> Handwritten:
        return Handwritten(self.path)

    def close(self) -> None:
        """Close what was opened."""
        for name in ("product", "handwritten"):
            if name in self.__dict__:
                opened = self.__dict__[name]
                (opened.store if name == "product" else opened).close()


def measuring(config: pytest.Config) -> bool:
    """Whether this is `make bench`."""
    return bool(config.getoption("benchmark_enable"))


def sizes(config: pytest.Config) -> list[int]:
    """How many records the graphs have: ``LENS_BENCH_SIZES``; one small graph where nothing is measured."""
    if not measuring(config):
        return [SMALL]
    return sorted(int(size) for size in os.environ.get("LENS_BENCH_SIZES", SIZES).split(","))


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = Figures()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "size" in metafunc.fixturenames:
        metafunc.parametrize("size", sizes(metafunc.config), scope="session")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    figures = config.stash[FIGURES]
    if measuring(config) and figures.lines:
        terminalreporter.section("figures")
        terminalreporter.write_line(figures.table())


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> Figures:
    """Where figures are noted."""
    return pytestconfig.stash[FIGURES]


@pytest.fixture(scope="session")
def rounds(pytestconfig: pytest.Config) -> int:
    """How often each question is asked."""
    return int(os.environ.get("LENS_BENCH_ROUNDS", "7")) if measuring(pytestconfig) else 1


@pytest.fixture(scope="session")
def count(pytestconfig: pytest.Config) -> int:
    """How many records each question is asked from."""
    return 16 if measuring(pytestconfig) else 3


@pytest.fixture(scope="session")
def graphs(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[int, Loaded]]:
    """The graphs of all sizes, each drawn and built when it is first used."""
    folder = home() if measuring(pytestconfig) else tmp_path_factory.mktemp("graphs")
    folder.mkdir(parents=True, exist_ok=True)
    loaded = {size: Loaded(size, folder) for size in sizes(pytestconfig)}
    yield loaded
    for one in loaded.values():
        one.close()


@pytest.fixture(scope="session")
def loaded(graphs: dict[int, Loaded], size: int) -> Loaded:
    """The graph of this size."""
    return graphs[size]
