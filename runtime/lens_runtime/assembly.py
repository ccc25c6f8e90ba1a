"""Putting the parts together: the only file that knows the adapters."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lens_dsl.budget import Budget
from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_runtime.adapters.d1 import D1GatewayStore
from lens_runtime.adapters.extractive import ExtractiveReducer
from lens_runtime.adapters.readers import open_readers
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.adapters.sqlite_examiner import SqliteExaminer
from lens_runtime.aggregation.run import Aggregation
from lens_runtime.clock import FixedClock, SystemClock
from lens_runtime.doctor.diagnosis import Diagnosis, diagnose
from lens_runtime.doctor.outcome import Patient
from lens_runtime.engine import Engine
from lens_runtime.hydration import Sources
from lens_runtime.ports import Clock, ModuleReader, Store
from lens_runtime.projection.build import Built
from lens_runtime.projection.status import Status
from lens_runtime.scope import Actor, Scope
from lens_runtime.session import Session
from lens_runtime.sessions import Caller, Sessions, SharedStore, StoreForEach, Stores
from lens_runtime.settings import Settings, load_settings
from lens_runtime.worlds.address import Place, find_world, place_of
from lens_runtime.worlds.build import Progress, build_world
from lens_runtime.worlds.folder import load_world
from lens_runtime.worlds.lag import Lag, lags
from lens_runtime.worlds.lenses import WorldLenses
from lens_runtime.worlds.removal import built_places, remove_graph, remove_lock
from lens_runtime.worlds.world import World

SQLITE, GATEWAY = "sqlite", "d1"


def open_session(
    world: str,
    *,
    actor: str | None = None,
    context: str = "main",
    store: str | None = None,
    budget: Budget | None = None,
    settings: Settings | None = None,
) -> Session:
    """A session on a built world, as one actor.

    The actor is authenticated before the store is opened: on the embedded store it must be one of the
    policy's ``may_act_as`` (the first of them by default); on D1 it is the subject of the token, which the
    gateway verifies. Raises AccessDenied, ConfigurationError or StoreError.
    """
    settings = settings or load_settings()
    loaded = load_world(find_world(world, settings))
    address = StoreAddress.parse(store)
    who = _authenticate(loaded, address, actor, settings)
    _check_context(loaded, context)
    place = place_of(loaded, settings)
    scope = Scope(loaded.id, context, who, loaded.policy.revision)
    sources = Sources(readers_of(loaded, place, settings), loaded.ontology)
    graph = _open_store(loaded, address, place, settings)
    engine = Engine(graph, sources, scope, clock_of(settings), aggregation_of(loaded))
    return Session(loaded, engine, world, budget or Budget())


def open_sessions(
    world: str, *, context: str = "main", store: str | None = None, settings: Settings | None = None
) -> Sessions:
    """A built world for a service, which authenticates every caller by itself. Raises ConfigurationError.

    The embedded store is the service's own; on D1 each caller's token goes on to the gateway, which decides.
    """
    settings = settings or load_settings()
    loaded = load_world(find_world(world, settings))
    _check_context(loaded, context)
    place = place_of(loaded, settings)
    return Sessions(
        loaded,
        context,
        world,
        WorldLenses(loaded.id, loaded.lenses),
        Sources(readers_of(loaded, place, settings), loaded.ontology),
        clock_of(settings),
        aggregation_of(loaded),
        _stores_for_many(loaded, StoreAddress.parse(store), place),
    )


def local_caller(
    world: World, *, actor: str | None, store: str | None = None, settings: Settings | None = None
) -> Caller:
    """Who asks where the operator of this machine says so, under the rules of ``open_session``."""
    settings = settings or load_settings()
    token = settings.gateway_token
    return Caller(
        _authenticate(world, StoreAddress.parse(store), actor, settings),
        token=token.get_secret_value() if token is not None else None,
    )


def build(
    world: str,
    *,
    store: str | None = None,
    rebuild: bool = False,
    size: str | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Built:
    """Build a world's projection, or bring it up to date. Raises ConfigurationError, ReaderError or StoreError."""
    with opened(world, store=store, settings=settings) as (loaded, place, graph):
        settings = settings or load_settings()
        readers = readers_of(loaded, place, settings)
        return build_world(
            loaded, graph, readers, place, clock_of(settings), rebuild=rebuild, size=size, progress=progress
        )


def readers_of(world: World, place: Place, settings: Settings) -> Mapping[str, ModuleReader]:
    """The readers of a world's modules, by module."""
    token = settings.module_token
    return open_readers(
        world, place.modules, clock_of(settings), token.get_secret_value() if token is not None else None
    )


def module_lags(
    world: World, place: Place, found: Status, settings: Settings | None = None
) -> Mapping[str, Lag]:
    """How far a projection is behind each of its modules; nothing is read but the heads of their feeds."""
    return lags(found, readers_of(world, place, settings or load_settings()))


@contextmanager
def opened(
    world: str, *, store: str | None = None, settings: Settings | None = None
) -> Iterator[tuple[World, Place, Store]]:
    """A world, its place on this machine and its store, for the operator's commands."""
    settings = settings or load_settings()
    loaded = load_world(find_world(world, settings))
    place = place_of(loaded, settings)
    graph = _open_store(loaded, StoreAddress.parse(store), place, settings)
    try:
        yield loaded, place, graph
    finally:
        graph.close()


def examined(world: str, *, store: str | None = None, settings: Settings | None = None) -> Diagnosis:
    """What the doctor finds in a world's graph, for the operator. Raises ConfigurationError or StoreError."""
    address = StoreAddress.parse(store)
    with opened(world, store=store, settings=settings) as (loaded, place, graph):
        file = Path(address.where) if address.where else place.graph
        examiner = SqliteExaminer(file, world=loaded.id) if address.kind == SQLITE else None
        return diagnose(Patient(loaded, graph, examiner, world, store))


def clean(settings: Settings | None = None) -> tuple[Path, ...]:
    """Remove every built graph and generated database of this machine; the folders that are gone.

    A file that is not the product's stays, and so does its folder. StoreError (StoreBusy) where a build runs.
    """
    removed = []
    for place in built_places(settings or load_settings()):
        store = SqliteStore(place.graph, world="")
        with store.writing():
            remove_graph(place)
        store.close()
        if remove_lock(place):
            removed.append(place.folder)
    return tuple(removed)


def aggregation_of(world: World) -> Aggregation:
    """What makes the world's virtual relationships, with every reducer there is."""
    return Aggregation(world.policy, world.producers, world.roles, {"extractive": ExtractiveReducer()})


def clock_of(settings: Settings) -> Clock:
    """The clock: fixed where ``LENS_NOW`` is set."""
    return SystemClock() if settings.fixed_now is None else FixedClock(settings.fixed_now)


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Where a projection lives: ``sqlite:PATH`` or ``d1:GATEWAY_URL``; a ``sqlite`` without path is the default."""

    kind: str
    where: str

    @classmethod
    def parse(cls, text: str | None) -> StoreAddress:
        """The address a text names; ConfigurationError (UnknownStore) for any other."""
        if text is None:
            return cls(SQLITE, "")
        kind, _, where = text.partition(":")
        if kind not in (SQLITE, GATEWAY) or not where:
            raise ConfigurationError(
                "UnknownStore",
                f"there is no store {text}",
                hint="write sqlite:PATH or d1:GATEWAY_URL",
            )
        return cls(kind, where)


def _open_store(world: World, address: StoreAddress, place: Place, settings: Settings) -> Store:
    if address.kind == SQLITE:
        return SqliteStore(Path(address.where) if address.where else place.graph, world=world.id)
    token, key = settings.gateway_token, settings.writer_key
    return D1GatewayStore(
        address.where,
        token.get_secret_value() if token else None,
        writer_key=key.get_secret_value() if key else None,
    )


def _check_context(world: World, context: str) -> None:
    if context not in world.contexts:
        raise ConfigurationError(
            "UnknownContext",
            f"world {world.id} has no context {context}",
            hint=f"known are: {', '.join(world.contexts)}",
        )


def _stores_for_many(world: World, address: StoreAddress, place: Place) -> Stores:
    if address.kind == GATEWAY:
        return StoreForEach(lambda caller: D1GatewayStore(address.where, caller.token))
    path = Path(address.where) if address.where else place.graph
    return SharedStore(SqliteStore(path, world=world.id, read_only=True), SqliteStore(path, world=world.id))


def _authenticate(world: World, address: StoreAddress, actor: str | None, settings: Settings) -> Actor:
    if address.kind == GATEWAY:
        return world.policy.actor(_token_subject(actor, settings))
    chosen = world.policy.default_actor if actor is None else actor
    if chosen is None or chosen not in world.policy.may_act_as:
        raise AccessDenied(
            "UnknownActor",
            "this actor may not read here",
            hint="on the embedded store an actor must stand in may_act_as of policy.yml",
        )
    return world.policy.actor(chosen)


def _token_subject(actor: str | None, settings: Settings) -> str:
    """The actor a gateway token names. The gateway verifies the token; nothing is read before it has."""
    if settings.gateway_token is None:
        raise AccessDenied(
            "NoToken", "the gateway takes no request without a token", hint="set LENS_GATEWAY_TOKEN"
        )
    try:
        payload = settings.gateway_token.get_secret_value().split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        subject = str(claims["sub"])
    except (IndexError, KeyError, TypeError, ValueError, binascii.Error):
        raise AccessDenied("InvalidToken", "LENS_GATEWAY_TOKEN is no token with a subject") from None
    if actor is not None and actor != subject:
        raise AccessDenied("UnknownActor", "the token names another actor than --as")
    return subject
