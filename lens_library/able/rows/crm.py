"""The tables of crm.db."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relationship:
    """crm.relationships: the shop's business with one party."""

    id: str
    party_id: str
    role: str
    tier: str
    since: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class SalesLead:
    """crm.leads"""

    id: str
    party_id: str
    stage: str
    product: str
    amount: int
    opened_at: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class Activity:
    """crm.activities; ``note`` is what the customer said, ``conversation_id`` and ``document_id`` prove it."""

    id: str
    action: str
    result: str
    note: str
    happened_at: str
    conversation_id: str | None
    document_id: str | None
    visibility: str
    revision: int


@dataclass(frozen=True, slots=True)
class FollowUp:
    """crm.followups"""

    id: str
    purpose: str
    status: str
    due_at: str
    visibility: str
    revision: int
    changed_at: str


@dataclass(frozen=True, slots=True)
class Recording:
    """crm.recordings: which relationship an activity belongs to."""

    relationship_id: str
    activity_id: str
    noted_at: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """crm.schedules: which relationship or sales lead a follow-up was promised in."""

    followup_id: str
    noted_at: str
    relationship_id: str | None = None
    lead_id: str | None = None
