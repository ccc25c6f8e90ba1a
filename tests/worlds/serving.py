"""Modules served over HTTP: in a thread of the test, and by a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from lens_runtime.ports import ModuleReader
from lens_runtime.service.module_app import module_app
from lens_runtime.worlds.world import World

TOKEN = "a token of the tests"


def app_of(world: World, reader: ModuleReader) -> ASGIApp:
    """The application that serves a module of a world."""
    return module_app(reader, world.policy.actors, TOKEN)


@contextmanager
def listening(app: ASGIApp, lifespan: Literal["on", "off"] = "off") -> Iterator[str]:
    """The URL of an application that listens on a free port meanwhile."""
    config = uvicorn.Config(app, port=0, log_level="critical", access_log=False, lifespan=lifespan)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@dataclass(frozen=True)
class Served:
    """A module served by a process of its own."""

    url: str
    process: subprocess.Popen[str]

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(world: str, module: str, home: Path, *words: str) -> Iterator[Served]:
    """``lens world serve-module`` as a real process, ended afterwards."""
    command = [sys.executable, "-m", "lens_kernel.cli", "world", "serve-module", world, module, *words]
    environment = {**os.environ, "LENS_HOME": str(home), "LENS_MODULE_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), url
            yield Served(url, process)
        finally:
            process.kill()
