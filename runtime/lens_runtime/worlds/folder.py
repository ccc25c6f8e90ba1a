"""A world's folder, read and checked: every fault of every file at once, each with its line and field."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lens_dsl.errors import ConfigurationError, Finding
from lens_runtime.worlds.checking.cases import check_cases
from lens_runtime.worlds.checking.data import check_data
from lens_runtime.worlds.checking.modules import check_modules
from lens_runtime.worlds.checking.ontology import check_ontology
from lens_runtime.worlds.checking.open import check_open
from lens_runtime.worlds.checking.policy import check_policy
from lens_runtime.worlds.checking.producers import check_producers
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.conversion import make_modules, make_ontology, make_policy
from lens_runtime.worlds.document import read_document
from lens_runtime.worlds.lenses import read_lenses
from lens_runtime.worlds.producers import make_producers, make_roles, producer_sheets, roles_sheet
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
    check_cases(world, ontology)
    check_modules(folder, world, ontology, modules, policy)
    check_policy(policy, ontology, modules)
    check_open(world, ontology, modules)
    producers, roles = producer_sheets(folder), roles_sheet(folder)
    check_producers(producers, roles, ontology, policy)
    sound = ontology.shape is not None and not ontology.document.findings
    known = make_ontology(ontology.shape, world.shape is not None and world.shape.open) if sound else None
    lenses, faults = read_lenses(folder, known)
    if data:
        check_data(folder, ontology, modules)
    findings = tuple(
        finding
        for sheet in (*sheets, *producers, roles)
        for finding in sorted(sheet.document.findings, key=lambda found: (found.line, found.field))
    )
    findings += faults
    whole = None if findings else replace(_world(folder, sheets, producers, roles), lenses=lenses)
    return whole, findings


def _sheet(folder: Path, file: _File) -> Sheet:
    document = read_document(folder / file.name, file.name)
    unreadable = bool(document.findings) and document.value is None
    return Sheet(document, None if unreadable else validated(document, file.shape, file.depth))


def _world(folder: Path, sheets: list[Sheet], producers: list[Sheet], roles: Sheet) -> World:
    world, ontology, modules, policy = (sheet.shape for sheet in sheets)
    made = make_ontology(ontology, world.open)
    mapped = make_modules(folder, modules, ontology)
    aggregates = make_producers(producers)
    return World(
        id=world.id,
        title=world.title,
        folder=folder,
        ontology=made,
        modules=mapped,
        policy=make_policy(policy, made, mapped),
        contexts=tuple(world.contexts),
        open=world.open,
        tool=world.tool,
        generator=world.generator,
        producers=aggregates,
        roles=make_roles(roles, aggregates),
    )
