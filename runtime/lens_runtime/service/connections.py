"""Connections of HTTP that nobody holds open for nothing: each has a time for its request, and all a ceiling."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, cast

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from lens_runtime.service.problems import Problem

MOST_CONNECTIONS = 1_000
UNKNOWN_DESCRIPTORS = 512
MALFORMED = Problem(400, "QueryError", "BadRequest", "this is no request of HTTP")
TWO_LENGTHS = Problem(
    400, "QueryError", "BadRequest", "a request has a Content-Length or a Transfer-Encoding, not both"
)
FULL = Problem(503, "ExecutionError", "Overloaded", "too many connections are open", 1)


def most_connections() -> int:
    """How many connections may be open: half of the descriptors of this process, the rest is for graph and modules."""
    if sys.platform == "win32":
        return UNKNOWN_DESCRIPTORS // 2
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(MOST_CONNECTIONS, soft // 2))


class _Alarm:
    """Something that is done at a time, unless it is stopped before."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    @property
    def at(self) -> float | None:
        """The time, by the event loop's clock; None where it is not set."""
        return None if self._timer is None else self._timer.when()

    def set(self, loop: asyncio.AbstractEventLoop, seconds: float, then: Callable[[], None]) -> None:
        """Do this in so many seconds."""
        self.stop()
        self._timer = loop.call_later(seconds, then)

    def stop(self) -> None:
        """Do it no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class BoundedConnection(H11Protocol):
    """A connection that is closed where it waits too long for its client.

    Uvicorn has a time for idle connections alone: one that began a request, or does not read its answer, would stay.
    """

    request_seconds: ClassVar[float] = 10.0
    """From the opening, or the last answer, to the end of the next request's headers."""
    reading_seconds: ClassVar[float] = 60.0
    """How long a client may read nothing of an answer that waits for it."""
    most: ClassVar[int] = MOST_CONNECTIONS

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._request, self._reading = _Alarm(), _Alarm()

    @property
    def waits_until(self) -> float | None:
        """When it is given up unless a request has come; None while one is answered."""
        return self._request.at

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it. Beyond the ceiling that one goes which has waited longest, or this one where all are at work."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) <= self.most:
            return
        open_ones = [each for each in self.connections if isinstance(each, BoundedConnection)]
        waiting = [each for each in open_ones if each is not self and each.waits_until is not None]
        if waiting:
            min(waiting, key=lambda each: each.waits_until or 0).give_up()
        else:
            self._refuse(FULL)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request. They do not give more time for its headers."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """An answer is out: the time for the next request begins."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """The client does not read as fast as it is answered."""
        super().pause_writing()
        self._reading.set(self.loop, self.reading_seconds, self.give_up)

    def resume_writing(self) -> None:
        """The client has read on."""
        super().resume_writing()
        self._reading.stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, by whomever."""
        self._request.stop()
        self._reading.stop()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close it at once, without waiting for what the client has not read."""
        # What it holds must be free for others now, not when the event loop comes round.
        self.connections.discard(self)
        self._request.stop()
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read as a request, in the shape of every error."""
        self._refuse(MALFORMED)

    @property
    def _under_way(self) -> RequestResponseCycle | None:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _watch(self) -> None:
        if self._under_way is not None:
            self._request.stop()
        elif self._request.at is None and self in self.connections:
            self._request.set(self.loop, self.request_seconds, self.give_up)

    def _refuse(self, problem: Problem) -> None:
        if self._under_way is None or not self._under_way.response_started:
            self.transport.write(_answer(problem))
        self.transport.close()


class OneLength:
    """An ASGI application that refuses requests of two lengths: what stands in front may take the other one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or refuse it and close the connection."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "content-length" not in headers or "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        after = {"cache-control": "no-store", "connection": "close"}
        refusal = Response(TWO_LENGTHS.text(), TWO_LENGTHS.status, after, media_type="application/json")
        await refusal(scope, receive, send)


def _answer(problem: Problem) -> bytes:
    """A whole response, for where no request was read that it could answer."""
    body = problem.text().encode()
    after = [] if problem.retry_after is None else [f"retry-after: {problem.retry_after}"]
    head = [
        f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}",
        "content-type: application/json",
        "cache-control: no-store",
        f"content-length: {len(body)}",
        "connection: close",
        *after,
    ]
    return "\r\n".join([*head, "", ""]).encode("ascii") + body
