"""MCP on standard input and output, where a line that is no message is answered too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

Incoming = SessionMessage | Exception
NO_JSON = ErrorData(code=PARSE_ERROR, message="this line is no JSON")
NO_MESSAGE = ErrorData(code=INVALID_REQUEST, message="this line is no message of JSON-RPC")


@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[MemoryObjectReceiveStream[Incoming], Any]]:
    """What comes in and what goes out; the SDK drops what it cannot read, and its sender would wait in vain."""
    forward, messages = anyio.create_memory_object_stream[Incoming](0)
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
        group.start_soon(_pass_on, incoming, forward, outgoing)
        yield messages, outgoing
        group.cancel_scope.cancel()


async def _pass_on(incoming: Any, forward: MemoryObjectSendStream[Incoming], outgoing: Any) -> None:
    async with forward:
        async for item in incoming:
            if isinstance(item, Exception):
                error = JSONRPCError(jsonrpc="2.0", id=None, error=_told(item))
                await outgoing.send(SessionMessage(error))
            else:
                await forward.send(item)


def _told(fault: Exception) -> ErrorData:
    kinds = {each["type"] for each in fault.errors()} if isinstance(fault, ValidationError) else set()
    return NO_JSON if "json_invalid" in kinds else NO_MESSAGE
