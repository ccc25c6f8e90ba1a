"""What a mapping must say so that its module's database can have a change feed."""

from __future__ import annotations

from typing import Any

from lens_runtime.worlds.checking.sheet import Sheet
from lens_runtime.worlds.document import Location
from lens_runtime.worlds.feeds import is_column
from lens_runtime.worlds.modules import Source


def check_feed_record(where: Location, record: Any, source: Source, modules: Sheet) -> None:
    """Note a record whose changes a feed could not tell in order."""
    if source.feed is None:
        if record.base is not None:
            modules.report((*where, "base"), "is for a module with a feed")
        return
    if record.revision is None:
        modules.report(
            where, "has no revision: a feed needs the column that counts the revisions of a record"
        )
    elif not is_column(record.revision):
        modules.report((*where, "revision"), "must be a column of the table, so that the feed can tell it")


def check_feed_relationship(where: Location, mapping: Any, source: Source, modules: Sheet) -> None:
    """Note a relationship that could not be found by the record that asserts it."""
    if source.feed is None:
        return
    for field, text in (("from", mapping.from_), ("to", mapping.to)):
        if not is_column(text):
            modules.report((*where, field), "must be a column of the table, so that the feed can tell it")
