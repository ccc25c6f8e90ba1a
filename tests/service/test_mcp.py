"""The tool, as the official MCP client has it from a real process, over both transports."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, ClientSession, MCPError
from mcp.client.streamable_http import streamable_http_client

from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.schema import schema_text
from lens_runtime.service.answering import EVIDENCE
from tests.service.running import (
    LENSES,
    Running,
    World,
    asking,
    bearer,
    content,
    environment,
    over_http,
    over_stdio,
)

Talk = Callable[[ClientSession], Awaitable[None]]
TOOL = "able_context"


@pytest.fixture(params=["http", "stdio"])
def converse(request: pytest.FixtureRequest, able: World) -> Callable[..., None]:
    """Run a conversation with the service, as agent:ana unless told otherwise."""

    def opened(actor: str) -> AbstractAsyncContextManager[ClientSession]:
        if request.param == "stdio":
            return over_stdio(able, "--as", actor)
        served: Running = request.getfixturevalue("served")
        return over_http(served.url, bearer(actor))

    def run(talk: Talk, actor: str = "agent:ana") -> None:
        async def whole() -> None:
            async with opened(actor) as session:
                await talk(session)

        anyio.run(whole)

    return run


@pytest.mark.promise("P44", "P45", "P46", "P47")
def test_one_tool_is_listed_that_only_reads_and_names_the_lenses(converse):
    async def talk(session: ClientSession) -> None:
        capabilities = session.server_capabilities
        assert capabilities is not None
        assert capabilities.model_dump(exclude_none=True) == {"tools": {"list_changed": False}}
        (tool,) = (await session.list_tools()).tools
        assert tool.name == TOOL
        assert tool.annotations is not None
        assert tool.annotations.model_dump(by_alias=True, exclude_none=True) == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert tool.output_schema == json.loads(schema_text())
        assert EVIDENCE in (tool.description or "")
        takes = tool.input_schema
        assert set(takes["properties"]) == {"subject", "lens", "maxNodes", "focus"}
        assert takes["properties"]["lens"]["enum"] == LENSES
        assert takes["additionalProperties"] is False
        assert set(takes["$defs"]["SubjectArgument"]["properties"]) == {"module", "entityType", "entityId"}

    converse(talk)


@pytest.mark.promise("P57")
def test_the_answer_is_the_envelope_structured_and_as_text(converse):
    async def talk(session: ClientSession) -> None:
        await session.list_tools()  # the client holds the answer to the schema that was listed
        answer = await session.call_tool(TOOL, asking(focus="broken frame"))
        assert not answer.is_error
        payload, note = answer.content
        assert payload.type == note.type == "text"
        assert json.loads(payload.text) == answer.structured_content
        assert note.text == EVIDENCE
        envelope = ContextEnvelope.model_validate_json(payload.text)
        assert {fact.coordinate.entity_id for fact in envelope.facts} >= {"c-1501", "p-0042"}

    converse(talk)


WRONG = [
    (asking(query="MATCH (n) RETURN n"), "BadRequest", "query is no argument here"),
    (asking(scope="lead:mia"), "BadRequest", "scope is no argument here"),
    ({"lens": "support_decision"}, "BadRequest", "subject: field required"),
    (asking(maxNodes="ten"), "BadRequest", "maxNodes: "),
    (asking(lens="everything"), "UnknownLens", ", ".join(LENSES)),
    ({}, "BadRequest", "subject: field required"),
]


@pytest.mark.promise("P22", "P34", "P44")
def test_what_the_tool_does_not_take_is_refused_in_words(converse):
    async def talk(session: ClientSession) -> None:
        for arguments, code, words in WRONG:
            answer = await session.call_tool(TOOL, arguments)
            assert answer.is_error
            (only,) = answer.content
            assert only.type == "text"
            told = json.loads(only.text)["error"]
            assert told["code"] == code
            assert words in told["message"]
        with pytest.raises(MCPError, match=TOOL):
            await session.call_tool("run_query", {"text": "MATCH (n) RETURN n"})

    converse(talk)


@pytest.mark.promise("P39", "P40")
def test_max_nodes_is_clamped_and_never_refused(converse):
    async def talk(session: ClientSession) -> None:
        async def facts(**more: Any) -> int:
            answer = await session.call_tool(TOOL, asking("directory:Party:p-0042", **more))
            assert not answer.is_error, answer.content
            return len(answer.structured_content["facts"])

        most = await facts()
        assert [await facts(maxNodes=10**9), await facts(maxNodes=10**40)] == [most, most]
        assert [await facts(maxNodes=0), await facts(maxNodes=-1)] == [1, 1]
        assert await facts(maxNodes=3) == 3 < most

    converse(talk)


@pytest.mark.promise("P38", "P39", "P40")
def test_a_hub_never_gives_more_than_the_cap(converse):
    """p-0007 has some hundred cases, of which customer_history takes 80 records; what fits is told of those."""

    async def talk(session: ClientSession) -> None:
        async def cap(**more: Any) -> list[int]:
            arguments = asking("directory:Party:p-0007", "customer_history", **more)
            answer = await session.call_tool(TOOL, arguments)
            assert not answer.is_error, answer.content
            envelope = ContextEnvelope.model_validate(answer.structured_content)
            return [cut.limit for cut in envelope.truncation.cuts if cut.ceiling == "nodes"]

        assert [await cap(), await cap(maxNodes=10**9), await cap(maxNodes=81)] == [[80]] * 3
        assert await cap(maxNodes=79) == [79]

    converse(talk)


@pytest.mark.promise("P45")
def test_no_call_changes_a_module_or_the_graph(converse, able):
    before = content(able.home)

    async def talk(session: ClientSession) -> None:
        for lens in LENSES:
            for subject in ("helpdesk:Case:c-1501", "directory:Party:p-0042"):
                assert not (await session.call_tool(TOOL, asking(subject, lens))).is_error
        assert (await session.call_tool(TOOL, asking(lens="everything"))).is_error

    converse(talk)
    assert content(able.home) == before


@pytest.mark.promise("P51")
def test_actors_see_what_is_theirs(converse):
    found: dict[str, list[dict[str, Any]]] = {}

    def talking(actor: str) -> Talk:
        async def talk(session: ClientSession) -> None:
            answers = [
                (await session.call_tool(TOOL, asking(f"helpdesk:Case:{case}"))).structured_content
                for case in ("c-1501", "c-1503")
            ]
            found[actor] = [{**answer, "as_of": "", "request_id": ""} for answer in answers]

        return talk

    for actor in ("agent:ana", "agent:ben"):
        converse(talking(actor), actor)
    facts = {actor: [bool(answer["facts"]) for answer in answers] for actor, answers in found.items()}
    assert facts == {"agent:ana": [True, False], "agent:ben": [False, True]}


def test_a_client_of_the_newest_protocol_is_answered_too(served):
    async def talk() -> None:
        async with (
            httpx2.AsyncClient(headers=bearer(), timeout=30) as http,
            Client(streamable_http_client(f"{served.url}/mcp", http_client=http)) as client,
        ):
            assert client.protocol_version == "2026-07-28"
            assert [tool.name for tool in (await client.list_tools()).tools] == [TOOL]
            assert not (await client.call_tool(TOOL, asking())).is_error

    anyio.run(talk)


def test_a_line_that_is_no_message_is_answered_on_stdio(able):
    command = [
        sys.executable,
        "-m",
        "lens_kernel.start",
        "serve",
        str(able.folder),
        "--stdio",
        "--as",
        "agent:ana",
    ]
    lines = ['{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', "no JSON", '{"id": 2}']
    began = '{"jsonrpc": "2.0", "id": 3, "method": "ping"}'
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(able.home)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join([*lines, began, ""]))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(4)]
        process.stdin.close()
        assert process.wait(10) == 0
    assert [answer.get("error", {}).get("code") for answer in answers[:3]] == [-32_700, -32_700, -32_600]
    assert [answer["id"] for answer in answers] == [None, None, None, 3]


@pytest.mark.promise("P21")
def test_an_actor_that_may_not_act_here_is_not_answered_on_stdio(able):
    async def talk() -> None:
        async with over_stdio(able, "--as", "agent:eve"):
            pass

    with pytest.raises((MCPError, BaseExceptionGroup)):
        anyio.run(talk)
