"""What an actor may not see changes no byte of what comes out, whatever it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lens_dsl.errors import AccessDenied
from lens_dsl.formatter import format_query
from lens_dsl.ontology import Kind, Ontology
from lens_runtime import assembly
from lens_runtime.assembly import open_session
from lens_runtime.scope import Actor, Scope
from lens_runtime.settings import load_settings
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.budgets import AMPLE, tight_budgets
from tests.oracle.building import MODULES, Patience, built
from tests.oracle.hiding import lookalikes, seen
from tests.oracle.queries import queries
from tests.oracle.serializing import said
from tests.oracle.test_matches_oracle import SLOW
from tests.oracle.worlds import ACTORS, CLASSES, WORLD, Record, SmallWorld, small_worlds
from tests.worlds.sample import FILES, write_world

QUERIES = 6  # a world


@pytest.mark.promise("P22", "P51")
@SLOW
@given(st.data())
def test_the_hidden_changes_nothing(data):
    world, actor = data.draw(small_worlds()), data.draw(st.sampled_from(ACTORS))
    other = data.draw(lookalikes(world, actor))
    silent = data.draw(st.sampled_from([(), (), ("m1",), ("m2",), MODULES]))
    with built(world) as first, built(other) as second:
        one, two = first.with_readers(silent), second.with_readers(silent)
        for _ in range(QUERIES):
            text = format_query(data.draw(queries(world)))
            budget = data.draw(st.just(AMPLE) | tight_budgets())
            note(f"{actor}: {text}\n{budget}")
            assert said(one, actor, text, budget) == said(two, actor, text, budget)


@pytest.mark.promise("P51")
@SLOW
@given(st.data())
def test_what_a_reader_denies_does_not_come_out(data):
    """The projection lags behind a denial: it shows records that the module refuses by now."""
    actor = data.draw(st.sampled_from(ACTORS))
    world = data.draw(small_worlds())
    named = {record.id: f"tok{record.id}en" for record in world.records}
    world = replace(
        world,
        records=tuple(renamed_record(record, named) for record in world.records),
        links=tuple(
            replace(
                k,
                source=(k.source[0], named[k.source[1]]),
                target=(k.target[0], named.get(k.target[1], "gone")),
            )
            for k in world.links
        ),
    )
    shown, joined = seen(world, actor)
    denied = set(data.draw(st.lists(st.sampled_from([r.id for r in shown]), unique=True))) if shown else set()
    tokens = denied | {f"label of {id_}" for id_ in denied}
    tokens |= {f"'{k.by}'" for k in joined if {k.source[1], k.target[1]} & denied}
    with built(world) as place:
        refusing = place.with_readers(denied=denied)
        for _ in range(QUERIES):
            text = format_query(data.draw(queries(world)))
            budget = data.draw(st.just(AMPLE) | tight_budgets())
            out = said(refusing, actor, text, budget)
            note(f"{actor}: {text}\n{budget}\n{out}")
            assert not [token for token in tokens if token in out]


def renamed_record(record, named):
    """The record under a name that no query holds, with its name in its values."""
    fields = {**record.fields, "id": named[record.id]}
    return replace(record, id=named[record.id], fields=fields)


@pytest.mark.promise("P21")
@pytest.mark.parametrize("actor", ["eve", "", "cyd"])
def test_who_is_not_authenticated_reaches_no_store(tmp_path, monkeypatch, actor):
    """``cyd`` is known to the policy, but stands in no ``may_act_as``."""
    opened: list[object] = []
    monkeypatch.setattr(assembly, "SqliteStore", lambda *places, **options: opened.append(places))
    files = {"policy.yml": FILES["policy.yml"].replace("actors:", 'actors:\n  "cyd": {roles: [agent]}')}
    world = write_world(tmp_path / "desk", files)
    with pytest.raises(AccessDenied):
        open_session(str(world), actor=actor or "nobody", settings=load_settings())
    assert opened == []


@pytest.mark.promise("P21")
def test_the_store_itself_shows_an_unknown_actor_nothing():
    everything = Record("Ant", "a", "public", {"id": "a", "team": None})
    ontology = Ontology({"Ant": Kind("Ant", "m1", hydrated=("team",))})
    policy = Policy(
        CLASSES, {"Ant": "m1"}, {"all": Role("all", ("*",), ("*",), CLASSES)}, {"ann": Actor("ann", ("all",))}
    )
    with built(SmallWorld(ontology, policy, (everything,), ())) as place:
        stranger = Scope(WORLD, "main", Actor("eve", ("all",)), policy.revision)
        engine = replace(place.engine("ann"), scope=stranger)
        result = engine.run("MATCH (a {id: 'a'}) RETURN a", {}, AMPLE, Patience())
        assert (result.rows, result.complete, result.usage.nodes, result.usage.reader_calls) == (
            (),
            True,
            0,
            0,
        )
