"""Makes the databases of the demo world: the same content for the same size, on every machine, at any time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import apsw

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import did_you_mean
from lens_library.able.business import make_business
from lens_library.able.rows import Business, Case, Conversation, Origin, Party

SIZES = {"small": 1, "medium": 36, "large": 360}
"""How many times the small size, which has about 2,800 records."""


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    row: type
    key: str
    rows: Sequence[Party | Conversation | Origin | Case]


def generate(folder: Path, size: str) -> None:
    """Write ``directory.db``, ``communications.db`` and ``helpdesk.db`` into an existing, empty folder.

    ``size`` is small (2,800 records), medium (100,000) or large (1,000,000).
    Raises ConfigurationError (``UnknownSize``) for any other.
    """
    if size not in SIZES:
        raise ConfigurationError("UnknownSize", f"there is no size {size!r}", hint=did_you_mean(size, SIZES))
    business = make_business(f"able {size}", SIZES[size])
    for file, tables in _databases(business).items():
        _write(folder / file, tables)


def _databases(business: Business) -> dict[str, list[_Table]]:
    return {
        "directory.db": [_Table("parties", Party, "id", business.parties)],
        "communications.db": [
            _Table("conversations", Conversation, "id", business.conversations),
            _Table("origins", Origin, "case_id", business.origins),
        ],
        "helpdesk.db": [_Table("cases", Case, "id", business.cases)],
    }


def _write(path: Path, tables: Sequence[_Table]) -> None:
    with closing(apsw.Connection(str(path))) as connection, connection:
        for table in tables:
            columns = [_column(field.name, str(field.type), table.key) for field in fields(table.row)]
            connection.execute(f"CREATE TABLE {table.name} ({', '.join(columns)}) STRICT")
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table.name} VALUES ({marks})", map(astuple, table.rows))


def _column(name: str, annotation: str, key: str) -> str:
    kind = "INTEGER" if annotation == "int" else "TEXT"
    need = "" if "None" in annotation else " NOT NULL"
    return f"{name} {kind}{need}{' PRIMARY KEY' if name == key else ''}"
