"""Carries plans out: traverse, hydrate, match; worlds and their projection; adapters."""

from __future__ import annotations

from lens_runtime.assembly import open_session as open

__all__ = ["open"]
