"""The service in a process of its own, and inside the test; who asks it, and for what."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from lens_runtime.assembly import open_sessions
from lens_runtime.ports import Store
from lens_runtime.service.answering import ContextService
from lens_runtime.service.bearer import SharedKey, TokenVerifier, issue
from lens_runtime.service.context_app import context_app
from lens_runtime.service.guard import Door
from lens_runtime.service.limits import Rates, Turns
from lens_runtime.sessions import Caller, Stores
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from tests.interrupts import heeds_interrupts
from tests.worlds.serving import TOKEN as MODULE_TOKEN
from tests.worlds.serving import listening

KEY = "the key of the service's own tests"
ISSUER = "lensmith"
LENSES = ["customer_history", "outcome_investigation", "support_decision"]
TABLES = """SELECT name, sql FROM sqlite_schema
    WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %' ORDER BY name"""
"""Every table that holds rows: those of a full-text index are behind the virtual one."""


@dataclass(frozen=True)
class World:
    """A world's folder, and the LENS_HOME in which it is built."""

    home: Path
    folder: Path


def patient_able(parent: Path, deadline_ms: int) -> Path:
    """A copy of the demo world whose lenses have more time: tests run on machines that do other things too."""
    folder = parent / "able"
    shutil.copytree(
        find_world("able", Settings()), folder, ignore=shutil.ignore_patterns("__pycache__", "*.py")
    )
    for lens in folder.glob("lenses/*/lens.yml"):
        text = re.sub("deadline_ms: [0-9]+\n", "", lens.read_text("utf-8"))
        lens.write_text(f"{text}deadline_ms: {deadline_ms}\n", "utf-8")
    return folder


def asking(
    subject: str = "helpdesk:Case:c-1501", lens: str = "support_decision", **more: Any
) -> dict[str, Any]:
    """The arguments of one request."""
    module, kind, record = subject.split(":")
    return {"subject": {"module": module, "entityType": kind, "entityId": record}, "lens": lens, **more}


def bearer(actor: str = "agent:ana", **more: Any) -> dict[str, str]:
    """The header of a token for this actor."""
    given: dict[str, Any] = {"audience": "able", "issuer": ISSUER, "key": KEY, "hours": 1, **more}
    return {"authorization": f"Bearer {issue(actor, **given)}"}


def environment(home: Path) -> dict[str, str]:
    """What a process of the service is started with."""
    return {
        **os.environ,
        "LENS_HOME": str(home),
        "LENS_TOKEN_KEY": KEY,
        "LENS_MODULE_TOKEN": MODULE_TOKEN,
        "LENS_SERVICE_RATE": "100000",
    }


def content(home: Path) -> str:
    """A hash of all that the databases of a LENS_HOME hold."""
    paths = sorted(home.glob("worlds/**/*.db"))
    assert len(paths) == 7, "the graph and six modules"
    digest = hashlib.sha256()
    for path in paths:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            tables = database.execute(TABLES).fetchall()
            assert tables
            for name, made in tables:
                digest.update(repr((path.name, name, made)).encode())
                for row in database.execute(f'SELECT * FROM "{name}"'):
                    digest.update(repr(row).encode())
    return digest.hexdigest()


@dataclass(frozen=True)
class Running:
    """A service that listens; ``logged`` holds what it wrote to standard error."""

    url: str
    process: subprocess.Popen[str]
    logged: Path

    def post(self, arguments: Any, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Ask ``POST /context``, as agent:ana unless told otherwise."""
        return httpx.post(
            f"{self.url}/context",
            json=arguments,
            headers=bearer() if headers is None else headers,
            timeout=30,
        )


@contextmanager
def running(world: World, **settings: str | None) -> Iterator[Running]:
    """``lens serve`` as a real process, ended afterwards; a setting that is None is not set."""
    logged = world.home / f"log-{len(list(world.home.glob('log-*')))}"
    command = [sys.executable, "-m", "lens_kernel.start", "serve", str(world.folder)]
    given = {**environment(world.home), **settings}
    known = {name: value for name, value in given.items() if value is not None}
    with (
        logged.open("wb") as log,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=known,
            preexec_fn=heeds_interrupts,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), logged.read_text()
            yield Running(url, process, logged)
        finally:
            process.kill()


@asynccontextmanager
async def over_http(url: str, headers: Mapping[str, str]) -> AsyncIterator[ClientSession]:
    """The official client over streamable HTTP."""
    async with (
        httpx2.AsyncClient(headers=dict(headers), timeout=30) as http,
        streamable_http_client(f"{url}/mcp", http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def over_stdio(world: World, *words: str) -> AsyncIterator[ClientSession]:
    """The official client, with a service that it starts itself."""
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "lens_kernel.start", "serve", str(world.folder), "--stdio", *words],
        env=environment(world.home),
    )
    async with stdio_client(started) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        yield session


@dataclass
class Counting:
    """Stores that count how often one was asked for, and for whom."""

    inner: Stores
    lent: list[Caller] = field(default_factory=list)
    asks_who: bool = False

    @contextmanager
    def lend(self, caller: Caller) -> Iterator[Store]:
        self.lent.append(caller)
        with self.inner.lend(caller) as store:
            yield store

    def close(self) -> None:
        self.inner.close()


@contextmanager
def inside(world: World, *, rate: int = 1_000, at_once: int = 8) -> Iterator[tuple[httpx.Client, Counting]]:
    """The service in this process: a client of it, and what it asked of its stores."""
    settings = Settings(home=world.home, module_token=SecretStr(MODULE_TOKEN))
    sessions = open_sessions(str(world.folder), settings=settings)
    counting = Counting(sessions.stores)
    sessions = replace(sessions, stores=counting)
    verifier = TokenVerifier(SharedKey(KEY), "able", ISSUER)
    door = Door(verifier, sessions.world.policy, Rates(rate))
    app = context_app(ContextService(sessions, Turns(at_once)), door)
    with listening(app, "on") as url, httpx.Client(base_url=url, timeout=30) as client:
        yield client, counting
    sessions.close()
