"""producers/*.yml against the ontology, and the ontology's virtual types against them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Location


def check_producers(files: Sequence[Sheet], roles: Sheet, ontology: Sheet, policy: Sheet) -> None:
    """Note every producer that names what is not declared, and what names a producer that is not."""
    first: dict[tuple[str, ...], str] = {}
    for sheet in files:
        for position, producer in enumerate(sheet.shape or ()):
            where: Location = (position,)
            _check_once(where, producer, sheet, first)
            if producer.label is not None:
                sheet.report(
                    (*where, "label"), f"the label is the target kind of {producer.edge_type}: leave it out"
                )
            if roles.shape:
                sheet.known(
                    (*where, "reduce", "role"), producer.reduce.role, roles.shape, "role", "roles.yml"
                )
            if ontology.shape is not None:
                _check_producer(where, producer, sheet, ontology)
    if any(sheet.shape is None for sheet in files):
        return
    if ontology.shape is not None:
        _check_virtual_types(files, ontology)
    if policy.shape is not None:
        names = [producer.name for sheet in files for producer in sheet.shape]
        for position, name in enumerate(policy.shape.promote_to_world):
            policy.known(("promote_to_world", position), name, names, "producer", "producers/*.yml")


def _check_once(where: Location, producer: Any, sheet: Sheet, first: dict[tuple[str, ...], str]) -> None:
    made = (producer.edge_type, producer.collect.anchor_label)
    for key, field, what in (
        ((producer.name,), "name", f"a second producer {producer.name}"),
        (made, "edgeType", f"a second producer of {made[0]} for {made[1]}"),
    ):
        place = f"{sheet.document.file}:{sheet.document.line((*where, field))}"
        other = first.setdefault(key, place)
        if other != place:
            sheet.report((*where, field), f"{what}; the first stands in {other}")


def _check_producer(where: Location, producer: Any, sheet: Sheet, ontology: Sheet) -> None:
    place = (*where, "edgeType")
    name = producer.edge_type
    if not sheet.known(place, name, ontology.names("relationships"), "relationship type", "ontology.yml"):
        return
    declared = ontology.entry("relationships", name)
    if declared is None:
        return
    if declared.producer is None:
        sheet.report(place, f"{name} is not virtual: ontology.yml gives it no producer")
    elif len(declared.to) != 1:
        sheet.report(place, f"{name} must have exactly one target kind in ontology.yml")
    else:
        _check_made(where, producer, sheet, ontology.entry("kinds", declared.to[0]))
        _check_collect((*where, "collect"), producer, declared.from_, sheet, ontology)


def _check_collect(
    place: Location, producer: Any, anchors: Sequence[str], sheet: Sheet, ontology: Sheet
) -> None:
    collect = producer.collect
    what = f"source kind of {producer.edge_type}"
    sheet.known((*place, "anchorLabel"), collect.anchor_label, anchors, what)
    anchor = ontology.entry("kinds", collect.anchor_label)
    if anchor is not None and collect.anchor_key_property is not None:
        keys = ["id", *anchor.key]
        what = f"key of {collect.anchor_label}"
        sheet.known((*place, "anchorKeyProperty"), collect.anchor_key_property, keys, what)
    target = ontology.entry("kinds", collect.target_label)
    known = sheet.known((*place, "targetLabel"), collect.target_label, ontology.names("kinds"), "kind")
    if known and target is not None:
        _check_items(place, collect, target, sheet)
    for name in collect.via:
        _check_via((*place, "via"), name, collect, sheet, ontology)


def _check_made(where: Location, producer: Any, sheet: Sheet, kind: Any) -> None:
    if kind is None:
        return
    fields = ((("reduce", "into"), producer.reduce.into), (("identityField",), producer.identity_field),
              (("anchorKeyField",), producer.anchor_key_field))  # fmt: skip
    for place, name in fields:
        sheet.known(
            (*where, *place), name, kind.properties, "declared property of the target kind", "ontology.yml"
        )


def _check_items(place: Location, collect: Any, target: Any, sheet: Sheet) -> None:
    for position, name in enumerate(collect.order_by):
        sheet.known(
            (*place, "orderBy", position), name, target.properties, f"property of {collect.target_label}"
        )
    template = sheet.template((*place, "text"), collect.text)
    if template is None:
        sheet.report((*place, "text"), 'must be a template, such as "{{ text }}"')
        return
    for name in sorted(template.names - target.properties):
        near = did_you_mean(name, target.properties)
        sheet.report(
            (*place, "text"), f"names {name!r}, which is no property of {collect.target_label}; {near}"
        )


def _check_via(place: Location, name: str, collect: Any, sheet: Sheet, ontology: Sheet) -> None:
    if not sheet.known(place, name, ontology.names("relationships"), "relationship type", "ontology.yml"):
        return
    declared = ontology.entry("relationships", name)
    if declared is None:
        return
    ends = (collect.target_label, collect.anchor_label)
    source, target = ends if collect.incoming else ends[::-1]
    if declared.producer is not None:
        sheet.report(place, f"{name} is virtual itself, and nothing can be collected along it")
    elif source not in declared.from_ or target not in declared.to:
        turned = "without" if collect.incoming else "with"
        sheet.report(place, f"no {name} leads from {source} to {target}; perhaps {turned} 'incoming: true'")


def _check_virtual_types(files: Sequence[Sheet], ontology: Sheet) -> None:
    made = {producer.name: producer.edge_type for sheet in files for producer in sheet.shape}
    for name, declared in _virtual_types(ontology):
        where: Location = ("relationships", name, "producer")
        if (
            ontology.known(where, declared.producer, made, "producer", "producers/*.yml")
            and made[declared.producer] != name
        ):
            ontology.report(where, f"{declared.producer} makes {made[declared.producer]}, not {name}")


def _virtual_types(ontology: Sheet) -> Iterator[tuple[str, Any]]:
    for name, declared in ontology.shape.relationships.items():
        if declared.producer is not None:
            yield name, declared
