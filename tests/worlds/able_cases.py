"""The four cases of able's relationship types, as ontology.yml names them, and how a case is brought about."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import yaml

from lens_library.able.tables import DATABASES
from lens_runtime.graph import Coordinate
from lens_runtime.worlds.world import World

SETS = {
    "missing": ("gone",),
    "stale": ("moving",),
    "contradictory": ("one", "other"),
    "unauthorized": ("hidden",),
}
"""The sets of planted records that a case's relationships lead to."""
ENDS = {
    "involves_party": "directory:Party:p",
    "originated_from_conversation": "communications:Conversation:v",
    "routed_to_case": "helpdesk:Case:c",
    "routed_to_sales_lead": "crm:SalesLead:l",
    "records_activity": "crm:Activity:a",
    "scheduled_followup": "crm:FollowUp:f",
    "evidenced_by": "crm:Activity:a",
    "tracked_by_operation": "operations:Operation:o",
    "observed_by": "operations:Observation:b",
    "suggested_knowledge": "knowledge:KnowledgeArticle:k",
    "PART_OF": "knowledge:Document:d",
}
"""What a case's relationship leads to: module, kind and letter."""


def cases(world: World) -> Mapping[tuple[str, str], Coordinate]:
    """By relationship type and case, the record that the relationship starts from."""
    declared: Mapping[str, Any] = yaml.safe_load((world.folder / "ontology.yml").read_text("utf-8"))
    return {
        (name, case): Coordinate.parse(text)
        for name, each in declared["relationships"].items()
        for case, text in each.get("cases", {}).items()
    }


def ends(name: str, case: str) -> tuple[Coordinate, ...]:
    """The targets of a case's relationship, whether they are there or not."""
    return tuple(Coordinate.parse(f"{ENDS[name]}-{each}") for each in SETS[case])


def move_on(modules: Path, record: Coordinate) -> None:
    """Let the record's module move on, as any write of its own would: its revision rises by one."""
    database, table = next(
        (database.file, table.name)
        for database in DATABASES
        for table in database.tables
        if table.row.__name__ == record.entity_type
    )
    with closing(apsw.Connection(str(modules / database))) as connection:
        connection.execute(f"UPDATE {table} SET revision = revision + 1 WHERE id = ?", (record.entity_id,))
        assert connection.changes() == 1
