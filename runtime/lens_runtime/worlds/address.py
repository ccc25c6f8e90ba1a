"""Where a world is, and where its databases are: never in its own folder."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_runtime.settings import Settings
from lens_runtime.worlds.folder import WORLD_FILE
from lens_runtime.worlds.world import World

GROUP = "lensmith.worlds"


@dataclass(frozen=True, slots=True)
class Place:
    """What is kept for one world on this machine: its graph, and the databases that its generator made."""

    folder: Path

    @property
    def graph(self) -> Path:
        """The file of the embedded store."""
        return self.folder / "graph.db"

    @property
    def modules(self) -> Path:
        """The folder of generated module databases."""
        return self.folder / "modules"


def place_of(world: World, settings: Settings) -> Place:
    """The place of a world, told apart from others of the same id by where its folder is."""
    path = str(world.folder.resolve()).encode()
    return Place(settings.home / "worlds" / f"{world.id}-{hashlib.sha256(path).hexdigest()[:8]}")


def find_world(argument: str, settings: Settings) -> Path:
    """The folder a WORLD argument means: a path if it holds a ``/`` or names a folder with a ``world.yml``,
    else a name in ``./worlds``, in ``LENS_WORLDS``, or among the packaged worlds.

    Raises ConfigurationError (``UnknownWorld``) that names where it was looked for.
    """
    path = Path(argument).expanduser()
    if (path / WORLD_FILE).is_file():
        return path
    if "/" in argument or os.sep in argument:
        raise ConfigurationError(
            "UnknownWorld",
            f"there is no world in {argument}: no {WORLD_FILE}",
            hint=_way_out(path, argument),
        )
    for folder in (Path("worlds"), *settings.world_folders):
        if (folder / argument / WORLD_FILE).is_file():
            return folder / argument
    packaged = packaged_worlds()
    if argument in packaged:
        return packaged[argument]
    raise ConfigurationError(
        "UnknownWorld",
        f"there is no world {argument!r} in ./worlds, in LENS_WORLDS or among the packaged ones",
        hint=_way_out(path, argument) if argument and path.exists() else did_you_mean(argument, packaged),
    )


def _way_out(path: Path, argument: str) -> str:
    if path.is_file():
        return f"it is a file: name the folder that holds {WORLD_FILE}"
    if path.is_dir() and any(path.iterdir()):
        return f"the folder has other files: add {WORLD_FILE} to it, with at least an id and a title"
    return f"lens world new {shlex.quote(argument)}"


def packaged_worlds() -> Mapping[str, Path]:
    """The worlds that installed packages bring, by name: entry points of ``lensmith.worlds``."""
    found: dict[str, Path] = {}
    for entry in entry_points(group=GROUP):
        spec = importlib.util.find_spec(entry.value)
        if spec is None or not spec.submodule_search_locations:
            raise ConfigurationError(
                "BrokenPackage",
                f"the packaged world {entry.name!r} is not there: {entry.value} is no package",
            )
        found[entry.name] = Path(spec.submodule_search_locations[0])
    return found
