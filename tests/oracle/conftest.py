"""The gateway on workerd, for the tests that count what D1 reads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lens_runtime.adapters.d1_gateway import write_worker
from tests.oracle.worlds import WORLD
from tests.stores.workerd import Gateway, binary, gateway


@pytest.fixture(scope="session")
def d1_of_small_worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    """A gateway over an empty database, for the whole session."""
    program = binary()
    folder = tmp_path_factory.mktemp("small-worlds")
    write_worker(folder)
    with gateway(program, folder, WORLD) as running:
        yield running
