"""Building a world's projection: the first time, incrementally, and anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lens_dsl.plan import Statement
from lens_runtime.ports import Clock, Snapshot, Store
from lens_runtime.projection.compiler import Changes, Projector, Supply
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.generations import (
    ensure_schema,
    live,
    open_build,
    swap_statements,
    sweep,
    sweep_lost,
)
from lens_runtime.projection.intern import chunks
from lens_runtime.scope import Grant


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as the store keeps it: its revision, and what each actor holds."""

    revision: str
    grants: Mapping[str, Sequence[Grant]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: the live generation, and what changed module by module."""

    generation: int
    modules: tuple[Changes, ...]


def build(
    store: Store,
    declared: Declared,
    policy: Policy,
    modules: Sequence[tuple[str, Snapshot | Supply]],
    *,
    clock: Clock,
    rebuild: bool = False,
) -> Built:
    """Bring a world's projection to these modules' snapshots and feeds; the order of modules is the caller's.

    Incremental where a generation is live, else (or with ``rebuild``) a new generation, which replaces the
    old one in one write at the end. Leftovers of a killed build are swept first. Raises ConfigurationError
    for what is not declared, StoreError (StoreBusy) where another process builds.
    """
    with store.writing():
        ensure_schema(store, renew=rebuild)
        sweep(store)
        found = live(store, declared.world)
        if found is None or rebuild:
            return _build_anew(store, declared, policy, modules, clock)
        # The policy first: under new grants and old stamps less is seen, never more.
        write_grants(store, declared.world, policy)
        digest = declared.ontology.digest
        if found.ontology != digest:
            renewed = (found.world, found.generation, digest, policy.revision, found.built_at)
            store.write([Statement("set_live", renewed)])
        projector = Projector(store, declared, found.generation, clock)
        names = {name for name, _ in modules}
        changes = [_bring(projector, name, supply) for name, supply in modules]
        changes += [projector.forget(name) for name in projector.modules if name not in names]
        sweep_lost(store)
        return Built(found.generation, tuple(changes))


def _build_anew(
    store: Store,
    declared: Declared,
    policy: Policy,
    modules: Sequence[tuple[str, Snapshot | Supply]],
    clock: Clock,
) -> Built:
    generation = open_build(store, declared.world, clock)
    projector = Projector(store, declared, generation, clock)
    changes = tuple(_bring(projector, name, supply) for name, supply in modules)
    swap = swap_statements(declared.world, generation, declared.ontology.digest, policy.revision, clock.now())
    store.write([*swap, *grant_statements(policy)])
    sweep(store)
    sweep_lost(store)
    return Built(generation, changes)


def _bring(projector: Projector, module: str, supply: Snapshot | Supply) -> Changes:
    return (
        projector.project(module, supply) if isinstance(supply, Snapshot) else projector.bring(module, supply)
    )


def write_grants(store: Store, world: str, policy: Policy) -> bool:
    """Replace what every actor holds, with the policy's revision, in one write; False where nothing differs."""
    rows = sorted(map(list, store.inspect([Statement("grants")]).results[0]), key=str)
    found = live(store, world)
    if rows == sorted(grant_rows(policy), key=str) and found is not None and found.policy == policy.revision:
        return False
    store.write([*grant_statements(policy), Statement("set_policy", (world, policy.revision))])
    return True


def grant_statements(policy: Policy) -> list[Statement]:
    """The statements that replace all grants by this policy's."""
    return [Statement("clear_grants"), *chunks("add_grants", grant_rows(policy))]


def grant_rows(policy: Policy) -> list[list[str]]:
    """The rows of ``context_grants`` that a policy gives: actor, kind, guard, class and role."""
    return [
        [actor, grant.kind, grant.guard, grant.visibility, grant.role]
        for actor in sorted(policy.grants)
        for grant in sorted(set(policy.grants[actor]))
    ]
