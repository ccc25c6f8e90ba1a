"""A document against its shape: every fault on its line, and what is sound handed on all the same."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.document import Document, Location
from lens_runtime.worlds.wording import told


def validated(document: Document, shape: Any, depth: int) -> Any | None:
    """The document in its shape, its faults noted in it; None where nothing sound is left.

    Faulty entries at ``depth`` (``kinds.Order`` is at 2) are left out, so that the sound ones can still be
    checked against the other files.
    """
    adapter = TypeAdapter(shape)
    value = document.value if document.value is not None else {}
    try:
        return adapter.validate_python(value)
    except ValidationError as fault:
        faults = fault.errors(include_url=False, include_input=False)
    for details in faults:
        _note(document, shape, details)
    pruned = _pruned(value, [(_known(document, details), details["type"]) for details in faults], depth)
    try:
        return adapter.validate_python(pruned)
    except ValidationError:
        return None


def _note(document: Document, shape: Any, details: ErrorDetails) -> None:
    where = tuple(details["loc"])
    if details["type"] == "extra_forbidden":
        document.report(
            where, f"unknown field; {did_you_mean(str(where[-1]), _fields_at(shape, where[:-1]))}"
        )
    elif details["type"] == "missing":
        document.report(where, _missing(shape, where))
    else:
        document.report(_known(document, details), told(details))


def _known(document: Document, details: ErrorDetails) -> Location:
    where = tuple(part for part in details["loc"] if part != "[key]")
    if details["type"] in ("missing", "extra_forbidden"):
        return where
    while where and where not in document.lines:
        where = where[:-1]
    return where


def _missing(shape: Any, where: Location) -> str:
    field = _fields_at(shape, where[:-1]).get(str(where[-1]))
    return f"is missing: {field.description}" if field is not None and field.description else "is missing"


def _fields_at(shape: Any, where: Location) -> dict[str, FieldInfo]:
    """The fields that may stand at a place, as they are written in the file."""
    at = _bare(shape)
    for part in where:
        field = _fields(at).get(str(part))
        entries = get_args(at)[-1] if get_args(at) else None
        at = _bare(field.annotation if field is not None else entries)
    return _fields(at)


def _fields(model: Any) -> dict[str, FieldInfo]:
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return {}
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _bare(annotation: Any) -> Any:
    while hasattr(annotation, "__metadata__"):
        annotation = get_args(annotation)[0]
    return annotation if isinstance(annotation, type) or get_origin(annotation) in (dict, list) else None


def _pruned(value: Any, faults: list[tuple[Location, str]], depth: int) -> Any:
    copy = _copied(value)
    for where, kind in faults:
        path = (where[:-1] if kind == "missing" else where)[:depth]
        holder = copy
        for part in path[:-1]:
            holder = holder.get(part) if isinstance(holder, dict) else None
        if path and isinstance(holder, dict):
            holder.pop(path[-1], None)
    return copy


def _copied(value: Any) -> Any:
    return {key: _copied(item) for key, item in value.items()} if isinstance(value, dict) else value
