"""The OpenAPI document of the service. It is open to all, and says nothing of the world that is served."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from lens_runtime.envelope import ContextEnvelope
from lens_runtime.service.answering import EVIDENCE
from lens_runtime.service.arguments import ContextArguments

REF = "#/components/schemas/{model}"


class ErrorPart(BaseModel):
    """What went wrong: see docs/errors.md for the codes."""

    type: str
    code: str
    message: str


class ErrorAnswer(BaseModel):
    """The one shape of every error."""

    error: ErrorPart


class LensSummary(BaseModel):
    """What there is to know of a lens before it is named."""

    name: str
    version: str
    purpose: str
    subjectKinds: list[str]  # noqa: N815 - as callers read it
    maxNodes: int  # noqa: N815


class LensList(BaseModel):
    """The lenses that may be named, sorted by name."""

    lenses: list[LensSummary]


SHAPES: tuple[tuple[type[BaseModel], Literal["validation", "serialization"]], ...] = (
    (ContextArguments, "validation"),
    (ContextEnvelope, "serialization"),
    (LensList, "serialization"),
    (ErrorAnswer, "serialization"),
)


@cache
def openapi() -> dict[str, Any]:
    """The document, of version 3.1."""
    _, shapes = models_json_schema(list(SHAPES), ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "lensmith", "version": version("lensmith"), "description": EVIDENCE},
        "paths": {
            "/context": {"post": _asked()},
            "/lenses": {"get": _guarded("lenses", "The lenses that may be named", "LensList")},
            "/healthz": {"get": _open("healthz", "Whether the process runs")},
            "/readyz": {"get": _open("readyz", "Whether the graph can be asked")},
        },
        "components": {
            "schemas": shapes["$defs"],
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


def _asked() -> dict[str, Any]:
    operation = _guarded("context", "What a lens may show the caller about a subject", "ContextEnvelope")
    operation["requestBody"] = {"required": True, **_content("ContextArguments")}
    for status, told in (
        ("400", "The arguments cannot be taken"),
        ("404", "There is no lens of that name"),
        ("408", "The request did not come in time"),
        ("413", "The request is too large"),
        ("503", "It cannot be answered now"),
        ("504", "The deadline passed"),
    ):
        operation["responses"][status] = {"description": told, **_content("ErrorAnswer")}
    return operation


def _guarded(name: str, summary: str, shape: str) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": {"description": summary, **_content(shape)}}
    for status, told in (
        ("401", "No token, or none that is valid here"),
        ("403", "The token's actor may not read here"),
        ("429", "This actor asks too often: see Retry-After"),
        ("500", "A fault of the program"),
    ):
        responses[status] = {"description": told, **_content("ErrorAnswer")}
    return {
        "operationId": name,
        "summary": summary,
        "security": [{"bearer": []}],
        "responses": responses,
    }


def _open(name: str, summary: str) -> dict[str, Any]:
    status = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}
    content = {"content": {"application/json": {"schema": status}}}
    return {
        "operationId": name,
        "summary": summary,
        "responses": {"200": {"description": "Yes", **content}, "503": {"description": "No", **content}},
    }


def _content(shape: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": {"$ref": REF.format(model=shape)}}}}
