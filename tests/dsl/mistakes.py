"""Usual mistakes and what is said about them: ``mistakes.txt``; ``python -m tests.dsl.mistakes`` writes it anew."""

from __future__ import annotations

from pathlib import Path

from lens_dsl.budget import Budget
from lens_dsl.errors import QueryError
from lens_dsl.ontology import Ontology
from lens_dsl.plan import Plan
from lens_runtime.parameters import check_parameters
from lens_runtime.plans import PlanCache
from lens_runtime.worlds.address import packaged_worlds
from lens_runtime.worlds.folder import load_world

FILE = Path(__file__).with_name("mistakes.txt")
BETWEEN, ANSWER = "\n\n----\n", "\n=>\n"


def read() -> list[tuple[str, str]]:
    """The queries of the file, each with what is said about it."""
    blocks = FILE.read_text("utf-8").removeprefix("----\n").rstrip("\n").split(BETWEEN)
    return [(query, said) for query, _, said in (block.partition(ANSWER) for block in blocks)]


def ontology() -> Ontology:
    """The vocabulary of the demo world."""
    return load_world(packaged_worlds()["able"]).ontology


def planned(text: str, vocabulary: Ontology) -> Plan | QueryError:
    """The plan of a query that is given no parameters, or why there is none."""
    try:
        plan = PlanCache().plan(text, vocabulary, Budget())
        check_parameters(plan.parameters, {})
    except QueryError as error:
        error.text = error.text or text
        return error
    return plan


def said(outcome: Plan | QueryError) -> str:
    """What a user is told: the type and phase of an error and its text, or the warnings of a plan."""
    if isinstance(outcome, QueryError):
        return f"{outcome.type} at {outcome.phase}\n{outcome}"
    return "\n".join(f"warning: {warning}" for warning in outcome.warnings)


def written(queries: list[str]) -> str:
    """The text of the file for these queries."""
    vocabulary = ontology()
    blocks = (f"{query}{ANSWER}{said(planned(query, vocabulary))}" for query in queries)
    return "----\n" + BETWEEN.join(blocks) + "\n"


if __name__ == "__main__":
    FILE.write_text(written([query for query, _ in read()]), encoding="utf-8")
