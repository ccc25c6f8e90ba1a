"""How far the projection is behind the modules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lens_dsl.errors import ReaderError
from lens_runtime.ports import ModuleReader
from lens_runtime.projection.states import Position
from lens_runtime.projection.status import Cursor, Status


@dataclass(frozen=True, slots=True)
class Lag:
    """How many events of a module's feed are not projected yet; None where that cannot be counted, for a reason."""

    events: int | None
    reason: str | None = None

    def __str__(self) -> str:
        return self.reason or f"{self.events:,}"


NO_FEED = Lag(None, "no feed")
UNAVAILABLE = Lag(None, "the module is unavailable")
WHOLE = Lag(None, "the next build reads it whole")


def lags(status: Status, readers: Mapping[str, ModuleReader]) -> Mapping[str, Lag]:
    """The lag of every module that is projected or should be, by asking each for its feed's head."""
    return {name: _lag(status.cursors.get(name), reader) for name, reader in readers.items()}


def _lag(cursor: Cursor | None, reader: ModuleReader) -> Lag:
    position = None if cursor is None else Position(int(cursor.cursor), cursor.mark)
    try:
        feed = reader.changes(position)
    except ReaderError:
        return UNAVAILABLE
    if feed is None:
        return NO_FEED if cursor is not None else WHOLE
    if feed.changes is None or position is None:
        return WHOLE
    return Lag(feed.head.seq - position.seq)
