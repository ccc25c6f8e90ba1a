"""The JSON that a module served over HTTP and its reader exchange, for both sides.

``POST /read`` takes ``{"actor", "context", "kind", "ids"}`` and gives ``{"answers": [...]}``, one for every id:
``{"id", "state": "found" | "not_found" | "forbidden" | "unreadable", "record"}``, the record with a found one alone.
``GET /changes?cursor=`` gives ``{"head", "goes_on", "changes"}``, at most ``MAX_CHANGES`` events after the cursor;
``head`` is null where the module has no feed.
``GET /snapshot?part=nodes`` (or ``edges``) gives a line a record or relationship, ``{"item": ...}``, then
``{"end": count, "null_references": {...}}``; a fault midway is a line ``{"error": ...}``.
Everything else is ``{"error": {"type", "code", "message"}}`` with a status of 400 or more. Requests carry the
shared token as a bearer token; ``POST /confirm`` is kept for the revalidation of relationships.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from lens_runtime.ports import Answer, Forbidden, Found, NotFound, Unreadable
from lens_runtime.projection.states import Change, EdgeState, NodeState, Position

MAX_IDS = 1_000
MAX_CHANGES = 500
MAX_REQUEST_BYTES = 1_000_000
MAX_ANSWER_BYTES = 16_000_000
MAX_LINE_BYTES = 1_000_000
DEADLINE_HEADER = "lens-deadline-ms"
"""How many milliseconds the reader will wait: the module stops then."""

T = TypeVar("T")
State = Literal["found", "not_found", "forbidden", "unreadable"]
Id = Annotated[str, StringConstraints(max_length=2_000)]


class Message(BaseModel):
    """Exactly the declared fields; a fault names no value."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class ReadRequest(Message):
    """Which records are asked for, and for whom; the module itself decides what the actor may read."""

    actor: Id
    context: Id
    kind: Id
    ids: Annotated[list[Id], Field(max_length=MAX_IDS)]


class RecordMessage(Message):
    """A record that was found."""

    fields: dict[str, Any]
    revision: str
    visibility: str
    label: str
    observed_at: int | None = None
    summary: str | None = None


class AnswerMessage(Message):
    """What became of one id."""

    id: str
    state: State
    record: RecordMessage | None = None


class ReadAnswer(Message):
    """One answer for every id."""

    answers: list[AnswerMessage]


class ChangesAnswer(Message):
    """A page of a feed."""

    head: str | None
    goes_on: bool = False
    changes: list[dict[str, Any]] = []


class Malformed(Exception):
    """A message that is not of the shape described above."""


_CHANGE, _NODE, _EDGE = TypeAdapter(Change), TypeAdapter(NodeState), TypeAdapter(EdgeState)


_WITHOUT_RECORD: Mapping[State, Answer] = {
    "not_found": NotFound(),
    "forbidden": Forbidden(),
    "unreadable": Unreadable("its module cannot read it"),
}


def answer_message(record_id: str, answer: Answer) -> AnswerMessage:
    """An answer as it is sent."""
    if isinstance(answer, Found):
        record = RecordMessage(
            fields=dict(answer.fields),
            revision=answer.revision,
            visibility=answer.visibility,
            label=answer.label,
            observed_at=answer.observed_at,
            summary=answer.summary,
        )
        return AnswerMessage(id=record_id, state="found", record=record)
    state = next(name for name, plain in _WITHOUT_RECORD.items() if isinstance(answer, type(plain)))
    return AnswerMessage(id=record_id, state=state)


def answers_of(content: bytes, ids: Iterable[str]) -> Mapping[str, Answer]:
    """The answers for exactly these ids, in their order; Malformed for one that is missing or not of the shape."""
    message = _validated(ReadAnswer, _parsed(content))
    found = {answer.id: _answer(answer) for answer in message.answers}
    try:
        return {record_id: found[record_id] for record_id in ids}
    except KeyError:
        raise Malformed from None


def _answer(message: AnswerMessage) -> Answer:
    if (message.state == "found") != (message.record is not None):
        raise Malformed
    if message.record is None:
        return _WITHOUT_RECORD[message.state]
    record = message.record
    return Found(
        record.fields,
        record.revision,
        record.visibility,
        record.label,
        record.observed_at,
        record.summary,
    )


def changes_message(head: Position | None, changes: Iterable[Change] | None) -> bytes:
    """A page of a feed as it is sent; ``changes`` None where it does not go on from the cursor."""
    plain = [] if changes is None else [_CHANGE.dump_python(change, mode="json") for change in changes]
    message = {
        "head": None if head is None else str(head),
        "goes_on": changes is not None,
        "changes": plain,
    }
    return encoded(message)


def changes_of(content: bytes) -> tuple[Position | None, list[Change] | None]:
    """The feed's head and a page of it, as ``changes_message`` had them; Malformed for any other shape."""
    message = _validated(ChangesAnswer, _parsed(content))
    try:
        head = None if message.head is None else Position.parse(message.head)
        changes = [_CHANGE.validate_python(change) for change in message.changes] if message.goes_on else None
    except ValueError:
        raise Malformed from None
    return head, changes


def item_line(item: NodeState | EdgeState) -> bytes:
    """A line of a snapshot."""
    adapter: TypeAdapter[Any] = _NODE if isinstance(item, NodeState) else _EDGE
    return encoded({"item": adapter.dump_python(item, mode="json")}) + b"\n"


def node_of(item: object) -> NodeState:
    """The record of a snapshot's line; Malformed where it is none."""
    return _state(_NODE, item)


def edge_of(item: object) -> EdgeState:
    """The relationship of a snapshot's line; Malformed where it is none."""
    return _state(_EDGE, item)


def encoded(message: object) -> bytes:
    """A message as JSON, in ASCII: half a surrogate pair in a text must not stop it."""
    return json.dumps(message, separators=(",", ":")).encode()


def mapping_of(content: bytes | str) -> Mapping[str, Any]:
    """The JSON object that a text holds; Malformed where it holds none."""
    value = _parsed(content)
    if not isinstance(value, dict):
        raise Malformed
    return value


def request_of(content: bytes) -> ReadRequest:
    """What a reader asks for; Malformed where it is not of the shape."""
    return _validated(ReadRequest, _parsed(content))


def _parsed(content: bytes | str) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise Malformed from None


def _validated(shape: type[T], value: object) -> T:
    try:
        return TypeAdapter(shape).validate_python(value)
    except ValidationError:
        raise Malformed from None


def _state(adapter: TypeAdapter[T], item: object) -> T:
    try:
        return adapter.validate_python(item)
    except ValidationError:
        raise Malformed from None
