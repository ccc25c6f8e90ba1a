"""Makes the databases of the demo world: the same content for the same size, on every machine, at any time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import astuple
from pathlib import Path

import apsw

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_library.able.business import make_business
from lens_library.able.followed import followed
from lens_library.able.planted import planted
from lens_library.able.rows import Row
from lens_library.able.sales import sales
from lens_library.able.shelf import shelf
from lens_library.able.tables import DATABASES, Table
from lens_library.able.work import work

SIZES = {"small": 1, "medium": 20, "large": 200}
"""How many blocks of about 5,000 records each has."""


def generate(folder: Path, size: str) -> None:
    """Write a database for each of the six modules into an existing, empty folder, block by block.

    ``size`` is small (5,000 records), medium (100,000) or large (1,000,000).
    Raises ConfigurationError (``UnknownSize``) for any other.
    """
    if size not in SIZES:
        raise ConfigurationError("UnknownSize", f"there is no size {size!r}", hint=did_you_mean(size, SIZES))
    with ExitStack() as opened:
        tables: dict[type, tuple[apsw.Connection, Table]] = {}
        for database in DATABASES:
            connection = opened.enter_context(closing(apsw.Connection(str(folder / database.file))))
            # Half a world is never used: a killed run leaves a folder that the next one throws away.
            connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            for table in database.tables:
                connection.execute(table.statement)
                tables[table.row] = (connection, table)
        for block in range(SIZES[size]):
            _write(tables, rows(block))
        for database in DATABASES:
            for statement in database.afterwards:
                tables[database.tables[0].row][0].execute(statement)


def rows(block: int) -> Iterator[Row]:
    """Every line of every table of one block; the first block also has what is planted."""
    business = make_business(block)
    yield from business.rows()
    yield from sales(business)
    yield from work(business)
    yield from shelf(business)
    if block == 0:
        yield from followed()
        yield from planted()


def _write(tables: dict[type, tuple[apsw.Connection, Table]], lines: Iterator[Row]) -> None:
    sorted_out: defaultdict[type, list[Row]] = defaultdict(list)
    for line in lines:
        sorted_out[type(line)].append(line)
    for row, group in sorted_out.items():
        connection, table = tables[row]
        marks = ", ".join("?" * len(table.columns))
        with connection:
            connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", map(astuple, group))
