"""The envelope: what an answer says, with where each fact comes from and what is not known."""

from __future__ import annotations

from lens_runtime.envelope.sealing import seal
from lens_runtime.envelope.shape import SCHEMA_VERSION, ContextEnvelope

__all__ = ["SCHEMA_VERSION", "ContextEnvelope", "seal"]
