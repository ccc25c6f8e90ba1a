"""A new world: an example that works at once, or a copy of a packaged world to change."""

from __future__ import annotations

import shutil
from pathlib import Path

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.address import packaged_worlds

STARTER = Path(__file__).parent / "starter"
_COPIED = ("*.yml", "*.csv", "*.json", "*.lens", "*.md")


def new_world(target: Path, example: str | None = None) -> Path:
    """Make the folder ``target``: the commented starter, or the data files of a packaged world.

    Raises ConfigurationError: ``FolderNotEmpty``, or ``UnknownWorld`` for an example there is not.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ConfigurationError(
            "FolderNotEmpty",
            f"{target} exists and is not an empty folder",
            hint="name a folder that is not there",
        )
    source = STARTER if example is None else _packaged(example)
    for pattern in _COPIED:
        for file in sorted(source.rglob(pattern)):
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    return target


def _packaged(name: str) -> Path:
    packaged = packaged_worlds()
    if name not in packaged:
        raise ConfigurationError(
            "UnknownWorld", f"there is no packaged world {name!r}", hint=did_you_mean(name, packaged)
        )
    return packaged[name]
