"""Files of records, and in words what is wrong with one: at build time and when a world is checked."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


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


def read_table(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The header of a CSV file, plain or zipped, then its records: streamed, each with the line it begins in.

    DataFault, also while the records are read, where the file is no CSV, or a record has other cells than
    the header. OSError as it comes.
    """
    with _opened(path) as file:
        lines = _lines(file)
        first = next(lines, None)
        if first is None:
            raise DataFault("is empty")
        header = first[1]
        _check_header(header)
        yield first
        width = len(header)
        for line, cells in lines:
            if len(cells) == width:
                yield line, cells
            elif cells:
                raise DataFault(f"has {len(cells)} cells in line {line}, and {width} in its header")


def _check_header(header: list[str]) -> None:
    if not any(name.strip() for name in header):
        raise DataFault("has no header: line 1 must name the columns")
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise DataFault(f"has two columns called {twice!r}")


def _lines(file: TextIO) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(_decoded(file), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as fault:
        raise DataFault(f"is no CSV in line {line}: {_told(fault)}") from None


def _decoded(file: TextIO) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        escaped = None if line.isascii() else _ESCAPED_BYTE.search(line)
        if escaped is not None:
            byte = ord(escaped[0]) & 0xFF
            raise DataFault(f"is not UTF-8: byte 0x{byte:02x} in line {number}")
        yield line


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """A CSV file's text; of a ``.zip``, that of the member that is called like it.

    Bytes that are no UTF-8 come escaped: the decoder itself could not tell in which line they are.
    """
    if path.suffix != ".zip":
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
            yield file
        return
    try:
        with zipfile.ZipFile(path) as archive, _member(archive, path.stem) as member:
            yield io.TextIOWrapper(member, encoding="utf-8-sig", errors="surrogateescape", newline="")
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise DataFault("is no zip file, or is damaged") from None


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    try:
        return archive.open(name)
    except KeyError:
        raise DataFault(f"holds no file {name}") from None
    except RuntimeError:  # so does zipfile call a password, and a compression it does not know
        raise DataFault(f"holds {name} in a form that cannot be unpacked") from None


def _told(fault: csv.Error) -> str:
    text = str(fault)
    if text.startswith("field larger"):
        return f"a cell has more than {csv.field_size_limit():,} characters"
    return "a quoted cell is not closed" if text == "unexpected end of data" else text
