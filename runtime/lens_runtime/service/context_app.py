"""The service over HTTP: the tool at ``/mcp``, and the same answer at ``POST /context`` for callers without MCP."""

from __future__ import annotations

import json
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from lens_dsl.errors import LensError
from lens_runtime.service.answering import ContextService
from lens_runtime.service.context_tool import context_server
from lens_runtime.service.guard import CALLER, MAX_BODY_BYTES, Door, Guard, problem_response
from lens_runtime.service.openapi import openapi
from lens_runtime.service.problems import Problem
from lens_runtime.sessions import Caller

NO_STORE = {"cache-control": "no-store"}


def context_app(service: ContextService, door: Door) -> Starlette:
    """The ASGI application. What answers with data is behind the door; the rest says only that it is there."""
    site = _Site(service)
    # A bearer token is what a page of another origin cannot send: no list of hosts is needed against rebinding.
    manager = StreamableHTTPSessionManager(
        context_server(service, _caller_of),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MAX_BODY_BYTES,
    )
    routes = [
        Route("/mcp", Guard(StreamableHTTPASGIApp(manager), door), methods=["POST"]),
        Route("/context", Guard(site.context, door), methods=["POST"]),
        Route("/lenses", Guard(site.lenses, door), methods=["GET"]),
        Route("/healthz", _healthy, methods=["GET"]),
        Route("/readyz", site.ready, methods=["GET"]),
        Route("/openapi.json", site.described, methods=["GET"]),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lambda app: manager.run(),
        exception_handlers={HTTPException: _no_such_thing},
    )
    # A redirect would name the host that the client named, whoever that is.
    app.router.redirect_slashes = False
    return app


class _Site:
    def __init__(self, service: ContextService) -> None:
        self._service = service

    async def context(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``POST /context``"""
        body = await Request(scope, receive).body()
        envelope = await self._service.answer(scope[CALLER], body)
        await _json(envelope)(scope, receive, send)

    async def lenses(self, scope: Scope, receive: Receive, send: Send) -> None:
        """``GET /lenses``"""
        listed = {"lenses": self._service.lenses()}
        await _json(json.dumps(listed, ensure_ascii=False))(scope, receive, send)

    async def ready(self, request: Request) -> Response:
        """``GET /readyz``"""
        try:
            await run_in_threadpool(self._service.sessions.ready)
        except LensError as fault:
            return _json(json.dumps({"status": "unavailable", "code": fault.code}), 503)
        return _json('{"status":"ready"}')

    async def described(self, request: Request) -> Response:
        """``GET /openapi.json``"""
        return _json(json.dumps(openapi(), ensure_ascii=False))


def _caller_of(context: ServerRequestContext[Any, Any]) -> Caller:
    request = context.request
    assert isinstance(request, Request)
    caller: Caller = request.scope[CALLER]
    return caller


async def _healthy(request: Request) -> Response:
    return _json('{"status":"ok"}')


async def _no_such_thing(request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 500
    code = "WrongMethod" if status == 405 else "UnknownPath"
    response = problem_response(Problem(status, "QueryError", code, "there is no such operation"))
    response.headers.update(getattr(fault, "headers", None) or {})
    return response


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, NO_STORE, media_type="application/json")
