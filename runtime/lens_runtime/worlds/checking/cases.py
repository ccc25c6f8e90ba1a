"""The four cases of every relationship type of a governed world: missing, stale, contradictory, unauthorized."""

from __future__ import annotations

from typing import Any

from lens_runtime.graph import Coordinate
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.shapes import CasesShape

CASES = tuple(CasesShape.model_fields)


def check_cases(world: Sheet, ontology: Sheet) -> None:
    """Note every type of a governed world without its cases, and every case that cannot be one of its type.

    A virtual type has none: its relationships are made for each query and never stored.
    """
    if ontology.shape is None:
        return
    governed = world.shape is not None and world.shape.governed
    for name, declared in ontology.shape.relationships.items():
        where: Location = ("relationships", name)
        if declared.cases is not None:
            for case in CASES:
                _check_case((*where, "cases", case), getattr(declared.cases, case), declared, ontology)
        elif governed and declared.producer is None:
            ontology.report(
                (*where, "cases"),
                f"is missing: in a governed world a relationship type names its cases: {', '.join(CASES)}",
            )


def _check_case(where: Location, text: str, declared: Any, ontology: Sheet) -> None:
    try:
        coordinate = Coordinate.parse(text)
    except ValueError:
        ontology.report(where, "is not a coordinate: write module:Kind:ID")
        return
    kind = ontology.entry("kinds", coordinate.entity_type)
    if ontology.known(where, coordinate.entity_type, declared.from_, "kind that it may start at") and kind:
        ontology.known(where, coordinate.module, (kind.module,), f"{coordinate.entity_type} in module")
