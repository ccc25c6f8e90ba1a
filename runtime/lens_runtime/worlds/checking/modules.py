"""modules.yml against the other files and the sources it names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.conversion import source_of
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.modules import Source
from lens_runtime.worlds.shapes import SOURCE
from lens_runtime.worlds.templates import is_template


@dataclass(frozen=True, slots=True)
class _Others:
    world: Sheet
    policy: Sheet


def check_modules(folder: Path, world: Sheet, ontology: Sheet, modules: Sheet, policy: Sheet) -> None:
    """Note every source, record and relationship mapping that does not fit."""
    others = _Others(world, policy)
    for name, module in (modules.shape or {}).items():
        if name == SOURCE:
            modules.report(
                (name,), f"a module cannot be called {SOURCE!r}: an owner of that name has a meaning"
            )
        source = source_of(folder, module.source)
        _check_source((name, "source"), source, world, modules)
        for kind, record in module.records.items():
            where: Location = (name, "records", kind)
            _check_rows(where, record, source, modules)
            _check_texts(where, record, source, others, modules)
            _check_record(where, name, kind, record, ontology, modules)
        for kind, mappings in module.relationships.items():
            for position, mapping in enumerate(mappings):
                place = modules.within((name, "relationships", kind), position)
                _check_rows(place, mapping, source, modules)
                _check_relationship(place, name, kind, mapping, ontology, modules)


def _check_source(where: Location, source: Source, world: Sheet, modules: Sheet) -> None:
    place = (*where, source.kind)
    path = Path(source.path)
    if source.kind == "generated":
        if world.shape is not None and world.shape.generator is None:
            modules.report(place, "world.yml names no generator that would make this database")
        if path.name != source.path:
            modules.report(place, "is the plain name of a file that the generator makes, without folders")
    elif not path.exists():
        modules.report(place, f"there is no such file: {path}")
    elif source.kind != "csv" and not path.is_file():
        modules.report(place, f"is a folder, not a file: {path}")


def _check_rows(where: Location, mapping: Any, source: Source, modules: Sheet) -> None:
    for field in ("each", "table"):
        wanted = _wants(field, source)
        given = getattr(mapping, field) is not None
        if wanted and not given:
            modules.report(
                (*where, field), f"is missing: it says which records of the {source.kind} source are meant"
            )
        elif given and not wanted:
            modules.report((*where, field), f"does not go with this {source.kind} source")
    if mapping.each is not None and "*" not in mapping.each.split("."):
        modules.report((*where, "each"), "has no '*', which stands for every record of a list or map")
    file = Path(source.path) / f"{mapping.table}.csv"
    if (
        source.kind == "csv"
        and mapping.table is not None
        and Path(source.path).is_dir()
        and not file.is_file()
    ):
        modules.report((*where, "table"), f"there is no such file: {file}")
    if mapping.types and source.kind == "json":
        modules.report((*where, "types"), "are for tables; a JSON file has its types")


def _wants(field: str, source: Source) -> bool:
    if field == "each":
        return source.kind == "json"
    return source.kind in ("sqlite", "generated") or (source.kind == "csv" and Path(source.path).is_dir())


def _check_texts(where: Location, record: Any, source: Source, others: _Others, modules: Sheet) -> None:
    for field in ("id", "visibility", "context", "observed_at", "revision"):
        text = getattr(record, field)
        if text is not None:
            modules.template((*where, field), text)
    if source.kind in ("sqlite", "generated") and (is_template(record.id) or record.id[0] in "^@."):
        modules.report((*where, "id"), "must be a column of the table, so that a record can be sought by it")
    policy, world = others.policy.shape, others.world.shape
    if not is_template(record.visibility) and policy is not None:
        modules.known((*where, "visibility"), record.visibility, policy.classes, "class", "policy.yml")
    if not is_template(record.context) and world is not None:
        modules.known((*where, "context"), record.context, world.contexts, "context", "world.yml")


def _check_record(
    where: Location, module: str, name: str, record: Any, ontology: Sheet, modules: Sheet
) -> None:
    if not modules.known(where, name, ontology.names("kinds"), "kind", "ontology.yml"):
        return
    kind = ontology.entry("kinds", name)
    if kind is None:
        return
    if kind.module != module:
        modules.report(where, f"{name} belongs to module {kind.module!r} (ontology.yml)")
    _check_fields(where, record, kind.properties, modules)
    if "id" in record.fields:
        modules.report((*where, "fields", "id"), "is taken from the mapping's own 'id'")


def _check_fields(where: Location, mapping: Any, declared: frozenset[str], modules: Sheet) -> None:
    for field, text in mapping.fields.items():
        modules.known((*where, "fields", field), field, declared, "declared property")
        modules.template((*where, "fields", field), text)


def _check_relationship(
    where: Location, module: str, name: str, mapping: Any, ontology: Sheet, modules: Sheet
) -> None:
    for field, text in (("from", mapping.from_), ("to", mapping.to), ("observed_at", mapping.observed_at)):
        if text is not None:
            modules.template((*where, field), text)
    if not modules.known(where, name, ontology.names("relationships"), "relationship type", "ontology.yml"):
        return
    declared = ontology.entry("relationships", name)
    if declared is None:
        return
    if declared.owner not in (module, SOURCE):
        modules.report(where, f"{name} is owned by module {declared.owner!r} (ontology.yml)")
        return
    _check_end(
        (*where, "from_kind"),
        mapping.from_kind,
        declared.sources_in(module, ontology.shape.kinds),
        modules,
    )
    _check_end((*where, "to_kind"), mapping.to_kind, list(declared.to), modules)
    _check_fields(where, mapping, frozenset(declared.properties), modules)


def _check_end(where: Location, given: str | None, allowed: list[str], modules: Sheet) -> None:
    if given is not None:
        modules.known(where, given, allowed, "kind on this side of it", "ontology.yml")
    elif not allowed:
        modules.report(where, "no kind of this module may stand on this side")
    elif len(allowed) > 1:
        modules.report(where, f"is missing: ontology.yml allows {' and '.join(allowed)}")
