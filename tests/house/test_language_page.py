"""docs/language.md and the language say the same."""

from __future__ import annotations

import re

import pytest

from lens_dsl.budget import LARGEST, Budget
from lens_dsl.functions import FUNCTIONS
from lens_dsl.parser import parse
from lens_dsl.parsing import limits
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_runtime.worlds.address import packaged_worlds
from lens_runtime.worlds.folder import load_world
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```cypher\n(.*?)```", PAGE, re.DOTALL)


def _section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_function_is_on_the_page_and_no_other() -> None:
    first_cells = [
        line.split("|")[1] for line in _section("Functions").splitlines() if line.startswith("| `")
    ]
    shown = {name.lower() for cell in first_cells for name in re.findall(r"`([\w.]+)\(", cell)}
    assert shown == set(FUNCTIONS)


def test_every_ceiling_is_on_the_page() -> None:
    shown = set(
        re.findall(r"\w+", " ".join(re.findall(r"^\| ([\w, ]+) \|", _section("Bounded"), re.MULTILINE)))
    )
    assert set(LARGEST) <= shown


def test_the_bounds_of_a_text_are_on_the_page() -> None:
    bounds = (
        limits.MAX_CHARACTERS,
        limits.MAX_TOKENS,
        limits.MAX_DEPTH,
        limits.MAX_CLAUSES,
        limits.MAX_ELEMENTS,
    )
    shown = re.findall(r"^\| [^|]+ \| ([0-9,]+) \|$", _section("Bounded"), re.MULTILINE)
    assert shown == [f"{bound:,}" for bound in bounds]


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_is_a_query_of_the_demo_world(text: str) -> None:
    ontology = load_world(packaged_worlds()["able"]).ontology
    assert plan_query(validate(parse(text), ontology, text), ontology, Budget()).stages
