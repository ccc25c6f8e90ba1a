"""Sessions of one world for many actors: what a service that authenticates its callers asks through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from lens_runtime.aggregation.run import Aggregation
from lens_runtime.engine import Engine
from lens_runtime.hydration import Sources
from lens_runtime.ports import Clock, LensSource, Store
from lens_runtime.scope import Actor, Scope
from lens_runtime.session import Session
from lens_runtime.worlds.world import World

COMMIT = "commit"
"""What a caller may do besides reading: have the graph keep what a producer made."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whom a service has authenticated; ``token`` is what it was shown, for a store that verifies by itself."""

    actor: Actor
    may: frozenset[str] = frozenset()
    token: str | None = field(default=None, repr=False)


class Stores(Protocol):
    """The stores of one graph, for many callers."""

    @property
    def asks_who(self) -> bool:
        """Whether a store of it answers to callers with a token alone."""

    def lend(self, caller: Caller) -> AbstractContextManager[Store]:
        """A store for one request of this caller, which keeps what is made only for those who may commit."""

    def close(self) -> None:
        """Let go of every connection."""


@dataclass(frozen=True, slots=True)
class SharedStore:
    """One store for all callers, opened twice: only those who may commit get the one that can."""

    reading: Store
    keeping: Store
    asks_who: bool = False

    @contextmanager
    def lend(self, caller: Caller) -> Iterator[Store]:
        """The store that does what this caller may."""
        yield self.keeping if COMMIT in caller.may else self.reading

    def close(self) -> None:
        """Close both."""
        self.reading.close()
        self.keeping.close()


@dataclass(frozen=True, slots=True)
class StoreForEach:
    """A store for each request, since it verifies by itself who asks."""

    opened: Callable[[Caller], Store]
    asks_who: bool = True

    @contextmanager
    def lend(self, caller: Caller) -> Iterator[Store]:
        """A store for this caller's token, closed afterwards."""
        with closing(self.opened(caller)) as store:
            yield store

    def close(self) -> None:
        """Each store was closed with its request."""


@dataclass(frozen=True)
class Sessions:
    """One world, opened once. Threads may share it; each request has a session of its own."""

    world: World
    context: str
    address: str
    lenses: LensSource
    sources: Sources
    clock: Clock
    aggregation: Aggregation
    stores: Stores

    @contextmanager
    def session(self, caller: Caller) -> Iterator[Session]:
        """A session for one request, its scope fixed to the caller's actor and this world's context."""
        scope = Scope(self.world.id, self.context, caller.actor, self.world.policy.revision)
        with self.stores.lend(caller) as store:
            engine = Engine(store, self.sources, scope, self.clock, self.aggregation)
            yield Session(self.world, engine, self.address, lenses=self.lenses)

    def ready(self) -> None:
        """Raise StoreError (NotBuilt, ...) unless the graph can be asked; no record is read, nor a D1 asked."""
        if not self.stores.asks_who:
            with self.session(Caller(Actor(""))) as session:
                session.ready()

    def close(self) -> None:
        """Let go of the stores."""
        self.stores.close()
