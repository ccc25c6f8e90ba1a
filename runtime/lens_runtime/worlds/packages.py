"""Where an installed Python package keeps its files, found without importing it."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def package_folder(name: str) -> Path | None:
    """The folder of an installed top-level package; None where there is none of that name."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])
