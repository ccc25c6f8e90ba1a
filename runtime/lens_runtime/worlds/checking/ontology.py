"""ontology.yml against the other files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.shapes import SOURCE


def check_ontology(ontology: Sheet, modules: Sheet, policy: Sheet) -> None:
    """Note every kind and relationship type that does not fit what the other files declare."""
    if ontology.shape is None:
        return
    for name, kind in ontology.shape.kinds.items():
        _check_kind(name, kind, ontology, modules)
    for name, relationship in ontology.shape.relationships.items():
        _check_relationship(name, relationship, ontology, modules, policy)
    _check_spelling(ontology, "kinds")
    _check_spelling(ontology, "relationships")


def _check_kind(name: str, kind: Any, ontology: Sheet, modules: Sheet) -> None:
    where: Location = ("kinds", name)
    if ontology.known((*where, "module"), kind.module, modules.names(), "module", "modules.yml"):
        mapped = modules.names(kind.module, "records") or ()
        remote = _remote(kind.module, modules)
        if modules.shape is not None and name not in mapped and not remote and not _virtual(name, ontology):
            ontology.report(
                where, f"no record is mapped to it: modules.yml, {kind.module}.records has no {name}"
            )
    for position, field in enumerate(kind.untrusted):
        ontology.known((*where, "untrusted", position), field, kind.properties, "declared property")
    for field in ("label", "summary"):
        _check_text((*where, field), getattr(kind, field), kind.properties, ontology)


def _check_text(where: Location, text: str | None, declared: Iterable[str], ontology: Sheet) -> None:
    template = ontology.template(where, text) if text is not None else None
    for name in sorted(template.names.difference(declared) if template is not None else ()):
        ontology.report(
            where, f"names {name!r}, which is no property of the kind; {did_you_mean(name, declared)}"
        )


def _check_relationship(name: str, declared: Any, ontology: Sheet, modules: Sheet, policy: Sheet) -> None:
    where: Location = ("relationships", name)
    kinds = ontology.names("kinds")
    for side, field in (("from_", "from"), ("to", "to")):
        for position, kind in enumerate(getattr(declared, side)):
            listed = isinstance(ontology.document.value["relationships"][name][field], list)  # type: ignore[index]
            place = (*where, field, position) if listed else (*where, field)
            ontology.known(place, kind, kinds, "kind")
    classes = policy.shape.classes if policy.shape is not None else None
    ontology.known((*where, "visibility"), declared.visibility, classes, "class", "policy.yml")
    if declared.producer is None:
        _check_owner(where, name, declared, ontology, modules)


def _check_owner(where: Location, name: str, declared: Any, ontology: Sheet, modules: Sheet) -> None:
    kinds = ontology.shape.kinds
    if any(kind not in kinds for kind in (*declared.from_, *declared.to)):
        return
    sources = {kinds[kind].module for kind in declared.from_}
    owners = sources | {kinds[kind].module for kind in declared.to}
    if declared.owner not in (SOURCE, *owners):
        ontology.report(
            (*where, "owner"),
            f"{declared.owner!r} is the module of neither a source nor a target; "
            f"those are: {', '.join(sorted(owners))}; or write {SOURCE!r}: the module of each source",
        )
        return
    asserting = sources if declared.owner == SOURCE else {declared.owner}
    written = {module: modules.names(module, "relationships") or frozenset() for module in sorted(asserting)}
    remote = any(_remote(module, modules) for module in asserting)
    if modules.shape is not None and not remote and not any(name in names for names in written.values()):
        places = " or ".join(f"{module}.relationships" for module in written)
        ontology.report(where, f"no module asserts it: modules.yml has no {name} in {places}")


def _check_spelling(ontology: Sheet, table: str) -> None:
    first: dict[str, str] = {}
    for name in ontology.document.value.get(table) or {}:  # type: ignore[attr-defined]
        other = first.setdefault(name.upper(), name)
        if other != name:
            ontology.report((table, name), f"differs from {other!r} only in upper and lower case")


def _remote(module: str, modules: Sheet) -> bool:
    """Whether a module is read over HTTP, and so maps its records where it is served."""
    shape = (modules.shape or {}).get(module)
    return shape is not None and shape.source.http is not None


def _virtual(kind: str, ontology: Sheet) -> bool:
    types = ontology.shape.relationships.values()
    return any(kind in declared.to and declared.producer is not None for declared in types)
