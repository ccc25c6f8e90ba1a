"""Files and functions stay small enough to read in one sitting, and say by their name what they hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT
from tests.house.tree import PACKAGES, named, package_files

MAX_FILE = 300
MAX_FUNCTION = 40
VAGUE = {"utils", "util", "helpers", "misc", "common"}


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text("utf-8"))
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_package_has_code():
    empty = {name for name, root in PACKAGES.items() if not any(root.glob("**/*.py"))}
    assert empty == set()


def test_no_file_is_long():
    files = [*package_files(".py"), *(ROOT / "tests").glob("**/*.py"), *package_files(".mjs")]
    lengths = {named(path): len(path.read_text("utf-8").splitlines()) for path in files}
    assert {name: n for name, n in lengths.items() if n > MAX_FILE} == {}


def test_no_function_is_long():
    long = {
        f"{named(path)}:{function.lineno} {function.name}": length
        for path in package_files(".py")
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > MAX_FUNCTION
    }
    assert long == {}


def test_no_module_is_called_after_nothing():
    names = {named(path) for path in package_files() if VAGUE & {*path.parts, path.stem}}
    assert names == set()
