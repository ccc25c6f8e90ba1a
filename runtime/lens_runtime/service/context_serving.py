"""Serving a world from this process: over HTTP, or to the one client on standard input and output."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from contextlib import closing

import anyio

from lens_dsl.errors import LensError
from lens_runtime.assembly import local_caller, open_sessions
from lens_runtime.service.answering import ContextService
from lens_runtime.service.bearer import SharedKey, TokenVerifier, VerificationKeys
from lens_runtime.service.context_app import context_app
from lens_runtime.service.context_tool import context_server
from lens_runtime.service.guard import Door
from lens_runtime.service.jwks import PublishedKeys
from lens_runtime.service.limits import Rates, Turns
from lens_runtime.service.listening import listen
from lens_runtime.service.standard_streams import standard_streams
from lens_runtime.service.token_key import shared_key
from lens_runtime.sessions import Caller, Sessions
from lens_runtime.settings import Settings, load_settings
from lens_runtime.worlds.world import World

LOG = logging.getLogger(__name__)


def serve(
    world: str,
    *,
    host: str,
    port: int,
    ready: Callable[[str], None],
    context: str = "main",
    store: str | None = None,
    settings: Settings | None = None,
) -> None:
    """Answer over HTTP until the process is told to stop; ``ready`` is called with its URL.

    Raises ConfigurationError for a world, context, store, key or address that cannot be had.
    """
    settings = settings or load_settings()
    _keep_quiet()
    with closing(open_sessions(world, context=context, store=store, settings=settings)) as sessions:
        listen(context_app(_service(sessions, settings), _door(sessions.world, settings)), host, port, ready)


def serve_stdio(
    world: str,
    *,
    actor: str | None = None,
    context: str = "main",
    store: str | None = None,
    settings: Settings | None = None,
) -> None:
    """Answer one MCP client on standard input and output, as one actor, until its end of them closes.

    Raises AccessDenied where this actor may not act here, ConfigurationError as ``serve``.
    """
    settings = settings or load_settings()
    _keep_quiet()
    with closing(open_sessions(world, context=context, store=store, settings=settings)) as sessions:
        caller = local_caller(sessions.world, actor=actor, store=store, settings=settings)
        # A thread that waits for input cannot be woken: a signal ends the process, which has nothing to finish.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        anyio.run(_converse, _service(sessions, settings), caller)


async def _converse(service: ContextService, caller: Caller) -> None:
    server = context_server(service, lambda context: caller)
    async with standard_streams() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _service(sessions: Sessions, settings: Settings) -> ContextService:
    try:
        sessions.ready()
    except LensError as fault:
        LOG.warning("%s: %s; until then every question is refused: %s", fault.code, fault.message, fault.hint)
    return ContextService(sessions, Turns(settings.service_concurrency))


def _door(world: World, settings: Settings) -> Door:
    keys: VerificationKeys = (
        SharedKey(shared_key(world, settings))
        if settings.token_jwks is None
        else PublishedKeys(settings.token_jwks)
    )
    verifier = TokenVerifier(keys, world.id, settings.token_issuer)
    return Door(verifier, world.policy, Rates(settings.service_rate))


def _keep_quiet() -> None:
    """What the SDK and the client of HTTP log may quote a request or an answer: neither is for a log."""
    for name in ("mcp", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
