"""A YAML file as plain values, with the line of every field and every fault of its spelling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from lens_dsl.errors import Finding

MAX_BYTES = 1_000_000
MAX_DEPTH = 32
Location = tuple[str | int, ...]
_TEXT = "tag:yaml.org,2002:str"
_BOOL = "tag:yaml.org,2002:bool"
_SCALARS = {_BOOL, *(f"tag:yaml.org,2002:{name}" for name in ("null", "int", "float"))}


@dataclass
class Document:
    """``value`` is made of dicts, lists and scalars; ``lines`` gives the line of each field by its place."""

    file: str
    value: object = None
    lines: dict[Location, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def report(self, where: Location, message: str) -> None:
        """Note a fault of the field at this place, on its line or that of the nearest field around it."""
        self.findings.append(Finding(self.file, self.line(where), dotted(where), message))

    def line(self, where: Location) -> int:
        """The 1-based line of a field, else of the nearest field around it."""
        while where not in self.lines and where:
            where = where[:-1]
        return self.lines.get(where, 1)


def dotted(where: Location) -> str:
    """A place as people write it: ``kinds.Order.key[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return text.removeprefix(".") or "(file)"


def read_bounded(path: Path, most: int) -> bytes:
    """The content of a file; ValueError where it has more bytes than this, of which no more are read."""
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"larger than {most:,} bytes")
    return content


def read_document(path: Path, file: str) -> Document:
    """The file's document; what is wrong with its spelling, or that there is no such file, stands in its findings."""
    document = Document(file)
    try:
        text = read_bounded(path, MAX_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as fault:
        document.report((), f"cannot be read: {_reason(fault)}")
        return document
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is not None:
            document.value = _Builder(document, loader).build(node, ())
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        problem = getattr(fault, "problem", None) or "it cannot be read"
        line = mark.line + 1 if mark is not None else 1
        document.findings.append(Finding(file, line, "(file)", f"no valid YAML: {problem}"))
    except RecursionError:
        document.report((), "nested too deeply")
    finally:
        loader.dispose()
    return document


class _Builder:
    def __init__(self, document: Document, loader: yaml.SafeLoader) -> None:
        self._document = document
        self._loader = loader
        self._seen: set[int] = set()

    def build(self, node: yaml.Node, where: Location) -> object:
        self._document.lines.setdefault(where, node.start_mark.line + 1)
        if id(node) in self._seen or len(where) > MAX_DEPTH:
            self._document.report(
                where, "aliases (*name) and very deep nesting are not supported: write it out"
            )
            return None
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return dict(self._entries(node, where))
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*where, index)) for index, item in enumerate(node.value)]
        return self._scalar(node, where)

    def _entries(self, node: yaml.MappingNode, where: Location) -> Iterator[tuple[str, object]]:
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if _tag(key_node) != _TEXT:
                shown = getattr(key_node, "value", "?")
                self._document.lines[(*where, str(shown))] = line
                self._document.report((*where, str(shown)), "a name must be text: put it in quotes")
                continue
            key = key_node.value
            if key in first:
                self._document.findings.append(
                    Finding(
                        self._document.file,
                        line,
                        dotted((*where, key)),
                        f"stands twice, first on line {first[key]}",
                    )
                )
                continue
            first[key] = line
            self._document.lines[(*where, key)] = line
            yield key, self.build(value_node, (*where, key))

    def _scalar(self, node: yaml.Node, where: Location) -> object:
        tag = _tag(node)
        if tag == _TEXT:
            return node.value
        if tag not in _SCALARS:
            self._document.report(where, f"the YAML tag {tag} is not supported")
            return None
        return self._loader.construct_object(node)


def _tag(node: yaml.Node) -> str:
    """The node's tag as YAML 1.2 has it: ``on``, ``yes`` and ``no`` are text, and so are dates."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag == _BOOL and node.value.lower() not in ("true", "false"):
            return _TEXT
        if node.tag == "tag:yaml.org,2002:timestamp":
            return _TEXT
    return str(node.tag)


def _reason(fault: Exception) -> str:
    if isinstance(fault, FileNotFoundError):
        return "there is no such file"
    if isinstance(fault, UnicodeDecodeError):
        return "it is not UTF-8"
    return fault.strerror or type(fault).__name__ if isinstance(fault, OSError) else str(fault)
