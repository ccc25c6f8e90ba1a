"""The engines that are measured beside the product: which of them are here, and up to which size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from tests.bench.graph import Graph
from tests.bench.peers.walking import Engine


@dataclass(frozen=True, slots=True)
class Peer:
    """An engine by the name of its package; ``most`` is the largest graph it is given, for the reason in ``why``.

    A slow one is asked from fewer ``starts``, and not as often.
    """

    name: str
    most: int = 1_000_000
    why: str = ""
    starts: int = 16
    rounds: int = 3

    @property
    def installed(self) -> bool:
        """Whether it can be imported."""
        return find_spec(self.name) is not None

    @property
    def version(self) -> str:
        """Which version it is."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return "unknown"

    def open(self, graph: Graph, folder: Path) -> Engine:
        """The engine with this graph in it, loaded once where it keeps a file."""
        module = import_module(f"tests.bench.peers.{self.name}_engine")
        make = cast(Callable[[Graph, Path], Engine], getattr(module, f"{self.name.capitalize()}Engine"))
        return make(graph, folder)


PEERS = (
    Peer("ladybug"),
    Peer("duckdb"),
    Peer("graphqlite", 100_000, "a hundred times slower at 100,000 already", starts=3, rounds=1),
    Peer("networkx"),
)
