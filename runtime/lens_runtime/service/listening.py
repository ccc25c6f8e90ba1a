"""Listening for HTTP on an address of this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from lens_dsl.errors import ConfigurationError

GRACE_SECONDS = 5


def listen(app: Starlette, host: str, port: int, ready: Callable[[str], None]) -> None:
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
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            lifespan="on",
        )
        uvicorn.Server(config).run(sockets=[bound])
