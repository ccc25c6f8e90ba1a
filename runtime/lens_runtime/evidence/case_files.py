"""A file of cases as plain values with the line of each field: YAML, JSON or JSON Lines, a list or under ``cases``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from lens_dsl.errors import Finding
from lens_runtime.worlds.document import Document, Location, read_bounded, read_document

MAX_BYTES = 20_000_000
LINES, JSON = ".jsonl", ".json"
UNDER = "cases"


def read_cases_document(path: Path) -> Document:
    """The document, its value a list; what is wrong with its spelling stands in its findings."""
    document = _read_json(path) if path.suffix.lower() in (LINES, JSON) else read_document(path, path.name)
    if not document.findings:
        _list_of_cases(document)
    return document


def _read_json(path: Path) -> Document:
    document = Document(path.name)
    try:
        text = read_bounded(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        document.report((), "cannot be read: it is not UTF-8")
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        document.report((), f"cannot be read: {reason}")
    else:
        _parse(text, document, lines=path.suffix.lower() == LINES)
    return document


def _parse(text: str, document: Document, *, lines: bool) -> None:
    if lines:
        numbered = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        document.value = [_loaded(line, document, number) for number, line in numbered]
        starts = [number for number, _ in numbered]
    else:
        document.value = _loaded(text, document, 1)
        starts = [] if document.findings else list(_starts(text))
    under: Location = ()
    values = document.value
    if isinstance(values, dict):
        under, values = (UNDER,), values.get(UNDER)
    if isinstance(values, list):
        for position, line in enumerate(starts[: len(values)]):
            _on_line(values[position], (*under, position), line, document)


def _starts(text: str) -> Iterator[int]:
    """The line on which each value of the first list of a sound JSON text begins."""
    decoder, at = json.JSONDecoder(), _past_space(text, text.find("[") + 1)
    while 0 < at < len(text) and text[at] != "]":
        yield text.count("\n", 0, at) + 1
        _, end = decoder.raw_decode(text, at)
        end = _past_space(text, end)
        at = _past_space(text, end + 1) if text[end : end + 1] == "," else end


def _past_space(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at


def _on_line(value: object, where: Location, line: int, document: Document) -> None:
    """Everything in a case is said to stand on the line that the case begins on."""
    document.lines[where] = line
    if isinstance(value, dict | list):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            _on_line(item, (*where, name), line, document)


def _loaded(text: str, document: Document, first: int) -> object:
    """The value of a JSON text that begins on this line."""
    problem, line = "nested too deeply", first
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as fault:
        problem, line = f"no valid JSON: {fault.msg} at column {fault.colno}", first + fault.lineno - 1
    except ValueError as fault:
        problem = f"no valid JSON: {fault}"
    except RecursionError:
        pass
    document.findings.append(Finding(document.file, line, "(file)", problem))
    return None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice} stands twice in one object")
    return dict(pairs)


def _list_of_cases(document: Document) -> None:
    """Take the list from under ``cases`` where it stands there; a fault where there is none, or it is empty."""
    value = document.value
    if isinstance(value, dict) and set(value) == {UNDER}:
        document.value = value[UNDER]
        document.lines = {where[1:]: line for where, line in document.lines.items() if where}
    if not isinstance(document.value, list):
        document.report((), "must be a list of cases, or a map with one under cases")
    elif not document.value:
        document.report((), "holds no case")
