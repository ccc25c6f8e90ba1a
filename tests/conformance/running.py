"""The store that the conformance tests run on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from tests.conformance.graphs import Asked, Graphs, in_sqlite


@contextmanager
def graphs_of(request: pytest.FixtureRequest, queries: Iterable[Asked]) -> Iterator[Graphs]:
    """The graphs of these queries on the chosen store."""
    with in_sqlite(queries) as graphs:
        yield graphs
