"""Builds a world into a folder of the test, as the assembly does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lens_runtime.adapters.readers import open_readers
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.ports import ModuleReader
from lens_runtime.projection.build import Built
from lens_runtime.worlds.address import Place
from lens_runtime.worlds.build import build_world
from lens_runtime.worlds.world import World


class Still:
    """A clock that stands still."""

    def now(self) -> int:
        return 1_780_000_000_000


class Ample:
    """A deadline that does not pass."""

    def remaining(self) -> float:
        return 5.0

    def check(self) -> None:
        return None


@dataclass(frozen=True)
class Kept:
    """A world, and where a test keeps what is built of it."""

    world: World
    place: Place
    store: SqliteStore

    @property
    def readers(self) -> Mapping[str, ModuleReader]:
        return open_readers(self.world, self.place.modules)

    def build(
        self,
        *,
        rebuild: bool = False,
        size: str | None = None,
        progress: Callable[[str, int], None] | None = None,
    ) -> Built:
        return build_world(
            self.world,
            self.store,
            self.readers,
            self.place,
            Still(),
            rebuild=rebuild,
            size=size,
            progress=progress,
        )


def kept(world: World, folder: Path) -> Kept:
    """The world, to be built into this folder."""
    place = Place(folder)
    return Kept(world, place, SqliteStore(place.graph, world=world.id))
