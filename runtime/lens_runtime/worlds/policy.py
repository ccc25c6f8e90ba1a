"""Who may read what: roles, record rules and actors of a world, closed for everything they do not name.

A record rule is a class plus at most one guard, ``field = actor.attr`` or ``field in actor.list``, so that
it can be decided when a record is projected: ``grants`` gives the lines that the store compiles into an
actor's scopes, ``permits`` decides the same for a record as its module has it now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_dsl.values import key_text
from lens_runtime.scope import ANY, UNGUARDED, Actor, Grant, guard_of

MAX_GUARD_VALUES = 16
EVERY = "*"


@dataclass(frozen=True, slots=True)
class Rule:
    """Records of ``kind`` only where their ``field`` equals, or (``listed``) is in, the actor's ``attribute``."""

    kind: str
    field: str
    attribute: str
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Role:
    """What a role opens: records of its kinds, from its modules, in its classes, under its rules."""

    name: str
    modules: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    rights: tuple[str, ...] = ()

    def opens(self, kind: str, module: str) -> bool:
        """Whether the role reaches this kind at all."""
        return _holds(self.kinds, kind) and _holds(self.modules, module)

    def rule(self, kind: str) -> Rule | None:
        """The rule on that kind, if there is one."""
        return next((rule for rule in self.rules if rule.kind == kind), None)


@dataclass(frozen=True)
class Policy:
    """A world's policy. ``kinds`` maps every declared kind to its module."""

    classes: tuple[str, ...]
    kinds: Mapping[str, str]
    roles: Mapping[str, Role] = field(default_factory=dict)
    actors: Mapping[str, Actor] = field(default_factory=dict)
    may_act_as: tuple[str, ...] = ()
    promotions: tuple[str, ...] = ()

    @cached_property
    def revision(self) -> str:
        """The content hash of classes, roles and promotions; actors may come and go without changing it."""
        plain = {
            "classes": sorted(self.classes),
            "promotions": sorted(self.promotions),
            "roles": {name: _canonical(role) for name, role in self.roles.items()},
        }
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def guards(self) -> Mapping[str, str]:
        """The guarding field of every kind that some role guards."""
        return {rule.kind: rule.field for role in self.roles.values() for rule in role.rules}

    @property
    def default_actor(self) -> str | None:
        """The first of ``may_act_as``: who asks where nothing else says who."""
        return self.may_act_as[0] if self.may_act_as else None

    def actor(self, actor_id: str) -> Actor:
        """The actor of that id; AccessDenied (``UnknownActor``) where the policy has none."""
        actor = self.actors.get(actor_id)
        if actor is None:
            raise AccessDenied("UnknownActor", "this actor may not read here")
        return actor

    def guard(self, kind: str, fields: Mapping[str, object]) -> str | None:
        """The guard a record is entered under: ``-`` for an unguarded kind, None where its guarding field is null."""
        field_name = self.guards.get(kind)
        if field_name is None:
            return UNGUARDED
        value = key_text(fields.get(field_name))
        return None if value is None else guard_of(field_name, value)

    def grants(self, actor: Actor) -> tuple[Grant, ...]:
        """Everything the policy gives this actor, by role, kind, class and guard; nothing for an unknown actor.

        Raises ConfigurationError (``TooManyGuardValues``) where a rule's attribute holds more than 16 values.
        """
        return tuple(
            Grant(role.name, kind, visibility, guard)
            for role in self._roles(actor)
            for kind in self.kinds
            if role.opens(kind, self.kinds[kind])
            for guard in self._guards(role, kind, actor)
            for visibility in role.classes
        )

    def permits(self, actor: Actor, kind: str, visibility: str, fields: Mapping[str, object]) -> bool:
        """Whether this actor may read a record with these values: true exactly where one of its grants matches."""
        module = self.kinds.get(kind)
        if module is None:
            return False
        guard = self.guard(kind, fields)
        return any(
            role.opens(kind, module)
            and visibility in role.classes
            and any(held in (guard, ANY) for held in self._guards(role, kind, actor))
            for role in self._roles(actor)
        )

    def rights(self, actor: Actor) -> frozenset[str]:
        """What the actor's roles allow it besides reading, such as ``profile``."""
        return frozenset(right for role in self._roles(actor) for right in role.rights)

    def _roles(self, actor: Actor) -> Iterator[Role]:
        known = self.actors.get(actor.id)
        names = known.roles if known is not None else ()
        return (self.roles[name] for name in names if name in self.roles)

    def _guards(self, role: Role, kind: str, actor: Actor) -> tuple[str, ...]:
        if kind not in self.guards:
            return (UNGUARDED,)
        rule = role.rule(kind)
        if rule is None:
            return (ANY,)
        return guard_values(rule, self.actors[actor.id])


def guard_values(rule: Rule, actor: Actor) -> tuple[str, ...]:
    """The guards that a rule opens to an actor, none where it lacks the attribute; at most 16."""
    held = actor.attrs.get(rule.attribute)
    values = held if rule.listed and isinstance(held, (list, tuple)) else () if rule.listed else (held,)
    texts = dict.fromkeys(text for text in map(key_text, values) if text is not None)
    if len(texts) > MAX_GUARD_VALUES:
        raise ConfigurationError(
            "TooManyGuardValues",
            f"the rule on {rule.kind}.{rule.field} gives an actor {len(texts)} values of {rule.attribute!r}; "
            f"at most {MAX_GUARD_VALUES} are allowed",
            hint="give the actor a role without this rule, or group the values into fewer",
        )
    return tuple(guard_of(rule.field, text) for text in texts)


def _holds(names: tuple[str, ...], name: str) -> bool:
    return EVERY in names or name in names


def _canonical(role: Role) -> dict[str, object]:
    return {
        "modules": sorted(set(role.modules)),
        "kinds": sorted(set(role.kinds)),
        "classes": sorted(set(role.classes)),
        "rules": sorted([rule.kind, rule.field, rule.attribute, rule.listed] for rule in role.rules),
        "rights": sorted(set(role.rights)),
    }
