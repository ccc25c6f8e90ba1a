"""Removing what was built: files that the product writes, by their names, and nothing else."""

from __future__ import annotations

import re
import shutil

from lens_runtime.settings import Settings
from lens_runtime.worlds.address import Place

_PLACE = re.compile(r".+-[0-9a-f]{8}")
_GRAPH = ("graph.db", "graph.db-wal", "graph.db-shm", "graph.db-journal")
_LOCK = ("graph.db.writer", "graph.db.writer-journal", "graph.db.writer.json")
_GENERATED = ("modules", "modules.making")


def built_places(settings: Settings) -> tuple[Place, ...]:
    """Where worlds were built on this machine, by name: folders of the product's naming that hold its files."""
    worlds = settings.home / "worlds"
    if not worlds.is_dir():
        return ()
    folders = (
        f for f in sorted(worlds.iterdir()) if _PLACE.fullmatch(f.name) and f.is_dir() and not f.is_symlink()
    )
    return tuple(
        Place(f) for f in folders if any((f / name).exists() for name in (*_GRAPH, *_LOCK, *_GENERATED))
    )


def remove_graph(place: Place) -> None:
    """Remove a place's graph and the databases that its generator made; a link to elsewhere is left alone."""
    for name in _GRAPH:
        (place.folder / name).unlink(missing_ok=True)
    for name in _GENERATED:
        folder = place.folder / name
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)


def remove_lock(place: Place) -> bool:
    """Remove the writer's lock, then the folder if nothing is left in it; whether it is gone."""
    for name in _LOCK:
        (place.folder / name).unlink(missing_ok=True)
    if any(place.folder.iterdir()):
        return False
    place.folder.rmdir()
    return True
