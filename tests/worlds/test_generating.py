"""Making a world's databases: whole or not at all, and by one build at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError, StoreError
from lens_runtime.worlds.address import packaged_worlds
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Kept, kept

BUILD = """
import sys
from lens_dsl.errors import LensError
from lens_runtime.assembly import build
try:
    build("able")
except LensError as error:
    sys.exit(error.code)
"""


@pytest.fixture
def able(tmp_path: Path) -> Kept:
    return kept(load_world(packaged_worlds()["able"]), tmp_path / "kept")


def test_two_builds_at_once_do_not_meet_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LENS_HOME", str(tmp_path))
    running = [
        subprocess.Popen([sys.executable, "-c", BUILD], stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    told = [(process.communicate(timeout=60)[1].strip(), process.returncode) for process in running]
    assert ("", 0) in told
    assert set(told) <= {("", 0), ("StoreBusy", 1)}
    assert list(tmp_path.rglob("modules.making")) == []
    assert len(list(tmp_path.rglob("helpdesk.db"))) == 1


def test_nothing_is_made_without_the_writers_turn(able, monkeypatch):
    def refuse() -> None:
        raise StoreError("StoreBusy", "another process writes")

    monkeypatch.setattr(able.store, "writing", refuse)
    with pytest.raises(StoreError, match="StoreBusy"):
        able.build()
    assert not able.place.folder.exists()
    able.store.close()


def test_a_generator_that_fails_leaves_no_folder(able, monkeypatch):
    def fail(folder: Path, size: str) -> None:
        (folder / "half.db").write_text("half", encoding="utf-8")
        raise OSError(28, "No space left on device", str(folder / "half.db"))

    monkeypatch.setattr("lens_library.able.generator.generate", fail)
    with pytest.raises(ConfigurationError, match=r"half\.db cannot be written: No space left") as caught:
        able.build()
    assert caught.value.code == "CannotWrite"
    assert not (able.place.folder / "modules.making").exists()
    assert not able.place.modules.exists()
    able.store.close()


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(able):
    able.place.folder.mkdir(parents=True)
    (able.place.folder / "modules.making").write_text("in the way", encoding="utf-8")
    with pytest.raises(
        ConfigurationError, match=r"CannotWrite: .*modules\.making cannot be written: File exists"
    ):
        able.build()
    able.store.close()


def test_a_damaged_note_makes_the_databases_again(able):
    able.build()
    (able.place.modules / "made.json").write_text("{", encoding="utf-8")
    (able.place.modules / "helpdesk.db").unlink()
    able.build()
    assert (able.place.modules / "helpdesk.db").is_file()
    able.store.close()
