"""What is done with a world as a whole: build, status, export, drop."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from lens_dsl.errors import ConfigurationError
from lens_dsl.plan import Statement
from lens_runtime.ports import Clock, ModuleReader, Snapshot, Store
from lens_runtime.projection.build import Built, build
from lens_runtime.projection.build import Policy as StoredPolicy
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.sql import DROP
from lens_runtime.projection.status import Status, export, status
from lens_runtime.worlds.address import Place
from lens_runtime.worlds.policy import Policy
from lens_runtime.worlds.world import World
from lens_runtime.worlds.writing import written

T = TypeVar("T")
Progress = Callable[[str, int], None]
"""Called with what is being done and how many records it has come through."""

TELL_EVERY = 1_000
MADE = "made.json"
"""Stands in the folder of generated databases and says what made them; written last."""


def build_world(
    world: World,
    store: Store,
    readers: Mapping[str, ModuleReader],
    place: Place,
    clock: Clock,
    *,
    rebuild: bool = False,
    size: str | None = None,
    progress: Progress | None = None,
) -> Built:
    """Project every module, in declared order, and write what the policy grants each of its actors.

    Generated databases are made first, once; again only for another ``size``. Raises ConfigurationError
    for what is not declared and for data that is at fault, ReaderError for a module that cannot be reached,
    StoreError for the store (``StoreBusy`` where another process builds).
    """
    tell = progress or _quiet
    with store.writing():  # before anything is made: two builds would share one folder
        make_modules(world, place, size, tell)
        modules = [(name, _told(readers[name].snapshot(), name, tell)) for name in world.modules]
        return build(
            store, declared(world), stored_policy(world.policy), modules, clock=clock, rebuild=rebuild
        )


def declared(world: World) -> Declared:
    """What the projection holds a world's modules to."""
    policy = world.policy
    return Declared(world.id, world.ontology, frozenset(policy.classes), policy.guards)


def stored_policy(policy: Policy) -> StoredPolicy:
    """The policy as the store keeps it: every actor's grants."""
    return StoredPolicy(
        policy.revision, {name: policy.grants(actor) for name, actor in policy.actors.items()}
    )


def world_status(world: World, store: Store) -> Status:
    """Counts per kind and type, dangling relationships by type, and the cursors."""
    return status(store, world.id)


def export_world(world: World, store: Store) -> Iterator[str]:
    """The projection as canonical JSON lines; the same modules give the same lines."""
    return export(store, world.id)


def drop_world(store: Store) -> None:
    """Remove every graph table; the modules stay, and a build brings all back (P1)."""
    with store.writing():
        store.write([Statement(name) for name in DROP])


def make_modules(world: World, place: Place, size: str | None, tell: Progress) -> None:
    """Run the world's generator, unless what it makes is there already; a failed run leaves nothing behind.

    ``size`` None keeps what is there, else makes ``small``. The caller holds the store's ``writing()``.
    """
    if world.generator is None:
        if size is not None:
            raise ConfigurationError("NoSize", f"world {world.id} has no generator, so it has no sizes")
        return
    made = _made(place.modules)
    wanted = {"generator": world.generator, "size": size or made.get("size", "small")}
    if made == wanted:
        return
    generate = _generator(world.generator)
    tell(f"generating {world.id}, {wanted['size']}", 0)
    making = place.folder / "modules.making"
    with written(making):
        shutil.rmtree(making, ignore_errors=True)  # of a killed run
        try:
            making.mkdir(parents=True)
            generate(making, wanted["size"])
            (making / MADE).write_text(json.dumps(wanted), encoding="utf-8")
            shutil.rmtree(place.modules, ignore_errors=True)
            making.rename(place.modules)
        finally:
            shutil.rmtree(making, ignore_errors=True)


def _made(folder: Path) -> dict[str, str]:
    note = folder / MADE
    if not note.is_file():
        return {}
    try:
        read = json.loads(note.read_text(encoding="utf-8"))
    except ValueError:
        read = None
    return read if isinstance(read, dict) else {}  # a damaged note tells nothing of the folder: make it again


def _generator(name: str) -> Callable[[Path, str], None]:
    module, _, function = name.partition(":")
    try:
        found: Callable[[Path, str], None] = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as fault:
        raise ConfigurationError(
            "UnknownGenerator",
            f"the generator {name} of world.yml cannot be imported: {fault}",
            hint="install the package it comes from",
        ) from fault
    return found


def _told(snapshot: Snapshot, module: str, tell: Progress) -> Snapshot:
    return Snapshot(
        _counted(snapshot.nodes, f"{module}: records", tell),
        _counted(snapshot.edges, f"{module}: relationships", tell),
    )


def _counted(items: Iterable[T], what: str, tell: Progress) -> Iterator[T]:
    count = 0
    for item in items:
        yield item
        count += 1
        if count % TELL_EVERY == 0:
            tell(what, count)
    if count % TELL_EVERY or not count:
        tell(what, count)


def _quiet(what: str, count: int) -> None:
    """Progress that nobody wants to hear of."""
