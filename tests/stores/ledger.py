"""Modules with a change feed for the store tests: what they hold, and every event that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lens_dsl.errors import ReaderError
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Snapshot, Store
from lens_runtime.projection.compiler import Changes, Projector
from lens_runtime.projection.generations import live
from lens_runtime.projection.states import Change, EdgeState, Feed, NodeState, Position
from tests.stores.model import DECLARED, WORLD, Facts, FixedClock, case, edge, party

Key = tuple[str, str, str, str]  # type, source, target, asserting record


@dataclass
class Ledger:
    """One module. ``late`` feeds tell what was so at each event; others tell of each event what is so now."""

    module: str
    late: bool = False
    name: str = "feed"
    nodes: dict[str, NodeState] = field(default_factory=dict)
    edges: dict[Key, EdgeState] = field(default_factory=dict)
    log: list[Change] = field(default_factory=list)
    from_start: bool = False
    broken_after: int | None = None

    def put(self, node: NodeState, *edges: EdgeState) -> None:
        """Write a record with the relationships it asserts now, under its next revision."""
        name = node.coordinate.entity_id
        before = self.nodes.get(name)
        node = replace(node, revision=str(int(before.revision) + 1 if before else 1))
        self.nodes[name] = node
        self._assert(name, node.revision, edges)
        self._append("upsert", node.coordinate, node.revision)

    def delete(self, name: str) -> None:
        """Remove a record, with all that it asserts."""
        node = self.nodes.pop(name, None)
        if node is not None:
            self._assert(name, node.revision, ())
            self._append("delete", node.coordinate, node.revision)

    def changes(self, cursor: Position | None) -> Feed | None:
        """The feed; from its beginning whatever the cursor where it is told to replay."""
        head = Position(len(self.log), self.name)
        if cursor is None or cursor.mark != self.name:
            return Feed(head)
        return Feed(head, self._since(0 if self.from_start else cursor.seq))

    def snapshot(self) -> Snapshot:
        """Everything."""
        return Snapshot(iter(list(self.nodes.values())), iter(list(self.edges.values())))

    def _since(self, seq: int) -> Iterator[Change]:
        for count, change in enumerate(self.log[seq:]):
            if count == self.broken_after:
                raise ReaderError("ReaderUnavailable", "the module went away")
            yield change if self.late else self._now(change)

    def _now(self, change: Change) -> Change:
        node = self.nodes.get(change.coordinate.entity_id) if change.op == "upsert" else None
        if node is None:
            return replace(change, op="delete", node=None, relationships=())
        return replace(change, revision=node.revision, node=node, relationships=self._of(node.coordinate))

    def _of(self, at: Coordinate) -> tuple[EdgeState, ...]:
        return tuple(edge for key, edge in self.edges.items() if key[3] == at.entity_id)

    def _assert(self, name: str, revision: str, edges: tuple[EdgeState, ...]) -> None:
        event = str(len(self.log) + 1)
        said = {(e.type, e.source.entity_id, e.target.entity_id, name): e for e in edges}
        for key in [key for key in self.edges if key[3] == name and key not in said]:
            del self.edges[key]
        for key, one in said.items():
            first = self.edges.get(key)
            asserted = (first.provenance_revision, first.provenance_event_id) if first else (revision, event)
            self.edges[key] = replace(one, provenance_revision=asserted[0], provenance_event_id=asserted[1])

    def _append(self, op: str, at: Coordinate, revision: str) -> None:
        node = self.nodes.get(at.entity_id)
        position = Position(len(self.log) + 1, self.name)
        assert op in ("upsert", "delete")
        self.log.append(Change(position, op, at, revision, node, self._of(at) if node else ()))  # type: ignore[arg-type]


def ledgers(late: bool = False) -> dict[str, Ledger]:
    """The toy world's two modules, with a few records."""
    people, desk = Ledger("people", late), Ledger("desk", late)
    people.put(party("p1", email="p1@example.org", observed_at=5), edge("knows", "p1", "p2"))
    people.put(party("p2", "public"))
    desk.put(case("c1", observed_at=7), edge("involves", "c1", "p1", "secret", observed_at=9))
    desk.put(case("c2", team=None), edge("follows", "c2", "c1"))
    return {"people": people, "desk": desk}


def facts(modules: dict[str, Ledger]) -> Facts:
    """What the modules hold, as the model's expectations take it."""
    return Facts(
        nodes={name: list(one.nodes.values()) for name, one in modules.items()},
        edges={name: list(one.edges.values()) for name, one in modules.items()},
    )


def drain(store: Store, ledger: Ledger) -> Changes:
    """Bring one module up to date, as a new process would: knowing nothing but the store."""
    found = live(store, WORLD)
    assert found is not None
    with store.writing():
        return Projector(store, DECLARED, found.generation, FixedClock()).bring(ledger.module, ledger)
