"""Errors that both stores raise, in the same words."""

from __future__ import annotations

from lens_dsl.errors import AccessDenied, ConfigurationError, OverBudget, StoreError
from lens_dsl.sql import MAX_GROUPS


def not_built(world: str) -> StoreError:
    """The error of a world whose projection is not there."""
    return StoreError("NotBuilt", f"world {world} is not built", hint=f"lens world build {world}")


def other_world(held: object, asked: str) -> StoreError:
    """The error of a store that holds another world."""
    return StoreError("OtherWorld", f"this store holds world {held}, not {asked}")


def other_version(world: str) -> ConfigurationError:
    """The error of tables that another version of the program wrote."""
    return ConfigurationError(
        "SchemaVersion",
        f"the tables of world {world} are of another version of this program",
        hint=f"rebuild it: lens world build --rebuild {world}",
    )


def other_policy(world: str) -> ConfigurationError:
    """The error of a projection whose scopes were compiled from another policy than the readers go by."""
    return ConfigurationError(
        "PolicyChanged",
        f"the policy of world {world} has changed since its graph was built",
        hint=f"lens world build {world}",
    )


def too_many_groups(groups: int) -> OverBudget:
    """The error of a step, or of a search, that seeks more groups than a store takes."""
    return OverBudget(
        "TooManyGroups",
        f"one step or search seeks {groups} groups (relationship type x scope of this actor); the most is {MAX_GROUPS}",
        hint="name fewer relationship types or kinds",
        phase="runtime",
    )


def too_many_scopes(held: str) -> OverBudget:
    """The error of an actor who holds more scopes than the plan's cost was stated for; ``held`` says how many."""
    return OverBudget(
        "TooManyScopes",
        f"what this actor may see makes the query dearer than its plan says: {held} at most",
        hint="raise the ceiling (--max-scopes), or give the role fewer guard values",
        phase="runtime",
    )


def may_not_commit(message: str) -> AccessDenied:
    """The error of a session that would keep what it made, with a token that only lets it read."""
    return AccessDenied(
        "MayNotCommit", message, hint="give the service that reduces a token with may: [commit]"
    )
