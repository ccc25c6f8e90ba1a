"""What an actor may not see changes no byte of a lens's envelope: not its facts, unknowns, truncation or size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lens_dsl.lens import Allowed, Expectation, Lens
from lens_runtime.context import Question, answer
from lens_runtime.tokens import CharacterCounter
from tests.oracle.building import MODULES, Built, Patience, built
from tests.oracle.expressions import IDS
from tests.oracle.hiding import lookalikes, seen
from tests.oracle.test_matches_oracle import SLOW
from tests.oracle.worlds import ACTORS, Link, SmallWorld, small_worlds

QUERY = """\
MATCH (subject {id: $subject})
OPTIONAL MATCH near = (subject)-[*1..2]-()
WITH subject, collect(near) AS around
OPTIONAL MATCH (subject)-[r]->(x)
RETURN subject, around, collect(r) AS rs, collect(x) AS xs
"""
QUESTIONS = 4  # a world


@st.composite
def lenses(draw: st.DrawFn, world: SmallWorld) -> Lens:
    """A lens that walks everything, under ceilings that may be low."""
    types = sorted(world.ontology.relationships)
    functional = draw(st.sets(st.sampled_from(types)))
    return Lens(
        "all",
        "see",
        "tests",
        tuple(sorted(world.ontology.kinds)),
        tuple(Allowed(name, "both") for name in types),
        QUERY,
        max_nodes=draw(st.sampled_from([60, 60, 1, 2, 3, 5])),
        fanout=draw(st.sampled_from([40, 40, 1, 2, 3])),
        max_tokens=draw(st.sampled_from([20_000, 1_000, 1_500])),
        expect=(Expectation("(subject)-->()", "alone"),) if functional else (),
    )


def nowhere(world: SmallWorld) -> list[Link]:
    """The relationships whose target is not there: what an actor who sees their source may be told of."""
    places = {(record.kind, record.id) for record in world.records}
    return [link for link in world.links if link.target not in places]


def leading_nowhere_alike(world: SmallWorld, other: SmallWorld, actor: str) -> SmallWorld:
    """The second world, with those of the first one's relationships that lead nowhere from what is shown."""
    shown = {(record.kind, record.id) for record in seen(world, actor)[0]}
    lost, kept = nowhere(other), [link for link in nowhere(world) if link.source in shown]
    hidden = [link for link in lost if link.source not in shown]
    return replace(other, links=(*(k for k in other.links if k not in lost), *hidden, *kept))


def told(place: Built, actor: str, question: Question) -> str:
    return answer(place.engine(actor), question, CharacterCounter(), Patience()).model_dump_json()


@pytest.mark.promise("P22", "P51")
@SLOW
@given(st.data())
def test_the_hidden_changes_nothing_in_an_envelope(data):
    world, actor = data.draw(small_worlds()), data.draw(st.sampled_from(ACTORS))
    other = leading_nowhere_alike(world, data.draw(lookalikes(world, actor)), actor)
    silent = data.draw(st.sampled_from([(), (), ("m1",), ("m2",), MODULES]))
    ids = sorted({*IDS, *(record.id for record in world.records)})
    with built(world) as first, built(other) as second:
        one, two = first.with_readers(silent), second.with_readers(silent)
        for _ in range(QUESTIONS):
            kind = data.draw(st.sampled_from(sorted(world.ontology.kinds)))
            subject = world.coordinate((kind, str(data.draw(st.sampled_from(ids)))))
            question = Question(data.draw(lenses(world)), subject)
            note(f"{actor}: {subject}")
            assert told(one, actor, question) == told(two, actor, question)


@pytest.mark.promise("P51")
@SLOW
@given(st.data())
def test_what_a_reader_denies_is_in_no_envelope(data):
    """The projection lags behind a denial."""
    actor, world = data.draw(st.sampled_from(ACTORS)), data.draw(small_worlds())
    names = {record.id: f"tok{record.id}en" for record in world.records}
    renamed = [replace(r, id=names[r.id], fields={**r.fields, "id": names[r.id]}) for r in world.records]
    ends = [
        replace(
            k,
            source=(k.source[0], names[k.source[1]]),
            target=(k.target[0], names.get(k.target[1], "gone")),
        )
        for k in world.links
    ]
    world = replace(world, records=tuple(renamed), links=tuple(ends))
    shown = seen(world, actor)[0]
    if not shown:
        return
    denied = set(data.draw(st.lists(st.sampled_from([r.id for r in shown]), unique=True)))
    with built(world) as place:
        refusing = place.with_readers(denied=denied)
        for record in shown:
            if record.id not in denied:
                subject = world.coordinate((record.kind, record.id))
                out = told(refusing, actor, Question(data.draw(lenses(world)), subject))
                note(out)
                assert not [token for token in denied if token in out]
