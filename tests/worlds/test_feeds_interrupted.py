"""Feeds of real databases that are interrupted, and random writes against a build anew."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.worlds import test_feeds
from tests.worlds.test_feeds import ROOT, Talks

talks = test_feeds.talks

KILLED = """
import os, signal, sys
from pathlib import Path
import lens_runtime.projection.compiler as compiler
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import kept
compiler.EVENTS = 2
folder, left = Path(sys.argv[1]), [int(sys.argv[2])]
made = kept(load_world(folder), folder / "graph")
write = made.store.write
def counted(statements):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    write(statements)
made.store.write = counted
made.build()
"""


@pytest.mark.promise("P5")
@pytest.mark.skipif(os.name == "nt", reason="there is no kill -9 on Windows")
def test_after_kill_9_the_next_build_takes_up_where_it_was(talks):
    talks.built()
    talks.run("people.db", *(f"INSERT INTO people VALUES ('n{n}', NULL, 'open', 1)" for n in range(9)))
    command = [sys.executable, "-c", KILLED, str(talks.folder), "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert talks.built() == [5, 0]
    talks.same_as_rebuilt()


IDS = st.integers(1, 3)
PEOPLE = st.sampled_from(["'a'", "'b'", "'c'", "NULL", "''"])
PERSON = (
    "INSERT INTO people VALUES ({0}, {2}, 'open', {1}) "
    "ON CONFLICT DO UPDATE SET city = {2}, revision = revision + 1"
)
TALK = (
    "INSERT INTO talks VALUES ({1}, 'x', {0}, '{3}', 1, NULL) "
    "ON CONFLICT DO UPDATE SET person = {0}, region = '{3}', revision = revision + 1"
)
STATEMENTS = st.one_of(
    st.tuples(st.just("people.db"), st.just(PERSON)),
    st.tuples(st.just("people.db"), st.just("DELETE FROM people WHERE id IS {0}")),
    st.tuples(st.just("talks.db"), st.just(TALK)),
    st.tuples(st.just("talks.db"), st.just("DELETE FROM talks WHERE id = {1}")),
    st.tuples(st.just("talks.db"), st.just("UPDATE OR IGNORE talks SET id = {1} WHERE person IS {0}")),
    st.tuples(st.just("talks.db"), st.just("INSERT INTO guests VALUES ({1}, {0}, '2026-02-01')")),
    st.tuples(st.just("talks.db"), st.just("UPDATE guests SET person = {2} WHERE talk = {1}")),
    st.tuples(st.just("talks.db"), st.just("DELETE FROM guests WHERE person IS {0}")),
    st.tuples(st.just("talks.db"), st.just("INSERT INTO origins VALUES ({0}, {1})")),
    st.tuples(st.just("talks.db"), st.just("DELETE FROM origins WHERE talk = {1}")),
    st.tuples(st.just("build"), st.just("")),
)
STEPS = st.lists(
    st.tuples(STATEMENTS, PEOPLE, IDS, PEOPLE, st.sampled_from(["main", "eu"])), min_size=1, max_size=12
)


@pytest.mark.promise("P2")
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_whatever_is_written_to_the_tables_a_build_by_cursor_is_a_build_anew(tmp_path_factory, steps):
    talks = Talks(tmp_path_factory.mktemp("talks"))
    talks.built()
    for (database, statement), *values in steps:
        if database == "build":
            talks.built()
        elif not (database == "people.db" and values[0] in ("NULL", "''")):
            talks.run(database, statement.format(*values))
    talks.built()
    talks.same_as_rebuilt()
    talks.kept.store.close()
