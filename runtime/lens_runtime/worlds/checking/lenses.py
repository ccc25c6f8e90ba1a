"""A lens against its folder's name, the ontology, and itself."""

from __future__ import annotations

from collections.abc import Callable

from lens_dsl.errors import Finding, LensError, QueryError
from lens_dsl.lens import Lens
from lens_dsl.lens_planner import action_condition, plan_lens, possible
from lens_dsl.ontology import Ontology
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Document, Location


def check_lens(lens: Lens, folder: str, sheet: Sheet, query: Document, ontology: Ontology) -> None:
    """Note every name the ontology does not have, a query that leaves the lens, and rules that cannot be decided."""
    if lens.name != folder:
        sheet.report(("name",), f"is {lens.name!r}, and its folder is called {folder!r}")
    _check_names(lens, sheet, ontology)
    if sheet.document.findings:
        return
    for kind in lens.subject_kinds:
        try:
            plan_lens(lens, ontology, kind, lens.budget())
        except QueryError as fault:
            line = fault.span.line if fault.span is not None else 1
            query.findings.append(Finding(query.file, line, f"(for a {kind})", _said(fault)))
            break
    for position, expected in enumerate(lens.expect):
        _check_pattern(expected.pattern, ("expect", position, "pattern"), lens, sheet, ontology)
    for position, action in enumerate(lens.next_actions):
        where: Location = ("next_actions", position, "when")
        _try(lambda when=action.when: action_condition(when, lens, ontology), where, sheet)  # type: ignore[misc]


def _check_names(lens: Lens, sheet: Sheet, ontology: Ontology) -> None:
    for position, kind in enumerate(lens.subject_kinds):
        if sheet.known(("subject_kinds", position), kind, ontology.kinds, "kind", "ontology.yml") and _made(
            kind, ontology
        ):
            sheet.report(
                ("subject_kinds", position), f"{kind} is made by a producer: ask about what it is made from"
            )
    for position, allowed in enumerate(lens.allow):
        if ontology.relationship(allowed.type) is None:
            where: Location = ("allow", position, "type")
            sheet.known(where, allowed.type, ontology.relationships, "relationship type", "ontology.yml")
    for position, naming in enumerate(lens.names):
        sheet.known(("names", position, "kind"), naming.kind, ontology.kinds, "kind", "ontology.yml")
    for kind in lens.weights:
        sheet.known(("weights", kind), kind, ontology.kinds, "kind", "ontology.yml")


def _made(kind: str, ontology: Ontology) -> bool:
    return any(each.producer is not None and kind in each.targets for each in ontology.relationships.values())


def _check_pattern(pattern: str, where: Location, lens: Lens, sheet: Sheet, ontology: Ontology) -> None:
    found: list[bool] = []

    def check() -> None:
        found.extend(possible(pattern, lens, ontology, kind) for kind in lens.subject_kinds)

    if _try(check, where, sheet) and not any(found):
        sheet.report(
            where, f"no {' or '.join(lens.subject_kinds)} can have it: check its direction and the labels"
        )


def _try(check: Callable[[], object], where: Location, sheet: Sheet) -> bool:
    try:
        check()
    except QueryError as fault:
        sheet.report(where, _said(fault))
        return False
    return True


def _said(fault: LensError) -> str:
    return f"{fault.code}: {fault.message}" + (f"; {fault.hint}" if fault.hint else "")
