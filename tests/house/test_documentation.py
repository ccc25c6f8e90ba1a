"""The documentation is true: commands parse, links lead somewhere, settings and errors are all there."""

from __future__ import annotations

import argparse
import inspect
import re
from itertools import chain
from pathlib import Path

import pytest
from pydantic_settings import BaseSettings

from tests.conformance.faults import CATEGORIES
from tests.house.codes import raised_codes, texts
from tests.house.markdown import commands, links, pages, rows
from tests.house.tree import PACKAGES, ROOT, named

DOTTED = re.compile(r"`(lens_(?:dsl|runtime|library|kernel)(?:\.\w+)+)`")
PATHS = re.compile(r"`((?:dsl|runtime|kernels|lens_library|tests|docs|notebooks)/[\w./-]+)`")
TARGET = re.compile(r"^([a-z][\w-]*):", re.MULTILINE)


def test_every_lens_command_is_one_the_parser_takes():
    from lens_kernel.cli import build_parser

    parser = build_parser()
    given = [(named(page), words) for page in pages() for words in commands(page) if words[0] == "lens"]
    assert any(page == "README.md" for page, _ in given)
    for page, words in given:
        assert parses(parser, words[1:]), f"{page}: {' '.join(words)}"


def parses(parser: argparse.ArgumentParser, arguments: list[str]) -> bool:
    """Whether a parser takes these arguments; asking for help counts."""
    try:
        parser.parse_args(arguments)
    except SystemExit as stopped:
        return not stopped.code
    return True


def test_every_make_command_is_a_target():
    targets = set(TARGET.findall((ROOT / "Makefile").read_text("utf-8")))
    given = {
        words[1] for page in pages() for words in commands(page) if words[0] == "make" and len(words) > 1
    }
    assert {"demo", "test"} <= given
    assert given - targets == set()


def test_every_link_leads_to_a_file():
    broken = [
        f"{named(page)} -> {target.name}" for page in pages() for target in links(page) if not target.exists()
    ]
    assert broken == []


def test_every_decision_stands_in_the_index():
    folder = ROOT / "docs" / "decisions"
    numbered = set(folder.glob("0*.md"))
    assert set(links(folder / "README.md")) >= numbered > set()


def test_every_module_that_a_page_names_exists():
    missing = {
        f"{named(page)}: {name}"
        for page in pages()
        for name in DOTTED.findall(page.read_text("utf-8"))
        if not exists(name)
    }
    assert missing == set()


def exists(dotted: str) -> bool:
    """Whether a dotted name is a module, or a name in one."""
    parts = dotted.split(".")
    module = PACKAGES[parts[0]].joinpath(*parts[1:])
    if module.is_dir() or module.with_suffix(".py").is_file():
        return True
    parent = module.parent / "__init__.py" if module.parent.is_dir() else module.parent.with_suffix(".py")
    return parent.is_file() and re.search(rf"\b{parts[-1]}\b", parent.read_text("utf-8")) is not None


def test_every_path_that_a_page_names_exists():
    missing = {
        f"{named(page)}: {name}"
        for page in pages()
        for name in PATHS.findall(page.read_text("utf-8"))
        if not (ROOT / name).exists()
    }
    assert missing == set()


def test_settings_and_their_documentation_are_the_same():
    from lens_runtime import settings

    classes = [
        value
        for _, value in inspect.getmembers(settings, inspect.isclass)
        if issubclass(value, BaseSettings) and value is not BaseSettings
    ]
    names = {
        f"{cls.model_config.get('env_prefix', '')}{field}".upper()
        for cls in classes
        for field in cls.model_fields
    }
    assert set(rows(ROOT / "docs" / "operations.md", "## Settings")) == names > set()


def test_every_code_that_is_raised_is_documented():
    documented = rows(ROOT / "docs" / "errors.md")
    assert raised_codes() - documented.keys() == set()


def test_every_documented_code_is_in_the_code():
    documented = rows(ROOT / "docs" / "errors.md")
    assert documented.keys() - texts() == set()


def test_every_code_that_a_category_of_the_faults_means_is_raised():
    assert {*chain.from_iterable(CATEGORIES.values())} - raised_codes() == set()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"])
def test_the_pages_a_newcomer_looks_for_have_a_title(page):
    assert Path(ROOT, page).read_text("utf-8").startswith("# ")
