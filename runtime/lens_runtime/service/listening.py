"""Listening for HTTP on an address of this machine."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from lens_dsl.errors import ConfigurationError
from lens_runtime.service.connections import BoundedConnection, OneLength, most_connections

GRACE_SECONDS = 5
QUIET_SECONDS = 60.0
MOST_AT_ONCE = 100
LOG = logging.getLogger(__name__)


def listen(app: ASGIApp, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; ``ready`` is called with the URL once connections are taken.

    Port 0 takes a free one. ConfigurationError (``CannotListen``) where the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, port))
            bound.listen()
        except OSError as fault:
            raise ConfigurationError(
                "CannotListen",
                f"cannot listen on {host} port {port}: {fault.strerror}",
                hint="choose another --port",
            ) from fault
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        ready(f"http://{shown}:{bound.getsockname()[1]}")
        server_of(app).run(sockets=[bound])


def server_of(app: ASGIApp, most: int | None = None) -> uvicorn.Server:
    """The server of an application, with at most so many connections open, by default as many as fit this process."""
    ceiling = most_connections() if most is None else most
    bounded = type("Connection", (BoundedConnection,), {"most": ceiling})
    config = uvicorn.Config(
        OneLength(app),
        http=bounded,
        ws="none",
        # So many are accepted before the first of them is counted.
        backlog=max(1, min(MOST_AT_ONCE, ceiling // 4)),
        # Its warnings are of requests that are none: whoever can connect could fill the log.
        log_level="error",
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        lifespan="on",
    )
    return _Server(config)


class _Server(uvicorn.Server):
    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(Scarcity())
        await super().serve(sockets)


class Scarcity:
    """Told of by asyncio with a traceback for each connection that finds no descriptor: here once a minute."""

    def __init__(self) -> None:
        self._told: float | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log what the event loop met."""
        if not context.get("message", "").startswith("socket.accept() out of system resource"):
            loop.default_exception_handler(context)
        elif self._told is None or loop.time() - self._told >= QUIET_SECONDS:
            self._told = loop.time()
            LOG.error("no connection can be taken: this process has no file descriptors left")
