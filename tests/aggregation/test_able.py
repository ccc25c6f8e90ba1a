"""The demo world's summaries, through the assembly and the built-in reducer, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lens_dsl.explain import explain
from lens_kernel.notes import notes
from lens_kernel.plans import plan_text
from lens_runtime.assembly import build, open_session
from lens_runtime.result import Result
from lens_runtime.settings import Settings
from tests.aggregation.shelf import outcomes

DOCUMENTS = "MATCH (d:Document {form: 'handbook'}) RETURN d.uri ORDER BY d.uri LIMIT 1"
SUMMARY = "MATCH (d:Document {uri: $uri})-[:HAS_SUMMARY]->(s:Summary) RETURN s.summary, s.band"

Ask = Callable[..., Result]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Asks the built demo world as its first actor, each time in a session of its own."""
    settings = Settings(home=tmp_path_factory.mktemp("able"))
    build("able", settings=settings)

    def asked(text: str, **parameters: object) -> Result:
        with open_session("able", settings=settings) as session:
            return session.query(text, parameters)

    return asked


@pytest.fixture(scope="module")
def uri(ask: Ask) -> str:
    """A handbook's."""
    return str(ask(DOCUMENTS).rows[0][0])


@pytest.mark.promise("P71", "P72", "P82")
def test_a_summary_is_made_once(ask: Ask, uri: str) -> None:
    first, second = ask(SUMMARY, uri=uri), ask(SUMMARY, uri=uri)
    assert (outcomes(first), outcomes(second)) == (["generated"], ["hit"])
    assert (first.usage.model_calls, second.usage.model_calls) == (1, 0)
    assert first.rows == second.rows
    assert len(str(first.rows[0][0]).split()) > 20
    assert first.aggregates[0].made is not None
    assert first.aggregates[0].made.model.startswith("lede ")


def test_the_profile_lists_what_became_of_each_leaf(ask: Ask, uri: str) -> None:
    ask(SUMMARY, uri=uri)
    result = ask(SUMMARY, uri=uri)
    shown = plan_text(explain(result.plan, result.ontology), result.usage, result.aggregates).splitlines()
    place = shown.index("aggregates")
    assert shown[place + 1].split()[:2] == ["hit", "docSummary"]
    assert "0 calls" in shown[place + 1]
    assert any(line.split()[:3] == ["model", "calls", "0"] for line in shown)
    assert any(line.strip().startswith("Produce ") for line in shown)


def test_a_leaf_that_is_null_says_why(ask: Ask, uri: str) -> None:
    text = SUMMARY.replace("[:HAS_SUMMARY]", "[:HAS_SUMMARY {ai: {hint: 'zeppelins'}}]")
    result = ask(text, uri=uri)
    assert result.rows == ((None, None),)
    assert any("does not hold the answer" in note for note in notes(result))
