"""Serving one module of a world from this process."""

from __future__ import annotations

from collections.abc import Callable

from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_runtime.assembly import readers_of
from lens_runtime.service.listening import listen
from lens_runtime.service.module_app import module_app
from lens_runtime.settings import Settings, load_settings
from lens_runtime.worlds.address import find_world, place_of
from lens_runtime.worlds.folder import load_world


def serve_module(
    world: str,
    module: str,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    settings: Settings | None = None,
) -> None:
    """Serve a module over HTTP until the process is told to stop; ``ready`` is called with its URL.

    Raises AccessDenied (``NoToken``) without LENS_MODULE_TOKEN, ConfigurationError (``UnknownModule``,
    ``ServedElsewhere``, ``CannotListen``).
    """
    settings = settings or load_settings()
    loaded = load_world(find_world(world, settings))
    if module not in loaded.modules:
        raise ConfigurationError(
            "UnknownModule",
            f"world {loaded.id} has no module {module}",
            hint=did_you_mean(module, loaded.modules),
        )
    if loaded.modules[module].source.kind == "http":
        raise ConfigurationError(
            "ServedElsewhere",
            f"module {module} is itself read over HTTP",
            hint="serve it where its records are",
        )
    if settings.module_token is None:
        raise AccessDenied(
            "NoToken",
            "a module is served to those alone who share its token, and none is set",
            hint="set LENS_MODULE_TOKEN, here and where the module is read",
        )
    reader = readers_of(loaded, place_of(loaded, settings), settings)[module]
    listen(
        module_app(reader, loaded.policy.actors, settings.module_token.get_secret_value()), host, port, ready
    )
