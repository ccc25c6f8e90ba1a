"""The examples of docs/language.md, each run in a session on the demo world."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from lens_dsl.functions import FUNCTIONS
from lens_runtime.assembly import build, open_session
from lens_runtime.encoding import Encoder
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from tests.conftest import ROOT
from tests.house.markdown import FENCE

PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")


class Example(NamedTuple):
    """``before`` is the part of a query that an expression of this section stands behind."""

    before: str
    shown: str
    expression: str
    result: str


def examples() -> Iterator[Example]:
    functions = PAGE.split("## Functions\n", 1)[1].split("\n## ", 1)[0]
    for section in functions.split("\n### ")[1:]:
        fence = FENCE.search(section)
        before = fence["body"].split("RETURN")[0] if fence else ""
        for line in section.splitlines():
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if len(cells) == 4 and cells[0].startswith("`"):
                shown, _, expression, result = (cell.replace("\\|", "|") for cell in cells)
                yield Example(before, shown, expression.strip("`"), result.strip("`"))


EXAMPLES = list(examples())


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    build("able", settings=settings)
    with open_session("able", settings=settings) as opened:
        yield opened


def test_every_function_has_an_example_that_calls_it() -> None:
    called = {
        name.lower()
        for example in EXAMPLES
        for name in re.findall(r"([\w.]+)\(", example.shown)
        if f"{name.lower()}(" in example.expression.lower()
    }
    assert called == set(FUNCTIONS)


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.expression for example in EXAMPLES])
def test_an_example_gives_what_the_page_says(session: Session, example: Example) -> None:
    assert value(session, f"{example.before} RETURN {example.expression} AS x") == value(
        session, f"RETURN {example.result} AS x"
    )


def value(session: Session, text: str) -> str:
    """The one value of a query as JSON, in which 1 and 1.0 differ."""
    result = session.query(text)
    assert result.complete
    ((found,),) = result.rows
    return json.dumps(Encoder(result.ends).encode(found))
