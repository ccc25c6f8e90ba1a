"""Leaves that producers make, asked for by a lens: within its allowlist, packed, and never a fact."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lens_dsl.errors import LensViolation, ReducerError
from lens_dsl.lens import Allowed, Lens
from lens_dsl.lens_planner import plan_lens
from lens_runtime.context import Question, answer
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Reduced
from lens_runtime.tokens import CharacterCounter
from lens_runtime.worlds.folder import load_world
from tests.aggregation.shelf import Shelf, document

SUBJECT = Coordinate("shelf", "Document", "d0")
LENS = Lens(
    "read", "Read a document.", "shelf", ("Document",),
    (Allowed("HAS_SUMMARY", "out"),),
    "MATCH (subject:Document {id: $subject}) OPTIONAL MATCH (subject)-[:HAS_SUMMARY]->(s:Summary) "
    "RETURN subject, collect(s) AS summaries",
)  # fmt: skip


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, document("one", "alpha beta", "gamma"))


def ask(shelf: Shelf, lens: Lens = LENS) -> ContextEnvelope:
    engine = shelf.engine()
    try:
        return answer(engine, Question(lens, SUBJECT), CharacterCounter(), MonotonicDeadline.after(10))
    finally:
        engine.store.close()


@pytest.mark.promise("P137")
def test_a_leaf_stands_among_the_aggregates_and_is_no_fact(shelf: Shelf) -> None:
    envelope = ask(shelf)
    assert [fact.coordinate.entity_type for fact in envelope.facts] == ["Document"]
    (made,) = envelope.aggregates
    assert (made.outcome, made.trust, made.inputs) == ("generated", "derived", 2)
    assert made.fields is not None
    assert made.fields["summary"] == "#1 alpha beta | gamma"
    assert (envelope.unknowns, envelope.truncation.complete, envelope.usage.model_calls) == ((), True, 1)


@pytest.mark.promise("P36")
@pytest.mark.parametrize(
    ("allow", "code"), [((), "OutsideLens"), ((Allowed("HAS_SUMMARY", "in"),), "AgainstLens")]
)
def test_a_lens_has_made_only_what_it_allows(shelf: Shelf, allow: tuple[Allowed, ...], code: str) -> None:
    ontology = load_world(shelf.folder).ontology
    with pytest.raises(LensViolation) as caught:
        plan_lens(replace(LENS, allow=allow), ontology, "Document", LENS.budget())
    assert (caught.value.code, caught.value.span is not None) == (code, True)


@pytest.mark.promise("P41", "P42")
def test_a_leaf_that_does_not_fit_is_packed_out_and_said_to_be(shelf: Shelf) -> None:
    shelf.reducer.script = lambda request: Reduced("long " * 2_000, "scripted 1")
    envelope = ask(shelf, replace(LENS, max_tokens=1_000))
    assert CharacterCounter().count(envelope.model_dump_json()) <= 1_000
    assert ([fact.coordinate.entity_id for fact in envelope.facts], envelope.aggregates) == (["d0"], ())
    (cut,) = envelope.truncation.cuts
    assert (cut.ceiling, envelope.truncation.complete) == ("tokens", False)
    assert "1 aggregates left out" in cut.message


def test_a_failed_reduction_leaves_the_subject_and_says_so(shelf: Shelf) -> None:
    def fails(request: object) -> Reduced:
        raise ReducerError("ReducerUnavailable", "it is away")

    shelf.reducer.script = fails
    envelope = ask(shelf)
    assert [fact.coordinate.entity_id for fact in envelope.facts] == ["d0"]
    assert [unknown.code for unknown in envelope.unknowns] == ["reduction_failed"]
    assert not envelope.truncation.complete
