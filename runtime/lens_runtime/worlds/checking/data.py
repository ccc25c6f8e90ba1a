"""The data that modules.yml maps, as far as a header, a table's columns or a path's beginning tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import apsw

from lens_dsl.ontology import did_you_mean
from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.conversion import source_of
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.modules import Source, csv_file
from lens_runtime.worlds.packages import package_folder
from lens_runtime.worlds.records import DataFault, read_json, read_table
from lens_runtime.worlds.templates import Template, TemplateFault, is_template

_AROUND = frozenset({"key", "parent"})
"""What a template may name that is no column: the key a record stands under, and the record one level up."""


def check_data(folder: Path, ontology: Sheet, modules: Sheet) -> None:
    """Note every file that cannot be understood, and everything a mapping names that its source has not.

    Files are read, records are not mapped. Databases that a generator makes are left alone, and so is what lies
    elsewhere: a module read over http, a package that is not installed.
    """
    for name, module in (modules.shape or {}).items():
        source = source_of(folder, module.source)
        if not _is_here(source):
            continue
        data = _Data(source)
        for kind, record in module.records.items():
            declared = ontology.entry("kinds", kind)
            properties = (
                declared.properties - {"id", *record.computed} if declared is not None else frozenset()
            )
            _check_mapping((name, "records", kind), record, properties, data, modules)
        for kind, mappings in module.relationships.items():
            declared = ontology.entry("relationships", kind)
            properties = frozenset(declared.properties) if declared is not None else frozenset()
            for position, mapping in enumerate(mappings):
                where = modules.within((name, "relationships", kind), position)
                _check_mapping(where, mapping, properties, data, modules)


def _is_here(source: Source) -> bool:
    if source.kind in ("generated", "http", "graph"):
        return False
    if source.package is not None and package_folder(source.package) is None:
        return False
    return Path(source.path).exists()


class _Data:
    """A source, each of its files read once."""

    def __init__(self, source: Source) -> None:
        self.kind = source.kind
        self._source = source
        self._path = Path(source.path)
        self.columns = cache(self._columns)
        self.document = cache(self._document)

    def name(self, table: str | None) -> str:
        """What a table is called where people look for it."""
        if self.kind == "sqlite":
            return f"table {table} of {self._path.name}"
        return csv_file(self._source, table).name

    def _columns(self, table: str | None) -> frozenset[str] | DataFault:
        """The columns of a table, or what is wrong with it."""
        try:
            return frozenset(self._database(table) if self.kind == "sqlite" else self._header(table))
        except OSError as fault:
            return DataFault(f"{self._path.name} cannot be read: {fault.strerror}")
        except DataFault as fault:
            return fault

    def _document(self) -> object | DataFault:
        try:
            return read_json(self._path)
        except OSError as fault:
            return DataFault(f"{self._path.name} cannot be read: {fault.strerror}")
        except DataFault as fault:
            return DataFault(f"{self._path.name} {fault}")

    def _header(self, table: str | None) -> list[str]:
        path = csv_file(self._source, table)
        if not path.is_file():
            return []
        try:
            lines = read_table(path)
            _, header = next(lines)
            for _ in lines:
                pass
        except DataFault as fault:
            raise DataFault(f"{path.name} {fault}") from None
        return header

    def _database(self, table: str | None) -> list[str]:
        try:
            with closing(apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
                names = [str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_list")]
                columns = connection.execute("SELECT name FROM pragma_table_info(?1)", (table,)).fetchall()
        except (apsw.NotADBError, apsw.CorruptError):
            raise DataFault(f"{self._path.name} is no SQLite database, or is damaged") from None
        except apsw.Error as fault:
            raise DataFault(f"{self._path.name} cannot be read: {fault}") from None
        if not columns:
            known = [name for name in names if not name.startswith("sqlite_")]
            raise DataFault(f"{self._path.name} has no table {table!r}; {did_you_mean(str(table), known)}")
        return [str(name) for (name,) in columns]


def _check_mapping(
    where: Location, mapping: Any, properties: frozenset[str], data: _Data, modules: Sheet
) -> None:
    if data.kind == "json":
        if mapping.each is not None:
            _check_each((*where, "each"), mapping.each, data.document(), modules)
        return
    columns = data.columns(mapping.table)
    if isinstance(columns, DataFault):
        modules.report((*where, "table") if mapping.table is not None else where, str(columns))
        return
    if not columns:
        return
    for field, text in _expressions(mapping, properties):
        for name in sorted(_named(text, columns)):
            modules.known((*where, *field), name, columns, "column", data.name(mapping.table))
    for name in mapping.types:
        modules.known((*where, "types", name), name, columns, "column", data.name(mapping.table))


def _check_each(where: Location, each: str, document: object, modules: Sheet) -> None:
    if isinstance(document, DataFault):
        modules.report(where, str(document))
        return
    at = document
    for step in each.split("."):
        if step == "*":
            if not isinstance(at, dict | list):
                modules.report(
                    where, f"leads to neither a list nor a map: '*' of {each!r} has no records there"
                )
            return
        if not isinstance(at, dict) or step not in at:
            known: Iterable[str] = at if isinstance(at, dict) else ()
            modules.report(where, f"there is nothing at {step!r} in the file; {did_you_mean(step, known)}")
            return
        at = at[step]


def _expressions(mapping: Any, properties: frozenset[str]) -> Iterator[tuple[Location, str]]:
    """What is taken from a record, with the field that says so; an unmapped property is its own column."""
    for field in ("id", "observed_at", "revision"):
        text = getattr(mapping, field, None)
        if text is not None:
            yield (field,), text
    for field, attribute in (("from", "from_"), ("to", "to")):
        text = getattr(mapping, attribute, None)
        if text is not None:
            yield (field,), text
    for field in ("visibility", "context"):
        text = getattr(mapping, field, None)
        if text is not None and is_template(text):
            yield (field,), text
    for name in sorted(properties | mapping.fields.keys()):
        yield ("fields", name), mapping.fields.get(name, name)


def _named(text: str, columns: frozenset[str]) -> frozenset[str]:
    """The columns that an expression names and that there must be."""
    if is_template(text):
        try:
            return Template(text).names - _AROUND
        except TemplateFault:
            return frozenset()  # noted where the mapping itself is checked
    if text in columns or text in ("@", "."):
        return frozenset()
    return frozenset({text.split(".")[0]})
