"""The gateway Worker on workerd, the runtime of D1: started on a free port of the loopback, offline."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOKEN_KEY = "a key for tests, of 32 bytes or more"
WRITER_KEY = "compiler-key-for-tests"
AUDIENCE = "lens"
START_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Gateway:
    """A gateway that listens."""

    url: str


def binary() -> Path:
    """Workerd as npm brought it; without it the test is skipped, or fails where LENS_REQUIRE_D1 is 1."""
    found = next((HERE / "node_modules" / "@cloudflare").glob("workerd-*/bin/workerd"), None)
    if found is not None:
        return found
    reason = "needs workerd: npm ci --prefix tests/stores"
    if os.environ.get("LENS_REQUIRE_D1") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def gateway(program: Path, folder: Path, world: str) -> Iterator[Gateway]:
    """Run the gateway that was written to this folder over an empty database; it ends with the block."""
    for name in ("config.capnp", "d1_object.mjs"):
        shutil.copy(HERE / name, folder / name)
    (folder / "data").mkdir()
    keys = {"WORLD": world, "AUDIENCE": AUDIENCE, "TOKEN_KEY": TOKEN_KEY, "WRITER_KEY": WRITER_KEY}
    reading, writing = os.pipe()
    with (folder / "log").open("wb") as log, os.fdopen(reading, "rb") as events:
        command = [str(program), "serve", "config.capnp", f"--control-fd={writing}"]
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **keys}, stdout=log, stderr=log, pass_fds=(writing,)
        )
        os.close(writing)
        try:
            yield Gateway(f"http://127.0.0.1:{_port(events.readline(), folder / 'log')}")
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def token(
    actor: str,
    *,
    key: str = TOKEN_KEY,
    audience: str = AUDIENCE,
    expires_in: int = 600,
    alg: str = "HS256",
    may: tuple[str, ...] = (),
) -> str:
    """A signed token for this actor."""
    claims = {"sub": actor, "aud": audience, "exp": int(time.time()) + expires_in, "may": list(may)}
    head = ".".join(_base64url(json.dumps(part).encode()) for part in ({"alg": alg, "typ": "JWT"}, claims))
    return f"{head}.{_base64url(hmac.new(key.encode(), head.encode(), hashlib.sha256).digest())}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _port(event: bytes, log: Path) -> int:
    """Workerd tells the port it listens on; a line that never comes means it ended."""
    if not event:
        raise RuntimeError(f"workerd did not start:\n{log.read_text()}")
    return int(json.loads(event)["port"])
