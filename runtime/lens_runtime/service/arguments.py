"""What the tool, and ``POST /context``, are asked with."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from lens_runtime.graph import Coordinate
from lens_runtime.service.problems import Problem, Refused

MAX_SHOWN = 60
MAX_DIGITS = 30

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


def _whole(value: object) -> object:
    """JSON knows one kind of number: 1.0 and 1e2 are as whole as 100, and 1e400 is beyond all that there is."""
    if not isinstance(value, float) or math.isnan(value):
        return value
    if math.isinf(value):
        return int(math.copysign(10**MAX_DIGITS, value))
    return int(value) if value.is_integer() else value


class ContextArguments(_Arguments):
    """A lens, and the subject it is asked about."""

    subject: SubjectArgument
    lens: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="Which lens answers: it fixes what is followed and how much."
    )
    maxNodes: Annotated[int | None, BeforeValidator(_whole)] = Field(  # noqa: N815
        default=None,
        description="At most so many records: any whole number, clamped to between 1 and what the lens allows.",
    )
    focus: Annotated[str, StringConstraints(max_length=1_000)] | None = Field(
        default=None, description="Words that rank what is near to them first. No query."
    )


def read_arguments(text: bytes | str) -> ContextArguments:
    """The arguments in this JSON; Refused (``BadRequest``) that names what is wrong, and no value of it."""
    try:
        return ContextArguments.model_validate(_parsed(text))
    except ValidationError as fault:
        told = "; ".join(dict.fromkeys(map(_told, fault.errors(include_input=False, include_url=False)[:5])))
        raise _refused(told) from None


def _parsed(text: bytes | str) -> object:
    """The JSON, each name of an object once: who checks a request before us may take the other of two."""
    try:
        return json.loads(
            text if isinstance(text, str) else text.decode("utf-8"),
            object_pairs_hook=_once,
            parse_int=lambda digits: int(digits[:MAX_DIGITS]),
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as fault:
        raise _refused(f"no valid JSON: {fault.msg} in line {fault.lineno}, column {fault.colno}") from None
    except UnicodeDecodeError:
        raise _refused("no valid JSON: it is not UTF-8") from None
    except RecursionError:
        raise _refused("the arguments are nested too deeply") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _refused("a name stands twice in one object")
    return found


def _no_number(name: str) -> NoReturn:
    raise _refused(f"no valid JSON: {name} is no number of JSON")


def _refused(told: str) -> Refused:
    return Refused(Problem(400, "QueryError", "BadRequest", told))


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
