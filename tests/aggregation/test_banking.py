"""Real documents: a bank's knowledge articles (third-party), each summarized once and then served from the graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lens_dsl.budget import Budget
from lens_runtime.adapters.extractive import ExtractiveReducer
from lens_runtime.ports import Deadline, NoAnswer, Reduced, ReductionRequest
from tests.aggregation.shelf import Shelf, document, outcomes

ALL = "MATCH (d:Document {team: 'red'})-[:HAS_SUMMARY]->(s) RETURN d.uri, s.summary"
BUDGET = Budget(nodes=4_000, fanout=10, rows=1_000, model_calls=1_000, reader_calls=200, seconds=60)


@pytest.fixture
def bank(shared: Path, tmp_path: Path) -> Shelf:
    """Every article in a shelf, a chunk for each of its sections, reduced by the built-in reducer."""
    documents = []
    for path in sorted((shared / "data" / "banking" / "documents").glob("*.json")):
        article = json.loads(path.read_text(encoding="utf-8"))
        sections = [part for part in article["content"].split("\n## ") if part.strip()]
        documents.append(document(article["id"], *sections[:9], "\n## ".join(sections[9:])))
    shelf = Shelf(tmp_path, *documents)
    reducer = ExtractiveReducer()

    def extract(request: ReductionRequest) -> Reduced | NoAnswer:
        return reducer.reduce(request, Unhurried())

    shelf.reducer.script = extract
    return shelf


class Unhurried(Deadline):
    """A deadline that does not come."""

    def remaining(self) -> float:
        return 60.0

    def check(self) -> None:
        return None


@pytest.mark.promise("P72", "P76", "P83", "P85")
def test_no_call_on_repeat_and_one_after_one_edit(bank: Shelf) -> None:
    count = len(bank.records["documents"])
    assert count > 300
    first = bank.ask(ALL, budget=BUDGET)
    assert (len(first), first.complete, first.usage.model_calls) == (count, True, count)
    assert set(outcomes(first)) == {"generated"}
    repeat = bank.ask(ALL, budget=BUDGET)
    assert (repeat.usage.model_calls, set(outcomes(repeat))) == (0, {"hit"})
    assert sorted(repeat.rows, key=str) == sorted(first.rows, key=str)
    chunk = bank.records["chunks"][count]
    bank.edit(chunk["id"], text=chunk["text"] + " The fee for this service was changed to four dollars.")
    edited = bank.ask(ALL, budget=BUDGET)
    assert edited.usage.model_calls == 1
    changed = {one.anchor.entity_id for one in edited.aggregates if one.anchor and one.outcome == "generated"}
    assert changed == {chunk["document"]}
    assert len(bank.committed()) == count
