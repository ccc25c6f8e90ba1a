"""The tables of helpdesk.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """helpdesk.cases"""

    id: str
    party_id: str
    team: str
    status: str
    priority: str
    subject: str
    description: str
    opened_at: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """helpdesk.case_evidence: what a case rests on, one of the three."""

    case_id: str
    noted_at: str
    conversation_id: str | None = None
    document_id: str | None = None
    activity_id: str | None = None
