"""A new world: an example that works at once, or a copy of a packaged world to change."""

from __future__ import annotations

import shutil
from pathlib import Path

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.address import packaged_worlds
from lens_runtime.worlds.writing import written

STARTER = Path(__file__).parent / "starter"
_COPIED = ("*.yml", "*.csv", "*.json", "*.lens", "*.md")


def new_world(target: Path | str, example: str | None = None) -> Path:
    """Make the folder ``target``: the commented starter, or the data files of a packaged world.

    Raises ConfigurationError: ``NoFolder`` for an empty text, ``FolderNotEmpty``, ``CannotWrite``, or
    ``UnknownWorld`` for an example there is not.
    """
    if not str(target).strip():
        raise ConfigurationError(
            "NoFolder", "the new world's folder has no name", hint="lens world new myworld"
        )
    folder = Path(target)
    source = STARTER if example is None else _packaged(example)
    with written(folder):
        _check_free(folder)
        for pattern in _COPIED:
            for file in sorted(source.rglob(pattern)):
                copy = folder / file.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
    return folder


def _check_free(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(
            "NoFolder", f"{folder} is a file, not a folder", hint="name a folder that is not there"
        )
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigurationError(
            "FolderNotEmpty",
            f"{folder} exists and is not an empty folder",
            hint="name a folder that is not there",
        )


def _packaged(name: str) -> Path:
    packaged = packaged_worlds()
    if name not in packaged:
        raise ConfigurationError(
            "UnknownWorld", f"there is no packaged world {name!r}", hint=did_you_mean(name, packaged)
        )
    return packaged[name]
