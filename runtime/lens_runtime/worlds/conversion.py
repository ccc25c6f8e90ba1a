"""From the shapes of the files to what the runtime works with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lens_dsl.ontology import ANYTHING, Kind, Ontology, RelationshipType
from lens_runtime.scope import Actor
from lens_runtime.worlds.modules import Module, RecordMapping, RelationshipMapping, Rows, Source
from lens_runtime.worlds.packages import package_folder
from lens_runtime.worlds.policy import Policy, Role, Rule
from lens_runtime.worlds.shapes import (
    EdgeShape,
    ModuleShape,
    OntologyFile,
    PolicyFile,
    RuleShape,
    SourceShape,
)


def make_ontology(file: OntologyFile, open_world: bool) -> Ontology:
    """The vocabulary; every kind has ``id`` among its keys."""
    kinds = {
        name: Kind(
            name=name,
            module=shape.module,
            keys=tuple(dict.fromkeys(("id", *shape.key))),
            indexed=tuple(shape.indexed),
            projected=tuple(shape.projected),
            hydrated=tuple(shape.hydrated),
            untrusted=tuple(shape.untrusted),
            label=shape.label,
            summary=shape.summary,
        )
        for name, shape in file.kinds.items()
    }
    relationships = {
        name: RelationshipType(
            name=name,
            owner=shape.owner,
            sources=tuple(shape.from_),
            targets=tuple(shape.to),
            visibility=shape.visibility,
            functional=shape.functional,
            properties=tuple(shape.properties),
            producer=shape.producer,
        )
        for name, shape in file.relationships.items()
    }
    return Ontology(kinds, relationships, open_world)


def make_modules(
    folder: Path, file: Mapping[str, ModuleShape], ontology: OntologyFile
) -> Mapping[str, Module]:
    """The modules in declared order, with absolute paths and both ends' kinds resolved."""
    return {
        name: Module(
            name,
            source_of(folder, shape.source),
            tuple(_record(kind, record) for kind, record in shape.records.items()),
            tuple(
                _relationship(name, kind, mapping, ontology)
                for kind, mappings in shape.relationships.items()
                for mapping in mappings
            ),
        )
        for name, shape in file.items()
    }


def source_of(folder: Path, shape: SourceShape) -> Source:
    """Where the records lie; a path is relative to the world's folder, or to the package's if one is named."""
    if shape.generated is not None:
        return Source("generated", shape.generated, feed=shape.feed)
    if shape.http is not None:
        return Source("http", shape.http)
    if shape.graph is not None:
        return Source("graph", str((folder / shape.graph).resolve()))
    if shape.json_ is not None:
        return Source("json", str((folder / shape.json_).resolve()))
    if shape.csv is not None:
        base = folder if shape.package is None else package_folder(shape.package) or Path(shape.package)
        return Source("csv", str((base / shape.csv).resolve()), shape.null_text, shape.package)
    return Source("sqlite", str((folder / (shape.sqlite or "")).resolve()), feed=shape.feed)


def _record(kind: str, shape: Any) -> RecordMapping:
    return RecordMapping(
        kind=kind,
        rows=Rows(shape.each, shape.table),
        id=shape.id,
        visibility=shape.visibility,
        context=shape.context,
        fields=shape.fields,
        types=shape.types,
        observed_at=shape.observed_at,
        revision=shape.revision,
        computed=shape.computed,
        base=shape.base,
    )


def _relationship(module: str, name: str, shape: EdgeShape, ontology: OntologyFile) -> RelationshipMapping:
    declared = ontology.relationships[name]
    return RelationshipMapping(
        type=name,
        rows=Rows(shape.each, shape.table),
        source_kind=shape.from_kind or declared.sources_in(module, ontology.kinds)[0],
        source=shape.from_,
        target_kind=shape.to_kind or declared.to[0],
        target=shape.to,
        fields=shape.fields,
        types=shape.types,
        observed_at=shape.observed_at,
    )


def make_policy(file: PolicyFile, ontology: Ontology, modules: Mapping[str, Module]) -> Policy:
    """The policy, which knows the module of every kind; in an open world of the one that all records are of."""
    anything = dict.fromkeys((ANYTHING,), next(iter(modules), "")) if ontology.open else {}
    return Policy(
        classes=tuple(file.classes),
        kinds={name: kind.module for name, kind in ontology.kinds.items()} or anything,
        roles={
            name: Role(
                name,
                tuple(shape.modules),
                tuple(shape.kinds),
                tuple(shape.classes),
                tuple(make_rule(rule) for rule in shape.rules),
                tuple(shape.rights),
            )
            for name, shape in file.roles.items()
        },
        actors={
            name: Actor(name, tuple(shape.roles), dict(shape.attrs), shape.principal)
            for name, shape in file.actors.items()
        },
        may_act_as=tuple(file.may_act_as),
        promotions=tuple(file.promote_to_world),
    )


def make_rule(shape: RuleShape) -> Rule:
    """A record rule: ``is`` one attribute, or ``in`` a list of it."""
    attribute = (shape.when.is_ or shape.when.in_ or "").removeprefix("actor.")
    return Rule(shape.kind, shape.when.field, attribute, listed=shape.when.in_ is not None)
