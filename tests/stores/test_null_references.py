"""What names no other end is counted by type, as the last snapshot had it, and goes with its module."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl.plan import Statement
from lens_runtime.ports import Snapshot, Store
from lens_runtime.projection.build import build
from lens_runtime.projection.status import status
from tests.stores.model import DECLARED, POLICY, WORLD, FixedClock, case, edge, party


def bring(store: Store, nulls: dict[str, int], *, desk: bool = True, rebuild: bool = False) -> None:
    people = ("people", Snapshot([party("a")], [], {"knows": 1} if nulls else {}))
    cases = ("desk", Snapshot([case("1"), case("2")], [edge("involves", "1", "gone")], nulls))
    build(store, DECLARED, POLICY, [people, cases] if desk else [people], clock=FixedClock(), rebuild=rebuild)


def test_null_references_are_counted_by_type_as_the_last_snapshot_had_them(store):
    bring(store, {"involves": 7, "follows": 2})
    found = status(store, WORLD)
    assert found.null_references == {"involves": 7, "follows": 2, "knows": 1}
    assert (found.edges, found.dangling, found.absent) == ({"involves": 1}, {"involves": 1}, {"involves": 1})
    bring(store, {"involves": 3})
    assert status(store, WORLD).null_references == {"involves": 3, "knows": 1}
    bring(store, {"involves": 5}, rebuild=True)
    assert status(store, WORLD).null_references == {"involves": 5, "knows": 1}
    bring(store, {})
    assert status(store, WORLD).null_references == {}


def test_they_go_with_their_module(store):
    bring(store, {"involves": 7})
    bring(store, {"involves": 7}, desk=False)
    assert status(store, WORLD).null_references == {"knows": 1}


def test_the_same_counts_are_not_written_again(store, monkeypatch):
    bring(store, {"involves": 7})
    written: list[str] = []
    plain = type(store).write

    def write(self: Store, statements: Sequence[Statement]) -> None:
        written.extend(one.name for one in statements)
        plain(self, statements)

    monkeypatch.setattr(type(store), "write", write)
    bring(store, {"involves": 7})
    assert "add_null_references" not in written
