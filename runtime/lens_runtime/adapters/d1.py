"""D1 through the gateway Worker: fixed statements by name over HTTP, one round trip a call."""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx

from lens_dsl.errors import AccessDenied, ExecutionError, OverBudget, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters.refusals import (
    may_not_commit,
    not_built,
    other_policy,
    other_version,
    other_world,
    too_many_groups,
    too_many_scopes,
)
from lens_runtime.ports import Deadline, Reading
from lens_runtime.scope import Scope

RETRIES = 2
TIMEOUT_SECONDS = 30.0  # D1's own limit for a batch
BUSY_SECONDS = 5.0
PAUSE_SECONDS = 0.2
LEASE_SECONDS = 30
MAX_BYTES = 50_000_000


class D1GatewayStore:
    """One world's projection on D1. ``token`` says who reads; ``writer_key`` is the compiler's, and the operator's.

    The gateway takes the actor from the token alone: ``scope.actor`` is not sent. Threads may share a store to read.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        writer_key: str | None = None,
        transport: httpx.BaseTransport | None = None,
        lease_seconds: int = LEASE_SECONDS,
    ) -> None:
        self._client = httpx.Client(base_url=url, transport=transport, timeout=TIMEOUT_SECONDS)
        self._token = token
        self._writer_key = writer_key
        self._lease_seconds = lease_seconds
        self._holder = f"process {os.getpid()} on {socket.gethostname()} ({secrets.token_hex(4)})"
        self._depth = 0

    def read(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> Reading:
        """Rows for the token's actor, and D1's count of rows read; tried again at most twice within the deadline."""
        body = {"statements": _plain(statements), "context": scope.context}
        answer, trips = self._retried("/read", self._token, body, deadline)
        if answer.get("world") != scope.world:
            raise other_world(answer.get("world"), scope.world)
        if answer.get("policy") != scope.policy_revision:
            raise other_policy(scope.world)
        return _reading(answer, len(statements), trips)

    def commit(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> None:
        """Keep what a session made; the token must say that its actor may (``may: [commit]``). Not tried again."""
        body = {"statements": _plain(statements), "context": scope.context, "world": scope.world}
        self._send("/commit", self._token, body, deadline)

    def inspect(self, statements: Sequence[Statement]) -> Reading:
        """Rows of the compiler's and the operator's statements, all from one snapshot."""
        answer, trips = self._retried("/inspect", self._writer_key, {"statements": _plain(statements)}, None)
        return _reading(answer, len(statements), trips)

    def write(self, statements: Sequence[Statement]) -> None:
        """All of them or none. Not tried again: after a time-out it is unknown whether it was done."""
        with self.writing():
            self._write([self._lease(), *statements])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the database's lease; every write renews it. StoreError (StoreBusy) names its holder after 5 seconds."""
        if self._depth == 0:
            self._take_lease()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._write([Statement("create_lease"), Statement("release_lease", (self._holder,))])

    def close(self) -> None:
        """Close the connections to the gateway."""
        self._client.close()

    def _lease(self) -> Statement:
        return Statement("hold_lease", (self._holder, self._lease_seconds))

    def _take_lease(self) -> None:
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                return self._write([Statement("create_lease"), self._lease()])
            except StoreError as problem:
                # No other constraint can fail these two: another's lease had run out before it was asked whose it is.
                if problem.code not in ("StoreBusy", "ConstraintFailed") or time.monotonic() > until:
                    raise
            time.sleep(PAUSE_SECONDS)

    def _write(self, statements: Sequence[Statement]) -> None:
        """A lease that another holds fails a write, which then is StoreBusy and was not done."""
        try:
            self._send("/write", self._writer_key, {"statements": _plain(statements)}, None)
        except StoreError as problem:
            rows = self.inspect([Statement("lease")]).results[0] if problem.code == "ConstraintFailed" else ()
            if not rows or rows[0][0] == self._holder:
                raise
            holder, since = rows[0]
            shown = datetime.fromtimestamp(float(since or 0), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            message = f"another process writes this database: {holder} since {shown}"
            raise StoreError("StoreBusy", message, retryable=True) from problem

    def _retried(
        self, path: str, token: str | None, body: Mapping[str, object], deadline: Deadline | None
    ) -> tuple[Mapping[str, object], int]:
        trips = 0
        while True:
            trips += 1
            try:
                return self._send(path, token, body, deadline), trips
            except StoreError as problem:
                pause = 0.1 * 2**trips
                if not problem.retryable or trips > RETRIES or (deadline and deadline.remaining() <= pause):
                    raise
                time.sleep(pause)

    def _send(
        self, path: str, token: str | None, body: Mapping[str, object], deadline: Deadline | None
    ) -> Mapping[str, object]:
        if deadline:
            deadline.check()
        if token is None:
            missing = "token" if path in ("/read", "/commit") else "writer key"
            raise AccessDenied("Unauthenticated", f"the gateway needs a {missing}, and none was given")
        timeout = min(TIMEOUT_SECONDS, deadline.remaining()) if deadline else TIMEOUT_SECONDS
        try:
            request = self._client.build_request(
                "POST",
                path,
                content=_encoded(body),
                timeout=timeout,
                headers={"authorization": f"Bearer {token}", "content-type": "application/json"},
            )
            response = self._client.send(request, stream=True)
            try:
                content = _content(response, deadline)
            finally:
                response.close()
        except httpx.TimeoutException as problem:
            if deadline and deadline.remaining() <= 0:
                raise ExecutionError(
                    "DeadlineExceeded", "the time for this query ran out while D1 was reading"
                ) from problem
            raise StoreError(
                "StoreTimeout", "the D1 gateway did not answer in time", retryable=True
            ) from problem
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as problem:
            raise _unreachable(problem) from problem
        return _answer(response, content)


def _unreachable(problem: Exception) -> StoreError:
    if isinstance(problem, RuntimeError):
        return StoreError("StoreClosed", "the store was closed")
    retryable = isinstance(problem, httpx.TransportError)
    return StoreError("StoreUnreachable", f"the D1 gateway: {type(problem).__name__}", retryable=retryable)


def _content(response: httpx.Response, deadline: Deadline | None) -> bytes:
    parts: list[bytes] = []
    size = 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MAX_BYTES:
            raise StoreError("TooBig", f"the D1 gateway answered with more than {MAX_BYTES} bytes")
        if deadline:
            deadline.check()
        parts.append(part)
    return b"".join(parts)


def _answer(response: httpx.Response, content: bytes) -> Mapping[str, object]:
    """What the gateway said, or the error it means; anything may stand in front of it and answer in HTML."""
    try:
        value = json.loads(content)
    except ValueError:
        value = None
    status = response.status_code
    if status == 200 and isinstance(value, dict):
        return value
    error = value.get("error") if isinstance(value, dict) else None
    code, message = "StoreFailed", f"the D1 gateway answered with status {status}"
    if isinstance(error, dict):
        code, message = str(error.get("code")), str(error.get("message"))
    if code == "MayNotCommit":
        raise may_not_commit(message)
    if status in (401, 403):
        raise AccessDenied(code if isinstance(error, dict) else "Unauthenticated", message)
    if code in ("SchemaVersion", "NotBuilt"):
        raise other_version(message) if code == "SchemaVersion" else not_built(message)
    if code == "TooManyGroups":
        raise too_many_groups(int(message))
    if code == "TooManyScopes":
        raise too_many_scopes(message)
    if code in ("InvalidBudget", "TooManySteps"):
        raise OverBudget(code, message, phase="runtime")
    raise StoreError(code, message, retryable=status == 429 or status >= 500)


def _plain(statements: Sequence[Statement]) -> list[dict[str, object]]:
    return [{"name": statement.name, "parameters": list(statement.parameters)} for statement in statements]


def _encoded(body: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError as problem:
        raise StoreError("BadText", "a parameter holds half a surrogate pair, which is no text") from problem


def _reading(answer: Mapping[str, object], statements: int, trips: int) -> Reading:
    results, rows_read = answer.get("results"), answer.get("rows_read")
    if not isinstance(results, list) or not isinstance(rows_read, int):
        raise StoreError("StoreFailed", "what answered is no D1 gateway of this program")
    rows = tuple(tuple(map(tuple, result)) for result in results)
    return Reading(rows, statements, trips, rows_read)
