"""What a world declares, and the refusal of everything else (P10, P12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import Ontology, did_you_mean
from lens_runtime.projection.states import EdgeState, NodeState
from lens_runtime.scope import UNGUARDED


@dataclass(frozen=True, slots=True)
class Declared:
    """A world's vocabulary and policy, as far as the projection must hold to them.

    ``guarded`` gives, for each kind with a record rule, the field that guards it.
    """

    world: str
    ontology: Ontology
    classes: frozenset[str]
    guarded: Mapping[str, str] = field(default_factory=dict)
    contexts: tuple[str, ...] = ("main",)

    def check_node(self, module: str, state: NodeState) -> None:
        """ConfigurationError naming what this record has that is not declared."""
        at = state.coordinate
        if at.module != module:
            raise ConfigurationError(
                "WrongModule", f"{at}: module {module} may not speak for module {at.module}"
            )
        kind = self.ontology.kinds.get(at.entity_type)
        if kind is None and not self.ontology.open:
            raise ConfigurationError(
                "UnknownKind",
                f"{at}: kind {at.entity_type} is not declared",
                hint=did_you_mean(at.entity_type, self.ontology.kinds),
            )
        if kind is not None and kind.module != module:
            raise ConfigurationError("WrongModule", f"{at}: kind {kind.name} belongs to module {kind.module}")
        self._check_class(state.visibility, state)
        self._check_guard(state)

    def check_edge(self, module: str, state: EdgeState) -> None:
        """ConfigurationError naming what this relationship has that is not declared."""
        if state.provenance_module != module:
            raise ConfigurationError(
                "WrongModule",
                f"{state}: module {module} may not assert what module {state.provenance_module} asserts",
            )
        self._check_class(state.visibility, state)
        declared = self.ontology.relationships.get(state.type)
        if declared is None:
            if self.ontology.open:
                return
            raise ConfigurationError(
                "UnknownRelationship",
                f"{state}: relationship type {state.type} is not declared",
                hint=did_you_mean(state.type, self.ontology.relationships),
            )
        for end, kinds in ((state.source, declared.sources), (state.target, declared.targets)):
            if end.entity_type not in kinds:
                raise ConfigurationError(
                    "WrongKind",
                    f"{state}: {state.type} may not join a {end.entity_type} on this side",
                    hint="declared are: " + ", ".join(kinds),
                )

    def _check_class(self, visibility: str, state: NodeState | EdgeState) -> None:
        if visibility not in self.classes:
            raise ConfigurationError(
                "UnknownClass",
                f"{state}: visibility class {visibility} is not declared",
                hint=did_you_mean(visibility, self.classes),
            )

    def _check_guard(self, state: NodeState) -> None:
        field_name = self.guarded.get(state.coordinate.entity_type)
        if field_name is None:
            fits = state.guard == UNGUARDED
        else:
            fits = state.guard is None or state.guard.startswith(field_name + "=")
        if not fits:
            expected = f"{field_name}=value or None" if field_name else UNGUARDED
            raise ConfigurationError(
                "WrongGuard", f"{state.coordinate}: guard {state.guard!r}, expected {expected}"
            )
