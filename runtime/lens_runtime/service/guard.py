"""The door of the service: nobody comes past it whose token was not verified, and no fault's own words come out."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import anyio
import anyio.to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lens_dsl.errors import AccessDenied
from lens_runtime.service.bearer import TokenVerifier
from lens_runtime.service.limits import Rates
from lens_runtime.service.problems import Problem, Refused, problem_of
from lens_runtime.sessions import Caller
from lens_runtime.worlds.policy import Policy

CALLER = "lens.caller"
"""The key of an ASGI scope that holds who was authenticated."""

MAX_BODY_BYTES = 64_000
BODY_SECONDS = 10.0
LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Door:
    """Who may come in, and how often."""

    verifier: TokenVerifier
    policy: Policy
    rates: Rates

    async def admit(self, headers: Headers) -> Caller:
        """The caller of a request; AccessDenied or Refused before anything of the request is read."""
        token = _bearer(headers)
        # Published keys may have to be fetched first.
        claims = await anyio.to_thread.run_sync(self.verifier.verify, token)
        actor = self.policy.actor(claims.subject)
        self.rates.take(actor.id)
        return Caller(actor, claims.may, token)


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application behind the door; it finds the caller in its scope, and a body of bounded size."""

    app: ASGIApp
    door: Door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or say in the one shape of errors why not."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            if not started:
                MutableHeaders(scope=message).setdefault("cache-control", "no-store")
            started = True
            await send(message)

        try:
            caller = await self.door.admit(Headers(scope=scope))
            body = await _body(receive)
            await self.app({**scope, CALLER: caller}, _replayed(body, receive), watched)
        except Exception as fault:
            problem = problem_of(fault)
            if not started:
                await problem_response(problem)(scope, receive, send)


def problem_response(problem: Problem) -> Response:
    """A problem as a response of HTTP."""
    headers = {"cache-control": "no-store"}
    if problem.status == 401:
        headers["www-authenticate"] = "Bearer"
    if problem.retry_after is not None:
        headers["retry-after"] = str(problem.retry_after)
    return Response(problem.text(), problem.status, headers, media_type="application/json")


def _bearer(headers: Headers) -> str:
    given = headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    if scheme.lower() != "bearer" or not token:
        raise AccessDenied("Unauthenticated", "a bearer token is needed")
    return token


async def _body(receive: Receive) -> bytes:
    content = bytearray()
    try:
        with anyio.fail_after(BODY_SECONDS):
            while True:
                message = await receive()
                content += message.get("body", b"")
                if len(content) > MAX_BODY_BYTES:
                    raise Refused(
                        Problem(
                            413,
                            "QueryError",
                            "RequestTooLarge",
                            f"a request has at most {MAX_BODY_BYTES:,} bytes",
                        )
                    )
                if not message.get("more_body", False):
                    return bytes(content)
    except TimeoutError:
        raise Refused(
            Problem(408, "QueryError", "RequestTooSlow", "the request did not come in time")
        ) from None


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
