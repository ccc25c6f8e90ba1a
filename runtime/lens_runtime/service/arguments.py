"""What the tool, and ``POST /context``, are asked with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from lens_runtime.graph import Coordinate
from lens_runtime.service.problems import Problem, Refused

MAX_SHOWN = 60

Part = Annotated[str, StringConstraints(min_length=1, max_length=400)]


class _Arguments(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        hide_input_in_errors=True,
        field_title_generator=lambda name, field: name,
    )


class SubjectArgument(_Arguments):
    """The record that it is about, by its exact coordinate."""

    module: Part = Field(description="The module that owns the record, such as helpdesk.")
    entityType: Part = Field(description="Its kind, such as Case.")  # noqa: N815 - as callers write it
    entityId: Part = Field(description="Its id in that module.")  # noqa: N815

    def coordinate(self) -> Coordinate:
        """The same as a coordinate."""
        return Coordinate(self.module, self.entityType, self.entityId)


class ContextArguments(_Arguments):
    """A lens, and the subject it is asked about."""

    subject: SubjectArgument
    lens: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="Which lens answers: it fixes what is followed and how much."
    )
    maxNodes: int | None = Field(  # noqa: N815
        default=None,
        description="At most so many records. Clamped to between 1 and what the lens allows, never refused.",
    )
    focus: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="Words that rank what is near to them first. No query."
    )


def read_arguments(text: bytes | str) -> ContextArguments:
    """The arguments in this JSON; Refused (``BadRequest``) that names what is wrong, and no value of it."""
    try:
        return ContextArguments.model_validate_json(text)
    except ValidationError as fault:
        told = "; ".join(dict.fromkeys(map(_told, fault.errors(include_input=False, include_url=False)[:5])))
        raise Refused(Problem(400, "QueryError", "BadRequest", told)) from None


def input_schema(lenses: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of the arguments, which lists exactly these lenses."""
    schema = ContextArguments.model_json_schema()
    schema["properties"]["lens"]["enum"] = list(lenses)
    return schema


def _told(fault: ErrorDetails) -> str:
    at = ".".join(str(part) for part in fault["loc"])[:MAX_SHOWN]
    if fault["type"] == "extra_forbidden":
        return f"{at} is no argument here"
    return f"{at or 'the arguments'}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"
