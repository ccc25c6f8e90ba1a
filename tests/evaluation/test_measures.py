"""Each figure on a world small enough to count by hand: t1 -asked_by-> p1 <-asked_by- t2; t9 is another team's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.evidence.auditing import Audit, audit
from lens_runtime.evidence.cases import Case, ExpectedUnknown
from lens_runtime.evidence.measuring import Evaluation, evaluate
from lens_runtime.evidence.report import Figures, figures, percentile, report
from lens_runtime.graph import Coordinate
from tests.lenses.shop import Shop

T1, T2, T9, P1, P2, P9 = (
    Coordinate.parse(text)
    for text in (
        "desk:Ticket:t1", "desk:Ticket:t2", "desk:Ticket:t9", "people:Person:p1", "people:Person:p2",
        "people:Person:p9",
    )
)  # fmt: skip


def case(subject: Coordinate = T1, **more: Any) -> Case:
    return Case(id=more.pop("id", "one"), subject=subject, actor="ana", **more)


def measured(shop: Shop, *cases: Case, max_nodes: int | None = None) -> dict[str, Figures]:
    return figures(evaluated(shop, cases, max_nodes))


def evaluated(shop: Shop, cases: Sequence[Case], max_nodes: int | None = None) -> Evaluation:
    return evaluate("work", cases, lambda actor, context: shop.session(), max_nodes)


@pytest.fixture
def built(shop: Shop) -> Shop:
    shop.build()
    return shop


def test_completeness_counts_needed_records_that_are_facts(built: Shop) -> None:
    """Of t1, p1 and t2 the lens gives t1 and p1, a call of the desk t1, the neighbourhood all."""
    found = measured(built, case(needed=(T1, P1, T2)), case(P1, needed=(P1, T1), id="two"))
    assert {name: (f.completeness, f.complete_cases) for name, f in found.items()} == {
        "lens": (4 / 5, 1),
        "workspace": (2 / 5, 0),
        "neighbourhood": (1.0, 2),
    }
    assert {f.cases for f in found.values()} == {2}


def test_a_workspace_is_the_subject_and_its_neighbours_of_the_same_module(built: Shop) -> None:
    built.ticket(0)["after"] = ["t2"]
    built.build()
    (score,) = evaluated(built, [case(needed=(T1, T2, P1))]).scores["workspace"]
    assert score.absent == (P1,)


def test_a_neighbourhood_stops_at_the_same_ceiling_as_the_lens(built: Shop) -> None:
    whole = evaluated(built, [case(needed=(T1, P1, T2))])
    cut = evaluated(built, [case(needed=(T1, P1, T2))], max_nodes=2)
    assert (whole.scores["neighbourhood"][0].facts, cut.scores["neighbourhood"][0].facts) == (3, 2)
    assert (whole.max_nodes, cut.max_nodes) == (12, 2)
    assert cut.scores["neighbourhood"][0].absent == (T2,)


def test_tokens_are_a_quarter_of_the_envelopes_characters(built: Shop) -> None:
    evaluation = evaluated(built, [case()])
    with built.session() as session:
        told = session.context("work", str(T1)).model_dump_json()
    found = figures(evaluation)
    assert found["lens"].tokens == -(-len(told) // 4)
    (everything,) = evaluation.everything_tokens
    assert found["lens"].tokens_of_everything == found["lens"].tokens / everything


def test_source_reads_are_calls_of_readers(built: Shop) -> None:
    """The workspace reads one ticket and has nothing to confirm: one call to resolve it, one for the walk."""
    built.people["people"].clear()
    built.desk["tickets"] = [{**built.ticket(0), "person": None}]
    built.build()
    assert measured(built, case())["workspace"].source_reads == 2


def test_latencies_are_percentiles() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 50) == 2.0
    assert percentile([float(n) for n in range(1, 101)], 95) == 95.0
    assert percentile([7.0], 95) == 7.0


def test_unknown_honesty_is_the_share_of_expected_unknowns_that_are_named(built: Shop) -> None:
    expected = (
        ExpectedUnknown("not_found_or_not_visible"),
        ExpectedUnknown("not_found_or_not_visible", T9),
        ExpectedUnknown("not_found_or_not_visible", T1),
        ExpectedUnknown("budget"),
    )
    assert measured(built, case(T9, unknowns=expected))["lens"].unknown_honesty == 2 / 4
    assert measured(built, case())["lens"].unknown_honesty is None


def test_an_unknown_may_go_by_the_code_of_the_lenss_expectation(built: Shop) -> None:
    built.ticket(0)["person"] = None
    built.build()
    honest = case(unknowns=(ExpectedUnknown("nobody_asked", T1), ExpectedUnknown("expected_but_absent")))
    assert measured(built, honest)["lens"].unknown_honesty == 1.0


def test_next_actions_have_precision_and_recall(built: Shop) -> None:
    """t1 is open, so the lens offers to close it; p1 has no state, so it offers nothing."""
    right = case(actions=("desk.close", "desk.assign"))
    none = case(P1, id="two", actions=("desk.close",))
    unjudged = case(T2, id="three")
    found = measured(built, right, none, unjudged)["lens"]
    assert (found.action_precision, found.action_recall) == (1.0, 1 / 3)
    wrong = measured(built, case(actions=()))["lens"]
    assert (wrong.action_precision, wrong.action_recall) == (0.0, None)


def test_a_forbidden_record_is_a_failure_wherever_it_is_told(built: Shop) -> None:
    found = evaluated(built, [case(forbidden=(P1, T9))])
    assert found.scores["lens"][0].audit.leaked == (P1,)
    assert figures(found)["lens"].authorization_failures == 1
    assert measured(built, case(T9, forbidden=(T9,)))["lens"].authorization_failures == 0


def looked_over(shop: Shop, *forbidden: Coordinate, moved: Any = None) -> Audit:
    """The envelope about t1, audited after ``moved`` changed the modules."""
    with shop.session() as session:
        envelope = session.context("work", str(T1))
        if moved is not None:
            moved()
            shop.write()
    with shop.session() as session:
        return audit(envelope, forbidden, session.engine, MonotonicDeadline.after(10))


def test_a_fact_that_its_module_denies_is_an_authorization_failure(built: Shop) -> None:
    assert looked_over(built) == Audit((), ())
    denied = looked_over(built, moved=lambda: built.people["people"][0].update({"class": "secret"}))
    assert denied == Audit((P1,), ())


def test_a_fact_that_its_module_has_changed_or_lost_is_stale_shown_as_fresh(built: Shop) -> None:
    assert looked_over(built, moved=lambda: built.ticket(0).update(state="closed")).stale_as_fresh == (T1,)
    assert looked_over(built, moved=lambda: built.people["people"].pop(0)).stale_as_fresh == (P1,)


def test_a_fact_that_says_it_is_stale_is_not_shown_as_fresh(built: Shop) -> None:
    with built.session() as session:
        envelope = session.context("work", str(T1))
    marked = envelope.model_copy(
        update={"facts": tuple(fact.model_copy(update={"stale": True}) for fact in envelope.facts)}
    )
    built.ticket(0)["state"] = "closed"
    built.write()
    with built.session() as session:
        assert audit(marked, (), session.engine, MonotonicDeadline.after(10)).stale_as_fresh == ()


@pytest.mark.promise("P51")
def test_baselines_go_through_the_same_authorization(built: Shop) -> None:
    """t9 is of another team, p9 of a class that ana does not read: neither comes out of any of them."""
    built.desk["mentions"] = [{"ticket": "t1", "person": "p9"}]
    built.build()
    evaluation = evaluated(built, [case(forbidden=(T9, P9)), case(P1, forbidden=(T9, P9), id="two")])
    assert {f.authorization_failures for f in figures(evaluation).values()} == {0}


def test_a_baseline_drops_what_hangs_on_a_relationship_that_is_gone(built: Shop) -> None:
    built.ticket(0)["person"] = None
    built.write()
    (score,) = evaluated(built, [case(needed=(T1, P1))]).scores["neighbourhood"]
    assert (score.facts, score.absent) == (1, (P1,))


@pytest.mark.promise("P65", "P66")
def test_a_report_holds_the_figures_of_all_three_and_what_each_case_came_to(built: Shop) -> None:
    told = json.loads(json.dumps(report(evaluated(built, [case(needed=(T1, P2))]))))
    assert list(told["figures"]) == ["lens", "workspace", "neighbourhood"]
    assert told["figures"]["lens"].keys() >= {
        "completeness", "complete_cases", "tokens", "latency_p50_ms", "latency_p95_ms", "source_reads",
        "stale_as_fresh", "authorization_failures", "unknown_honesty",
    }  # fmt: skip
    (one,) = told["cases"]
    assert (one["id"], one["lens"]["absent"]) == ("one", [str(P2)])


def test_the_order_of_cases_changes_no_figure(built: Shop) -> None:
    cases = [case(needed=(T1, T2)), case(P1, needed=(T1,), id="two")]

    def still(found: dict[str, Figures]) -> list[Figures]:
        return [replace(each, latency_p50_ms=0, latency_p95_ms=0) for each in found.values()]

    assert still(measured(built, *cases)) == still(measured(built, *reversed(cases)))
