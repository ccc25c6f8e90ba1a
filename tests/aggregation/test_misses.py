"""An honest miss, an error and an empty group earn no node, and each is said."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget, ReaderError, ReducerError
from lens_runtime.aggregation.reduction import NO_ANSWER
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.envelope import seal
from lens_runtime.ports import NoAnswer, Reduced
from tests.aggregation.shelf import SUMMARY, Shelf, document, outcomes


def no_answer(request):
    return NoAnswer("scripted 1", 10, 0)


def failing(request):
    raise ReducerError("ModelUnavailable", "the model is not there")


@pytest.mark.promise("P110", "P111", "P112")
@pytest.mark.parametrize("reply", [no_answer, lambda request: Reduced(f" {NO_ANSWER} ", "scripted 1")])
def test_no_answer_earns_no_node_and_is_tried_again(shelf: Shelf, reply) -> None:
    shelf.reducer.script = reply
    for _ in range(2):
        result = shelf.ask()
        assert (result.rows, outcomes(result), result.usage.model_calls) == (((None, None),), ["miss"], 1)
        assert [unknown.code for unknown in seal(result).unknowns] == ["no_answer"]
        assert shelf.committed() == []
    shelf.reducer.script = None
    assert outcomes(shelf.ask()) == ["generated"]
    assert outcomes(shelf.ask()) == ["hit"]


@pytest.mark.promise("P113")
def test_a_miss_on_regeneration_neither_serves_nor_loses_the_old_node(shelf: Shelf) -> None:
    first = shelf.ask()
    shelf.edit("d0-1", text="nothing of interest")
    shelf.reducer.script = no_answer
    assert shelf.ask().rows == ((None, None),)
    assert len(shelf.committed()) == 1
    shelf.edit("d0-1", text="gamma")
    assert (shelf.ask().rows, outcomes(shelf.ask())) == (first.rows, ["hit"])


@pytest.mark.promise("P114")
def test_an_error_is_reported_and_earns_no_node(shelf: Shelf) -> None:
    shelf.reducer.script = failing
    result = shelf.ask()
    assert (result.rows, outcomes(result), result.complete) == ((), ["failed"], False)
    (unknown,) = seal(result).unknowns
    assert unknown.code == "reduction_failed"
    assert "the model is not there" in unknown.message
    assert "shelf:Document:d0" in unknown.message
    assert shelf.committed() == []
    shelf.reducer.script = None
    assert outcomes(shelf.ask()) == ["generated"]


def test_an_error_of_one_leaf_leaves_the_others_and_marks_what_depends_on_it(shelf: Shelf) -> None:
    shelf.reducer.script = lambda request: (
        failing(request) if "delta" in request.items else Reduced("fine", "m")
    )
    match = "MATCH (d:Document)-[:HAS_SUMMARY]->(s) WHERE d.uri IN ['one', 'two'] RETURN "
    assert shelf.ask(match + "d.uri").rows == (("one",),)
    counted = shelf.ask(match + "count(s) AS n")
    assert (counted.rows, counted.bounds) == (((1,),), {"n": "at least"})


@pytest.mark.parametrize("reply", ["", f"It says a lot. {NO_ANSWER}"])
def test_a_malformed_reply_is_tried_once_more_and_is_then_an_error(shelf: Shelf, reply: str) -> None:
    shelf.reducer.script = lambda request: Reduced(reply, "scripted 1")
    result = shelf.ask()
    assert (outcomes(result), result.usage.model_calls) == (["failed"], 2)
    assert shelf.committed() == []
    shelf.reducer.script = lambda request: Reduced(reply if len(shelf.reducer.requests) == 3 else "fine", "m")
    assert shelf.ask().rows[0][0] == "fine"


def test_nothing_to_collect_is_null_and_no_miss(shelf: Shelf) -> None:
    shelf.add(document("empty"))
    shelf.add(document("blank", "  ", "\n"))
    shelf.write()
    shelf.build()
    for uri in ("empty", "blank"):
        result = shelf.ask(uri=uri)
        assert (result.rows, outcomes(result), result.usage.model_calls) == (((None, None),), ["empty"], 0)
        assert [unknown.code for unknown in seal(result).unknowns] == ["empty_group"]
        assert result.complete
    assert shelf.committed() == []


def test_a_leaf_that_is_null_can_be_told_apart_by_where(shelf: Shelf) -> None:
    shelf.add(document("empty"))
    shelf.write()
    shelf.build()
    text = "MATCH (d:Document)-[:HAS_SUMMARY]->(s) WHERE d.uri IN ['one', 'empty'] AND s.summary {} NULL RETURN d.uri"
    assert shelf.ask(text.format("IS")).rows == (("empty",),)
    assert shelf.ask(text.format("IS NOT")).rows == (("one",),)


def test_too_many_reductions_are_refused_before_the_first(shelf: Shelf) -> None:
    text = "MATCH (d:Document)-[:HAS_SUMMARY]->(s) WHERE d.uri IN ['one', 'two'] RETURN s.summary"
    with pytest.raises(OverBudget, match="needs 2 calls of a model; the ceiling is 1"):
        shelf.ask(text, budget=Budget(model_calls=1))
    assert shelf.reducer.requests == []
    shelf.ask()
    assert outcomes(shelf.ask(text, budget=Budget(model_calls=1))) == ["hit", "generated"]


def test_a_cut_group_is_not_reduced_and_says_which_ceiling(shelf: Shelf) -> None:
    result = shelf.ask(budget=Budget(fanout=1))
    assert (result.rows, result.usage.model_calls) == ((), 0)
    assert [(cut.ceiling, cut.limit) for cut in result.cuts] == [("fanout", 1)]
    assert outcomes(shelf.ask()) == ["generated"]


def test_a_module_that_does_not_answer_leaves_the_leaf_unknown(shelf: Shelf) -> None:
    shelf.ask()
    engine = shelf.engine()
    reader = engine.sources.readers["shelf"]

    def read(actor, context, kind, ids, deadline):
        if kind == "Chunk":
            raise ReaderError("ReaderUnavailable", "the module shelf is down")
        return reader.read(actor, context, kind, ids, deadline)

    silenced = Mock(spec=reader, read=read)
    silent = replace(engine, sources=replace(engine.sources, readers={"shelf": silenced}))
    result = silent.run(SUMMARY, {"uri": "one"}, Budget(), MonotonicDeadline.after(10))
    engine.store.close()
    assert (result.rows, result.usage.model_calls) == ((), 0)
    assert [unknown.code for unknown in seal(result).unknowns] == ["source_unavailable"]
