"""The lines of the demo world's tables, a file a module; a class is a table, its fields the columns."""

from __future__ import annotations

from lens_library.able.rows.communications import CaseRoute, Conversation, LeadOrigin, LeadRoute, Origin
from lens_library.able.rows.crm import Activity, FollowUp, Recording, Relationship, SalesLead, Schedule
from lens_library.able.rows.directory import Party
from lens_library.able.rows.helpdesk import Case, CaseEvidence
from lens_library.able.rows.identifiers import case_id, conversation_id, numbered, party_id
from lens_library.able.rows.knowledge import Chunk, ChunkClaim, Document, KnowledgeArticle, Suggestion
from lens_library.able.rows.operations import Observation, Operation, Sighting, Tracking

__all__ = [
    "Activity",
    "Case",
    "CaseEvidence",
    "CaseRoute",
    "Chunk",
    "ChunkClaim",
    "Conversation",
    "Document",
    "FollowUp",
    "KnowledgeArticle",
    "LeadOrigin",
    "LeadRoute",
    "Observation",
    "Operation",
    "Origin",
    "Party",
    "Recording",
    "Relationship",
    "Row",
    "SalesLead",
    "Schedule",
    "Sighting",
    "Suggestion",
    "Tracking",
    "case_id",
    "conversation_id",
    "numbered",
    "party_id",
]

Row = (
    Activity
    | Case
    | CaseEvidence
    | CaseRoute
    | Chunk
    | ChunkClaim
    | Conversation
    | Document
    | FollowUp
    | KnowledgeArticle
    | LeadOrigin
    | LeadRoute
    | Observation
    | Operation
    | Origin
    | Party
    | Recording
    | Relationship
    | SalesLead
    | Schedule
    | Sighting
    | Suggestion
    | Tracking
)
"""A line of any table."""
