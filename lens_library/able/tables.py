"""Which databases there are, and the tables of each."""

from __future__ import annotations

from dataclasses import dataclass, fields

from lens_library.able import rows


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its lines are instances of ``row``, and ``key`` is its primary key."""

    name: str
    row: type
    key: tuple[str, ...] = ("id",)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(field.name for field in fields(self.row))

    @property
    def statement(self) -> str:
        """The statement that makes it."""
        columns = [_column(field.name, str(field.type)) for field in fields(self.row)]
        if self.key:
            columns.append(f"PRIMARY KEY ({', '.join(self.key)})")
        return f"CREATE TABLE {self.name} ({', '.join(columns)}) STRICT"


@dataclass(frozen=True, slots=True)
class Database:
    """A module's database; ``afterwards`` makes its indexes and views once it is filled."""

    file: str
    tables: tuple[Table, ...]
    afterwards: tuple[str, ...] = ()


TRACKED_OPERATIONS = """
CREATE VIEW tracked_operations AS
SELECT o.*, (
  SELECT json_group_array(json_object('state', b.state, 'authoritative', b.authoritative, 'observed_at', b.observed_at))
  FROM sightings s JOIN observations b ON b.id = s.observation_id WHERE s.operation_id = o.id
) AS observations
FROM operations o"""
"""An operation with what its outcome is decided by: see ``outcomes``."""

DATABASES = (
    Database("directory.db", (Table("parties", rows.Party),)),
    Database("helpdesk.db", (Table("cases", rows.Case), Table("case_evidence", rows.CaseEvidence, ()))),
    Database(
        "crm.db",
        (
            Table("relationships", rows.Relationship),
            Table("leads", rows.SalesLead),
            Table("activities", rows.Activity),
            Table("followups", rows.FollowUp),
            Table("recordings", rows.Recording, ("relationship_id", "activity_id")),
            Table("schedules", rows.Schedule, ()),
        ),
    ),
    Database(
        "communications.db",
        (
            Table("conversations", rows.Conversation),
            Table("origins", rows.Origin, ("case_id", "conversation_id")),
            Table("lead_origins", rows.LeadOrigin, ("lead_id", "conversation_id")),
            Table("case_routes", rows.CaseRoute, ("conversation_id", "case_id")),
            Table("lead_routes", rows.LeadRoute, ("conversation_id", "lead_id")),
        ),
    ),
    Database(
        "operations.db",
        (
            Table("operations", rows.Operation),
            Table("observations", rows.Observation),
            Table("sightings", rows.Sighting, ("operation_id", "observation_id")),
            Table("trackings", rows.Tracking, ()),
        ),
        (TRACKED_OPERATIONS,),
    ),
    Database(
        "knowledge.db",
        (
            Table("articles", rows.KnowledgeArticle),
            Table("documents", rows.Document),
            Table("chunks", rows.Chunk),
            Table("chunk_claims", rows.ChunkClaim, ("chunk_id", "document_id")),
            Table("suggestions", rows.Suggestion, ("case_id", "article_id")),
        ),
    ),
)


def _column(name: str, annotation: str) -> str:
    kind = "INTEGER" if annotation == "int" else "TEXT"
    need = "" if "None" in annotation else " NOT NULL"
    return f"{name} {kind}{need}"
