"""Cells of tables, typed as a mapping declares."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from lens_runtime.adapters.mapping import MappingFault
from lens_runtime.worlds.modules import ColumnType

_BOOLEANS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}


def typed(cells: Mapping[str, object], types: Mapping[str, ColumnType]) -> dict[str, object]:
    """The cells with their declared types; an empty text in a typed column is null."""
    record = dict(cells)
    for name, wanted in types.items():
        if name not in record:
            raise MappingFault(f"there is no column {name!r}")
        record[name] = _convert(record[name], name, wanted)
    return record


def _convert(cell: object, name: str, wanted: ColumnType) -> object:
    if cell is None or cell == "":
        return None
    try:
        return _CONVERSIONS[wanted](str(cell))
    except (ValueError, KeyError, RecursionError):
        raise MappingFault(f"a cell of column {name!r} is not of type {wanted}") from None


def _boolean(text: str) -> bool:
    return _BOOLEANS[text.lower()]


_CONVERSIONS: Mapping[ColumnType, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "bool": _boolean,
    "json": json.loads,
}
