"""How a key's value is written in the projection: one text for values that a query calls equal."""

from __future__ import annotations

import json

LABELLED = "s:"
"""The text of ``""``: in an open world each label of a record is a key with this value."""


def key_text(value: object) -> str | None:
    """The text a key property is stored and sought under; None for what cannot be a key (null, lists, NaN).

    ``1`` and ``1.0`` are equal in a query and give one text; ``true`` and ``'1'`` each give another.
    """
    if value is None or isinstance(value, (list, tuple, dict)):
        return None
    if isinstance(value, bool):
        return "b:true" if value else "b:false"
    if isinstance(value, float):
        if value != value:
            return None
        return f"n:{int(value)}" if value.is_integer() else f"n:{value!r}"
    if isinstance(value, int):
        return f"n:{value}"
    if isinstance(value, str):
        return "s:" + value
    raise TypeError(f"not a value of the language: {json.dumps(str(type(value)))}")


def index_text(value: object) -> str | None:
    """As ``key_text``, and for lists and maps too: the text under which an indexed property finds its equals.

    None for what no property equals: null, NaN, a record, a path, and lists and maps that hold one.
    """
    if isinstance(value, (list, tuple)):
        items = [index_text(item) for item in value]
        return None if None in items else "l:" + json.dumps(items, ensure_ascii=False)
    if isinstance(value, dict):
        entries = {str(key): index_text(item) for key, item in value.items()}
        return (
            None
            if None in entries.values()
            else "m:" + json.dumps(entries, ensure_ascii=False, sort_keys=True)
        )
    return key_text(value) if isinstance(value, (bool, int, float, str)) else None
