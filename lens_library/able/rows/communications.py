"""The tables of communications.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Conversation:
    """communications.conversations; ``case_id`` is the case it was routed to."""

    id: str
    party_id: str
    case_id: str | None
    channel: str
    subject: str
    body: str
    started_at: str
    visibility: str
    revision: int


@dataclass(frozen=True, slots=True)
class Origin:
    """communications.origins: which conversation a case came out of."""

    case_id: str
    conversation_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class LeadOrigin:
    """communications.lead_origins: which conversation a sales lead came out of."""

    lead_id: str
    conversation_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class CaseRoute:
    """communications.case_routes: a conversation that somebody sent on to a case by hand."""

    conversation_id: str
    case_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class LeadRoute:
    """communications.lead_routes: a conversation that somebody sent on to sales."""

    conversation_id: str
    lead_id: str
    noted_at: str
