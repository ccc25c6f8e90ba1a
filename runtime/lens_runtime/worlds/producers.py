"""Reading ``producers/*.yml`` and ``roles.yml``; a world without them has no virtual relationships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lens_runtime.aggregation.producer import Collect, Producer, Reduce, Role
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Document, read_document
from lens_runtime.worlds.producer_shapes import ProducersFile, RolesFile
from lens_runtime.worlds.templates import Template
from lens_runtime.worlds.validation import validated

FOLDER = "producers"
ROLES = "roles.yml"


def producer_sheets(folder: Path) -> list[Sheet]:
    """One sheet a file, in the order of their names; what is wrong with one keeps no other from being read."""
    paths = sorted((folder / FOLDER).glob("*.yml"))
    return [_sheet(read_document(path, f"{FOLDER}/{path.name}"), ProducersFile) for path in paths]


def roles_sheet(folder: Path) -> Sheet:
    """The sheet of roles.yml; an empty one where there is no such file."""
    path = folder / ROLES
    return _sheet(read_document(path, ROLES) if path.exists() else Document(ROLES), RolesFile)


def make_producers(sheets: Iterable[Sheet]) -> tuple[Producer, ...]:
    """The producers of sound sheets, in the order they are written."""
    return tuple(_producer(shape) for sheet in sheets for shape in sheet.shape)


def make_roles(sheet: Sheet, producers: Iterable[Producer]) -> Mapping[str, Role]:
    """The declared roles; without any, those that the producers name, each on the built-in reducer."""
    if sheet.shape:
        return {name: Role(name, shape.reducer, shape.revision) for name, shape in sheet.shape.items()}
    return {producer.reduce.role: Role(producer.reduce.role) for producer in producers}


def _sheet(document: Document, shape: Any) -> Sheet:
    return Sheet(document, None if document.findings else validated(document, shape, 1))


def _producer(shape: Any) -> Producer:
    collect, reduce = shape.collect, shape.reduce
    return Producer(
        shape.name,
        shape.edge_type,
        Collect(
            collect.target_label,
            tuple(dict.fromkeys(collect.via)),
            collect.incoming,
            collect.anchor_label,
            collect.anchor_key_property,
            Template(collect.text),
            tuple(collect.order_by),
        ),
        Reduce(reduce.using, reduce.into, tuple(reduce.args), reduce.role),
        shape.identity_field,
        shape.anchor_key_field,
        shape.cache.kind == "graph",
    )
