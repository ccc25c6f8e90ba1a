"""Files of records read whole, and in words what is wrong with one: at build time and when a world is checked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path


class DataFault(ValueError):
    """A file of records that cannot be understood; the message follows the file's name, and shows no record."""


def read_text(path: Path) -> str:
    """The file's text, without a byte order mark. DataFault where it is empty or not UTF-8, OSError as it comes."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = fault.object.count(b"\n", 0, fault.start) + 1
        raise DataFault(f"is not UTF-8: byte 0x{fault.object[fault.start]:02x} in line {line}") from None
    if not text.strip():
        raise DataFault("is empty")
    return text


def read_json(path: Path) -> object:
    """The file's JSON document; DataFault where it is none."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        raise DataFault(f"is no JSON: line {fault.lineno}, column {fault.colno}: {fault.msg}") from None
    except RecursionError:
        raise DataFault("is nested too deeply") from None
    except ValueError:
        raise DataFault("holds a number of too many digits") from None


def read_table(path: Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """The header of a CSV file, and its records, each with the line it begins in.

    DataFault, also while the records are read, where the file is no CSV, or a record has other cells than
    the header.
    """
    lines = _lines(read_text(path))
    header = next(lines)[1]
    if not any(name.strip() for name in header):
        raise DataFault("has no header: line 1 must name the columns")
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise DataFault(f"has two columns called {twice!r}")
    return header, _records(len(header), lines)


def _records(width: int, lines: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    for line, cells in lines:
        if cells and len(cells) != width:
            raise DataFault(f"has {len(cells)} cells in line {line}, and {width} in its header")
        if cells:
            yield line, cells


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as fault:
        raise DataFault(f"is no CSV in line {line}: {_told(fault)}") from None


def _told(fault: csv.Error) -> str:
    text = str(fault)
    if text.startswith("field larger"):
        return f"a cell has more than {csv.field_size_limit():,} characters"
    return "a quoted cell is not closed" if text == "unexpected end of data" else text
