"""From a raw record to values: paths, templates and the language's types.

A path names a column or walks into a record: ``name.first_name``; ``^`` is the record one level up
(``^.user_id``), ``@`` the key or position a record stands under, ``.`` the record itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from lens_runtime.worlds.templates import Template, is_template

MAX_INTEGER = 2**63


class MappingFault(ValueError):
    """A record that cannot be mapped; the message names fields, never values."""


@dataclass(frozen=True, slots=True)
class Row:
    """A raw record, the key it stands under, the record one level up, and its line where its file has lines."""

    value: object
    key: object = None
    parent: Row | None = None
    line: int | None = None


Expression = Callable[[Row], object]


def expression(text: str, *, columns: bool) -> Expression:
    """How a value is taken from a record: a template if it holds ``{{`` or ``{%``, else a path.

    Where records are lines of a table (``columns``), a path must begin with one of its columns.
    """
    if is_template(text):
        return _rendered(Template(text))
    return _column(text) if columns and text not in ("@", ".") else _path(text)


def template(text: str) -> Expression:
    """A template over a record's columns, ``parent`` and ``key``; plain text stands for itself."""
    return _rendered(Template(text)) if is_template(text) else lambda _: text


def walk(document: object, each: str) -> Iterator[Row]:
    """Every record that a path such as ``users.*.payment_methods.*`` reaches, in the document's order.

    Inside a record, a list or map that is missing or null holds no records. MappingFault where the document
    has nothing at the path's beginning, or something else stands where a list or map should.
    """
    levels = _levels(each)
    if _inside(document, levels[0]) is None:
        raise MappingFault(f"there is nothing at {'.'.join(levels[0])!r}, where {each!r} begins")
    rows: Iterator[Row] = iter((Row(document),))
    for position, segments in enumerate(levels):
        rows = _descend(rows, segments, f"{each!r}, step {position + 1}")
    return rows


def _levels(each: str) -> list[list[str]]:
    levels: list[list[str]] = [[]]
    for segment in each.split("."):
        if segment == "*":
            levels.append([])
        else:
            levels[-1].append(segment)
    return levels[:-1]


def _descend(rows: Iterator[Row], segments: list[str], place: str) -> Iterator[Row]:
    for row in rows:
        held = _inside(row.value, segments)
        parent = row if row.key is not None else None
        if isinstance(held, dict):
            yield from (Row(value, key, parent) for key, value in held.items())
        elif isinstance(held, list):
            yield from (Row(value, index, parent) for index, value in enumerate(held))
        elif held is not None:
            raise MappingFault(f"{place} is neither a list nor a map")


def _path(text: str) -> Expression:
    def take(row: Row) -> object:
        value = row.value
        if isinstance(value, dict) and text in value:
            return value[text]
        at: Row | None = row
        segments = text.split(".")
        while segments and segments[0] == "^":
            at = at.parent if at is not None else None
            segments = segments[1:]
        if at is None:
            raise MappingFault(f"{text!r} goes further up than the record stands")
        if segments == ["@"]:
            return at.key
        return _inside(at.value, [segment for segment in segments if segment])

    return take


def _column(text: str) -> Expression:
    take = _path(text)
    first = text.split(".")[0]

    def checked(row: Row) -> object:
        if isinstance(row.value, dict) and first not in row.value and text not in row.value:
            raise MappingFault(f"there is no column {first!r}")
        return take(row)

    return checked


def _inside(value: object, segments: list[str]) -> object:
    for segment in segments:
        if not isinstance(value, dict):
            return None
        value = value.get(segment)
    return value


def _rendered(compiled: Template) -> Expression:
    def render(row: Row) -> object:
        columns = row.value if isinstance(row.value, dict) else {}
        parent = row.parent.value if row.parent is not None else None
        return compiled.render({"key": row.key, "parent": parent, **columns})

    return render


def language_value(value: object, field: str) -> object:
    """The value as the language has it: null, bool, int64, float, str, list or map."""
    if value is None or isinstance(value, (bool, float, str)):
        return value
    if isinstance(value, int):
        if not -MAX_INTEGER <= value < MAX_INTEGER:
            raise MappingFault(f"{field!r} holds an integer outside 64 bits")
        return value
    if isinstance(value, list):
        return [language_value(item, field) for item in value]
    if isinstance(value, dict):
        return {str(key): language_value(item, field) for key, item in value.items()}
    raise MappingFault(f"{field!r} holds {type(value).__name__}, which is not a value of the language")


def identifier(value: object) -> str | None:
    """A record's id as text; None for null and for empty text."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise MappingFault(f"an id is text or an integer, not {type(value).__name__}")


def moment(value: object, field: str) -> int | None:
    """Milliseconds since 1970 UTC, from such a number or from ISO 8601 text (UTC where it names no zone)."""
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            raise MappingFault(f"{field!r} is not an ISO 8601 time") from None
        aware = read if read.tzinfo is not None else read.replace(tzinfo=UTC)
        return round(aware.timestamp() * 1000)
    raise MappingFault(f"{field!r} is neither milliseconds since 1970 nor an ISO 8601 time")


def content_hash(value: object) -> str:
    """A short hash of a raw record: its revision where its source keeps none."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=_encoded)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _encoded(value: object) -> Mapping[str, str]:
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    raise MappingFault(f"a record holds {type(value).__name__}")


def cut(text: str, limit: int) -> str:
    """The text, shortened to ``limit`` characters with an ellipsis at its end where it is longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
