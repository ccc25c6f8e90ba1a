"""A record mapping made ready: from a raw record to a kind's declared fields, label and visibility."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lens_dsl.ontology import Kind
from lens_runtime.adapters.mapping import (
    Expression,
    MappingFault,
    Row,
    content_hash,
    cut,
    expression,
    identifier,
    language_value,
    moment,
    template,
)
from lens_runtime.ports import Clock
from lens_runtime.worlds.callables import imported
from lens_runtime.worlds.modules import RecordMapping
from lens_runtime.worlds.templates import Template

LABEL_LENGTH = 200
SUMMARY_LENGTH = 1_000


@dataclass(frozen=True, slots=True)
class Record:
    """What one raw record says: ``fields`` are the kind's declared properties, ``id`` among them."""

    id: str
    context: str
    visibility: str
    revision: str
    observed_at: int | None
    fields: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Stamp:
    """When and in which state a record was observed, and the context it belongs to."""

    revision: str
    context: str
    observed_at: int | None


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Reads raw records of one kind; MappingFault or TemplateFault where one does not fit."""

    kind: Kind
    mapping: RecordMapping
    _id: Expression
    _context: Expression
    _visibility: Expression
    _observed_at: Expression | None
    _revision: Expression | None
    _fields: Mapping[str, Expression] = field(default_factory=dict)
    _label: Template = field(default_factory=lambda: Template("{{ id }}"))
    _summary: Template | None = None

    @classmethod
    def of(cls, kind: Kind, mapping: RecordMapping, clock: Clock) -> RecordReader:
        """The reader of a kind by its mapping; TemplateFault where a template does not compile.

        ConfigurationError (``UnknownFunction``) where a function that computes a property cannot be imported.
        """
        columns = mapping.rows.each is None
        return cls(
            kind,
            mapping,
            expression(mapping.id, columns=columns),
            template(mapping.context),
            template(mapping.visibility),
            expression(mapping.observed_at, columns=columns) if mapping.observed_at is not None else None,
            expression(mapping.revision, columns=columns) if mapping.revision is not None else None,
            {
                name: _computed(mapping.computed[name], name, clock)
                if name in mapping.computed
                else expression(mapping.fields.get(name, name), columns=columns)
                for name in kind.properties
                if name != "id"
            },
            Template(kind.label),
            Template(kind.summary) if kind.summary is not None else None,
        )

    def id(self, row: Row) -> str | None:
        """The record's id, None where it has none."""
        return identifier(self._id(row))

    def record(self, row: Row) -> Record:
        """The record; its label is left to ``label``, so that nothing is rendered for who may not read it."""
        record_id = self.id(row)
        if record_id is None:
            raise MappingFault(f"a {self.kind.name} has no id")
        stamp = self.stamp(row)
        taken = {name: language_value(take(row), name) for name, take in self._fields.items()}
        return Record(
            id=record_id,
            context=stamp.context,
            visibility=str(self._visibility(row)),
            revision=stamp.revision,
            observed_at=stamp.observed_at,
            fields={"id": record_id, **taken},
        )

    def stamp(self, row: Row) -> Stamp:
        """The record's revision, context and time: all that a relationship takes over from it."""
        revision = self._revision(row) if self._revision is not None else content_hash(row.value)
        if revision is None:
            raise MappingFault(f"a {self.kind.name} has no revision")
        observed = self._observed_at(row) if self._observed_at is not None else None
        return Stamp(str(revision), str(self._context(row)), moment(observed, self.mapping.observed_at or ""))

    def label(self, record: Record) -> str:
        """The owning module's label, at most 200 characters."""
        return cut(self._label.render(record.fields), LABEL_LENGTH)

    def summary(self, record: Record) -> str | None:
        """The owning module's summary, at most 1,000 characters, None where the kind declares none."""
        return cut(self._summary.render(record.fields), SUMMARY_LENGTH) if self._summary is not None else None


def _computed(name: str, field_name: str, clock: Clock) -> Expression:
    """A value that a function of the module computes from the raw record and the time (ms since 1970 UTC)."""
    function: Callable[[object, int], object] = imported(
        name, "UnknownFunction", f"the function that computes {field_name!r} in modules.yml,"
    )

    def take(row: Row) -> object:
        try:
            return function(row.value, clock.now())
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
            # The cause is not quoted: it could show a value of the record.
            raise MappingFault(f"{name} fails on a record: {type(fault).__name__}") from None

    return take
