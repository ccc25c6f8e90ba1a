"""A world as its folder declares it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lens_dsl.lens import Lens
from lens_dsl.ontology import Ontology
from lens_runtime.aggregation.producer import Producer, Role
from lens_runtime.worlds.modules import Module
from lens_runtime.worlds.policy import Policy


@dataclass(frozen=True, slots=True)
class World:
    """Everything a world's folder says, checked. ``modules`` stand in declared order.

    ``generator`` names a callable ``package.module:function`` that makes the module databases.
    """

    id: str
    title: str
    folder: Path
    ontology: Ontology
    modules: Mapping[str, Module]
    policy: Policy
    contexts: tuple[str, ...] = ("main",)
    open: bool = False
    tool: str | None = None
    generator: str | None = None
    producers: tuple[Producer, ...] = ()
    roles: Mapping[str, Role] = field(default_factory=dict)
    lenses: Mapping[str, Lens] = field(default_factory=dict)

    @property
    def tool_name(self) -> str:
        """What the one tool of its service is called: ``tool``, else ``<id>_context``."""
        return self.tool or f"{self.id.replace('-', '_')}_context"
