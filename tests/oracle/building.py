"""A small world in a store of its own, with readers in memory and an engine for every actor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from lens_dsl.budget import Budget
from lens_dsl.errors import ReaderError
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.aggregation.run import Aggregation
from lens_runtime.engine import Engine
from lens_runtime.graph import Coordinate
from lens_runtime.hydration import Sources
from lens_runtime.ports import (
    Answer,
    Assertion,
    Confirmation,
    Deadline,
    Forbidden,
    Found,
    ModuleReader,
    NotFound,
    Snapshot,
    Store,
)
from lens_runtime.projection.build import Policy as StoredPolicy
from lens_runtime.projection.build import build
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.states import Position
from lens_runtime.result import Result
from lens_runtime.scope import Actor, Scope
from tests.oracle.costs import overspent
from tests.oracle.worlds import WORLD, Record, SmallWorld, label_of, summary_of

NOW = 1_750_000_000_000
MODULES = ("m1", "m2")


class Still:
    """A clock that stands still."""

    def now(self) -> int:
        return NOW


class Patience:
    """A deadline that never comes."""

    def remaining(self) -> float:
        return 60.0

    def check(self) -> None:
        return None


@dataclass
class MemoryReader:
    """A module's records, read as the policy permits; ``silent`` ones do not answer, ``denied`` ids never."""

    module: str
    world: SmallWorld
    silent: bool = False
    denied: frozenset[str] = frozenset()
    records: Mapping[tuple[str, str], Record] = field(init=False)

    def __post_init__(self) -> None:
        self.records = {(record.kind, record.id): record for record in self.world.records}

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        if self.silent:
            raise ReaderError("ReaderUnavailable", f"the module {self.module} does not answer")
        return {id_: self._answer(actor, (kind, id_)) for id_ in ids}

    def _answer(self, actor: Actor, place: tuple[str, str]) -> Answer:
        record = self.records.get(place)
        if record is None:
            return NotFound()
        if record.id in self.denied or not self.world.permits(actor.id, record):
            return Forbidden()
        return Found(
            record.fields,
            record.revision,
            record.visibility,
            label_of(record),
            record.observed_at,
            summary_of(record),
        )

    def changes(self, cursor: Position | None) -> None:
        """No feed: a build takes a snapshot."""

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        if self.silent:
            raise ReaderError("ReaderUnavailable", f"the module {self.module} does not answer")
        links = {(k.type, k.source, k.target, k.by) for k in self.world.links}
        return {
            r.id: "confirmed"
            if (r.type, _place(r.source), _place(r.target), r.provenance.entity_id) in links
            else "gone"
            for r in relationships
        }

    def snapshot(self) -> Snapshot:
        """What the module lets the projection keep."""
        ontology = self.world.ontology
        return Snapshot(
            (
                self.world.node_state(r)
                for r in self.world.records
                if ontology.kinds[r.kind].module == self.module
            ),
            (
                self.world.edge_state(k)
                for k in self.world.links
                if ontology.relationships[k.type].owner == self.module
            ),
        )


def _place(coordinate: Coordinate) -> tuple[str, str]:
    return coordinate.entity_type, coordinate.entity_id


@dataclass(frozen=True)
class Built:
    """A built world; ``ask`` runs one query as one actor."""

    world: SmallWorld
    store: Store
    readers: Mapping[str, ModuleReader]

    def engine(self, actor: str) -> Engine:
        scope = Scope(WORLD, "main", self.world.policy.actor(actor), self.world.policy.revision)
        sources = Sources(self.readers, self.world.ontology)
        return Engine(self.store, sources, scope, Still(), Aggregation(self.world.policy))

    def ask(
        self, actor: str, text: str, budget: Budget, parameters: Mapping[str, object] | None = None
    ) -> Result:
        result = self.engine(actor).run(text, parameters or {}, budget, Patience())
        assert overspent(result) == {}
        return result

    def with_readers(self, silent: Iterable[str] = (), denied: Iterable[str] = ()) -> Built:
        """The same projection, read by modules of which some are silent and some deny more than it knows."""
        refused = frozenset(denied)
        return replace(
            self, readers={m: MemoryReader(m, self.world, m in set(silent), refused) for m in MODULES}
        )


@contextmanager
def built(world: SmallWorld, *, rebuild: bool = False) -> Iterator[Built]:
    """The world, projected into a file that is gone afterwards; with ``rebuild`` projected twice."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "graph.sqlite", world=WORLD)
        try:
            project(world, store)
            if rebuild:
                project(world, store, rebuild=True)
            yield Built(world, store, {m: MemoryReader(m, world) for m in MODULES})
        finally:
            store.close()


def project(world: SmallWorld, store: Store, *, rebuild: bool = False) -> None:
    """Bring a store to this world."""
    policy = world.policy
    declared = Declared(WORLD, world.ontology, frozenset(policy.classes), policy.guards)
    grants = {name: policy.grants(actor) for name, actor in policy.actors.items()}
    snapshots = [(module, MemoryReader(module, world).snapshot()) for module in MODULES]
    build(store, declared, StoredPolicy(policy.revision, grants), snapshots, clock=Still(), rebuild=rebuild)
