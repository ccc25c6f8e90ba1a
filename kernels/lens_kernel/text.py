"""Values as text for people: every character that hides, moves or commands is made visible."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence

from lens_runtime.evaluation.temporal.text import iso_text
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Node, Path, Relationship, Value

_HIDING = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format (bidirectional, zero-width, tags), unassigned, private, surrogates, separators of lines."""

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing."""


def clean(text: str) -> str:
    """The text on one line, what cannot be seen as its escape: no terminal or page obeys or misreads it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(character) if _hides(character) else character for character in text)


def _hides(character: str) -> bool:
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return selector or character in _BLANK or unicodedata.category(character) in _HIDING


def _escape(character: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character) or (
        f"\\x{ord(character):02x}" if character < "\x80" else f"\\u{{{ord(character):x}}}"
    )


def show(value: Value) -> str:
    """A value of the language on one line; a text as it is, a node as ``Kind id "label"``."""
    return clean(value) if isinstance(value, str) else _inner(value)


def _inner(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{clean(quoted)}'"
    if isinstance(value, Node):
        return show_node(value)
    if isinstance(value, Relationship):
        return f"[{_relationship(value)}]"
    if isinstance(value, Path):
        return _path(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{clean(str(key))}: {_inner(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_inner, value)) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return iso_text(value) if isinstance(value, TEMPORAL) else repr(value)


def show_node(node: Node) -> str:
    """``Kind id "label"``, without the label where it says no more than the id."""
    kind, entity_id = clean(node.coordinate.entity_type), clean(node.coordinate.entity_id)
    label = clean(node.label).removeprefix(entity_id).strip()
    return f'{kind} {entity_id} "{label}"' if label else f"{kind} {entity_id}"


def _relationship(relationship: Relationship) -> str:
    name = f":{clean(relationship.type)}"
    return f"{name} {_inner(relationship.properties)}" if relationship.properties else name


def _path(path: Path) -> str:
    shown = f"({show_node(path.nodes[0])})"
    for relationship, before, after in zip(path.relationships, path.nodes, path.nodes[1:], strict=False):
        forward = relationship.source == before.id
        left, right = ("-", "->") if forward else ("<-", "-")
        shown += f"{left}[{_relationship(relationship)}]{right}({show_node(after)})"
    return shown


def width(text: str) -> int:
    """How many columns a terminal takes for it."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shorten(text: str, most: int) -> str:
    """The text in at most that many columns, with an ellipsis where something is left out."""
    if width(text) <= most:
        return text
    kept, used = [], 1
    for character in text:
        used += _columns(character)
        if used > most:
            break
        kept.append(character)
    return "".join(kept) + "…"


def counted(number: int, what: str, plural: str = "") -> str:
    """A number and what it counts: ``1 row``, ``2,800 rows``."""
    return f"{number:,} {what if number == 1 else plural or what + 's'}"


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines of aligned columns below their heads."""
    lines = [heads, *([clean(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(f"{cell:<{w}}" for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
