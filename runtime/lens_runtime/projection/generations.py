"""Schema, generations and the swap: readers see the old projection or the new one, never a half."""

from __future__ import annotations

from dataclasses import dataclass

from lens_dsl.errors import ConfigurationError
from lens_dsl.plan import Statement
from lens_runtime.ports import Clock, Store
from lens_runtime.projection.schema import VERSION
from lens_runtime.projection.sql import CREATE, DROP

SWEEP = 2_000
REBUILD = "lens world build --rebuild"


@dataclass(frozen=True, slots=True)
class Live:
    """The generation that queries see, and under which ontology and policy it was built."""

    world: str
    generation: int
    ontology: str
    policy: str
    built_at: int


def schema_version(store: Store) -> int | None:
    """The version of the tables; None where there are none yet."""
    if not store.inspect([Statement("schema_exists")]).results[0][0][0]:
        return None
    rows = store.inspect([Statement("schema_version")]).results[0]
    return int(rows[0][0] or 0) if rows else 0


def ensure_schema(store: Store, *, renew: bool = False) -> None:
    """Make the tables where there are none. Tables of another version are refused, or made anew if ``renew``."""
    found = schema_version(store)
    if store.inspect([Statement("statistics")]).results[0]:
        store.write([Statement("drop_statistics")])
    if found not in (None, VERSION) and not renew:
        raise ConfigurationError(
            "SchemaVersion",
            f"the projection's tables have version {found}, this program writes {VERSION}",
            hint=f"rebuild it: {REBUILD}",
        )
    if found != VERSION:
        # Not the lease: it is held meanwhile.
        old = [Statement(name) for name in DROP if found is not None and name != "drop_context_lease"]
        store.write([*old, *(Statement(name) for name in CREATE), Statement("set_version", (VERSION,))])


def drop(store: Store) -> None:
    """Remove every graph table. The modules are untouched, and a build brings all of it back (P1)."""
    with store.writing():
        store.write([Statement(name) for name in DROP])


def live(store: Store, world: str) -> Live | None:
    """The live generation; None before the first build. A database of another world is refused."""
    rows = store.inspect([Statement("live")]).results[0]
    if not rows:
        return None
    name, generation, ontology, policy, built_at = rows[0]
    if name != world:
        raise ConfigurationError(
            "OtherWorld",
            f"this database holds world {name}, not {world}",
            hint="give each world its own database",
        )
    return Live(world, int(generation or 0), str(ontology), str(policy), int(built_at or 0))


def open_build(store: Store, world: str, clock: Clock) -> int:
    """A new generation to project into: 1 for the first."""
    generation = int(store.inspect([Statement("highest")]).results[0][0][2] or 0) + 1
    store.write([Statement("open_build", (generation, world, clock.now()))])
    return generation


def swap_statements(world: str, generation: int, ontology: str, policy: str, now: int) -> list[Statement]:
    """The one write that makes a generation live; what was live before waits to be swept."""
    return [
        Statement("retire_live", (world, generation)),
        Statement("set_live", (world, generation, ontology, policy, now)),
        Statement("close_build", (generation,)),
    ]


def sweep(store: Store) -> int:
    """Delete, in batches, the generations that are not live: old ones and half-built ones. How many there were."""
    rows = store.inspect([Statement("builds")]).results[0]
    for (value,) in rows:
        generation = int(value or 0)
        while any(store.inspect([Statement("generation_left", (generation,))]).results[0][0]):
            names = ("sweep_adjacency", "sweep_fan", "sweep_text", "sweep_nodes", "sweep_edges", "sweep_keys")
            store.write([Statement(name, (generation, SWEEP)) for name in names])
        ending = ("sweep_null_references", "sweep_cursors", "close_build")
        store.write([Statement(name, (generation,)) for name in ending])
    return len(rows)


def sweep_lost(store: Store) -> None:
    """Delete the committed aggregates that were made from a record that is gone: nobody is given them again."""
    if store.inspect([Statement("aggregates_lost")]).results[0][0][0]:
        store.write([Statement("sweep_lost_aggregates")])
