"""search(): what it finds is what the actor may read and what has the words, and nothing hidden shows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from lens_dsl.budget import Budget
from lens_dsl.errors import EvaluationProblem, OverBudget
from lens_dsl.ontology import Kind, Ontology
from lens_runtime.scope import Actor
from lens_runtime.worlds.policy import Policy, Role
from tests.oracle.budgets import AMPLE, lowered
from tests.oracle.building import MODULES, MemoryReader, built
from tests.oracle.hiding import lookalikes, seen
from tests.oracle.serializing import parts
from tests.oracle.test_matches_oracle import SLOW
from tests.oracle.worlds import ACTORS, CLASSES, Record, SmallWorld, small_worlds

# As they are written, and what they are as words: written down here, not asked of the product.
SPELLINGS = {
    "Wheel": "wheel", "WHEEL": "wheel", "whéel": "wheel", "broken": "broken", "Größe": "grosse", "GROSSE": "grosse",
    "or": "or", "NEAR": "near", "not": "not", "g1v1": "g1v1", "日本": "日本", "x1": "x1",
}  # fmt: skip
GAPS = (" ", "-", '" ', " (", ")* ", ", ", " : ", "'")
TEXTS = st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=1, max_size=3)
QUERIES = 6  # a world


@st.composite
def labels(draw: st.DrawFn) -> tuple[str, frozenset[str]]:
    """A text and the words in it."""
    spelled = draw(st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=1, max_size=4))
    text = spelled[0] + "".join(draw(st.sampled_from(GAPS)) + one for one in spelled[1:])
    return text, frozenset(SPELLINGS[one] for one in spelled)


@st.composite
def labelled(draw: st.DrawFn, record: Record) -> Record:
    """The record with a label, and perhaps a summary, of these words; ``words`` are those of both."""
    label, found = draw(labels())
    summary, more = draw(st.none() | labels()) or (None, frozenset[str]())
    fields = {**record.fields, "label": label, "summary": summary, "words": found | more}
    return replace(record, fields=fields)


def worded(draw: st.DrawFn, world: SmallWorld) -> SmallWorld:
    return replace(world, records=tuple(draw(labelled(record)) for record in world.records))


def query(world: SmallWorld) -> str:
    kinds = "|".join(sorted(world.ontology.kinds))
    return f"MATCH (a:{kinds}) WHERE search(a, $t) RETURN a.id AS id, labels(a) AS kind ORDER BY id, kind"


def expected(world: SmallWorld, actor: str, text: list[str]) -> list[tuple[object, object]]:
    """The visible records with all the words, by brute force."""
    wanted = {SPELLINGS[one] for one in text}
    shown, _ = seen(world, actor)
    return sorted((one.id, [one.kind]) for one in shown if wanted <= one.fields["words"])  # type: ignore[operator]


@pytest.mark.promise("P20", "P25")
@SLOW
@given(st.data())
def test_a_search_finds_what_brute_force_over_the_visible_finds(data):
    world = worded(data.draw, data.draw(small_worlds()))
    with built(world) as place:
        for _ in range(QUERIES):
            actor, text = data.draw(st.sampled_from(ACTORS)), data.draw(TEXTS)
            joined = data.draw(st.sampled_from(GAPS)).join(text)
            note(f"{actor}: {joined!r}")
            result = place.ask(actor, query(world), AMPLE, {"t": joined})
            assert result.complete
            assert list(result.rows) == expected(world, actor, text)


@SLOW
@given(st.data())
def test_under_a_ceiling_the_newest_are_a_marked_part(data):
    world = worded(data.draw, data.draw(small_worlds()))
    budget = lowered(candidates=data.draw(st.integers(1, 4)))
    plain = query(world).split(" ORDER BY ")[0]
    with built(world) as place:
        for _ in range(QUERIES):
            actor, text = data.draw(st.sampled_from(ACTORS)), data.draw(TEXTS)
            result = place.ask(actor, plain, budget, {"t": " ".join(text)})
            rows, all_ = sorted(result.rows), expected(world, actor, text)
            assert result.complete == (len(all_) <= budget.candidates)
            assert len(rows) == min(len(all_), budget.candidates)
            assert all(row in all_ for row in rows)
            times = {str((r.id, [r.kind])): r.observed_at or 0 for r in world.records}
            left = [times[str(row)] for row in all_ if row not in rows]
            kept = [times[str(row)] for row in rows]
            assert not left or min(kept) >= max(left)
            if not result.complete:
                assert [cut.ceiling for cut in result.cuts] == ["candidates"]
                assert "raise --max-candidates" in str(result.cuts[0])


@pytest.mark.promise("P22", "P51")
@SLOW
@given(st.data())
def test_hidden_records_with_the_same_words_change_nothing(data):
    actor = data.draw(st.sampled_from(ACTORS))
    world = worded(data.draw, data.draw(small_worlds()))
    other = data.draw(lookalikes(world, actor))
    shown = {(one.kind, one.id) for one in seen(world, actor)[0]}
    other = replace(
        other,
        records=tuple(
            one if (one.kind, one.id) in shown else data.draw(labelled(one)) for one in other.records
        ),
    )
    silent = data.draw(st.sampled_from([(), (), ("m1",), MODULES]))
    with built(world) as first, built(other) as second:
        for _ in range(QUERIES):
            text = " ".join(data.draw(TEXTS))
            budget = data.draw(st.just(AMPLE) | st.builds(tight, st.integers(1, 4), st.integers(1, 5)))
            note(f"{actor}: {text}\n{budget}")
            said = [
                list(parts(place.with_readers(silent).ask(actor, query(world), budget, {"t": text})))
                for place in (first, second)
            ]
            assert said[0] == said[1]


def tight(candidates: int, nodes: int) -> Budget:
    return lowered(candidates=candidates, nodes=nodes)


@pytest.mark.promise("P24", "P25", "P49")
@SLOW
@given(st.data())
def test_what_the_module_says_now_decides(data):
    """The projection lags behind new labels and denials: an old label finds nothing, and does not come out."""
    actor = data.draw(st.sampled_from(ACTORS))
    world = worded(data.draw, data.draw(small_worlds()))
    now = worded(data.draw, world)
    denied = frozenset(data.draw(st.lists(st.sampled_from([r.id for r in world.records]), max_size=3)))
    with built(world) as place:
        readers = {name: MemoryReader(name, now, denied=denied) for name in MODULES}
        late = replace(place, readers=readers)
        for _ in range(QUERIES):
            text = data.draw(TEXTS)
            result = late.ask(actor, query(world), AMPLE, {"t": " ".join(text)})
            both = [row for row in expected(world, actor, text) if row in expected(now, actor, text)]
            assert list(result.rows) == [row for row in both if row[0] not in denied]
            said = {one["label"] for one in (record.fields for record in now.records)}
            assert {
                node.label for node in late.ask(actor, plain_nodes(world), AMPLE, {"t": text[0]}).nodes
            } <= said


def plain_nodes(world: SmallWorld) -> str:
    return f"MATCH (a:{'|'.join(sorted(world.ontology.kinds))}) WHERE search(a, $t) RETURN a"


@SLOW
@given(st.data())
def test_on_a_record_that_is_bound_already_it_says_the_same(data):
    world = worded(data.draw, data.draw(small_worlds()))
    kinds = "|".join(sorted(world.ontology.kinds))
    with built(world) as place:
        for record in world.records[:QUERIES]:
            actor, text = data.draw(st.sampled_from(ACTORS)), data.draw(TEXTS)
            bound = (
                f"MATCH (a:{kinds}) WHERE a.id = $id RETURN a.id, labels(a), search(a, $t), NOT search(a, $t)"
            )
            result = place.ask(actor, bound, AMPLE, {"id": record.id, "t": " ".join(text)})
            found = expected(world, actor, text)
            for id_, kind, yes, no in result.rows:
                assert (yes, no) == ((id_, kind) in found, (id_, kind) not in found)


@pytest.fixture
def ant() -> SmallWorld:
    """One public record that every actor sees, called after a wheel."""
    record = Record("Ant", "a", "public", {"id": "a", "team": None, "label": "a wheel"})
    ontology = Ontology({"Ant": Kind("Ant", "m1", hydrated=("team",))})
    role = Role("all", ("*",), ("*",), CLASSES)
    policy = Policy(CLASSES, {"Ant": "m1"}, {"all": role}, {"ann": Actor("ann", ("all",))})
    return SmallWorld(ontology, policy, (record,), ())


def test_texts_that_are_none(ant):
    with built(ant) as place:
        for text in (None, "", '"', "* : ( )", "\n\t"):
            result = place.ask("ann", query(ant), AMPLE, {"t": text})
            assert (result.rows, result.complete, result.usage.nodes) == ((), True, 0)
        for value in (3, ["wheel"], True):
            with pytest.raises(EvaluationProblem) as caught:
                place.ask("ann", query(ant), AMPLE, {"t": value})
            assert caught.value.code == "InvalidArgumentType"
            assert caught.value.span is not None
        with pytest.raises(EvaluationProblem) as caught:
            place.ask("ann", "MATCH (a:Ant {id: 'a'}) RETURN search(a, $t)", AMPLE, {"t": 3})
        assert caught.value.code == "InvalidArgumentValue"
        with pytest.raises(OverBudget) as refused:
            place.ask("ann", query(ant), AMPLE, {"t": "w " * 10_000})
        assert refused.value.code == "TooManyWords"
        for text in ("wheel\x00", "wheel \ud800"):
            with pytest.raises(EvaluationProblem) as caught:
                place.ask("ann", query(ant), AMPLE, {"t": text})
            assert caught.value.code == "InvalidParameterValue"


def test_more_searches_than_one_read_takes_are_refused(ant):
    names = [f"a{number}" for number in range(17)]
    text = f"MATCH {', '.join(f'({name}:Ant)' for name in names)} WHERE "
    text += " AND ".join(f"search({name}, 'wheel')" for name in names) + " RETURN count(*)"
    with built(ant) as place, pytest.raises(OverBudget) as caught:
        place.ask("ann", text, AMPLE)
    assert caught.value.code == "TooManyAnchors"


@pytest.mark.promise("P23")
def test_with_an_exact_key_the_index_is_not_asked(ant):
    with built(ant) as place:
        exact = place.ask("ann", "MATCH (a:Ant {id: 'a'}) WHERE search(a, 'wheel') RETURN a.id", AMPLE)
        found = place.ask("ann", "MATCH (a:Ant) WHERE search(a, 'wheel') RETURN a.id", AMPLE)
    assert exact.rows == found.rows == (("a",),)
    assert (exact.usage.statements, found.usage.statements) == (1, 2)
