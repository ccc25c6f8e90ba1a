"""Development tokens: made by whoever has the key, for the actors that this machine may act as."""

from __future__ import annotations

from collections.abc import Sequence

from lens_dsl.errors import ConfigurationError
from lens_runtime.assembly import local_caller
from lens_runtime.service.bearer import issue
from lens_runtime.service.token_key import shared_key
from lens_runtime.settings import Settings
from lens_runtime.worlds.world import World


def make_token(
    world: World, settings: Settings, *, actor: str | None = None, hours: int, may: Sequence[str] = ()
) -> str:
    """A token for one of the policy's ``may_act_as``, valid for so many hours.

    Raises AccessDenied (``UnknownActor``), or ConfigurationError for a key that cannot be used and where the
    service takes no shared one (``NoSharedKey``).
    """
    if settings.token_jwks is not None:
        raise ConfigurationError(
            "NoSharedKey",
            "with LENS_TOKEN_JWKS the service takes no token that is made here",
            hint="take one of the identity provider, or unset LENS_TOKEN_JWKS here and for lens serve",
        )
    caller = local_caller(world, actor=actor, settings=settings)
    return issue(
        caller.actor.id,
        audience=world.id,
        issuer=settings.token_issuer,
        key=shared_key(world, settings),
        hours=hours,
        may=may,
    )
