"""The service's one MCP tool. The SDK's low-level server lists what is given here and nothing beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from mcp.server import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from lens_runtime.envelope.schema import schema_text
from lens_runtime.service.answering import EVIDENCE, ContextService
from lens_runtime.service.arguments import input_schema
from lens_runtime.service.problems import problem_of
from lens_runtime.sessions import Caller

Context = ServerRequestContext[Any, Any]
CallerOf = Callable[[Context], Caller]
READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def context_server(service: ContextService, caller_of: CallerOf) -> Server[Any]:
    """A server with one tool, which answers for whoever ``caller_of`` says has sent a request."""
    name = service.sessions.world.tool_name

    async def list_tools(context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[context_tool(service)])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name != name:
            raise MCPError(INVALID_PARAMS, f"there is one tool here: {name}")
        try:
            envelope = await service.answer(caller_of(context), json.dumps(params.arguments or {}))
        except Exception as fault:
            # What the SDK does not catch it would log, with the fault's own words.
            return CallToolResult(content=[_text(problem_of(fault).text())], is_error=True)
        return CallToolResult(
            content=[_text(envelope), _text(EVIDENCE)], structured_content=json.loads(envelope)
        )

    server: Server[Any] = Server(
        "lensmith",
        version=version("lensmith"),
        title=service.sessions.world.title,
        instructions=EVIDENCE,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # Without its tracing: what a request holds belongs into no exporter that somebody happens to have installed.
    server.middleware.clear()
    return server


def context_tool(service: ContextService) -> Tool:
    """The tool as it is listed: its schema names exactly the lenses there are."""
    world = service.sessions.world
    purposes = "\n".join(f"- {lens['name']}: {lens['purpose']}" for lens in service.lenses())
    return Tool(
        name=world.tool_name,
        title=f"Context from {world.title}",
        description=(
            "What a named lens may show you about one record, read from the modules that own it: facts with their "
            "revisions, relationships, what is unknown, and what was cut. It only reads. "
            f"Lenses:\n{purposes}\n{EVIDENCE}"
        ),
        input_schema=input_schema(service.lens_names),
        output_schema=json.loads(schema_text()),
        annotations=READ_ONLY,
    )


def _text(text: str) -> TextContent:
    return TextContent(text=text)
