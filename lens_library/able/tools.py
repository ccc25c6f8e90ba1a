"""The write tools of the demo world's modules, one a module: each works on its module's own database alone.

A write must carry the revision that the record has now, as a reader gives it. A revision that is no longer the
latest is refused, so that nobody overwrites what they have not seen; read again and decide anew. What comes
back is the new revision. Nothing here knows of the graph, which learns of a write by the next build.

Every tool takes the folder of the modules' databases and raises ExecutionError: ``StaleRevision`` or
``UnknownRecord``, ``InvalidChange`` for a value that the module does not take, and ``ModuleUnavailable`` where
its database cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path

import apsw

from lens_dsl.errors import ExecutionError
from lens_library.able.draw import iso_of
from lens_library.able.rows import Observation, Sighting
from lens_runtime.ports import Clock

BUSY_MS = 2_000
CASE_STATUSES = ("open", "waiting", "resolved", "closed")
FOLLOWUP_STATUSES = ("open", "done", "cancelled")
OBSERVED_STATES = ("accepted", "succeeded", "failed")


@dataclass(frozen=True, slots=True)
class _Record:
    """A record that a tool writes, and where it is."""

    database: str
    table: str
    kind: str
    id: str


def set_city(modules: Path, party_id: str, revision: str, city: str, clock: Clock) -> str:
    """directory: the party has moved to another city. The new revision."""
    _text("city", city, 80)
    record = _Record("directory.db", "parties", "Party", party_id)
    return _write(modules, record, revision, {"city": city, "changed_at": iso_of(clock.now())})


def set_case_status(modules: Path, case_id: str, revision: str, status: str, clock: Clock) -> str:
    """helpdesk: the case is now ``open``, ``waiting``, ``resolved`` or ``closed``. The new revision."""
    _one_of("status", status, CASE_STATUSES)
    record = _Record("helpdesk.db", "cases", "Case", case_id)
    return _write(modules, record, revision, {"status": status, "changed_at": iso_of(clock.now())})


def set_followup_status(modules: Path, followup_id: str, revision: str, status: str, clock: Clock) -> str:
    """crm: the follow-up is now ``open``, ``done`` or ``cancelled``. The new revision."""
    _one_of("status", status, FOLLOWUP_STATUSES)
    record = _Record("crm.db", "followups", "FollowUp", followup_id)
    return _write(modules, record, revision, {"status": status, "changed_at": iso_of(clock.now())})


def route_to_case(modules: Path, conversation_id: str, revision: str, case_id: str | None) -> str:
    """communications: the conversation goes to this case, or to none any more. The new revision."""
    if case_id is not None:
        _text("case_id", case_id, 80)
    record = _Record("communications.db", "conversations", "Conversation", conversation_id)
    return _write(modules, record, revision, {"case_id": case_id})


def add_observation(
    modules: Path, operation_id: str, revision: str, observation: Observation, clock: Clock
) -> str:
    """operations: something was observed of the operation. The operation's new revision."""
    _one_of("state", observation.state, OBSERVED_STATES)
    record = _Record("operations.db", "operations", "Operation", operation_id)

    def insert(connection: apsw.Connection) -> None:
        for table, line in (
            ("observations", observation),
            ("sightings", Sighting(operation_id, observation.id, observation.observed_at)),
        ):
            values = astuple(line)
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    return _write(modules, record, revision, {"changed_at": iso_of(clock.now())}, insert)


def edit_chunk(modules: Path, chunk_id: str, revision: str, text: str, clock: Clock) -> str:
    """knowledge: the passage of a document now reads like this. The new revision."""
    _text("text", text, 20_000)
    record = _Record("knowledge.db", "chunks", "Chunk", chunk_id)
    return _write(modules, record, revision, {"text": text, "changed_at": iso_of(clock.now())})


def _write(
    modules: Path,
    record: _Record,
    revision: str,
    changes: Mapping[str, str | None],
    also: Callable[[apsw.Connection], None] | None = None,
) -> str:
    """Change one record, and whatever goes with it, in one transaction that begins by holding the revision to it."""
    path = str(modules / record.database)
    try:
        with closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            connection.set_busy_timeout(BUSY_MS)
            # Not ``with connection``: that waits for another writer with the interpreter's lock in its hand.
            connection.execute("BEGIN IMMEDIATE")
            new = _latest(connection, record, revision) + 1
            settings = ", ".join(f"{column} = ?" for column in changes)
            statement = f"UPDATE {record.table} SET {settings}, revision = ? WHERE id = ?"
            connection.execute(statement, (*changes.values(), new, record.id))
            if also is not None:
                also(connection)
            connection.execute("COMMIT")
    except apsw.ConstraintError as fault:
        raise ExecutionError(
            "InvalidChange", f"{record.kind} {record.id}: {fault}", hint="give what is added an id of its own"
        ) from fault
    except apsw.Error as fault:
        raise ExecutionError(
            "ModuleUnavailable",
            f"{record.database} cannot be written: {type(fault).__name__}",
            retryable=True,
            hint="try again; a world that was never built has no databases: lens world build",
        ) from fault
    return str(new)


def _latest(connection: apsw.Connection, record: _Record, revision: str) -> int:
    found = connection.execute(f"SELECT revision FROM {record.table} WHERE id = ?", (record.id,)).fetchone()
    if found is None:
        raise ExecutionError("UnknownRecord", f"there is no {record.kind} {record.id}")
    if str(found[0]) != revision:
        raise ExecutionError(
            "StaleRevision",
            f"{record.kind} {record.id} is not at revision {revision} any more",
            hint="read it again, and write with the revision it has now",
        )
    return int(found[0])


def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ExecutionError("InvalidChange", f"{field} is one of {', '.join(allowed)}, not {value!r}")


def _text(field: str, value: str, most: int) -> None:
    if not value.strip() or len(value) > most:
        raise ExecutionError("InvalidChange", f"{field} is a text of 1 to {most:,} characters")
