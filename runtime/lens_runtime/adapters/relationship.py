"""A relationship mapping made ready: from a raw record to a relationship and the record that asserts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_runtime.adapters.mapping import (
    Expression,
    Row,
    content_hash,
    expression,
    identifier,
    language_value,
    moment,
)
from lens_runtime.adapters.record import Stamp
from lens_runtime.graph import Coordinate
from lens_runtime.projection.states import EdgeState
from lens_runtime.worlds.modules import RelationshipMapping


@dataclass(frozen=True, slots=True)
class RelationshipReader:
    """Reads relationships of one type; MappingFault or TemplateFault where a raw record does not fit."""

    module: str
    type: RelationshipType
    mapping: RelationshipMapping
    source_kind: Kind
    target_kind: Kind
    _source: Expression
    _target: Expression
    _observed_at: Expression | None
    _fields: Mapping[str, Expression]

    @classmethod
    def of(cls, module: str, ontology: Ontology, mapping: RelationshipMapping) -> RelationshipReader:
        """The reader of a mapping; TemplateFault where a template does not compile."""
        columns = mapping.rows.each is None
        declared = ontology.relationships[mapping.type]
        return cls(
            module,
            declared,
            mapping,
            ontology.kinds[mapping.source_kind],
            ontology.kinds[mapping.target_kind],
            expression(mapping.source, columns=columns),
            expression(mapping.target, columns=columns),
            expression(mapping.observed_at, columns=columns) if mapping.observed_at is not None else None,
            {
                name: expression(mapping.fields.get(name, name), columns=columns)
                for name in declared.properties
            },
        )

    @property
    def asserting_kind(self) -> str:
        """The kind whose record asserts the relationship: the source if it is the module's own, else the target."""
        own = self.source_kind.module == self.module
        return self.source_kind.name if own else self.target_kind.name

    @property
    def asserting_end(self) -> str:
        """The column or path that names the record which asserts the relationship."""
        own = self.source_kind.module == self.module
        return self.mapping.source if own else self.mapping.target

    def ends(self, row: Row) -> tuple[str | None, str | None]:
        """The ids of the source and the target that a raw record names."""
        return identifier(self._source(row)), identifier(self._target(row))

    def edge(self, row: Row, stamps: Mapping[tuple[str, str], Stamp], context: str) -> EdgeState | None:
        """The relationship, with the stamp of the record that asserts it; None where either end is null.

        Where that record is not there any more, the revision is the raw record's hash, in this context.
        """
        source, target = self.ends(row)
        if source is None or target is None:
            return None
        asserting = source if self.asserting_kind == self.source_kind.name else target
        stamp = stamps.get((self.asserting_kind, asserting)) or Stamp(content_hash(row.value), context, None)
        observed = stamp.observed_at
        if self._observed_at is not None:
            observed = moment(self._observed_at(row), self.mapping.observed_at or "")
        return EdgeState(
            type=self.type.name,
            source=Coordinate(self.source_kind.module, self.source_kind.name, source),
            target=Coordinate(self.target_kind.module, self.target_kind.name, target),
            visibility=self.type.visibility,
            provenance_module=self.module,
            provenance_entity_id=asserting,
            provenance_revision=stamp.revision,
            context=stamp.context,
            observed_at=observed,
            properties={name: language_value(take(row), name) for name, take in self._fields.items()},
        )
