"""What is written for a world beside its graph: where it cannot be, the error says which path and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lens_dsl.errors import ConfigurationError


@contextmanager
def written(folder: Path) -> Iterator[None]:
    """Let no error of the file system out but as ConfigurationError (``CannotWrite``)."""
    try:
        yield
    except OSError as fault:
        raise ConfigurationError(
            "CannotWrite",
            f"{fault.filename or folder} cannot be written: {fault.strerror or fault}",
            hint="look at the permissions and the space there, or name another folder",
        ) from fault
