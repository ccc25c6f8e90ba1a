"""What the doctor is given to look at, and what each of its checks can say."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import Enum

from lens_dsl.plan import Statement
from lens_runtime.ports import Cell, Examiner, Store
from lens_runtime.worlds.world import World


class Mend(Enum):
    """How a graph is brought in order: what is missing is built, all is built beside it, or it is dropped first.

    A build beside the old graph keeps the committed aggregates, and queries see the old one meanwhile. Dropping
    loses them, and is needed where nothing of the old graph can be relied on.
    """

    BUILD = "lens world build {world}"
    REBUILD = "lens world build {world} --rebuild"
    ANEW = "lens world drop {world}, then lens world build {world}"


@dataclass(frozen=True, slots=True)
class Patient:
    """A world, its graph, and the graph's engine where this process runs it.

    ``address`` is what the user calls the world, ``at`` the store's address where one was given: mends name both.
    """

    world: World
    store: Store
    examiner: Examiner | None
    address: str
    at: str | None = None

    def mend(self, way: Mend) -> str:
        """The commands that bring this graph in order."""
        named = shlex.quote(self.address)
        return way.value.format(world=f"{named} --store {shlex.quote(self.at)}" if self.at else named)

    def rows(self, name: str, *parameters: int) -> tuple[tuple[Cell, ...], ...]:
        """The rows of one administrative read."""
        return self.store.inspect([Statement(name, parameters)]).results[0]


@dataclass(frozen=True, slots=True)
class Passed:
    """A check that found nothing, with what it measured."""

    check: str
    measured: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be, and what brings it in order. It names ids, and nothing of a record."""

    check: str
    what: str
    mend: str


@dataclass(frozen=True, slots=True)
class Untold:
    """A check that cannot be made here, and why."""

    check: str
    why: str


Outcome = Passed | Finding | Untold
