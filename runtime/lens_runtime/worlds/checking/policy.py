"""policy.yml against the other files."""

from __future__ import annotations

from typing import Any

from lens_dsl.errors import ConfigurationError
from lens_dsl.sql import MAX_CLASSES
from lens_runtime.graph import Coordinate
from lens_runtime.scope import Actor
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.conversion import make_rule
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.policy import EVERY, guard_values


def check_policy(policy: Sheet, ontology: Sheet, modules: Sheet) -> None:
    """Note every role, rule and actor that names what is not declared, or that could not be decided."""
    if policy.shape is None:
        return
    if len(policy.shape.classes) > MAX_CLASSES:
        policy.report(
            ("classes",), f"{len(policy.shape.classes)} classes; a policy has at most {MAX_CLASSES}"
        )
    for name, role in policy.shape.roles.items():
        _check_role(("roles", name), role, policy, ontology, modules)
    _check_guards(policy)
    for name, actor in policy.shape.actors.items():
        _check_actor(("actors", name), name, actor, policy, ontology)
    actors = policy.names("actors") or frozenset()
    for position, name in enumerate(policy.shape.may_act_as):
        policy.known(("may_act_as", position), name, actors, "actor")


def _check_role(where: Location, role: Any, policy: Sheet, ontology: Sheet, modules: Sheet) -> None:
    declared = (
        ("modules", modules.names(), "module", "modules.yml"),
        ("kinds", ontology.names("kinds"), "kind", "ontology.yml"),
        ("classes", policy.shape.classes, "class", None),
    )
    for field, known, what, file in declared:
        for position, name in enumerate(getattr(role, field)):
            if name != EVERY or field == "classes":
                policy.known((*where, field, position), name, known, what, file)
    ruled: set[str] = set()
    for position, rule in enumerate(role.rules):
        place = (*where, "rules", position)
        if rule.kind in ruled:
            policy.report(
                (*place, "kind"), f"a second rule on {rule.kind}: a kind has at most one guard in a role"
            )
        ruled.add(rule.kind)
        if policy.known((*place, "kind"), rule.kind, ontology.names("kinds"), "kind", "ontology.yml"):
            kind = ontology.entry("kinds", rule.kind)
            known = kind.properties if kind is not None else None
            policy.known((*place, "when", "field"), rule.when.field, known, f"property of {rule.kind}")


def _check_guards(policy: Sheet) -> None:
    guards: dict[str, tuple[str, str]] = {}
    for name, role in policy.shape.roles.items():
        for position, rule in enumerate(role.rules):
            field, first = guards.setdefault(rule.kind, (rule.when.field, name))
            if field != rule.when.field:
                policy.report(
                    ("roles", name, "rules", position, "when", "field"),
                    f"role {first!r} guards {rule.kind} by {field!r}: all roles must guard a kind by the same field",
                )


def _check_actor(where: Location, name: str, actor: Any, policy: Sheet, ontology: Sheet) -> None:
    for position, role in enumerate(actor.roles):
        policy.known((*where, "roles", position), role, policy.names("roles"), "role")
    rules = [
        rule for role in actor.roles if role in policy.shape.roles for rule in policy.shape.roles[role].rules
    ]
    held = Actor(name, tuple(actor.roles), actor.attrs)
    for rule in map(make_rule, (rule for rule in rules)):
        place = (*where, "attrs", rule.attribute)
        value = actor.attrs.get(rule.attribute)
        if value is not None and isinstance(value, list) != rule.listed:
            policy.report(
                place, f"the rule on {rule.kind} needs {'a list' if rule.listed else 'one value'} here"
            )
            continue
        try:
            guard_values(rule, held)
        except ConfigurationError as fault:
            policy.report(place, fault.message)
    if actor.principal is not None:
        _check_principal((*where, "principal"), actor.principal, policy, ontology)


def _check_principal(where: Location, text: str, policy: Sheet, ontology: Sheet) -> None:
    try:
        coordinate = Coordinate.parse(text)
    except ValueError:
        policy.report(where, "is not a coordinate: write module:Kind:ID")
        return
    if policy.known(where, coordinate.entity_type, ontology.names("kinds"), "kind", "ontology.yml"):
        kind = ontology.entry("kinds", coordinate.entity_type)
        if kind is not None and kind.module != coordinate.module:
            policy.report(where, f"{coordinate.entity_type} belongs to module {kind.module!r} (ontology.yml)")
