"""One module of a world as a service: what ``HttpReader`` reads. The shapes are those of ``module_messages``.

The token says that a reader may ask at all; which records an actor may have is decided here, record by record,
by the module's own reader and policy. Nothing of a record stands in an error of ``/read``, and nothing is logged.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from lens_dsl.errors import LensError, ReaderError
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.module_messages import (
    DEADLINE_HEADER,
    MAX_CHANGES,
    MAX_REQUEST_BYTES,
    Malformed,
    answer_message,
    changes_message,
    encoded,
    item_line,
    request_of,
)
from lens_runtime.ports import ModuleReader
from lens_runtime.projection.states import Position
from lens_runtime.scope import Actor

MAX_SECONDS = 30.0
STATUS = {"ReaderUnavailable": 503, "DeadlineExceeded": 504}
Endpoint = Callable[[Request], Awaitable[Response]]


def module_app(reader: ModuleReader, actors: Mapping[str, Actor], token: str) -> Starlette:
    """The ASGI application that serves this reader to whoever has the token, for the policy's actors."""
    service = _Service(reader, actors, token)
    routes = [
        Route("/read", service.guarded(service.read), methods=["POST"]),
        Route("/changes", service.guarded(service.changes), methods=["GET"]),
        Route("/snapshot", service.guarded(service.snapshot), methods=["GET"]),
        Route("/healthz", _healthy, methods=["GET"]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return app


@dataclass(frozen=True, slots=True)
class _Service:
    reader: ModuleReader
    actors: Mapping[str, Actor]
    token: str

    def guarded(self, endpoint: Endpoint) -> Endpoint:
        """The endpoint for those who have the token, with every error as JSON."""

        async def answer(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode()
            if not hmac.compare_digest(given, f"Bearer {self.token}".encode()):
                refusal = _error(
                    401, "AccessDenied", "Unauthenticated", "this module takes no request without its token"
                )
                refusal.headers["www-authenticate"] = "Bearer"
                return refusal
            try:
                return await endpoint(request)
            except Malformed:
                return _error(400, "QueryError", "BadRequest", "the request is not of the documented shape")
            except LensError as fault:
                return _failure(fault)

        return answer

    async def read(self, request: Request) -> Response:
        """``POST /read``"""
        asked = request_of(await _body(request))
        actor = self.actors.get(asked.actor, Actor(asked.actor))
        answers = await run_in_threadpool(
            self.reader.read, actor, asked.context, asked.kind, asked.ids, _deadline(request)
        )
        sent = [answer_message(record_id, answer).model_dump() for record_id, answer in answers.items()]
        return _json({"answers": sent})

    async def changes(self, request: Request) -> Response:
        """``GET /changes``"""
        text = request.query_params.get("cursor")
        try:
            cursor = None if text is None else Position.parse(text)
        except ValueError:
            raise Malformed from None
        return await run_in_threadpool(self._changes, cursor)

    def _changes(self, cursor: Position | None) -> Response:
        feed = self.reader.changes(cursor)
        if feed is None:
            return Response(changes_message(None, None), media_type="application/json")
        page = None if feed.changes is None else list(islice(feed.changes, MAX_CHANGES))
        return Response(changes_message(feed.head, page), media_type="application/json")

    async def snapshot(self, request: Request) -> Response:
        """``GET /snapshot``"""
        part = request.query_params.get("part")
        if part not in ("nodes", "edges"):
            raise Malformed
        lines = iterate_in_threadpool(self._lines(part))
        return StreamingResponse(lines, media_type="application/x-ndjson")

    def _lines(self, part: str) -> Iterator[bytes]:
        snapshot = self.reader.snapshot()
        count = 0
        try:
            for item in snapshot.nodes if part == "nodes" else snapshot.edges:
                count += 1
                yield item_line(item)
        except LensError as fault:
            yield encoded({"error": _told(fault)}) + b"\n"
            return
        yield encoded({"end": count, "null_references": dict(snapshot.null_references)}) + b"\n"


async def _healthy(request: Request) -> Response:
    return _json({"status": "ok"})


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_REQUEST_BYTES:
            raise Malformed
        parts.append(part)
    return b"".join(parts)


def _deadline(request: Request) -> MonotonicDeadline:
    given = request.headers.get(DEADLINE_HEADER, "")
    seconds = int(given) / 1_000 if given.isdecimal() and len(given) < 10 else MAX_SECONDS
    return MonotonicDeadline.after(min(seconds, MAX_SECONDS))


def _failure(fault: LensError) -> Response:
    return _json({"error": _told(fault)}, STATUS.get(fault.code, 500))


def _told(fault: LensError) -> dict[str, object]:
    kind = "ReaderError" if isinstance(fault, ReaderError) else fault.type
    retryable = getattr(fault, "retryable", False)
    return {"type": kind, "code": fault.code, "message": fault.message, "retryable": retryable}


def _error(status: int, kind: str, code: str, message: str) -> Response:
    return _json({"error": {"type": kind, "code": code, "message": message}}, status)


def _json(value: object, status: int = 200) -> Response:
    return Response(encoded(value), status, media_type="application/json")
