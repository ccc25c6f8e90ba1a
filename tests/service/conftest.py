"""The demo world built once, and served once by a process of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lens_runtime.assembly import build
from lens_runtime.settings import Settings
from tests.service.running import Running, World, patient_able, running


@pytest.fixture(scope="session")
def able(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The demo world, built in a LENS_HOME of its own; no test changes that."""
    world = World(tmp_path_factory.mktemp("home"), patient_able(tmp_path_factory.mktemp("worlds"), 20_000))
    build(str(world.folder), settings=Settings(home=world.home))
    return world


@pytest.fixture(scope="session")
def served(able: World) -> Iterator[Running]:
    """``lens serve`` for all tests that only ask."""
    with running(able) as process:
        yield process
