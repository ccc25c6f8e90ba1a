"""What we accept is openCypher, but for the extensions that docs/language.md names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, note, settings

from lens_dsl.errors import QueryError
from lens_dsl.parser import parse
from tests.conftest import ROOT
from tests.dsl.opencypher import extensions, faults, standard
from tests.dsl.strategies import whole_queries
from tests.share import is_full

EXTENSIONS = {
    "`OFFSET`": "MATCH (n) RETURN n OFFSET 3",
    "`:A|B` between labels": "MATCH (n:A|B) RETURN n",
    "map projection": "MATCH (n) RETURN n {.a, .*, b: 1}",
    "`=~`": "MATCH (n) WHERE n.a =~ 'x.*' RETURN n",
    "keywords as names": "MATCH (order:Order) RETURN order.end AS limit",
    "no space beside brackets": "MATCH (n) WHERE(n.a)IN[1] RETURN(n)",
}
MORE = settings(
    max_examples=1_000 if is_full() else 60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def test_what_the_grammar_rejects_is_an_extension_and_nothing_else(shared):
    checked = 0
    for text in [*written(), *conformance(shared)]:
        try:
            query = parse(text)
        except QueryError:
            continue
        found = faults(text)
        assert not found or extensions(text, query), f"{text}\n{found}"
        assert faults(standard(query)) == [], text
        checked += 1
    assert checked > (1_800 if is_full() else 250)


@MORE
@given(whole_queries)
def test_every_query_that_can_be_written_is_opencypher_without_its_extensions(query):
    text = standard(query)
    note(text)
    parse(text)
    assert faults(text) == []


@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_extension_is_named_on_the_page_and_is_one(name):
    page = (ROOT / "docs" / "language.md").read_text("utf-8")
    section = page.split("## Extensions of openCypher\n", 1)[1].split("\n## ", 1)[0]
    query = parse(EXTENSIONS[name])
    assert name in section
    assert faults(EXTENSIONS[name])
    assert extensions(EXTENSIONS[name], query) == {name}
    assert faults(standard(query)) == []


@pytest.mark.parametrize(
    "text", ["RETURN 1e+5", "RETURN --1", "RETURN +-x", "RETURN $06", "RETURN x²", "RETURN 1 AS x RETURN x"]
)
def test_what_opencypher_cannot_read_is_refused_here_too(text):
    assert faults(text)
    with pytest.raises(QueryError):
        parse(text)


def written() -> Iterator[str]:
    """The queries of the documentation, the notebooks and the worlds that ship."""
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        yield from re.findall(r"```cypher\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if source.startswith("%%lens"):
                yield source.split("\n", 1)[1]
    for lens in (ROOT / "lens_library").glob("**/*.lens"):
        yield lens.read_text("utf-8")


def conformance(shared: Path) -> list[str]:
    """The queries of the conformance cases, every sixth of them in a share; and of the reported faults."""
    lines = (shared / "cases" / "tck_read.jsonl").read_text("utf-8").splitlines()
    faulty = yaml.safe_load((shared / "cases" / "reported_faults.yml").read_text("utf-8"))
    cases = [json.loads(line)["query"] for line in lines[:: 1 if is_full() else 6]]
    return cases + [case["query"] for case in faulty if "query" in case]
