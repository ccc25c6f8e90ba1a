"""Functions that a world's files name as ``package.module:function``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from lens_dsl.errors import ConfigurationError


def imported(name: str, code: str, what: str) -> Callable[..., Any]:
    """The function of that name; ConfigurationError with this code where it cannot be imported."""
    module, _, function = name.partition(":")
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as fault:
        raise ConfigurationError(
            code,
            f"{what} {name} cannot be imported: {fault}",
            hint="install the package it comes from",
        ) from fault
    return found
