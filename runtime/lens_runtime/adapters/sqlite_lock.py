"""One writer per database file: a lock that the operating system lets go of when its process dies."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from lens_dsl.errors import StoreError
from lens_runtime.adapters.sqlite_connection import mapped

TIMEOUT_MS = 5_000


class WriterLock:
    """SQLite's own file lock on ``<path>.writer``; ``<path>.writer.json`` says who holds it, and since when."""

    def __init__(self, path: Path) -> None:
        self._file = path.with_name(path.name + ".writer")
        self._note = path.with_name(path.name + ".writer.json")
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; inside itself at no cost. StoreError (StoreBusy) with the holder after 5 seconds."""
        self._depth += 1
        try:
            if self._depth > 1:
                yield
                return
            connection = self._take()
            try:
                yield
            finally:
                connection.close()
        finally:
            self._depth -= 1

    def holder(self) -> str | None:
        """Who holds the lock now, None where nobody does. It is asked for and let go of at once."""
        if not self._file.exists():
            return None
        with mapped(self._file):
            connection = apsw.Connection(str(self._file), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                connection.execute("BEGIN IMMEDIATE")
            except apsw.BusyError:
                return self._holder()
            finally:
                connection.close()
        return None

    def _take(self) -> apsw.Connection:
        with mapped(self._file):
            connection = apsw.Connection(str(self._file))
            connection.set_busy_timeout(TIMEOUT_MS)
            try:
                connection.execute("BEGIN IMMEDIATE")
            except apsw.BusyError as problem:
                connection.close()
                message = f"another process writes {self._file.stem}: {self._holder()}"
                raise StoreError("StoreBusy", message, retryable=True) from problem
            since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            note = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
            self._note.write_text(json.dumps(note), encoding="utf-8")
            return connection

    def _holder(self) -> str:
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return f"process {note['pid']} on {note['host']} since {note['since']}"
        except (OSError, ValueError, KeyError):
            return "it did not say who it is"
