"""The lenses of a world's folder: ``lenses/<name>/lens.yml`` and its ``query.lens``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lens_dsl.errors import ConfigurationError, Finding
from lens_dsl.lens import Allowed, Beyond, Expectation, Lens, Naming, NextAction
from lens_dsl.ontology import Ontology, did_you_mean
from lens_runtime.worlds.checking.lenses import check_lens
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import MAX_BYTES, Document, read_bounded, read_document
from lens_runtime.worlds.lens_shapes import LensFile
from lens_runtime.worlds.validation import validated

FOLDER, LENS_FILE, QUERY_FILE = "lenses", "lens.yml", "query.lens"


@dataclass(frozen=True, slots=True)
class WorldLenses:
    """The lenses that a world's own folder holds: each name has the one version that stands there."""

    world: str
    lenses: Mapping[str, Lens]

    def names(self) -> tuple[str, ...]:
        """The names of all lenses, sorted."""
        return tuple(sorted(self.lenses))

    def find(self, name: str) -> Lens:
        """The lens of that name; ConfigurationError (``UnknownLens``) where there is none (P34)."""
        lens = self.lenses.get(name)
        if lens is None:
            raise ConfigurationError(
                "UnknownLens",
                f"world {self.world} has no lens {name!r}",
                hint=did_you_mean(name, self.lenses),
            )
        return lens


def read_lenses(folder: Path, ontology: Ontology | None) -> tuple[dict[str, Lens], tuple[Finding, ...]]:
    """Every lens of a world's folder by name, and every fault; without an ontology only their shape is checked."""
    lenses: dict[str, Lens] = {}
    findings: list[Finding] = []
    for place in sorted(path for path in (folder / FOLDER).glob("*") if path.is_dir()):
        lens, sheet, query = _read(place)
        if lens is not None and ontology is not None:
            lenses[lens.name] = _resolved(lens, ontology)
            check_lens(lenses[lens.name], place.name, sheet, query, ontology)
        for document in (sheet.document, query):
            findings += sorted(document.findings, key=lambda found: (found.line, found.field))
    return lenses, tuple(findings)


def _read(place: Path) -> tuple[Lens | None, Sheet, Document]:
    file = f"{FOLDER}/{place.name}/{LENS_FILE}"
    document = read_document(place / LENS_FILE, file)
    unreadable = bool(document.findings) and document.value is None
    shape = None if unreadable else validated(document, LensFile, 1)
    query = _query(place / QUERY_FILE, f"{FOLDER}/{place.name}/{QUERY_FILE}")
    lens = None
    if shape is not None and not document.findings and not query.findings:
        lens = _made(shape, str(query.value))
    return lens, Sheet(document, shape), query


def _query(path: Path, file: str) -> Document:
    document = Document(file)
    try:
        document.value = read_bounded(path, MAX_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        document.report((), "cannot be read: there is no such file")
    except (OSError, ValueError) as fault:
        document.report((), f"cannot be read: {type(fault).__name__}")
    return document


def _made(shape: LensFile, query: str) -> Lens:
    return Lens(
        name=shape.name,
        purpose=shape.purpose,
        owner=shape.owner,
        subject_kinds=tuple(shape.subject_kinds),
        allow=tuple(Allowed(each.type, each.dir) for each in shape.allow),
        query=query,
        depth=shape.depth,
        max_nodes=shape.max_nodes,
        fanout=shape.fanout,
        max_tokens=shape.max_tokens,
        deadline_ms=shape.deadline_ms,
        max_age_s=shape.max_age_s,
        weights=dict(shape.weights),
        expect=tuple(Expectation(each.pattern, each.code) for each in shape.expect),
        next_actions=tuple(NextAction(each.name, each.when) for each in shape.next_actions),
        names=tuple(Naming(each.kind, each.like) for each in shape.names),
        beyond=tuple(Beyond(tuple(map(str.lower, each.words)), each.says) for each in shape.beyond),
    )


def _resolved(lens: Lens, ontology: Ontology) -> Lens:
    """The lens with the stored names of its relationship types."""
    names = {each.type: ontology.relationship(each.type) for each in lens.allow}
    allow = tuple(
        Allowed(known.name if (known := names[each.type]) is not None else each.type, each.direction)
        for each in lens.allow
    )
    return replace(lens, allow=allow)
