"""A small world on D1: one gateway, emptied and built anew for each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from lens_dsl.plan import Statement
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.engine import Engine
from lens_runtime.ports import Store
from lens_runtime.projection.sql import DROP
from tests.oracle.building import MODULES, Built, MemoryReader, project
from tests.oracle.worlds import ACTORS, SmallWorld
from tests.stores.workerd import WRITER_KEY, token


@dataclass(frozen=True)
class OnD1(Built):
    """A built world that each actor reads with a token of its own."""

    stores: Mapping[str, Store] = field(default_factory=dict)

    def engine(self, actor: str) -> Engine:
        return replace(super().engine(actor), store=self.stores[actor])


@contextmanager
def built_on_d1(world: SmallWorld, url: str) -> Iterator[OnD1]:
    """The world, in place of what the gateway's database held."""
    with ExitStack() as opened:

        def keep(store: D1GatewayStore) -> D1GatewayStore:
            opened.callback(store.close)
            return store

        compiler = keep(D1GatewayStore(url, writer_key=WRITER_KEY))
        compiler.write([Statement(name) for name in DROP])
        project(world, compiler)
        stores = {actor: keep(D1GatewayStore(url, token(actor))) for actor in ACTORS}
        yield OnD1(world, compiler, {m: MemoryReader(m, world) for m in MODULES}, stores)
