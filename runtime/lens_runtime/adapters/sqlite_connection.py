"""How connections to the SQLite file are opened, and how their errors come out."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from lens_dsl.errors import StoreError

BUSY_MS = 5_000
CHECKPOINT_PAGES = 16_000  # a batch writes thousands; each checkpoint writes them a second time
WRITER_CACHE_KB = 128_000  # ids are hashes: a build writes all over its indexes

# D1's limits (platform limits, and workerd's for what is not documented).
LIMITS: dict[int, int] = {
    apsw.SQLITE_LIMIT_LENGTH: 2_000_000,
    apsw.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    apsw.SQLITE_LIMIT_COLUMN: 100,
    # D1 has 100. Newer builds count nested subqueries too: a statement that D1 takes needs up to 150.
    apsw.SQLITE_LIMIT_EXPR_DEPTH: 200,
    apsw.SQLITE_LIMIT_COMPOUND_SELECT: 5,
    apsw.SQLITE_LIMIT_VDBE_OP: 25_000,
    apsw.SQLITE_LIMIT_FUNCTION_ARG: 32,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    apsw.SQLITE_LIMIT_VARIABLE_NUMBER: 100,
    apsw.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}

# What the fixed reads may call; all of it is on D1's list.
_NAMES = """abs char coalesce concat count avg dense_rank first_value format glob group_concat hex ifnull iif instr
json json_array json_array_length json_each json_extract json_group_array json_group_object json_object json_quote
json_set json_tree json_type json_valid lag last_value lead length like lower ltrim max min nullif printf quote rank
replace round row_number rtrim sign substr substring sum total trim typeof unicode upper -> ->> match bm25 highlight
snippet"""
FUNCTIONS = frozenset(_NAMES.split())

_ALLOWED = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE, apsw.SQLITE_TRANSACTION})


def open_reader(path: Path) -> apsw.Connection:
    """A connection that can only read."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY, statementcachesize=200)
    _limit(connection)
    connection.execute("PRAGMA query_only = 1")
    connection.execute("PRAGMA mmap_size = 268435456")
    connection.authorizer = _only_reads
    return connection


def open_examiner(path: Path) -> apsw.Connection:
    """A connection that can only read, but may ask for pragmas and for the plans of writes."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    _limit(connection)
    connection.execute("PRAGMA query_only = 1")
    return connection


def open_writer(path: Path) -> apsw.Connection:
    """The connection that writes; the file is made, for its owner alone, where there is none."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = apsw.Connection(str(path), statementcachesize=200)
    _limit(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{WRITER_CACHE_KB}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.transaction_mode = "IMMEDIATE"
    return connection


def open_committer(path: Path) -> apsw.Connection:
    """A connection that can write committed aggregates, and nothing else."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=20)
    _limit(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.transaction_mode = "IMMEDIATE"
    connection.authorizer = _only_aggregates
    return connection


def _limit(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(BUSY_MS)
    for limit, value in LIMITS.items():
        connection.limit(limit, value)


def _only_reads(
    operation: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    if operation == apsw.SQLITE_FUNCTION:
        return apsw.SQLITE_OK if second in FUNCTIONS else apsw.SQLITE_DENY
    if operation == apsw.SQLITE_PRAGMA:  # FTS5 asks whether its index has changed
        return apsw.SQLITE_OK if (first, second) == ("data_version", None) else apsw.SQLITE_DENY
    return apsw.SQLITE_OK if operation in _ALLOWED else apsw.SQLITE_DENY


def _only_aggregates(
    operation: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    if operation in (apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE):
        return apsw.SQLITE_OK if first == "context_aggregates" else apsw.SQLITE_DENY
    return _only_reads(operation, first, second, database, trigger)


@contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Let no error of SQLite, or of the file system, out but as StoreError."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as problem:
        raise StoreError("StoreBusy", f"{path} is being written", retryable=True) from problem
    except (apsw.NotADBError, apsw.CorruptError) as problem:
        hint = "the projection can be made anew: lens world build --rebuild, after removing the file"
        raise StoreError("Damaged", f"{path} is no usable database: {problem}", hint=hint) from problem
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.ReadOnlyError, OSError) as problem:
        raise StoreError(
            "CannotOpen", f"{path} cannot be opened: {problem}", hint="look at its permissions"
        ) from problem
    except (apsw.FullError, apsw.IOError) as problem:
        raise StoreError(
            "StorageFailed", f"{path}: {problem}", hint="look at the disk's space and health"
        ) from problem
    except apsw.ConstraintError as problem:
        raise StoreError("ConstraintFailed", f"{path}: {problem}") from problem
    except apsw.TooBigError as problem:
        raise StoreError("TooBig", f"{path}: {problem}") from problem
    except apsw.Error as problem:
        raise StoreError("StoreFailed", f"{path}: {type(problem).__name__}: {problem}") from problem
