"""The feature table of docs/language.md: every row is what happens, and every refusal of the code is in a row."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import QueryError
from lens_dsl.ontology import Ontology
from lens_dsl.parser import parse
from lens_dsl.parsing import refusals
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from tests.dsl.opencypher import faults
from tests.house.tree import PACKAGES, ROOT

OPEN = Ontology(open=True)
REFUSED = ("UnsupportedFeature", "ReadOnly")
NOT_YET = "not evaluated in this version"


def table() -> list[tuple[str, ...]]:
    """The rows: construct, example, openCypher 9, Neo4j 5, here."""
    page = (ROOT / "docs" / "language.md").read_text("utf-8")
    section = page.split("## Against openCypher 9 and Neo4j 5\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][2:]
    return [
        tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        for line in lines
    ]


ROWS = table()


def refusal(text: str) -> QueryError | None:
    try:
        plan_query(validate(parse(text), OPEN, text), OPEN, Budget(allow_scan=True))
    except QueryError as error:
        return error
    return None


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_row_says_what_happens(row):
    _, example, standard, neo4j, here = row
    text = example.strip("`")
    error = refusal(text)
    assert (standard, neo4j) in {(a, b) for a in ("yes", "no") for b in ("yes", "no")}
    assert (faults(text) == []) == (standard == "yes")
    if error is None:
        assert here == "yes"
    elif here == "not yet":
        assert NOT_YET in error.message
    else:
        assert here == f"`{error.code}`"
        assert NOT_YET not in error.message
        assert error.span is not None
        assert error.hint


def test_every_refusal_of_the_code_is_in_a_row():
    said = [error.message for row in ROWS if (error := refusal(row[1].strip("`")))]
    missing = {
        pattern for pattern in messages() if not any(re.fullmatch(pattern, message) for message in said)
    }
    assert missing == set()


def test_every_word_that_is_refused_is_in_a_row():
    said = " ".join(error.message.upper() for row in ROWS if (error := refusal(row[1].strip("`"))))
    words = {*refusals.WRITE_CLAUSES, *refusals._CLAUSES, *refusals._SUBQUERIES}
    assert {word for word in words if not re.search(rf"\b{word}\b", said)} == set()


def messages() -> Iterator[str]:
    """The messages of UnsupportedFeature in the source of the language, as patterns."""
    for path in sorted(PACKAGES["lens_dsl"].glob("**/*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        takers = {"UnsupportedFeature": 1, **dict.fromkeys(_wrappers(tree), 0)}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", "")
            if name in takers and len(call.args) > takers[name] and _is_refusal(call, name):
                pattern = _pattern(call.args[takers[name]])
                if pattern.strip(".*"):
                    yield pattern


def _wrappers(tree: ast.AST) -> Iterator[str]:
    """Functions of a file that make an UnsupportedFeature of the message they are given first."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and [each.arg for each in node.args.args][:1] == ["message"]:
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            yield from [node.name] if "UnsupportedFeature" in names else []


def _is_refusal(call: ast.Call, name: str) -> bool:
    code = call.args[0]
    return name != "UnsupportedFeature" or (isinstance(code, ast.Constant) and code.value in REFUSED)


def _pattern(message: ast.expr) -> str:
    if isinstance(message, ast.Constant):
        return re.escape(str(message.value))
    if isinstance(message, ast.JoinedStr):
        return "".join(_pattern(part) for part in message.values)
    return ".*"
