"""Feeds that are interrupted: killed, crashed, replayed, in any order."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lens_dsl.plan import Statement
from lens_runtime.ports import Store
from lens_runtime.projection.status import status
from tests.share import is_full
from tests.stores import ledger as ledgers_
from tests.stores.killing import killed_after
from tests.stores.ledger import Ledger, drain, ledgers
from tests.stores.model import WORLD, case, edge, party
from tests.stores.test_feeds import bring, check


def busy() -> dict[str, Ledger]:
    """The modules after a lively day."""
    modules = ledgers()
    for number in range(10):
        modules["desk"].put(
            case(f"d{number}"), edge("follows", f"d{number}", "d0"), edge("involves", f"d{number}", "p1")
        )
        modules["people"].put(party("p1", "public" if number % 2 else "secret"))
    modules["desk"].delete("d4")
    return modules


def bring_busy(store: Store) -> None:
    bring(store, busy())


@pytest.mark.promise("P5")
@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9 on Windows")
@pytest.mark.parametrize(("writes", "events"), [(0, 0), (1, 3), (3, 9), (5, 13)])
def test_after_kill_9_no_event_is_skipped_or_taken_twice(place, writes, events):
    store = place.compiler()
    bring(store, ledgers())
    killed_after(place, writes, bring_busy, EVENTS=3)
    modules = busy()
    taken = sum(int(one.cursor) for one in status(store, WORLD).cursors.values())
    assert taken - 4 == events
    bring(store, modules)
    check(store, modules)


class Crash(Exception):
    """Stands for the end of the process."""


NAMES = st.sampled_from("abc")
CLASSES = st.sampled_from(["public", "internal", "secret"])
MODULES = st.sampled_from(["people", "desk"])
TARGETS = st.tuples(st.sampled_from(["involves", "follows"]), NAMES)
STEPS = st.one_of(
    st.tuples(st.just("party"), NAMES, CLASSES, st.lists(NAMES, unique=True, max_size=2)),
    st.tuples(st.just("case"), NAMES, CLASSES, st.lists(TARGETS, unique=True, max_size=3)),
    st.tuples(st.just("delete"), MODULES, NAMES),
    st.tuples(st.just("drain"), MODULES, st.booleans()),
    st.tuples(st.just("crash"), MODULES, st.integers(0, 2)),
    st.tuples(st.just("rebuild")),
)


def write(modules: dict[str, Ledger], step: tuple) -> None:
    if step[0] == "party":
        modules["people"].put(party(step[1], step[2]), *(edge("knows", step[1], other) for other in step[3]))
    elif step[0] == "case":
        modules["desk"].put(
            case(step[1], step[2]), *(edge(type_, step[1], other) for type_, other in step[3])
        )
    else:
        modules[step[1]].delete(step[2])


def crash(store: Store, ledger: Ledger, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drain that ends before its write of that number."""
    left, real = [after], store.write

    def counted(statements: list[Statement]) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Crash
        real(statements)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write", counted)
        patched.setattr("lens_runtime.projection.compiler.EVENTS", 2)
        try:
            drain(store, ledger)
        except Crash:
            return


@pytest.mark.promise("P2", "P3", "P5")
@settings(
    max_examples=200 if is_full() else 40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, max_size=14), late=st.booleans())
def test_whatever_happens_the_tables_are_in_the_end_those_of_a_rebuild(empty, steps, late):
    store = empty().compiler()
    modules = ledgers_.ledgers(late)
    bring(store, modules)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for step in steps:
            if step[0] == "drain":
                modules[step[1]].from_start = step[2]
                drain(store, modules[step[1]])
            elif step[0] == "crash":
                crash(store, modules[step[1]], step[2], monkeypatch)
            elif step[0] == "rebuild":
                bring(store, modules, rebuild=True)
            else:
                write(modules, step)
    bring(store, modules)
    check(store, modules)
    store.close()
