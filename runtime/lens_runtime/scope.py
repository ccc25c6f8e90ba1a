"""Who asks, and what that actor may see: fixed before the first lookup, never an argument of a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNGUARDED = "-"
ANY = "any"


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor as the policy knows it; ``attrs`` feed its record rules."""

    id: str
    roles: tuple[str, ...] = ()
    attrs: Mapping[str, object] = field(default_factory=dict)
    principal: str | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """The visibility boundary of one session. The store turns it into the scopes of the actor."""

    world: str
    context: str
    actor: Actor
    policy_revision: str


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """One line of what a role gives an actor: records of a kind, in a class, under a guard.

    ``guard`` is ``-`` for a kind that no role guards, ``any`` for every record of a guarded kind,
    else ``field=value``, the value a record must have (worlds.md, policy.yml).
    """

    role: str
    kind: str
    visibility: str
    guard: str = UNGUARDED


def guard_of(field_name: str, value: object) -> str:
    """The guard that a record with this value is entered under; one text for equal values only."""
    return f"{field_name}={value}"
