"""The demo world, built once; a starter world with hostile names; the command line as a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import lens_runtime
from lens_kernel.cli import main
from lens_runtime.assembly import build
from lens_runtime.session import Session
from lens_runtime.settings import Settings
from lens_runtime.worlds.new import new_world

NOW = "2026-07-01T12:00:00Z"
HOSTILE = "<img src=x onerror=alert(1)>\x1b[2J\u202egnp.exe\u200b|=1+1"


@dataclass(frozen=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str


Lens = Callable[..., Ran]


@pytest.fixture(scope="session")
def able_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LENS_HOME in which able is built. Tests that write take one of their own."""
    home = tmp_path_factory.mktemp("home")
    build("able", settings=Settings(home=home))
    return home


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, able_home: Path) -> None:
    monkeypatch.setenv("LENS_HOME", str(able_home))
    monkeypatch.setenv("LENS_NOW", NOW)


@pytest.fixture
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty LENS_HOME for one test."""
    monkeypatch.setenv("LENS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def lens(capsys: pytest.CaptureFixture[str]) -> Lens:
    """Run a command in this process."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def ana() -> Iterator[Session]:
    with lens_runtime.open("able", actor="agent:ana") as session:
        yield session


@pytest.fixture
def hostile(own_home: Path, tmp_path: Path) -> Path:
    """A built world in which a book's title tries everything."""
    folder = new_world(tmp_path / "library")
    row = '"{}",archive,internal\n'.format(HOSTILE.replace('"', '""'))
    with (folder / "data" / "books.csv").open("a", encoding="utf-8") as books:
        books.write("evil," + row)
    build(str(folder))
    return folder
