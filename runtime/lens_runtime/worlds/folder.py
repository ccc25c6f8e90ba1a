"""A world's folder, read and checked: every fault of every file at once, each with its line and field."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens_dsl.errors import ConfigurationError, Finding
from lens_runtime.worlds.checking.data import check_data
from lens_runtime.worlds.checking.modules import check_modules
from lens_runtime.worlds.checking.ontology import check_ontology
from lens_runtime.worlds.checking.policy import check_policy
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.conversion import make_modules, make_ontology, make_policy
from lens_runtime.worlds.document import read_document
from lens_runtime.worlds.shapes import ModuleShape, Name, OntologyFile, PolicyFile, WorldFile
from lens_runtime.worlds.validation import validated
from lens_runtime.worlds.world import World

WORLD_FILE = "world.yml"


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    shape: Any
    depth: int


_FILES = (
    _File(WORLD_FILE, WorldFile, 1),
    _File("ontology.yml", OntologyFile, 2),
    _File("modules.yml", dict[Name, ModuleShape], 3),
    _File("policy.yml", PolicyFile, 2),
)


def load_world(folder: Path, *, data: bool = False) -> World:
    """The world in that folder; ConfigurationError (``InvalidWorld``) with every fault found.

    ``data`` looks into the mapped files too, as ``check_world`` does.
    """
    world, findings = check_world(folder, data=data)
    if world is None:
        raise ConfigurationError(
            "InvalidWorld",
            f"the world in {folder} has {len(findings)} fault{'s' if len(findings) > 1 else ''}",
            findings=findings,
        )
    return world


def check_world(folder: Path, *, data: bool = False) -> tuple[World | None, tuple[Finding, ...]]:
    """The world, if nothing is wrong with it, and every fault, by file and line.

    With ``data`` the files it maps are looked into: that they can be read, and have what modules.yml names.
    Without, they only have to be there: a session answers from its graph while a source is damaged.
    """
    sheets = [_sheet(folder, file) for file in _FILES]
    world, ontology, modules, policy = sheets
    check_ontology(ontology, modules, policy)
    check_modules(folder, world, ontology, modules, policy)
    check_policy(policy, ontology, modules)
    if data:
        check_data(folder, ontology, modules)
    findings = tuple(
        finding
        for sheet in sheets
        for finding in sorted(sheet.document.findings, key=lambda found: (found.line, found.field))
    )
    return (None if findings else _world(folder, sheets)), findings


def _sheet(folder: Path, file: _File) -> Sheet:
    document = read_document(folder / file.name, file.name)
    unreadable = bool(document.findings) and document.value is None
    return Sheet(document, None if unreadable else validated(document, file.shape, file.depth))


def _world(folder: Path, sheets: list[Sheet]) -> World:
    world, ontology, modules, policy = (sheet.shape for sheet in sheets)
    made = make_ontology(ontology, world.open)
    return World(
        id=world.id,
        title=world.title,
        folder=folder,
        ontology=made,
        modules=make_modules(folder, modules, ontology),
        policy=make_policy(policy, made),
        contexts=tuple(world.contexts),
        open=world.open,
        tool=world.tool,
        generator=world.generator,
    )
